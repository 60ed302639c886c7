import type { Static } from 'typebox'
import { credentialsRefused } from '../../commerce/remote.ts'
import type { Shop, ShopFacts } from '../../commerce/shop.ts'
import { say } from '../../commerce/words/say.ts'
import { id, labelled, object, optional, text, unlisted } from '../../lib/validation/fields.ts'

export const settings = object({ shop_id: unlisted(id('The number of the shop, as reported by Etsy.')) })
export type Settings = Static<typeof settings>

export const credentials = object({
  access_token: text({ max: 2000 }),
  refresh_token: text({ max: 2000 }),
  /** Ours, but it goes with every request. */
  api_key: text({ max: 500 }),
})
export type Credentials = Static<typeof credentials>

export const client = labelled(
  { client_id: 'Keystring', client_secret: 'Shared secret', webhook_secret: 'Signing secret of webhooks' },
  object({
    client_id: text({ description: 'Keystring of the app at etsy.com/developers.' }),
    client_secret: text({ description: 'Its shared secret.' }),
    webhook_secret: optional(
      text({ pattern: '^whsec_[A-Za-z0-9+/=]+$', description: 'The signing secret of its webhooks: whsec_…' }),
    ),
  }),
)

export type EtsyShop = Shop<Settings, Credentials>
export type EtsyFacts = ShopFacts<Settings>

/** The address that every shop has besides the one below www.etsy.com/shop; or its number in the place of the name. */
export const shopPattern = /^[a-z0-9]{1,20}\.etsy\.com$/

/** `www.etsy.com/shop/Acme`, or `…/your/shops/Acme/tools/…` */
export function shopOfPage({ host, pathname }: URL): string | null {
  const name = /\/shops?\/([a-z0-9]+)/i.exec(pathname)?.[1]
  return host === 'www.etsy.com' && name !== undefined ? `${name}.etsy.com` : null
}

export const nameOf = ({ shop }: Pick<EtsyFacts, 'shop'>): string => shop.replace(/\.etsy\.com$/, '')

/** Where everything of the shop lies. */
export function shopPath({ settings: { shop_id: number } }: EtsyFacts): string {
  if (number === undefined) throw credentialsRefused([], say('connect_again'))
  return `/v3/application/shops/${number}`
}
