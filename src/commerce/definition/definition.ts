import type { Static } from 'typebox'
import { choice, flag, integer, list, object, optional, text } from '../../lib/validation/fields.ts'
import { fulfillmentStatuses, paymentStatuses, remoteOrderStatuses, returnStatuses } from '../order.ts'
import { productStatuses } from '../product.ts'
import { auth } from './auth.ts'
import { format, maybePlace, path, place } from './place.ts'
import { getting, headerName, joins, listing, sentMoney, urlPath, write } from './requests.ts'
import { webhooks } from './webhooks.ts'

/**
 * A service that is described instead of programmed: where its shops answer, how they are opened, which of its fields is
 * which of ours. It is data on the service's record: no code, and no expressions but those that are bounded
 * (`lib/expressions`). `src/connectors/custom` makes a connector of it, `check-definition.ts` says what is wrong with it.
 */

const at = () => maybePlace()

const table = <const T extends readonly string[]>(ours: T) =>
  list(object({ theirs: text({ max: 100 }), ours: choice(ours) }), { max: 100 })

const origin = object({
  from: choice(['shop', 'setting', 'fixed'], 'The shop’s name, what the merchant says as `base_url`, or one for all.'),
  address: optional(
    text({
      max: 255,
      pattern: '^https?://[A-Za-z0-9.-]+(?::\\d{1,5})?$',
      must: 'be https:// and the name of a host, without a path',
      description: 'If fixed.',
    }),
  ),
  base_path: optional(
    text({
      max: 200,
      pattern: '^(/[A-Za-z0-9._~-]{1,100}){1,8}$',
      must: 'be a path such as /api/v1, without / at its end',
    }),
  ),
})

const budget = object({
  capacity: integer({ minimum: 1, maximum: 1000, description: 'How many requests at once.' }),
  per_second: integer({ minimum: 1, maximum: 100 }),
})

const address = object({
  ...{ name: at(), first_name: at(), last_name: at(), company: at(), line1: at(), line2: at(), line3: at() },
  ...{ city: at(), region: at(), region_code: at(), postal_code: at(), country_code: at(), phone: at(), email: at() },
})
const customer = object({
  ...{ remote_id: at(), email: at(), first_name: at(), last_name: at(), phone: at() },
  name: maybePlace('The whole name, where first and last are one: its last word is the last name.'),
})

const orderFields = object({
  ...{ remote_id: place(), number: at(), status: place(), payment_status: at(), fulfillment_status: at() },
  ...{
    currency: at(),
    subtotal: at(),
    discount_total: at(),
    shipping_total: at(),
    tax_total: at(),
    total: place(),
  },
  ...{ refunded_total: at(), prices_include_tax: at(), shipping_method: at(), note: at(), tags: at(), test: at() },
  ...{ external_reference: at(), placed_at: place(), ship_by: at(), cancelled_at: at(), cancel_reason: at() },
  ...{ cancel_requested: at(), hold_reason: at(), service_level: at(), sales_channel: at(), purchase_order: at() },
  ...{ admin_url: at(), tax_id: optional(place('The tax number of the buyer.')) },
  ...{ created_at: at(), updated_at: place() },
  ...{ customer: optional(customer), billing_address: optional(address), shipping_address: optional(address) },
})
const lineFields = object({
  ...{ remote_id: place(), sku: at(), product_remote_id: at(), variant_remote_id: at(), title: place() },
  ...{ variant_title: at(), quantity: place(), quantity_fulfilled: at(), quantity_cancelled: at() },
  ...{ unit_price: place(), discount: at(), tax: at(), total: at(), requires_shipping: at() },
})
/** Words that the buyer gave along, as a list of names and values. */
const attributes = object({ items: place(), name: place('Within one of them.'), value: place() })
const feeFields = object({ remote_id: at(), title: place(), amount: place(), tax: at() })

const parcelFields = object({
  ...{
    remote_id: at(),
    carrier: at(),
    service: at(),
    tracking_number: place(),
    tracking_url: at(),
    shipped_at: at(),
  },
})

const refundFields = object({ remote_id: at(), amount: place(), reason: at(), refunded_at: at() })
const refundLines = object({
  items: place('Within a refund.'),
  fields: object({ order_line_remote_id: place(), quantity: place(), amount: at() }),
})

