import type { Static } from 'typebox'
import { remoteOrderStatuses } from '../../commerce/order.ts'
import type { RemoteRequest } from '../../commerce/remote.ts'
import type { Shop, ShopFacts } from '../../commerce/shop.ts'
import { siteAddress } from '../../commerce/wire/shop-address.ts'
import { choice, flag, labelled, list, object, optional, text } from '../../lib/validation/fields.ts'

export const settings = labelled(
  {
    base_url: 'Full address of the site',
    keys_in_query: 'The host drops the Authorization header',
    shipped_status: 'Status of shipped orders',
    refund_payments: 'Pay refunds out',
    plain_permalinks: 'Plain permalinks',
  },
  object({
    base_url: siteAddress('site', 'https://example.com/shop'),
    keys_in_query: optional(
      flag(
        'For hosts that drop the Authorization header: the keys travel in the query, which only ever goes out by https.',
      ),
    ),
    shipped_status: optional(
      text({
        max: 50,
        pattern: '^[a-z0-9_-]+$',
        description: 'The status that an order gets once all of it has been sent, without "wc-"; completed by default.',
      }),
    ),
    refund_payments: optional(
      flag(
        'Refunds are paid out by the payment gateway of the order; by default they are. Otherwise they are recorded only.',
      ),
    ),
    plain_permalinks: optional(
      flag(
        'For sites whose permalinks are set to "Plain": the interface is asked by another address. Found out by itself.',
      ),
    ),
    order_statuses: optional(
      list(
        object({
          status: text({ max: 50, pattern: '^[a-z0-9_-]+$', description: 'As the shop writes it, without "wc-".' }),
          means: choice(remoteOrderStatuses),
        }),
        { max: 50, description: 'What statuses mean that a plug-in has added.' },
      ),
    ),
  }),
)
export type Settings = Static<typeof settings>

export const credentials = labelled(
  { consumer_key: 'Consumer key', consumer_secret: 'Consumer secret' },
  object({
    consumer_key: text({ pattern: '^ck_\\S+$', description: 'Begins with ck_.' }),
    consumer_secret: text({ pattern: '^cs_\\S+$', description: 'Begins with cs_.' }),
  }),
)
export type Credentials = Static<typeof credentials>

export type WooShop = Shop<Settings, Credentials>
export type WooFacts = ShopFacts<Settings>

const prefix = '/wp-json'

export const shippedStatus = ({ settings }: WooFacts): string => settings.shipped_status ?? 'completed'

/** Where the platform's interface begins. */
export const root = `${prefix}/wc/v3`
export const productsPath = `${root}/products`

/**
 * The same at a site with plain permalinks. Keys are looked at only where the usual beginning stands somewhere in the
 * address, letter by letter.
 */
export const plainPath = (path: string): string =>
  `/index.php?rest_route=${path.slice(prefix.length)}&_via=${prefix.slice(1)}/wc/`

export const route = (request: RemoteRequest, { settings }: WooFacts): RemoteRequest =>
  settings.plain_permalinks && request.path.startsWith(`${prefix}/`)
    ? { ...request, path: plainPath(request.path) }
    : request
