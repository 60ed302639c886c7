import type { Static } from 'typebox'
import type { Shop, ShopFacts } from '../../commerce/shop.ts'
import { choice, flag, labelled, object, optional, text, unlisted } from '../../lib/validation/fields.ts'

export const settings = labelled(
  { fulfilled_by: 'Orders shipped by', tracking_url: 'Address of tracking pages', sandbox: 'Walmart’s sandbox' },
  object({
    fulfilled_by: optional(
      choice(['seller', 'walmart', 'third_party', 'all'], 'Whose orders are read: those the seller sends by default.', {
        ...{ seller: 'The seller', walmart: 'Walmart', third_party: 'A third party', all: 'All of them' },
      }),
    ),
    tracking_url: optional(
      text({
        max: 500,
        pattern: '^https://[^\\s]*\\{number\\}[^\\s]*$',
        description:
          'Where parcels of carriers that Walmart does not know are followed; {number} is the tracking number.',
        examples: ['https://parcels.example.com/?id={number}'],
      }),
    ),
    sandbox: optional(flag('Uses the sandbox, which answers with fixed samples.')),
  }),
)
export type Settings = Static<typeof settings>

export const credentials = labelled(
  { client_id: 'Client ID', client_secret: 'Client secret' },
  object({
    client_id: text({ description: 'Client ID of the production keys in Seller Center’s Developer Portal.' }),
    client_secret: text({ description: 'Their client secret.' }),
    access_token: unlisted(text({ max: 10_000, description: 'Comes from Walmart.' })),
  }),
)
export type Credentials = Static<typeof credentials>

export type WalmartShop = Shop<Settings, Credentials>
export type WalmartFacts = ShopFacts<Settings>

/** A shop is a seller, by the number that Walmart gave; a number alone is no name of a host. */
export const shopPattern = /^\d{1,20}\.walmart\.com$/

export const originOf = ({ settings: { sandbox } }: WalmartFacts): string =>
  sandbox ? 'https://sandbox.walmartapis.com' : 'https://marketplace.walmartapis.com'
