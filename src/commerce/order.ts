import { type Static, Type } from 'typebox'
import { choice, flag, integer, list, maybe, nullable, object, partial, text } from '../lib/validation/fields.ts'
import { addressSchema } from './address.ts'
import { customerSchema } from './customer.ts'
import { moneySchema } from './money.ts'
import { quantitySchema, sumQuantities } from './rules/quantities.ts'
import { remoteShipmentSchema } from './shipment.ts'

/** Three questions, three vocabularies: may we work on it, has it been paid, has it left? */
export const remoteOrderStatuses = ['pending', 'on_hold', 'open', 'completed', 'cancelled'] as const
export const paymentStatuses = [
  'unknown',
  'pending',
  'authorized',
  'partially_paid',
  'paid',
  'partially_refunded',
  'refunded',
  'voided',
  'failed',
] as const
export const fulfillers = ['merchant', 'platform'] as const
export const fulfillmentStatuses = ['unfulfilled', 'partial', 'fulfilled', 'delivered', 'not_required'] as const

/**
 * The three answers in one word, which is what people and tools go by. Only `PENDING` and `ACKNOWLEDGED` are to be sent:
 * whatever the shop holds as unpaid, on hold, refunded or cancelled has a word of its own.
 */
export const orderStatuses = [
  'UNPAID',
  'ON_HOLD',
  'PENDING',
  'ACKNOWLEDGED',
  'SHIPPED',
  'DELIVERED',
  'REFUNDED',
  'CANCELLED',
] as const
export type OrderStatus = (typeof orderStatuses)[number]

/** What the buyer asked for in words: engraving, gift message, delivery instructions, chosen options. */
const attributeSchema = Type.Object({ name: Type.String(), value: Type.String() })
export type OrderAttribute = Static<typeof attributeSchema>

const orderLineSchema = Type.Object({
  /** Empty in the outline of an order. */
  remote_id: Type.String(),
  sku: nullable(Type.String()),
  product_remote_id: nullable(Type.String()),
  variant_remote_id: nullable(Type.String()),
  title: Type.String(),
  variant_title: nullable(Type.String()),
  quantity: quantitySchema,
  quantity_fulfilled: quantitySchema,
  quantity_cancelled: quantitySchema,
  quantity_refunded: quantitySchema,
  unit_price: moneySchema,
  discount: moneySchema,
  tax: moneySchema,
  total: moneySchema,
  requires_shipping: nullable(Type.Boolean()),
  attributes: Type.Array(attributeSchema),
})
export type OrderLine = Static<typeof orderLineSchema>

/** What is charged besides goods and shipping: gift wrap, payment on delivery, small quantities. */
const orderFeeSchema = Type.Object({
  remote_id: nullable(Type.String()),
  title: Type.String(),
  amount: moneySchema,
  tax: moneySchema,
})
export type OrderFee = Static<typeof orderFeeSchema>

const orderRefundSchema = Type.Object({
  remote_id: nullable(Type.String()),
  /** Never negative. */
  amount: moneySchema,
  reason: nullable(Type.String()),
  refunded_at: nullable(Type.String()),
  /** None where money went back without goods, or where the platform does not say for what. */
  lines: Type.Array(
    Type.Object({ order_line_remote_id: Type.String(), quantity: quantitySchema, amount: nullable(moneySchema) }),
  ),
})
export type OrderRefund = Static<typeof orderRefundSchema>

/** How far goods have come that the buyer sends back; `completed`: the shop has nothing left to do about it. */
export const returnStatuses = [
  'unknown',
  'requested',
  'approved',
  'partially_received',
  'received',
  'completed',
  'declined',
  'cancelled',
] as const

/** Goods that come back, or are to. Money that goes back for them is a refund. */
const orderReturnSchema = Type.Object({
  remote_id: Type.String(),
  status: choice(returnStatuses),
  /** The platform's own word. */
  remote_status: Type.String(),
  requested_at: nullable(Type.String()),
  lines: Type.Array(
    Type.Object({
      /** Null where the platform does not say which line it is. */
      order_line_remote_id: nullable(Type.String()),
      quantity: quantitySchema,
      reason: nullable(Type.String()),
    }),
  ),
})
export type OrderReturn = Static<typeof orderReturnSchema>

