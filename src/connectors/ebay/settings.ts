import type { Static } from 'typebox'
import type { AnyFields, Shop, ShopFacts } from '../../commerce/shop.ts'
import { choice, flag, labelled, object, optional, text, unlisted } from '../../lib/validation/fields.ts'

export const settings = labelled(
  { environment: 'eBay environment', listings: 'Where listings are kept' },
  object({
    environment: optional(
      choice(['production', 'sandbox'], 'Where the seller is registered; production by default.', {
        ...{ production: 'Production', sandbox: 'Sandbox' },
      }),
    ),
    listings: optional(
      choice(
        ['inventory_api', 'seller_hub'],
        'What products and stock are: articles of the Inventory API (the default), or listings that were made otherwise, such as in the Seller Hub.',
        { inventory_api: 'Inventory API', seller_hub: 'Seller Hub' },
      ),
    ),
    user_id: unlisted(text({ description: 'The id of the seller, as reported by eBay.' })),
  }),
)
export type Settings = Static<typeof settings>

export const credentials = object({
  access_token: text({ max: 8000 }),
  refresh_token: text({ max: 8000 }),
  /** The app's keys for signing messages, if it has any: they come along with the tokens. */
  signing_jwe: optional(text({ max: 4000 })),
  signing_private_key: optional(text({ max: 4000 })),
})
export type Credentials = Static<typeof credentials>

export const client = labelled(
  {
    client_id: 'App ID (client ID)',
    client_secret: 'Cert ID (client secret)',
    ru_name: 'RuName',
    verification_token: 'Verification token',
    notification_url: 'Notification endpoint',
    order_notifications: 'Order notifications are granted',
    alert_email: 'Email for alerts',
    signing_jwe: 'Signing key: JWE',
    signing_private_key: 'Signing key: private key',
  },
  object({
    client_id: text({ description: 'App ID (Client ID) of the keyset at developer.ebay.com.' }),
    client_secret: text({ description: 'Cert ID (Client Secret) of the same keyset.' }),
    ru_name: text({ description: 'RuName: eBay’s name for the address that sellers come back to.' }),
    verification_token: optional(
      text({ pattern: '^[A-Za-z0-9_-]{32,80}$', description: 'The verification token entered for notifications.' }),
    ),
    notification_url: optional(
      text({ max: 2000, format: 'url', description: 'The endpoint entered for notifications, letter by letter.' }),
    ),
    order_notifications: optional(
      flag(
        'eBay has granted the app the topic ORDER_CONFIRMATION: sellers are asked for that scope, and subscribed to it.',
      ),
    ),
    alert_email: optional(text({ description: 'Whom eBay writes to if its notifications do not arrive.' })),
    signing_jwe: optional(
      text({
        max: 4000,
        description: 'For sellers in the EU and the United Kingdom: `jwe` of a signing key of the app.',
      }),
    ),
    signing_private_key: optional(text({ max: 4000, description: '`privateKey` of the same signing key.' })),
  }),
)

/** Whether products are listings of the Seller Hub. */
export const usesSellerHub = ({ settings: { listings } }: EbayFacts): boolean => listings === 'seller_hub'

export type EbayShop = Shop<Settings, Credentials>
export type EbayFacts = ShopFacts<Settings>

/**
 * A shop is a seller. User names have characters that no host has, so that each is written as one: `Ada_Antiques*` is
 * `ada-antiques.ebay.com`.
 */
export const shopPattern = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.ebay\.com$/

export const shopNameOf = (user: string): string =>
  `${user
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')}.ebay.com`

/** `www.ebay.de/usr/ada_antiques`. Names of stores (`/str/…`) are not those of their sellers. */
export function shopOfPage({ host, pathname }: URL): string | null {
  const user = /(^|\.)ebay\.[a-z.]+$/.test(host) ? /^\/usr\/([^/]+)/.exec(pathname)?.[1] : undefined
  return user === undefined ? null : shopNameOf(user)
}

const hosts = { production: 'ebay.com', sandbox: 'sandbox.ebay.com' }

export const hostOf = ({ settings: { environment = 'production' } }: EbayFacts): string => hosts[environment]

/** Keysets are of one of the two, and say so in their names. */
export const environmentOf = ({ client_id: id }: AnyFields): 'production' | 'sandbox' =>
  /-SBX-/.test(String(id)) ? 'sandbox' : 'production'
