import { buildSchema } from 'graphql'

/** Lists are asked for in the same words, whatever is in them. */
const list = (type: string, filters: string) => `
type ${type}List { items: [${type}!]! totalItems: Int! }
input ${type}ListOptions { skip: Int take: Int sort: ${type}SortParameter filter: ${type}FilterParameter }
input ${type}SortParameter { createdAt: SortOrder id: SortOrder }
input ${type}FilterParameter { id: IDOperators createdAt: DateOperators updatedAt: DateOperators ${filters} }`

const refusals = [
  ...['InvalidCredentialsError', 'EmptyOrderLineSelectionError', 'InvalidFulfillmentHandlerError'],
  ...['ItemsAlreadyFulfilledError', 'FulfillmentStateTransitionError', 'PaymentStateTransitionError'],
  ...['QuantityTooGreatError', 'RefundAmountError'],
].map((name) => `type ${name} implements ErrorResult { errorCode: ErrorCode! message: String! }`)

/** A part of the Admin API, under the platform's own names and types. */
const sdl = `
scalar DateTime scalar JSON scalar Money

enum CurrencyCode { EUR }
enum LanguageCode { en }
enum SortOrder { ASC DESC }
enum GlobalFlag { TRUE FALSE INHERIT }
enum ErrorCode { INVALID_CREDENTIALS_ERROR EMPTY_ORDER_LINE_SELECTION_ERROR INVALID_FULFILLMENT_HANDLER_ERROR
  ITEMS_ALREADY_FULFILLED_ERROR FULFILLMENT_STATE_TRANSITION_ERROR QUANTITY_TOO_GREAT_ERROR REFUND_AMOUNT_ERROR }

input StringOperators { eq: String notEq: String in: [String!] notIn: [String!] }
input IDOperators { eq: String notEq: String in: [String!] notIn: [String!] }
input BooleanOperators { eq: Boolean }
input DateOperators { before: DateTime after: DateTime }

type Channel { code: String! defaultCurrencyCode: CurrencyCode! defaultLanguageCode: LanguageCode! }
type GlobalSettings { serverConfig: ServerConfig! }
type ServerConfig { moneyStrategyPrecision: Int! }
type StockLocation { id: ID! name: String! }
type StockLocationList { items: [StockLocation!]! totalItems: Int! }
input StockLocationListOptions { skip: Int take: Int }

type Order { id: ID! code: String! type: OrderType! state: String! active: Boolean! createdAt: DateTime!
  updatedAt: DateTime! orderPlacedAt: DateTime currencyCode: CurrencyCode! subTotalWithTax: Money!
  shippingWithTax: Money! total: Money! totalWithTax: Money! couponCodes: [String!]! customer: Customer
  shippingAddress: OrderAddress billingAddress: OrderAddress shippingLines: [ShippingLine!]! surcharges: [Surcharge!]!
  lines: [OrderLine!]! payments: [Payment!] fulfillments: [Fulfillment!]
  history(options: HistoryEntryListOptions): HistoryEntryList! }
enum OrderType { Regular }
type Customer { id: ID! firstName: String! lastName: String! emailAddress: String! phoneNumber: String user: User
  createdAt: DateTime! updatedAt: DateTime! addresses: [Address!] }
type Address { fullName: String company: String streetLine1: String! streetLine2: String city: String province: String
  postalCode: String phoneNumber: String country: Country! }
type Country { code: String! name: String! }
type User { id: ID! }
type OrderAddress { fullName: String company: String streetLine1: String streetLine2: String city: String
  province: String postalCode: String country: String countryCode: String phoneNumber: String }
type ShippingLine { shippingMethod: ShippingMethod! }
type ShippingMethod { name: String! }
type Surcharge { id: ID! description: String! price: Money! priceWithTax: Money! }
type OrderLine { id: ID! quantity: Int! orderPlacedQuantity: Int! unitPriceWithTax: Money! linePriceWithTax: Money!
  proratedLinePriceWithTax: Money! lineTax: Money! productVariant: ProductVariant! }
type Payment { id: ID! state: String! amount: Money! refunds: [Refund!]! }
type Refund { id: ID! state: String! total: Money! reason: String createdAt: DateTime! lines: [RefundLine!]! }
type RefundLine { orderLineId: ID! quantity: Int! }
type Fulfillment { id: ID! state: String! method: String! trackingCode: String createdAt: DateTime!
  updatedAt: DateTime! lines: [FulfillmentLine!]! }
type FulfillmentLine { orderLineId: ID! quantity: Int! }
type HistoryEntry { type: HistoryEntryType! createdAt: DateTime! data: JSON! }
enum HistoryEntryType { ORDER_STATE_TRANSITION ORDER_CANCELLATION ORDER_NOTE }
${list('HistoryEntry', 'type: StringOperators')}
${list('Order', 'active: BooleanOperators state: StringOperators orderPlacedAt: DateOperators _or: [OrderFilterParameter!]')}

type Product { id: ID! name: String! slug: String! description: String! enabled: Boolean! createdAt: DateTime!
  updatedAt: DateTime! assets: [Asset!]! optionGroups: [ProductOptionGroup!]! variants: [ProductVariant!]! }
type Asset { name: String! source: String! }
type ProductOptionGroup { id: ID! name: String! options: [ProductOption!]! }
type ProductOption { id: ID! name: String! group: ProductOptionGroup! }
type ProductVariant { id: ID! sku: String! name: String! enabled: Boolean! createdAt: DateTime! updatedAt: DateTime!
  price: Money! currencyCode: CurrencyCode! prices: [ProductVariantPrice!]! trackInventory: GlobalFlag!
  options: [ProductOption!]! product: Product! stockLevels: [StockLevel!]! }
type ProductVariantPrice { currencyCode: CurrencyCode! price: Money! }
type StockLevel { id: ID! stockLocationId: ID! stockOnHand: Int! stockAllocated: Int! updatedAt: DateTime! }
${list('Customer', 'emailAddress: StringOperators')}
${list('Product', 'slug: StringOperators')}
${list('ProductVariant', 'sku: StringOperators')}

type Query {
  me: CurrentUser
  activeChannel: Channel!
  globalSettings: GlobalSettings!
  stockLocations(options: StockLocationListOptions): StockLocationList!
  orders(options: OrderListOptions): OrderList!
  order(id: ID!): Order
  customers(options: CustomerListOptions): CustomerList!
  customer(id: ID!): Customer
  products(options: ProductListOptions): ProductList!
  product(id: ID): Product
  productVariants(options: ProductVariantListOptions): ProductVariantList!
}

interface ErrorResult { errorCode: ErrorCode! message: String! }
${refusals.join('\n')}
enum Permission { ReadOrder UpdateOrder ReadCatalog UpdateCatalog CreateCatalog ReadStockLocation }
type CurrentUserChannel { code: String! permissions: [Permission!]! }
type CurrentUser { id: ID! channels: [CurrentUserChannel!]! }
union NativeAuthenticationResult = CurrentUser | InvalidCredentialsError
union CancelOrderResult = Order | EmptyOrderLineSelectionError | QuantityTooGreatError
union RefundOrderResult = Refund | RefundAmountError
union SettlePaymentResult = Payment | PaymentStateTransitionError
union AddFulfillmentToOrderResult = Fulfillment | InvalidFulfillmentHandlerError | ItemsAlreadyFulfilledError
union TransitionFulfillmentToStateResult = Fulfillment | FulfillmentStateTransitionError

input AddNoteToOrderInput { id: ID! note: String! isPublic: Boolean! }
input CancelOrderInput { orderId: ID! lines: [OrderLineInput!] reason: String cancelShipping: Boolean }
input RefundOrderInput {
  lines: [OrderLineInput!] shipping: Money adjustment: Money amount: Money paymentId: ID! reason: String
}
input FulfillOrderInput { lines: [OrderLineInput!]! handler: ConfigurableOperationInput! }
input OrderLineInput { orderLineId: ID! quantity: Int! }
input ConfigurableOperationInput { code: String! arguments: [ConfigArgInput!]! }
input ConfigArgInput { name: String! value: String! }
input ProductTranslationInput { languageCode: LanguageCode! name: String slug: String description: String }
input CreateProductInput { enabled: Boolean translations: [ProductTranslationInput!]! }
input UpdateProductInput { id: ID! enabled: Boolean translations: [ProductTranslationInput!] }
input ProductVariantTranslationInput { languageCode: LanguageCode! name: String }
input StockLevelInput { stockLocationId: ID! stockOnHand: Int! }
input ProductOptionGroupTranslationInput { languageCode: LanguageCode! name: String }
input CreateGroupOptionInput { code: String! translations: [ProductOptionGroupTranslationInput!]! }
input CreateProductOptionGroupInput { code: String! translations: [ProductOptionGroupTranslationInput!]!
  options: [CreateGroupOptionInput!]! }
input CreateProductOptionInput { productOptionGroupId: ID! code: String!
  translations: [ProductOptionGroupTranslationInput!]! }
input CreateProductVariantInput { productId: ID! sku: String! price: Money optionIds: [ID!]
  translations: [ProductVariantTranslationInput!]! stockLevels: [StockLevelInput!] }
input UpdateProductVariantInput { id: ID! price: Money stockLevels: [StockLevelInput!] }

type Mutation {
  login(username: String!, password: String!, rememberMe: Boolean): NativeAuthenticationResult!
  cancelOrder(input: CancelOrderInput!): CancelOrderResult!
  refundOrder(input: RefundOrderInput!): RefundOrderResult!
  settlePayment(id: ID!): SettlePaymentResult!
  addNoteToOrder(input: AddNoteToOrderInput!): Order!
  addFulfillmentToOrder(input: FulfillOrderInput!): AddFulfillmentToOrderResult!
  transitionFulfillmentToState(id: ID!, state: String!): TransitionFulfillmentToStateResult!
  createProduct(input: CreateProductInput!): Product!
  updateProduct(input: UpdateProductInput!): Product!
  createProductOptionGroup(input: CreateProductOptionGroupInput!): ProductOptionGroup!
  createProductOption(input: CreateProductOptionInput!): ProductOption!
  addOptionGroupToProduct(productId: ID!, optionGroupId: ID!): Product!
  createProductVariants(input: [CreateProductVariantInput!]!): [ProductVariant]!
  updateProductVariants(input: [UpdateProductVariantInput!]!): [ProductVariant]!
}
`

export const schema = buildSchema(sdl)