/** A return as a list of returns tells it. */
export interface RemoteReturn {
  order_remote_id: string
  /** When it last changed, as far as the platform tells. */
  updated_at: string
  told: OrderReturn
  /** The SKU of each line, where the platform names no line of the order: it is found among those that we hold. */
  skus?: readonly (string | null)[]
}

/** How many pieces of a line were paid back. */
export const refundedIn = (refunds: readonly OrderRefund[], lineId: string): number =>
  sumQuantities(refunds.flatMap(({ lines }) => lines).filter((line) => line.order_line_remote_id === lineId))

/** An order as the platform reports it, in our words; `Order` of the domain is what we hold of it. */
export const remoteOrderSchema = Type.Object({
  remote_id: Type.String(),
  /** Order number. */
  number: Type.String(),
  /** The connector's type, and where that covers several marketplaces, which one. */
  channel: Type.String(),
  marketplace: nullable(Type.String()),
  status: choice(remoteOrderStatuses),
  payment_status: choice(paymentStatuses),
  fulfillment_status: choice(fulfillmentStatuses),
  /** The platform's own word, before translation. */
  remote_status: Type.String(),
  /** Why the platform holds it back, in its own words; null where it does not, or does not say. */
  hold_reason: nullable(Type.String()),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  subtotal: moneySchema,
  discount_total: moneySchema,
  shipping_total: moneySchema,
  tax_total: moneySchema,
  fee_total: moneySchema,
  total: moneySchema,
  refunded_total: nullable(moneySchema),
  /** Of the amounts told here, whatever the shop shows to its buyers. */
  prices_include_tax: nullable(Type.Boolean()),
  customer: nullable(customerSchema),
  billing_address: nullable(addressSchema),
  shipping_address: nullable(addressSchema),
  shipping_method: nullable(Type.String()),
  /** How fast it was promised, in the platform's own word: `NextDay`, `Expedited`. */
  service_level: nullable(Type.String()),
  /** Who sends the goods. What the platform sends from its own warehouse is nobody else's to ship. */
  fulfilled_by: nullable(choice(fulfillers)),
  /** Where it was sold within the shop: point of sale, storefront, store view. */
  sales_channel: nullable(Type.String()),
  /** What the buyer saw and paid, where that is another currency than the shop's. */
  presentment: nullable(
    Type.Object({ currency: Type.String({ pattern: '^[A-Z]{3}$' }), total: moneySchema.properties.amount }),
  ),
  /** The buyer's own number for the purchase. */
  purchase_order: nullable(Type.String()),
  /** Tax numbers of the buyer, by the platform's word for their kind: `VAT`. */
  tax_ids: Type.Array(Type.Object({ kind: Type.String(), value: Type.String() })),
  attributes: Type.Array(attributeSchema),
  lines: Type.Array(orderLineSchema),
  fees: Type.Array(orderFeeSchema),
  refunds: Type.Array(orderRefundSchema),
  /** Left out where orders do not tell: then nothing is said of them, not even that there are none. */
  returns: Type.Optional(Type.Array(orderReturnSchema)),
  shipments: Type.Array(remoteShipmentSchema),
  /** Where a person finds the order in the shop's own administration. */
  admin_url: nullable(Type.String()),
  note: nullable(Type.String()),
  tags: Type.Array(Type.String()),
  /** The reference that we, or another system, gave it when making it. */
  external_reference: nullable(Type.String()),
  acknowledged: nullable(Type.Boolean()),
  test: Type.Boolean(),
  placed_at: Type.String(),
  ship_by: nullable(Type.String()),
  /** The buyer wants it cancelled, and nobody has decided yet. */
  cancel_requested: Type.Boolean(),
  /** Told in part only: what is missing follows, such as who bought, where it goes, ids of lines, or parcels. */
  incomplete: Type.Boolean(),
  cancelled_at: nullable(Type.String()),
  cancel_reason: nullable(Type.String()),
  remote_created_at: Type.String(),
  remote_updated_at: Type.String(),
  /** Grows with every change and is compared as text: a timestamp in our form, or a counter padded with zeros. */
  remote_version: Type.String(),
  raw: Type.Unknown(),
})
export type RemoteOrder = Static<typeof remoteOrderSchema>

