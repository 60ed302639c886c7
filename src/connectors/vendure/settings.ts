import type { Static } from 'typebox'
import { remoteOrderStatuses } from '../../commerce/order.ts'
import type { Shop, ShopFacts } from '../../commerce/shop.ts'
import { adminAddress } from '../../commerce/wire/admin-address.ts'
import { serverAddress } from '../../commerce/wire/shop-address.ts'
import { choice, flag, integer, labelled, list, object, optional, text, unlisted } from '../../lib/validation/fields.ts'

export const settings = labelled(
  {
    admin_address: 'Address of the administration',
    base_url: 'Full address of the server',
    admin_api_path: 'Path of the Admin API',
    channel_token: 'Channel token',
    page_size: 'Records per request',
    follow_days: 'Days that orders are followed',
    settle_on_shipping: 'Settle payments when goods are shipped',
    fulfillment_handler: 'Fulfilment handler',
    money_precision: 'Decimal places of amounts',
  },
  object({
    admin_address: adminAddress,
    base_url: serverAddress,
    admin_api_path: optional(
      text({ pattern: '^/?[A-Za-z0-9._~-]+(?:/[A-Za-z0-9._~-]+)*$', description: 'Of the Admin API; admin-api.' }),
    ),
    channel_token: optional(text({ description: 'Which channel of the server; its default channel by default.' })),
    page_size: optional(
      integer({
        minimum: 1,
        maximum: 1000,
        description: 'How many records are asked for at once; 100. No more than the server’s adminListQueryLimit.',
      }),
    ),
    follow_days: optional(
      integer({
        minimum: 1,
        maximum: 3650,
        description: 'How long after it was placed a sent order is still looked at for changes; 90.',
      }),
    ),
    settle_on_shipping: optional(flag('Whether authorised payments are settled before goods are sent; true.')),
    fulfillment_handler: optional(text({ description: 'The code of the fulfilment handler; manual-fulfillment.' })),
    custom_states: optional(
      list(object({ state: text(), means: choice(remoteOrderStatuses) }), {
        max: 50,
        description: 'What the order states mean that this server has beside the usual ones.',
      }),
    ),
    money_precision: optional(
      integer({ minimum: 0, maximum: 6, description: 'Decimal places of whole-number amounts. The server is asked.' }),
    ),
    currency: optional(text({ pattern: '^[A-Z]{3}$', description: 'Of the channel. The server is asked.' })),
    language: optional(text({ max: 20, description: 'Of the channel. The server is asked.' })),
  }),
)
export type Settings = Static<typeof settings>

export const credentials = labelled(
  { api_key: 'API key', username: 'User name', password: 'Password' },
  object({
    api_key: optional(text({ max: 1000, description: 'Of an API key (Vendure 3.6 and later).' })),
    username: optional(text({ description: 'Of an administrator, where there is no API key.' })),
    password: optional(text({ trim: false })),
    session_token: unlisted(text({ max: 1000, description: 'Comes from the server.' })),
  }),
)
export type Credentials = Static<typeof credentials>

export type VendureShop = Shop<Settings, Credentials>
export type VendureFacts = ShopFacts<Settings>

export const apiPath = ({ settings: { admin_api_path: path = 'admin-api' } }: VendureFacts): string =>
  path.startsWith('/') ? path : `/${path}`

export const languageOf = ({ settings: { language = 'en' } }: VendureShop): string => language
