import { buildSchema, type GraphQLSchema } from 'graphql'

/**
 * As much of the Admin API as a connector for orders, goods, stock and parcels could ask for. Every name and type is the
 * platform's own; what is left out does not exist here, and asking for it is the same mistake as a wrong name.
 */
const page = 'after: String, first: Int'

const connections = [
  ...[
    'FulfillmentLineItem',
    'ExchangeLineItem',
    'FulfillmentOrder',
    'FulfillmentOrderLineItem',
    'InventoryLevel',
    'LineItem',
    'Location',
    'Customer',
    'MailingAddress',
  ],
  ...['Media', 'Order', 'Product', 'ProductVariant', 'Publication', 'RefundLineItem', 'Return', 'ReturnLineItemType'],
  'ShippingLine',
  'WebhookSubscription',
]

const connectionTypes = connections.map(
  (name) => `type ${name}Connection { edges: [${name}Edge!]! nodes: [${name}!]! pageInfo: PageInfo! }
type ${name}Edge { cursor: String! node: ${name}! }`,
)

const userErrors = Object.entries({
  AppUninstallAppUninstallError: '',
  BulkOperationUserError: 'LIMIT_REACHED INVALID',
  FulfillmentOrderHoldUserError: 'FULFILLMENT_ORDER_NOT_FOUND TAKEN',
  FulfillmentOrderReleaseHoldUserError: 'FULFILLMENT_ORDER_NOT_FOUND',
  InventorySetQuantitiesUserError: `CHANGE_FROM_QUANTITY_STALE IDEMPOTENCY_KEY_PARAMETER_MISMATCH INVALID_INVENTORY_ITEM
    INVALID_LOCATION INVALID_QUANTITY_NEGATIVE INVALID_QUANTITY_TOO_HIGH`,
  OrderCancelUserError: 'INVALID NOT_FOUND',
  OrderCreateUserError: 'INVALID',
  ProductSetUserError: 'INVALID_INPUT PRODUCT_DOES_NOT_EXIST',
  ProductVariantsBulkCreateUserError: 'PRODUCT_DOES_NOT_EXIST VARIANT_ALREADY_EXISTS',
  ProductVariantsBulkUpdateUserError: 'PRODUCT_DOES_NOT_EXIST PRODUCT_VARIANT_DOES_NOT_EXIST',
  UserError: '',
}).map(
  ([name, codes]) => `type ${name} { field: [String!] message: String! ${codes && `code: ${name}Code`} }
${codes && `enum ${name}Code { ${codes} }`}`,
)