/** Where a platform says nothing of what only some know: each translator spreads these, and says what its platform does. */
export const lineDefaults = { attributes: [] } satisfies Partial<OrderLine>
export const orderDefaults = {
  service_level: null,
  fulfilled_by: null,
  sales_channel: null,
  presentment: null,
  purchase_order: null,
  tax_ids: [],
  attributes: [],
  cancel_requested: false,
  incomplete: false,
} satisfies Partial<RemoteOrder>

/** How it is sent, where parts of an order are sent in different ways: each once. */
export const shippingMethodOf = (names: readonly (string | null)[]): string | null =>
  [...new Set(names.filter((name) => name !== null && name !== ''))].join(', ') || null

const unpaid: readonly RemoteOrder['payment_status'][] = ['failed', 'voided']

/**
 * The shop's three answers as one. An order that is worked on without money (paid on delivery, on account) is `PENDING`:
 * the shop itself says that it may leave. Whether somebody has acknowledged it is nothing that the shop says.
 */
export function orderStatusOf({
  status,
  payment_status: payment,
  fulfillment_status: fulfillment,
}: Pick<RemoteOrder, 'status' | 'payment_status' | 'fulfillment_status'>): Exclude<OrderStatus, 'ACKNOWLEDGED'> {
  if (status === 'cancelled') return 'CANCELLED'
  if (fulfillment === 'delivered') return 'DELIVERED'
  if (fulfillment === 'fulfilled' || status === 'completed') return 'SHIPPED'
  if (payment === 'refunded') return 'REFUNDED'
  if (status === 'on_hold') return 'ON_HOLD'
  return status === 'pending' || unpaid.includes(payment) ? 'UNPAID' : 'PENDING'
}

const person = object({
  remote_id: maybe(text()),
  email: maybe(text({ format: 'email' })),
  first_name: maybe(text()),
  last_name: maybe(text()),
  phone: maybe(text()),
})

const draftAddress = partial(addressSchema)

const amount = text({ pattern: '^\\d{1,15}(\\.\\d{1,6})?$' })

/** What only some platforms take of an order: each says which, and anything else is refused, never left out. */
export const orderChoices = ['shipping_method', 'shipping_total', 'tax_total', 'prices_include_tax', 'paid'] as const
export type OrderChoice = (typeof orderChoices)[number]

/** An order that a platform is to make. */
export const orderDraftSchema = object({
  /** Ours; the platform keeps it, so that an order made twice by accident is found. */
  reference: maybe(text()),
  currency: text({ pattern: '^[A-Z]{3}$' }),
  lines: list(
    object({
      sku: text(),
      title: maybe(text()),
      quantity: integer({ minimum: 1, maximum: 1_000_000 }),
      unit_price: maybe(amount),
    }),
    { min: 1, max: 500 },
  ),
  customer: maybe(person),
  billing_address: maybe(draftAddress),
  shipping_address: maybe(draftAddress),
  note: maybe(text({ max: 5000 })),
  shipping_method: maybe(text({ description: 'How it is sent, as the buyer reads it.' })),
  shipping_total: maybe({ ...amount, description: 'What the buyer pays for that.' }),
  tax_total: maybe({ ...amount, description: 'All taxes. Left out: as the shop computes them, where it does.' }),
  prices_include_tax: maybe(
    flag('Whether prices and `shipping_total` contain the tax. Left out: as the shop’s own do.'),
  ),
  paid: maybe(flag('Whether the money is there. Left out: the order may be worked on, and nothing is said of money.')),
})
export type OrderDraft = Static<typeof orderDraftSchema>
