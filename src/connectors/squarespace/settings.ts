import type { Static } from 'typebox'
import type { Shop, ShopFacts } from '../../commerce/shop.ts'
import { flag, labelled, object, optional, text } from '../../lib/validation/fields.ts'

export const settings = labelled(
  { notify_customers: 'Squarespace notifies customers' },
  object({
    notify_customers: optional(flag('Squarespace writes to the buyer when an order is sent. Off by default.')),
  }),
)
export type Settings = Static<typeof settings>

export const credentials = object({
  /** Typed by the merchant; or both tokens, which came through the browser. */
  api_key: optional(text({ max: 2000 })),
  access_token: optional(text({ max: 2000 })),
  refresh_token: optional(text({ max: 2000 })),
})
export type Credentials = Static<typeof credentials>

export const client = labelled(
  { client_id: 'Client ID', client_secret: 'Client secret' },
  object({
    client_id: text({ description: 'Client ID that Squarespace gave the extension.' }),
    client_secret: text({ description: 'Its client secret.' }),
  }),
)

export const typedForm = labelled(
  { api_key: 'API key' },
  object({ api_key: text({ max: 2000, description: 'A key with the permissions Orders, Inventory and Products.' }) }),
)

export type SquareShop = Shop<Settings, Credentials>
export type SquareFacts = ShopFacts<Settings>

/** The built-in address that every site keeps, whatever domains it gets. */
export const shopPattern =
  /^(?!(?:www|account|accounts|login|api|support|developers|forum|static1?)\.)[a-z0-9][a-z0-9-]{0,62}\.squarespace\.com$/

export const nameOf = ({ shop }: Pick<SquareFacts, 'shop'>): string => shop.replace(/\.squarespace\.com$/, '')

/** A client that does not say who it is, is turned away. */
export const signedWith = ({ api_key: key, access_token: token }: Credentials) => ({
  authorization: `Bearer ${key ?? token ?? ''}`,
  'user-agent': 'Entrepot',
})
