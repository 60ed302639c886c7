import type { Static } from 'typebox'
import type { Shop, ShopFacts } from '../../commerce/shop.ts'
import { flag, object, optional, text } from '../../lib/validation/fields.ts'

export const settings = object({
  notify_customers: optional(flag('Shopify writes to the buyer when goods are sent or an order is cancelled; no.')),
  refund_cancelled: optional(flag('An order that is cancelled is paid back the way it was paid; no.')),
})
export type Settings = Static<typeof settings>

export const credentials = object({
  access_token: text({ max: 2000 }),
  /** There if the access token ends. */
  refresh_token: optional(text({ max: 2000 })),
  /** The merchant's own app gave it: we do not know that app's secret. */
  typed: optional(flag()),
})
export type Credentials = Static<typeof credentials>

export const client = object({
  client_id: text({ description: 'Client ID of the app in the Shopify Dev Dashboard.' }),
  client_secret: text({ description: 'Its client secret, which also signs messages.' }),
})

export const typedForm = object({
  access_token: text({ max: 2000, description: 'Admin API access token of a custom app; it begins with "shpat_".' }),
})

export const shopPattern = /^[a-z0-9][a-z0-9_-]*\.myshopify\.com$/

export type ShopifyShop = Shop<Settings, Credentials>
export type ShopifyFacts = ShopFacts<Settings>
