import type { Static } from 'typebox'
import type { Shop } from '../../commerce/shop.ts'
import { integer, labelled, object, text, unlisted } from '../../lib/validation/fields.ts'

/** The form asks for the key alone; the rest is for those who know why they want it. */
export const settings = object({
  base_url: unlisted(
    text({
      pattern: '^https?://(?:[A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+\\])(?::\\d{1,5})?/?$',
      description: 'The address of a simulator. Without it the shop runs inside this process.',
    }),
  ),
  seed: unlisted(text({ max: 100, description: 'Shops with the same seed hold the same products and orders.' })),
  orders: unlisted(
    integer({ minimum: 0, maximum: 500, description: 'The number of orders the shop starts with; 25 by default.' }),
  ),
})
export type Settings = Static<typeof settings>

export const credentials = labelled(
  { api_key: 'API key' },
  object({
    api_key: text({ description: 'Any key works, except those that begin with "bad".' }),
  }),
)
export type Credentials = Static<typeof credentials>

export type SandboxShop = Shop<Settings, Credentials>
