import type { Static } from 'typebox'
import { remoteOrderStatuses } from '../../commerce/order.ts'
import type { Shop, ShopFacts } from '../../commerce/shop.ts'
import { adminAddress } from '../../commerce/wire/admin-address.ts'
import { siteAddress } from '../../commerce/wire/shop-address.ts'
import { choice, flag, integer, labelled, list, object, optional, text } from '../../lib/validation/fields.ts'

/** Stands for every carrier that is not named. */
export const anyCarrier = '*'

const id = (description: string) => optional(integer({ minimum: 1, description }))

export const settings = labelled(
  {
    admin_address: 'Address of the administration',
    base_url: 'Full address of the shop',
    key_in_query: 'The host drops the Authorization header',
    id_shop: 'ID of the shop',
    id_shop_group: 'ID of the shop group',
    timezone: 'Time zone',
    language: 'ID of the language',
    weight_unit: 'Unit of weight',
    state_canceled: 'State: cancelled',
    state_refunded: 'State: refunded',
    state_failed: 'State: payment failed',
    state_shipped: 'State: shipped',
    state_delivered: 'State: delivered',
    state_backorder_paid: 'State: on backorder, paid',
    state_backorder_unpaid: 'State: on backorder, unpaid',
  },
  object({
    admin_address: adminAddress,
    base_url: siteAddress('shop', 'https://example.com/boutique'),
    key_in_query: optional(flag('For hosts that drop the Authorization header: the key travels in the query instead.')),
    id_shop: id('Which of several shops of the same installation; its default by default.'),
    id_shop_group: id('The group of that shop, whose shops may share their stock. The shop is asked.'),
    order_states: optional(
      list(object({ id: integer({ minimum: 1 }), means: choice(remoteOrderStatuses) }), {
        max: 100,
        description: 'What states of the shop’s own mean, where their flags do not say so.',
      }),
    ),
    carriers: optional(
      list(object({ name: text({ description: `\`${anyCarrier}\` is any other.` }), is: text() }), {
        max: 100,
        description: 'Which carrier of the shop is meant by a name that it does not know.',
      }),
    ),
    timezone: optional(text({ max: 100, description: 'Of the times in the shop. The shop is asked.' })),
    currency: optional(text({ pattern: '^[A-Z]{3}$', description: 'Of the prices of products. The shop is asked.' })),
    language: id('Of the texts that are read. The shop is asked.'),
    weight_unit: optional(text({ max: 10, description: 'The shop is asked.' })),
    state_canceled: id('Its state for cancelled orders. The shop is asked for all seven.'),
    state_refunded: id('Its state for orders that were paid back.'),
    state_failed: id('Its state for payments that failed.'),
    state_shipped: id('Its state for orders that have left.'),
    state_delivered: id('Its state for orders that have arrived.'),
    state_backorder_paid: id('Its state for paid orders whose goods have to come first.'),
    state_backorder_unpaid: id('The same for orders that have not been paid.'),
  }),
)
export type Settings = Static<typeof settings>

export const credentials = labelled(
  { webservice_key: 'Webservice key' },
  object({
    webservice_key: text({ min: 32, max: 32, pattern: '^[A-Za-z0-9]+$', description: '32 letters and digits.' }),
  }),
)
export type Credentials = Static<typeof credentials>

export type PrestaShop = Shop<Settings, Credentials>
export type PrestaFacts = ShopFacts<Settings>

export const zoneOf = ({ settings: { timezone = 'UTC' } }: PrestaFacts): string => timezone
