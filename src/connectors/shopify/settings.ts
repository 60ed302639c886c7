import type { Static } from 'typebox'
import type { Shop, ShopFacts } from '../../commerce/shop.ts'
import { flag, labelled, maybe, object, optional, requiredWithout, text } from '../../lib/validation/fields.ts'

export const settings = labelled(
  {
    notify_customers: 'Shopify notifies customers',
    wait_for_capture: 'Wait until payments are captured',
    send_unpaid: 'Ship orders whose payment is pending',
    refund_cancelled: 'Refund cancelled orders',
  },
  object({
    notify_customers: optional(
      flag('Shopify writes to the buyer when goods are sent or an order is cancelled. Off by default.'),
    ),
    wait_for_capture: optional(
      flag(
        'Orders whose payment is authorised wait until it is captured. Off by default: as a rule it is captured when they are sent.',
      ),
    ),
    send_unpaid: optional(
      flag('Orders whose payment is pending may be sent: sold on account, or paid on delivery. Off by default.'),
    ),
    refund_cancelled: optional(flag('An order that is cancelled is paid back the way it was paid. Off by default.')),
  }),
)
export type Settings = Static<typeof settings>

export const credentials = object({
  access_token: optional(text({ max: 2000 })),
  /** There if the access token ends. */
  refresh_token: optional(text({ max: 2000 })),
  /** The merchant's own app gave it. */
  typed: optional(flag()),
  /** Of the merchant's own app: with them tokens are fetched, and its messages verified. */
  client_id: optional(text()),
  client_secret: optional(text()),
})
export type Credentials = Static<typeof credentials>

export const client = labelled(
  { client_id: 'Client ID', client_secret: 'Client secret', all_orders: 'Orders older than 60 days' },
  object({
    client_id: text({ description: 'Client ID of the app in the Shopify Dev Dashboard.' }),
    client_secret: text({ description: 'Its client secret, which also signs messages.' }),
    all_orders: optional(
      flag(
        'Shopify has approved the scope read_all_orders for the app: it is asked for, and orders older than 60 days are read. Without the approval merchants could not install the app.',
      ),
    ),
  }),
)

export const typedForm = labelled(
  { client_id: 'Client ID', client_secret: 'Client secret', access_token: 'Admin API access token' },
  object({
    client_id: requiredWithout(
      'access_token',
      text({ description: 'Client ID of your own app in the Shopify Dev Dashboard.' }),
    ),
    client_secret: requiredWithout('access_token', text({ description: 'Its client secret.' })),
    access_token: maybe(
      text({
        max: 2000,
        description:
          'Instead of both: Admin API access token of a custom app made in the shop; it begins with "shpat_".',
      }),
    ),
  }),
)

export const shopPattern = /^[a-z0-9][a-z0-9_-]*\.myshopify\.com$/

export type ShopifyShop = Shop<Settings, Credentials>
export type ShopifyFacts = ShopFacts<Settings>
