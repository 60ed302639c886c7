import type { Static } from 'typebox'
import { credentialsRefused } from '../../commerce/remote.ts'
import type { Shop, ShopFacts } from '../../commerce/shop.ts'
import { say } from '../../commerce/words/say.ts'
import { choice, flag, labelled, object, optional, text, unlisted } from '../../lib/validation/fields.ts'

export const settings = labelled(
  { market: 'Where the seller is registered' },
  object({
    market: optional(
      choice(['us', 'elsewhere'], 'Sellers of the United States agree on pages of their own; elsewhere by default.', {
        ...{ us: 'United States', elsewhere: 'Elsewhere' },
      }),
    ),
    shop_cipher: unlisted(text({ description: 'What stands for the shop in requests, as reported by TikTok Shop.' })),
    shop_id: unlisted(text({ pattern: '^\\d{1,24}$', description: 'Its number, as reported by TikTok Shop.' })),
    region: unlisted(text({ pattern: '^[A-Z]{2}$', description: 'Its country, as reported by TikTok Shop.' })),
  }),
)
export type Settings = Static<typeof settings>

export const credentials = object({
  /** Not there yet of an app of the seller's own, until it has been asked for. */
  access_token: optional(text({ max: 2000 })),
  refresh_token: text({ max: 2000 }),
  /** Of the app, but every request is signed with them. */
  app_key: text({ max: 200 }),
  app_secret: text({ max: 500 }),
  /** Of an app of the seller's own. */
  typed: optional(flag()),
})
export type Credentials = Static<typeof credentials>

export const client = labelled(
  { app_key: 'App key', app_secret: 'App secret', service_id: 'Service ID' },
  object({
    app_key: text({ max: 200, description: 'App key of the app at partner.tiktokshop.com.' }),
    app_secret: text({ max: 500, description: 'Its app secret.' }),
    service_id: text({ pattern: '^\\d{5,24}$', description: 'The number in its authorization link: service_id=…' }),
  }),
)

/** Sellers who made a custom app authorize it themselves. */
export const typedForm = labelled(
  { app_key: 'App key', app_secret: 'App secret', refresh_token: 'Refresh token' },
  object({
    app_key: text({ max: 200, description: 'App key of the custom app.' }),
    app_secret: text({ max: 500, description: 'App secret of the custom app.' }),
    refresh_token: text({ max: 2000, description: 'The refresh token that the shop’s authorization gave.' }),
  }),
)

export type TikTokShop = Shop<Settings, Credentials>
export type TikTokFacts = ShopFacts<Settings>

/** A shop is named by its code, which the Seller Center shows, or by its number. */
export const shopPattern = /^[a-z0-9]{6,24}$/

/** What stands for the shop in requests. */
export function cipherOf({ settings: { shop_cipher: cipher } }: TikTokFacts): string {
  if (cipher === undefined) throw credentialsRefused([], say('connect_again'))
  return cipher
}
