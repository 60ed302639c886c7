import type { Static } from 'typebox'
import { anything, choice, flag, integer, list, object, optional, text } from '../../lib/validation/fields.ts'
import { fulfillmentStatuses, paymentStatuses, remoteOrderStatuses, returnStatuses } from '../order.ts'
import { productStatuses } from '../product.ts'

/**
 * A service that is described instead of programmed: where its shops answer, how they are opened, which of its fields is
 * which of ours. It is data on the service's record, and holds neither code nor expressions: `src/connectors/custom` makes
 * a connector of it, `check-definition.ts` says what is wrong with it.
 */

/** A place in a record: names with dots between, such as `totals.grand`; numbers count from 0 in lists. */
const name = '[A-Za-z0-9_@$-]{1,64}'
const fieldPath = (description?: string) =>
  text({ max: 200, pattern: `^${name}(\\.${name}){0,7}$`, ...(description && { description }) })
const at = () => optional(fieldPath())
/** Below the origin; what stands in braces is filled in. */
const urlPath = (description?: string) =>
  text({
    max: 500,
    pattern: '^(/([A-Za-z0-9._~:@-]|\\{[a-z_]{1,20}\\}){1,200}){1,12}/?$',
    ...(description && { description }),
  })
const parameter = (description?: string) =>
  text({ max: 64, pattern: '^[A-Za-z0-9_.\\[\\]-]{1,64}$', ...(description && { description }) })

const table = <const T extends readonly string[]>(ours: T) =>
  list(object({ theirs: text({ max: 100 }), ours: choice(ours) }), { max: 100 })

const origin = object({
  from: choice(['shop', 'setting', 'fixed'], 'The shop’s name, what the merchant says as `base_url`, or one for all.'),
  address: optional(text({ max: 255, pattern: '^https?://[A-Za-z0-9.-]+(?::\\d{1,5})?$', description: 'If fixed.' })),
  base_path: optional(text({ max: 200, pattern: '^(/[A-Za-z0-9._~-]{1,100}){1,8}$' })),
})

