import type { Static } from 'typebox'
import type { Shop, ShopFacts } from '../../commerce/shop.ts'
import { choice, integer, object, optional, text } from '../../lib/fields.ts'

export const dialectNames = ['shopify', 'woo', 'market'] as const
export type DialectName = (typeof dialectNames)[number]

/** An address without a path. */
export const basePattern = '^https?://(?:[A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+\\])(?::\\d{1,5})?/?$'

export const settings = object({
  base_url: optional(
    text({
      pattern: basePattern,
      description: 'Where a simulator listens. Without it the shop lives in this process.',
    }),
  ),
  dialect: optional(choice(dialectNames, 'How the simulator speaks. It is asked if this is left out.')),
  seed: optional(text({ max: 100, description: 'Shops with the same seed hold the same goods and orders.' })),
  orders: optional(integer({ minimum: 0, maximum: 500, description: 'How many orders the shop starts with; 25.' })),
})
export type Settings = Static<typeof settings>

export const credentials = object({
  api_key: optional(
    text({ description: 'For the shop in this process: anything, but keys that begin with "bad" are refused.' }),
  ),
  client_id: optional(text({ description: 'Of a simulator of the dialects shopify and market.' })),
  client_secret: optional(text()),
  access_token: optional(text({ max: 2000 })),
  refresh_token: optional(text({ max: 2000 })),
  expires_at: optional(text({ format: 'date-time' })),
  consumer_key: optional(text({ description: 'Of a simulator of the dialect woo.' })),
  consumer_secret: optional(text()),
})
export type Credentials = Static<typeof credentials>

export type SandboxShop = Shop<Settings, Credentials>
export type SandboxFacts = ShopFacts<Settings>