/** What buyers send back, where orders tell it. */
const returns = object({
  items: place(),
  fields: object({ remote_id: place(), status: place(), requested_at: at() }),
  lines: optional(
    object({
      items: place('Within a return.'),
      fields: object({ order_line_remote_id: at(), quantity: place(), reason: at() }),
    }),
  ),
  statuses: table(returnStatuses),
})

const orders = object({
  list: listing,
  get: getting,
  joins,
  format: optional(format),
  fields: orderFields,
  lines: object({ items: place(), fields: lineFields, attributes: optional(attributes) }),
  attributes: optional(attributes),
  fees: optional(object({ items: place(), fields: feeFields })),
  fulfillers: optional(object({ field: place(), platform: list(text({ max: 100 }), { min: 1, max: 20 }) })),
  shipments: optional(object({ items: place(), fields: parcelFields })),
  refunds: optional(object({ items: place(), fields: refundFields, lines: optional(refundLines) })),
  returns: optional(returns),
  statuses: table(remoteOrderStatuses),
  payment_statuses: optional(table(paymentStatuses)),
  fulfillment_statuses: optional(table(fulfillmentStatuses)),
  cancel: optional(object(write)),
})

const products = object({
  list: listing,
  get: optional(getting),
  joins,
  format: optional(format),
  fields: object({
    ...{ remote_id: place(), title: place(), description_html: at(), status: at(), brand: at(), type: at() },
    ...{ tags: at(), url: at(), image: at(), created_at: at(), updated_at: place() },
  }),
  statuses: optional(table(productStatuses)),
  variants: object({
    items: optional(place('Where a product has the list of its variants; it is its own if left out.')),
    fields: object({
      ...{ remote_id: place(), inventory_item_remote_id: at(), sku: at(), barcode: at(), title: at(), price: at() },
      ...{ compare_at_price: at(), currency: at(), quantity: at() },
    }),
  }),
})

/** The article that a level is set of, where the service knows it by another name than the caller. */
const find = object({
  path: urlPath('With {sku}, here or in the query.'),
  query: listing.properties.query,
  items: maybePlace('Where the body has the articles; the body itself if left out.'),
  id: maybePlace('Of the article: {id} of what is sent.'),
  available: maybePlace('How many there are: needed for the difference.'),
})

const inventory = object({
  list: listing,
  joins,
  format: optional(format),
  fields: object({
    ...{ sku: place(), variant_remote_id: at(), location_remote_id: at(), available: place(), on_hand: at() },
    ...{ reserved: at(), updated_at: at() },
  }),
  set: optional(object({ ...write, find: optional(find) })),
})

const shipments = object({
  create: object({
    ...write,
    lines: optional(
      object({
        path: path('Of the list of lines in the body.'),
        order_line_remote_id: path(),
        quantity: path(),
      }),
    ),
    repeatable: optional(flag('Whether a second request for the same parcel does no harm.')),
    idempotency_header: optional(headerName()),
  }),
})

/** Money that goes back. Which refunds an order has is read with it: `orders.refunds`. */
const refunds = object({
  create: object({
    ...write,
    lines: optional(
      object({
        path: path('Of the list of lines in the body.'),
        order_line_remote_id: path(),
        quantity: path(),
        amount: optional(path('With tax.')),
        money: optional(choice(sentMoney)),
      }),
    ),
    idempotency_header: optional(headerName()),
  }),
})

const proxy = object({
  prefixes: list(urlPath(), { max: 20 }),
  resources: optional(
    list(
      object({
        name: text({ max: 64, pattern: '^[a-z][a-z0-9_-]*$', must: 'be lower case letters, digits, _ and -' }),
        path: urlPath(),
      }),
      { max: 20 },
    ),
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
  refunds: optional(refunds),
  webhooks: optional(webhooks),
  proxy: optional(proxy),
})
export type Definition = Static<typeof definitionSchema>

/** What each change in the shop may say, in its path and in its body. */
export const writeFields = {
  cancel: { path: ['id'], body: ['id', 'reason'] },
  set: {
    path: ['sku', 'variant_remote_id', 'location', 'id'],
    body: ['sku', 'variant_remote_id', 'quantity', 'location', 'id', 'difference'],
  },
  create: {
    path: ['id'],
    body: ['id', 'tracking_number', 'carrier', 'tracking_url', 'shipped_at', 'operation_id'],
  },
  refund: {
    path: ['id'],
    body: ['id', 'amount', 'currency', 'reason', 'restock', 'notify_customer', 'operation_id'],
  },
} as const