const auth = object({
  kind: choice(['header', 'bearer', 'basic', 'query', 'none']),
  name: optional(
    text({ max: 64, pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$', description: 'Of the header or parameter.' }),
  ),
})

const budget = object({
  capacity: integer({ minimum: 1, maximum: 1000, description: 'How many requests at once.' }),
  per_second: integer({ minimum: 1, maximum: 100 }),
})

const format = object({
  money: optional(choice(['decimal', 'minor'], '12.50, or 1250.')),
  time: optional(choice(['iso', 'unix'], 'ISO 8601, or seconds since 1970.')),
  currency: optional(text({ pattern: '^[A-Z]{3}$', description: 'Where records name none.' })),
})

const paging = object({
  style: choice(['none', 'page', 'offset', 'cursor', 'link']),
  parameter: optional(parameter('That says which page: its number, offset or cursor.')),
  first: optional(integer({ minimum: 0, maximum: 1, description: 'The number of the first page; 1.' })),
  size_parameter: optional(parameter()),
  size: optional(integer({ minimum: 1, maximum: 1000, description: 'Page size; 50 by default.' })),
  next: optional(
    fieldPath('Where the body has the next cursor, or the address of the next page; else its Link header.'),
  ),
})

const listing = object({
  path: urlPath(),
  items: optional(fieldPath('Where the body has the list; the body itself if left out.')),
  total: optional(fieldPath('Where the body says how many there are in all.')),
  since: optional(parameter('For what has changed since a time.')),
  query: optional(list(object({ name: parameter(), value: text({ max: 200 }) }), { max: 20 })),
  paging,
})
const getting = object({ path: urlPath(), record: optional(fieldPath('Where the body has the record.')) })

/** What is sent: each place in the body, and the field of ours or the constant that goes there. */
const template = list(object({ path: fieldPath(), field: optional(text({ max: 64 })), value: optional(anything()) }), {
  max: 50,
})
const write = {
  method: choice(['POST', 'PUT', 'PATCH', 'DELETE']),
  path: urlPath(),
  body: optional(template),
}

const address = object({
  ...{ name: at(), first_name: at(), last_name: at(), company: at(), line1: at(), line2: at(), line3: at() },
  ...{ city: at(), region: at(), region_code: at(), postal_code: at(), country_code: at(), phone: at(), email: at() },
})
const customer = object({ remote_id: at(), email: at(), first_name: at(), last_name: at(), phone: at() })

const orderFields = object({
  ...{ remote_id: fieldPath(), number: at(), status: fieldPath(), payment_status: at(), fulfillment_status: at() },
  ...{
    currency: at(),
    subtotal: at(),
    discount_total: at(),
    shipping_total: at(),
    tax_total: at(),
    total: fieldPath(),
  },
  ...{ refunded_total: at(), prices_include_tax: at(), shipping_method: at(), note: at(), tags: at(), test: at() },
  ...{ external_reference: at(), placed_at: fieldPath(), ship_by: at(), cancelled_at: at(), cancel_reason: at() },
  ...{ cancel_requested: at(), hold_reason: at(), service_level: at(), sales_channel: at(), purchase_order: at() },
  ...{ admin_url: at(), tax_id: optional(fieldPath('The tax number of the buyer.')) },
  ...{ created_at: at(), updated_at: fieldPath() },
  ...{ customer: optional(customer), billing_address: optional(address), shipping_address: optional(address) },
})
const lineFields = object({
  ...{ remote_id: fieldPath(), sku: at(), product_remote_id: at(), variant_remote_id: at(), title: fieldPath() },
  ...{ variant_title: at(), quantity: fieldPath(), quantity_fulfilled: at(), quantity_cancelled: at() },
  ...{ unit_price: fieldPath(), discount: at(), tax: at(), total: at(), requires_shipping: at() },
})
/** Words that the buyer gave along, as a list of names and values. */
const attributes = object({ items: fieldPath(), name: fieldPath('Within one of them.'), value: fieldPath() })
const feeFields = object({ remote_id: at(), title: fieldPath(), amount: fieldPath(), tax: at() })

const parcelFields = object({
  ...{
    remote_id: at(),
    carrier: at(),
    service: at(),
    tracking_number: fieldPath(),
    tracking_url: at(),
    shipped_at: at(),
  },
})

const refundFields = object({ remote_id: at(), amount: fieldPath(), reason: at(), refunded_at: at() })
const refundLines = object({
  items: fieldPath('Within a refund.'),
  fields: object({ order_line_remote_id: fieldPath(), quantity: fieldPath(), amount: at() }),
})

/** What buyers send back, where orders tell it. */
const returns = object({
  items: fieldPath(),
  fields: object({ remote_id: fieldPath(), status: fieldPath(), requested_at: at() }),
  lines: optional(
    object({
      items: fieldPath('Within a return.'),
      fields: object({ order_line_remote_id: at(), quantity: fieldPath(), reason: at() }),
    }),
  ),
  statuses: table(returnStatuses),
})

const orders = object({
  list: listing,
  get: getting,
  fields: orderFields,
  lines: object({ items: fieldPath(), fields: lineFields, attributes: optional(attributes) }),
  attributes: optional(attributes),
  fees: optional(object({ items: fieldPath(), fields: feeFields })),
  fulfillers: optional(object({ field: fieldPath(), platform: list(text({ max: 100 }), { min: 1, max: 20 }) })),
  shipments: optional(object({ items: fieldPath(), fields: parcelFields })),
  refunds: optional(object({ items: fieldPath(), fields: refundFields, lines: optional(refundLines) })),
  returns: optional(returns),
  statuses: table(remoteOrderStatuses),
  payment_statuses: optional(table(paymentStatuses)),
  fulfillment_statuses: optional(table(fulfillmentStatuses)),
  cancel: optional(object(write)),
})

const products = object({
  list: listing,
  get: optional(getting),
  fields: object({
    ...{ remote_id: fieldPath(), title: fieldPath(), description_html: at(), status: at(), brand: at(), type: at() },
    ...{ tags: at(), url: at(), image: at(), created_at: at(), updated_at: fieldPath() },
  }),
  statuses: optional(table(productStatuses)),
  variants: object({
    items: optional(fieldPath('Where a product has the list of its variants; it is its own if left out.')),
    fields: object({
      ...{ remote_id: fieldPath(), inventory_item_remote_id: at(), sku: at(), barcode: at(), title: at(), price: at() },
      ...{ compare_at_price: at(), currency: at(), quantity: at() },
    }),
  }),
})

const inventory = object({
  list: listing,
  fields: object({
    ...{ sku: fieldPath(), variant_remote_id: at(), location_remote_id: at(), available: fieldPath(), on_hand: at() },
    ...{ reserved: at(), updated_at: at() },
  }),
  set: optional(object(write)),
})

const shipments = object({
  create: object({
    ...write,
    lines: optional(
      object({
        path: fieldPath('Of the list of lines in the body.'),
        order_line_remote_id: fieldPath(),
        quantity: fieldPath(),
      }),
    ),
    repeatable: optional(flag('Whether a second request for the same parcel does no harm.')),
    idempotency_header: optional(text({ max: 64, pattern: '^[A-Za-z][A-Za-z0-9-]{0,63}$' })),
  }),
})

const proxy = object({
  prefixes: list(urlPath(), { max: 20 }),
  resources: optional(
    list(object({ name: text({ max: 64, pattern: '^[a-z][a-z0-9_-]*$' }), path: urlPath() }), { max: 20 }),
  ),
})

export const definitionSchema = object({
  origin,
  auth,
  budget: optional(budget),
  format: optional(format),
  test: optional(
    object({ path: urlPath('Asked to see whether the credentials are right; the first list if left out.') }),
  ),
  orders: optional(orders),
  products: optional(products),
  inventory: optional(inventory),
  shipments: optional(shipments),
  proxy: optional(proxy),
})
export type Definition = Static<typeof definitionSchema>
export type Listing = Static<typeof listing>
export type Getting = Static<typeof getting>
export type Format = Static<typeof format>
export type Template = Static<typeof template>

/** What each change in the shop may say, in its path and in its body. */
export const writeFields = {
  cancel: { path: ['id'], body: ['id', 'reason'] },
  set: {
    path: ['sku', 'variant_remote_id', 'location'],
    body: ['sku', 'variant_remote_id', 'quantity', 'location'],
  },
  create: {
    path: ['id'],
    body: ['id', 'tracking_number', 'carrier', 'tracking_url', 'shipped_at', 'operation_id'],
  },
} as const