const text = `
directive @idempotent(key: String!) on FIELD
scalar CountryCode scalar CurrencyCode scalar DateTime scalar Decimal scalar HTML scalar Money
scalar URL scalar WebhookSubscriptionTopic

schema { query: QueryRoot mutation: Mutation }

type QueryRoot {
  bulkOperation(id: ID!): BulkOperation
  currentAppInstallation: AppInstallation!
  fulfillment(id: ID!): Fulfillment
  fulfillmentOrder(id: ID!): FulfillmentOrder
  customer(id: ID!): Customer
  customers(${page}, query: String, sortKey: CustomerSortKeys = ID): CustomerConnection!
  job(id: ID!): Job
  location(id: ID): Location
  locations(${page}, includeInactive: Boolean = false, includeLegacy: Boolean = false, sortKey: LocationSortKeys = NAME): LocationConnection!
  nodes(ids: [ID!]!): [Node]!
  order(id: ID!): Order
  orders(${page}, query: String, reverse: Boolean = false, sortKey: OrderSortKeys = PROCESSED_AT): OrderConnection!
  ordersCount(limit: Int = 10000, query: String): Count
  product(id: ID!): Product
  products(${page}, query: String, sortKey: ProductSortKeys = ID): ProductConnection!
  productsCount(limit: Int = 10000, query: String): Count
  productVariants(${page}, query: String, sortKey: ProductVariantSortKeys = ID): ProductVariantConnection!
  publications(${page}, catalogType: CatalogType): PublicationConnection!
  return(id: ID!): Return
  shop: Shop!
  webhookSubscriptions(${page}, topics: [WebhookSubscriptionTopic!], uri: String): WebhookSubscriptionConnection!
}

type Mutation {
  appUninstall: AppUninstallPayload
  bulkOperationRunQuery(groupObjects: Boolean! = false, query: String!): BulkOperationRunQueryPayload
  fulfillmentTrackingInfoUpdate(fulfillmentId: ID!, trackingInfoInput: FulfillmentTrackingInput!, notifyCustomer: Boolean): FulfillmentTrackingInfoUpdatePayload
  fulfillmentCancel(id: ID!): FulfillmentCancelPayload
  fulfillmentCreate(fulfillment: FulfillmentInput!, message: String): FulfillmentCreatePayload
  fulfillmentOrderHold(fulfillmentHold: FulfillmentOrderHoldInput!, id: ID!): FulfillmentOrderHoldPayload
  fulfillmentOrderReleaseHold(externalId: String, holdIds: [ID!], id: ID!): FulfillmentOrderReleaseHoldPayload
  orderCapture(input: OrderCaptureInput!): OrderCapturePayload
  orderUpdate(input: OrderInput!): OrderUpdatePayload
  tagsAdd(id: ID!, tags: [String!]!): TagsAddPayload
  tagsRemove(id: ID!, tags: [String!]!): TagsRemovePayload
  inventoryActivate(available: Int, inventoryItemId: ID!, locationId: ID!): InventoryActivatePayload
  inventorySetQuantities(input: InventorySetQuantitiesInput!): InventorySetQuantitiesPayload
  orderCancel(notifyCustomer: Boolean = false, orderId: ID!, reason: OrderCancelReason!, refundMethod: OrderCancelRefundMethodInput, restock: Boolean!, staffNote: String = null): OrderCancelPayload
  orderCreate(options: OrderCreateOptionsInput, order: OrderCreateOrderInput!): OrderCreatePayload
  publishablePublish(id: ID!, input: [PublicationInput!]!): PublishablePublishPayload
  refundCreate(input: RefundInput!): RefundCreatePayload
  productSet(identifier: ProductSetIdentifiers, input: ProductSetInput!, synchronous: Boolean = true): ProductSetPayload
  productVariantsBulkCreate(productId: ID!, variants: [ProductVariantsBulkInput!]!): ProductVariantsBulkCreatePayload
  productVariantsBulkUpdate(productId: ID!, variants: [ProductVariantsBulkInput!]!): ProductVariantsBulkUpdatePayload
  webhookSubscriptionCreate(topic: WebhookSubscriptionTopic!, webhookSubscription: WebhookSubscriptionInput!): WebhookSubscriptionCreatePayload
  webhookSubscriptionDelete(id: ID!): WebhookSubscriptionDeletePayload
}

interface Node { id: ID! }
type PageInfo { endCursor: String hasNextPage: Boolean! }
type Count { count: Int! precision: CountPrecision! }
type Job { done: Boolean! id: ID! }
type Shop { currencyCode: CurrencyCode! myshopifyDomain: String! name: String! taxesIncluded: Boolean! }
type Publication implements Node { id: ID! } type PublishablePublishPayload { userErrors: [UserError!]! }
type AppInstallation { accessScopes: [AccessScope!]! }
type AccessScope { handle: String! }
type MoneyBag { presentmentMoney: MoneyV2! shopMoney: MoneyV2! } type Attribute { key: String! value: String }
type MoneyV2 { amount: Decimal! currencyCode: CurrencyCode! }

type Order implements Node { additionalFees: [AdditionalFee!]! app: OrderApp customAttributes: [Attribute!]!
  dutiesIncluded: Boolean! originalTotalDutiesSet: MoneyBag poNumber: String risk: OrderRiskSummary! sourceName: String
  totalTipReceivedSet: MoneyBag! billingAddress: MailingAddress cancelledAt: DateTime cancelReason: OrderCancelReason
  closedAt: DateTime createdAt: DateTime! currencyCode: CurrencyCode! customer: Customer
  displayFinancialStatus: OrderDisplayFinancialStatus displayFulfillmentStatus: OrderDisplayFulfillmentStatus!
  email: String fulfillmentOrders(${page}): FulfillmentOrderConnection! fulfillments(first: Int): [Fulfillment!]!
  id: ID! lineItems(${page}): LineItemConnection! name: String! note: String phone: String processedAt: DateTime!
  shippingAddress: MailingAddress shippingLine: ShippingLine shippingLines(${page}): ShippingLineConnection! sourceIdentifier: String subtotalPriceSet: MoneyBag
  tags: [String!]! taxesIncluded: Boolean! test: Boolean! totalDiscountsSet: MoneyBag totalPriceSet: MoneyBag!
  presentmentCurrencyCode: CurrencyCode! transactions(first: Int): [OrderTransaction!]!
  paymentTerms: PaymentTerms purchasingEntity: PurchasingEntity returns(${page}): ReturnConnection! returnStatus: OrderReturnStatus!
  refunds(first: Int): [Refund!]! totalRefundedSet: MoneyBag! totalShippingPriceSet: MoneyBag! totalTaxSet: MoneyBag updatedAt: DateTime! }
union PurchasingEntity = Customer | PurchasingCompany type PurchasingCompany { company: Company! }
type Company implements Node { id: ID! name: String! } type PaymentTerms implements Node { id: ID! paymentTermsName: String! }
type AdditionalFee implements Node { id: ID! name: String! price: MoneyBag! taxLines: [TaxLine!]! }
type OrderApp { name: String! } type OrderRiskSummary { recommendation: OrderRiskRecommendationResult! }
type Refund implements Node { createdAt: DateTime id: ID! note: String totalRefundedSet: MoneyBag!
  refundLineItems(${page}): RefundLineItemConnection! }
type RefundLineItem { lineItem: LineItem! quantity: Int! subtotalSet: MoneyBag! totalTaxSet: MoneyBag! }
type Return implements Node { createdAt: DateTime! id: ID! name: String! order: Order! status: ReturnStatus!
  exchangeLineItems(${page}): ExchangeLineItemConnection! returnLineItems(${page}): ReturnLineItemTypeConnection! }
type ExchangeLineItem implements Node { id: ID! lineItems: [LineItem!] quantity: Int! }
interface ReturnLineItemType { customerNote: String quantity: Int! returnReasonDefinition: ReturnReasonDefinition
  returnReasonNote: String! }
type ReturnLineItem implements ReturnLineItemType { customerNote: String fulfillmentLineItem: FulfillmentLineItem!
  quantity: Int! returnReasonDefinition: ReturnReasonDefinition returnReasonNote: String! }
type ReturnReasonDefinition { name: String! } enum ReturnStatus { CANCELED CLOSED DECLINED OPEN REQUESTED }
enum OrderReturnStatus { INSPECTION_COMPLETE IN_PROGRESS NO_RETURN RETURNED RETURN_FAILED RETURN_REQUESTED }
type OrderTransaction implements Node { amountSet: MoneyBag! gateway: String id: ID! kind: OrderTransactionKind!
  maximumRefundableV2: MoneyV2 status: OrderTransactionStatus! totalUnsettledSet: MoneyBag }
type RefundCreatePayload { refund: Refund userErrors: [UserError!]! }
type MailingAddress { address1: String address2: String city: String company: String countryCodeV2: CountryCode
  firstName: String lastName: String name: String phone: String province: String provinceCode: String zip: String }
type Customer implements Node { addressesV2(${page}): MailingAddressConnection! createdAt: DateTime!
  numberOfOrders: UnsignedInt64! tags: [String!]! updatedAt: DateTime! defaultEmailAddress: CustomerEmailAddress defaultPhoneNumber: CustomerPhoneNumber
  firstName: String id: ID! lastName: String }
type CustomerEmailAddress { emailAddress: String! marketingState: CustomerEmailAddressMarketingState! }
enum CustomerEmailAddressMarketingState { NOT_SUBSCRIBED SUBSCRIBED } enum CustomerSortKeys { ID UPDATED_AT }
scalar UnsignedInt64 type CustomerPhoneNumber { phoneNumber: String! }
type LineItem implements Node { currentQuantity: Int! customAttributes: [Attribute!]! unfulfilledQuantity: Int! discountAllocations: [DiscountAllocation!]! id: ID!
  originalUnitPriceSet: MoneyBag! product: Product quantity: Int! requiresShipping: Boolean! sku: String
  taxLines(first: Int): [TaxLine!]! title: String! variant: ProductVariant variantTitle: String }
type DiscountAllocation { allocatedAmountSet: MoneyBag! } type TaxLine { priceSet: MoneyBag! }
type ShippingLine { code: String isRemoved: Boolean! originalPriceSet: MoneyBag! title: String! }
type Fulfillment implements Node { createdAt: DateTime! deliveredAt: DateTime displayStatus: FulfillmentDisplayStatus
  fulfillmentLineItems(${page}): FulfillmentLineItemConnection! id: ID! location: Location status: FulfillmentStatus!
  totalQuantity: Int! trackingInfo(first: Int): [FulfillmentTrackingInfo!]! }
type FulfillmentLineItem implements Node { id: ID! lineItem: LineItem! quantity: Int }
type FulfillmentTrackingInfo { company: String number: String url: URL }
type FulfillmentOrder implements Node { assignedLocation: FulfillmentOrderAssignedLocation! id: ID! orderId: ID!
  lineItems(${page}): FulfillmentOrderLineItemConnection! supportedActions: [FulfillmentOrderSupportedAction!]! }
type FulfillmentOrderAssignedLocation { location: Location }
type FulfillmentOrderLineItem implements Node { id: ID! lineItem: LineItem! remainingQuantity: Int! }
type FulfillmentOrderSupportedAction { action: FulfillmentOrderAction! }
type Product implements Node { createdAt: DateTime! descriptionHtml: HTML! id: ID! media(${page}): MediaConnection!
  onlineStoreUrl: URL options(first: Int): [ProductOption!]! productType: String! status: ProductStatus!
  tags: [String!]! title: String! updatedAt: DateTime! variants(${page}): ProductVariantConnection!
  variantsCount: Count vendor: String! }
type ProductOption { name: String! values: [String!]! }
type ProductVariant implements Node { barcode: String compareAtPrice: Money id: ID! inventoryItem: InventoryItem!
  inventoryQuantity: Int price: Money! product: Product! selectedOptions: [SelectedOption!]! sku: String title: String!
} type SelectedOption { name: String! value: String! }
interface Media { id: ID! preview: MediaPreviewImage }
type MediaImage implements Media & Node { id: ID! preview: MediaPreviewImage }
type MediaPreviewImage { image: Image } type Image { altText: String url: URL! }
type InventoryItem implements Node { id: ID! inventoryLevel(locationId: ID!): InventoryLevel
  measurement: InventoryItemMeasurement! sku: String tracked: Boolean!
  variants(after: String, first: Int): ProductVariantConnection }
type InventoryItemMeasurement { weight: Weight } type Weight { unit: WeightUnit! value: Float! }
type InventoryLevel implements Node { id: ID! item: InventoryItem! location: Location!
  quantities(names: [String!]!): [InventoryQuantity!]! updatedAt: DateTime! }
type InventoryQuantity { name: String! quantity: Int! }
type Location implements Node { id: ID! inventoryLevels(${page}, query: String): InventoryLevelConnection!
  isActive: Boolean! name: String! }
type BulkOperation implements Node { id: ID! status: BulkOperationStatus! url: URL }
type WebhookSubscription implements Node { id: ID! topic: WebhookSubscriptionTopic! uri: String! }
type AppUninstallPayload { userErrors: [AppUninstallAppUninstallError!]! }
type BulkOperationRunQueryPayload { bulkOperation: BulkOperation userErrors: [BulkOperationUserError!]! }
type FulfillmentCancelPayload { fulfillment: Fulfillment userErrors: [UserError!]! }
type FulfillmentOrderHoldPayload { fulfillmentOrder: FulfillmentOrder userErrors: [FulfillmentOrderHoldUserError!]! }
type FulfillmentOrderReleaseHoldPayload { fulfillmentOrder: FulfillmentOrder
  userErrors: [FulfillmentOrderReleaseHoldUserError!]! }
type OrderCapturePayload { transaction: OrderTransaction userErrors: [UserError!]! }
type OrderUpdatePayload { order: Order userErrors: [UserError!]! }
type TagsAddPayload { node: Node userErrors: [UserError!]! } type TagsRemovePayload { node: Node userErrors: [UserError!]! }
input FulfillmentOrderHoldInput { reason: FulfillmentHoldReason! reasonNotes: String }
enum FulfillmentHoldReason { INCORRECT_ADDRESS OTHER }
input OrderCaptureInput { amount: Money! currency: CurrencyCode finalCapture: Boolean id: ID! parentTransactionId: ID! }
input OrderInput { id: ID! note: String tags: [String!] }
type FulfillmentCreatePayload { fulfillment: Fulfillment userErrors: [UserError!]! }
type FulfillmentTrackingInfoUpdatePayload { fulfillment: Fulfillment userErrors: [UserError!]! }
type InventoryActivatePayload { inventoryLevel: InventoryLevel userErrors: [UserError!]! }
type InventorySetQuantitiesPayload { inventoryAdjustmentGroup: InventoryAdjustmentGroup
  userErrors: [InventorySetQuantitiesUserError!]! }
type InventoryAdjustmentGroup { createdAt: DateTime! }
type OrderCancelPayload { job: Job orderCancelUserErrors: [OrderCancelUserError!]! }
type OrderCreatePayload { order: Order userErrors: [OrderCreateUserError!]! }
type ProductSetPayload { product: Product userErrors: [ProductSetUserError!]! }
type ProductVariantsBulkCreatePayload { productVariants: [ProductVariant!]
  userErrors: [ProductVariantsBulkCreateUserError!]! }
type ProductVariantsBulkUpdatePayload { productVariants: [ProductVariant!]
  userErrors: [ProductVariantsBulkUpdateUserError!]! }
type WebhookSubscriptionCreatePayload { userErrors: [UserError!]! webhookSubscription: WebhookSubscription }
type WebhookSubscriptionDeletePayload { deletedWebhookSubscriptionId: ID userErrors: [UserError!]! }
input FulfillmentInput { lineItemsByFulfillmentOrder: [FulfillmentOrderLineItemsInput!]!
  notifyCustomer: Boolean = false trackingInfo: FulfillmentTrackingInput }
input FulfillmentOrderLineItemsInput { fulfillmentOrderId: ID!
  fulfillmentOrderLineItems: [FulfillmentOrderLineItemInput!] }
input FulfillmentOrderLineItemInput { id: ID! quantity: Int! }
input FulfillmentTrackingInput { company: String number: String url: URL }
input InventorySetQuantitiesInput { name: String! quantities: [InventoryQuantityInput!]! reason: String! }
input InventoryQuantityInput { changeFromQuantity: Int inventoryItemId: ID! locationId: ID! quantity: Int! }
input OrderCancelRefundMethodInput @oneOf { originalPaymentMethodsRefund: Boolean }
input OrderCreateOptionsInput { inventoryBehaviour: OrderCreateInputsInventoryBehavior = BYPASS }
input OrderCreateShippingLineInput { priceSet: MoneyBagInput! title: String! }
input OrderCreateTaxLineInput { priceSet: MoneyBagInput rate: Decimal! title: String! }
input OrderCreateOrderTransactionInput { amountSet: MoneyBagInput! gateway: String kind: OrderTransactionKind = SALE
  status: OrderTransactionStatus = SUCCESS }
input PublicationInput { publicationId: ID }
input OrderCreateOrderInput { financialStatus: OrderCreateFinancialStatus shippingLines: [OrderCreateShippingLineInput!]
  taxLines: [OrderCreateTaxLineInput!] taxesIncluded: Boolean = false transactions: [OrderCreateOrderTransactionInput!]
  billingAddress: MailingAddressInput currency: CurrencyCode
  customer: OrderCreateCustomerInput email: String
  lineItems: [OrderCreateLineItemInput!] note: String phone: String shippingAddress: MailingAddressInput
  sourceIdentifier: String tags: [String!] test: Boolean = false }
input OrderCreateLineItemInput { priceSet: MoneyBagInput quantity: Int! requiresShipping: Boolean = false sku: String
  title: String variantId: ID }
input OrderCreateCustomerInput @oneOf { toAssociate: OrderCreateAssociateCustomerAttributesInput
  toUpsert: OrderCreateUpsertCustomerAttributesInput }
input OrderCreateAssociateCustomerAttributesInput { email: String id: ID }
input OrderCreateUpsertCustomerAttributesInput { email: String firstName: String lastName: String phone: String }
input MailingAddressInput { address1: String address2: String city: String company: String countryCode: CountryCode
  firstName: String lastName: String phone: String provinceCode: String zip: String }
input MoneyBagInput { shopMoney: MoneyInput! }
input MoneyInput { amount: Decimal! currencyCode: CurrencyCode! }
input RefundInput { note: String notify: Boolean orderId: ID! refundLineItems: [RefundLineItemInput!]
  transactions: [OrderTransactionInput!] }
input RefundLineItemInput { lineItemId: ID! locationId: ID quantity: Int! restockType: RefundLineItemRestockType }
input OrderTransactionInput { amount: Money! gateway: String! kind: OrderTransactionKind! orderId: ID! parentId: ID }
input ProductSetIdentifiers @oneOf { handle: String id: ID }
input ProductSetInput { descriptionHtml: String files: [FileSetInput!] handle: String productOptions: [OptionSetInput!]
  productType: String status: ProductStatus tags: [String!] title: String variants: [ProductVariantSetInput!]
  vendor: String }
input FileSetInput { alt: String originalSource: String }
input OptionSetInput { name: String values: [OptionValueSetInput!] } input OptionValueSetInput { name: String }
input ProductVariantSetInput { barcode: String inventoryItem: InventoryItemInput
  inventoryQuantities: [ProductSetInventoryInput!] optionValues: [VariantOptionValueInput!]! price: Money sku: String }
input InventoryItemInput { sku: String tracked: Boolean }
input ProductSetInventoryInput { locationId: ID! name: String! quantity: Int! }
input VariantOptionValueInput { name: String optionName: String }
input ProductVariantsBulkInput { compareAtPrice: Money id: ID inventoryItem: InventoryItemInput
  inventoryQuantities: [InventoryLevelInput!] optionValues: [VariantOptionValueInput!] price: Money }
input InventoryLevelInput { availableQuantity: Int! locationId: ID! }
input WebhookSubscriptionInput { format: WebhookSubscriptionFormat includeFields: [String!] uri: String }
enum BulkOperationStatus { CANCELED COMPLETED CREATED EXPIRED FAILED RUNNING } enum CountPrecision { AT_LEAST EXACT }
enum FulfillmentDisplayStatus { DELIVERED FULFILLED IN_TRANSIT }
enum FulfillmentOrderAction { CANCEL_FULFILLMENT_ORDER CREATE_FULFILLMENT HOLD MOVE RELEASE_HOLD }
enum FulfillmentOrderStatus { CANCELLED CLOSED IN_PROGRESS ON_HOLD OPEN } enum FulfillmentStatus { CANCELLED SUCCESS }
enum CatalogType { APP } enum OrderCreateFinancialStatus { PAID PENDING }
enum OrderRiskRecommendationResult { ACCEPT CANCEL INVESTIGATE NONE }
enum LocationSortKeys { ID NAME } enum OrderCancelReason { CUSTOMER DECLINED FRAUD INVENTORY OTHER STAFF }
enum OrderCreateInputsInventoryBehavior { BYPASS DECREMENT_IGNORING_POLICY DECREMENT_OBEYING_POLICY }
enum OrderDisplayFinancialStatus { AUTHORIZED PAID PARTIALLY_PAID PARTIALLY_REFUNDED PENDING REFUNDED VOIDED }
enum OrderDisplayFulfillmentStatus { FULFILLED ON_HOLD PARTIALLY_FULFILLED UNFULFILLED }
enum OrderSortKeys { CREATED_AT ID ORDER_NUMBER PROCESSED_AT UPDATED_AT } enum ProductSortKeys { ID UPDATED_AT }
enum ProductStatus { ACTIVE ARCHIVED DRAFT UNLISTED } enum ProductVariantSortKeys { ID }
enum OrderTransactionKind { AUTHORIZATION CAPTURE REFUND SALE } enum OrderTransactionStatus { SUCCESS }
enum RefundLineItemRestockType { CANCEL NO_RESTOCK RETURN }
enum WebhookSubscriptionFormat { JSON XML }
enum WeightUnit { GRAMS KILOGRAMS OUNCES POUNDS }
`

let built: GraphQLSchema | null = null

/** Made once, and only where somebody asks. */
export function schema(): GraphQLSchema {
  built ??= buildSchema([text, ...connectionTypes, ...userErrors].join('\n'), { assumeValid: true })
  return built
}
