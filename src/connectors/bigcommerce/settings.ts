import type { Static } from 'typebox'
import type { Shop, ShopFacts } from '../../commerce/shop.ts'
import { flag, labelled, object, optional, text } from '../../lib/validation/fields.ts'

export const settings = object({})
export type Settings = Static<typeof settings>

export const credentials = object({
  access_token: text({ max: 2000 }),
  /** Of an API account of the store: we do not know the secret that its messages are signed with. */
  typed: optional(flag()),
})
export type Credentials = Static<typeof credentials>

export const client = labelled(
  {
    client_id: 'Client ID',
    client_secret: 'Client secret',
    account_uuid: 'Account UUID',
    auth_callback_url: 'Auth callback URL',
  },
  object({
    client_id: text({ description: 'Client ID of the app in the BigCommerce Developer Portal.' }),
    client_secret: text({ description: 'Its client secret, which also signs messages.' }),
    account_uuid: optional(text({ description: 'The account UUID that the Developer Portal shows with them.' })),
    auth_callback_url: optional(
      text({
        ...{ max: 500, format: 'url' },
        description: 'The auth callback URL as the Developer Portal has it, where it is the one of a single app.',
      }),
    ),
  }),
)

export const typedForm = labelled(
  { access_token: 'Access token' },
  object({
    access_token: text({ max: 2000, description: 'Access token of a store-level API account.' }),
  }),
)

export type BigShop = Shop<Settings, Credentials>
export type BigFacts = ShopFacts<Settings>

/** Every store has an address that is made from its hash, and keeps it whatever domains it gets. */
export const shopPattern = /^store-([a-z0-9]+)\.mybigcommerce\.com$/

/** `stores/<hash>`, as the platform names a store to its apps. */
export function shopOf(context: unknown): string | null {
  const [, hash] = typeof context === 'string' ? (/^stores\/([a-z0-9]+)$/.exec(context) ?? []) : []
  return hash ? `store-${hash}.mybigcommerce.com` : null
}

export function hashOf({ shop }: Pick<BigFacts, 'shop'>): string {
  const hash = shopPattern.exec(shop)?.[1]
  if (!hash) throw new TypeError(`"${shop}" is no address of a BigCommerce store.`)
  return hash
}
