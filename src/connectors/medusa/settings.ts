import type { Static } from 'typebox'
import type { Shop, ShopFacts } from '../../commerce/shop.ts'
import { adminAddress } from '../../commerce/wire/admin-address.ts'
import { serverAddress } from '../../commerce/wire/shop-address.ts'
import { integer, labelled, object, optional, text } from '../../lib/validation/fields.ts'

export const settings = labelled(
  {
    admin_address: 'Address of the administration',
    base_url: 'Full address of the server',
    location_id: 'ID of the stock location',
    follow_days: 'Days that orders are compared',
    currency: 'Currency of prices',
  },
  object({
    admin_address: adminAddress,
    base_url: serverAddress,
    location_id: optional(
      text({ description: 'The stock location that goods are sent from and stock is set at, where none is named.' }),
    ),
    follow_days: optional(
      integer({
        minimum: 1,
        maximum: 3650,
        description: 'How long after it was placed an order is compared for payments taken in part; 90.',
      }),
    ),
    currency: optional(
      text({
        pattern: '^[A-Z]{3}$',
        description: 'Which of a product’s prices is used. The server is asked for its own.',
      }),
    ),
  }),
)
export type Settings = Static<typeof settings>

export const credentials = labelled(
  { secret_key: 'Secret API key' },
  object({
    secret_key: text({ max: 500, description: 'A secret API key, which begins with sk_.' }),
  }),
)
export type Credentials = Static<typeof credentials>

export type MedusaShop = Shop<Settings, Credentials>
export type MedusaFacts = ShopFacts<Settings>
