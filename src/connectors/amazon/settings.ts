import type { Static } from 'typebox'
import type { Shop, ShopFacts } from '../../commerce/shop.ts'
import { choice, flag, labelled, list, object, optional, text, unlisted } from '../../lib/validation/fields.ts'
import { type Marketplace, marketplaceCodes, marketplaces } from './marketplaces.ts'

export const settings = labelled(
  {
    marketplace: 'Marketplace',
    fulfilled_by: 'Orders shipped by',
    buyer_data: 'Read names and addresses of buyers',
    sandbox: 'Amazon’s sandbox',
  },
  object({
    marketplace: choice(
      marketplaceCodes,
      'The country of the marketplace whose listings and stock these are; orders are read from there.',
    ),
    more_marketplaces: optional(
      list(choice(marketplaceCodes), {
        max: 22,
        unique: true,
        description: 'Further countries of the same region (America, Europe, Far East) whose orders are read.',
      }),
    ),
    fulfilled_by: optional(
      choice(['merchant', 'amazon', 'all'], 'Whose orders are read: those the seller sends by default.', {
        ...{ merchant: 'The seller', amazon: 'Amazon', all: 'Both' },
      }),
    ),
    buyer_data: optional(
      flag('Whether names and addresses are asked for; needs the restricted roles. They are by default.'),
    ),
    sandbox: optional(flag('Uses the sandbox, which answers with fixed samples.')),
    seller_id: unlisted(text({ pattern: '^[A-Z0-9]+$', description: 'As reported by Amazon.' })),
  }),
)
export type Settings = Static<typeof settings>

export const credentials = object({
  /** Not there yet of an app of the seller's own, until it has been asked for. */
  access_token: optional(text({ max: 4000 })),
  refresh_token: text({ max: 4000 }),
  /** Of such an app. */
  client_id: optional(text()),
  client_secret: optional(text()),
})
export type Credentials = Static<typeof credentials>

export const client = labelled(
  {
    application_id: 'Application ID',
    client_id: 'LWA client ID',
    client_secret: 'LWA client secret',
    draft: 'The app is a draft',
    destination_id: 'Destination of notifications',
    queue_url: 'Address of the SQS queue',
    aws_access_key_id: 'AWS access key ID',
    aws_secret_access_key: 'AWS secret access key',
    notification_key: 'Key of the API destination',
  },
  object({
    application_id: text({ description: 'Application ID of the app in Solution Provider Portal: amzn1.sp.solution.…' }),
    client_id: text({ description: 'LWA client identifier: amzn1.application-oa2-client.…' }),
    client_secret: text({ description: 'LWA client secret.' }),
    draft: optional(flag('The app is not published yet.')),
    destination_id: optional(text({ description: 'The destination of notifications that sellers are subscribed to.' })),
    queue_url: optional(
      text({
        pattern: '^https://sqs\\.[a-z0-9-]+\\.amazonaws\\.com(\\.cn)?/\\d{12}/[\\w-]{1,80}(\\.fifo)?$',
        description: 'The SQS queue that the destination writes to: it is emptied with the keys below.',
        examples: ['https://sqs.eu-west-1.amazonaws.com/123456789012/orders'],
      }),
    ),
    aws_access_key_id: optional(text({ description: 'Of a user that may receive and delete messages of the queue.' })),
    aws_secret_access_key: optional(text({ description: 'The secret of that key.' })),
    notification_key: optional(
      text({
        min: 16,
        description: 'What an API destination of EventBridge sends as x-api-key, if messages come that way.',
      }),
    ),
  }),
)

/** Sellers who made a private app authorise it themselves. */
export const typedForm = labelled(
  { client_id: 'LWA client ID', client_secret: 'LWA client secret', refresh_token: 'Refresh token' },
  object({
    client_id: text({ description: 'LWA client identifier of the private app.' }),
    client_secret: text({ description: 'LWA client secret of the private app.' }),
    refresh_token: text({ max: 4000, description: 'The refresh token that Seller Central shows on "Authorize".' }),
  }),
)

export type AmazonShop = Shop<Settings, Credentials>
export type AmazonFacts = ShopFacts<Settings>

/** A shop is a seller, by the merchant token; these are of capital letters and digits, and shops are kept in small ones. */
export const shopPattern = /^a[0-9a-z]{9,20}$/

/** Their public pages have the token in the query: `www.amazon.de/sp?seller=A1B2…` */
export const shopOfPage = ({ host, searchParams }: URL): string | null =>
  /(^|\.)amazon\.[a-z.]+$/.test(host) ? (searchParams.get('seller') ?? searchParams.get('me')) : null

export const sellerOf = ({ shop, settings: { seller_id: sellerId } }: AmazonFacts): string =>
  sellerId ?? shop.toUpperCase()

export const homeOf = ({ settings: { marketplace } }: AmazonFacts): Marketplace => marketplaces[marketplace]

/** Where orders are read from. */
export const marketplaceIdsOf = (facts: AmazonFacts): string[] => [
  ...new Set([homeOf(facts).id, ...(facts.settings.more_marketplaces ?? []).map((code) => marketplaces[code].id)]),
]

export function originOf(facts: AmazonFacts): string {
  const host = `sellingpartnerapi-${homeOf(facts).region}.amazon.com`
  return `https://${facts.settings.sandbox ? 'sandbox.' : ''}${host}`
}
