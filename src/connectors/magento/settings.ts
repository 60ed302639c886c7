import type { Static } from 'typebox'
import type { Shop, ShopFacts } from '../../commerce/shop.ts'
import { adminAddress } from '../../commerce/wire/admin-address.ts'
import { originOf, siteAddress } from '../../commerce/wire/shop-address.ts'
import { choice, flag, integer, labelled, object, optional, text } from '../../lib/validation/fields.ts'

const code = (description: string) => optional(text({ max: 255, pattern: '^[A-Za-z0-9_-]+$', description }))

export const settings = labelled(
  {
    admin_address: 'Address of the administration',
    base_url: 'Full address of the shop',
    store_code: 'Code of the store view',
    source_code: 'Code of the stock source',
    attribute_set_id: 'Attribute set of new products',
    stock: 'Stock sources',
    levels_count: 'Stock levels count',
    notify_customers: 'The shop notifies customers',
    media_url: 'Address of images',
    weight_unit: 'Unit of weight',
  },
  object({
    admin_address: adminAddress,
    base_url: siteAddress('shop', 'https://example.com/store'),
    store_code: code('The store view whose data are read; all of them by default.'),
    source_code: code(
      'The source that stock is set at and parcels leave from, where nothing else is said; "default" by default.',
    ),
    attribute_set_id: optional(integer({ minimum: 1, description: 'Of products that are made; 4 by default.' })),
    stock: optional(
      choice(['sources', 'single'], 'Whether there are several sources. The shop is asked if this is left out.', {
        ...{ sources: 'Several', single: 'A single one' },
      }),
    ),
    levels_count: optional(
      choice(
        ['available', 'on_hand'],
        'What levels that are set count: what can be sold, to which is added what open orders reserve; or what lies in the warehouse. What can be sold by default.',
        { available: 'What can be sold', on_hand: 'What lies in the warehouse' },
      ),
    ),
    notify_customers: optional(
      flag(
        'Whether the shop writes to the buyer of parcels and refunds, where a request does not say; yes by default.',
      ),
    ),
    currency: optional(text({ pattern: '^[A-Z]{3}$', description: 'Of the prices of products. The shop is asked.' })),
    weight_unit: optional(choice(['kgs', 'lbs'], 'The shop is asked.', { kgs: 'kg', lbs: 'lb' })),
    media_url: optional(text({ max: 2000, format: 'url', description: 'Where images are. The shop is asked.' })),
  }),
)
export type Settings = Static<typeof settings>

export const credentials = labelled(
  {
    access_token: 'Access token',
    access_token_secret: 'Access token secret',
    consumer_key: 'Consumer key',
    consumer_secret: 'Consumer secret',
    ims_client_id: 'Adobe client ID',
    ims_client_secret: 'Adobe client secret',
    ims_org_id: 'Adobe organisation ID',
  },
  object({
    access_token: optional(
      text({
        max: 8000,
        description:
          'Of the integration. Without the other three keys it works only where the shop allows access tokens as standalone bearer tokens (Stores → Configuration → Services → OAuth), which is off since Magento 2.4.4.',
      }),
    ),
    access_token_secret: optional(text({ description: 'With the consumer key: requests are signed instead.' })),
    consumer_key: optional(text()),
    consumer_secret: optional(text()),
    ims_client_id: optional(
      text({
        description: 'Of the OAuth server-to-server credential in the Adobe Developer Console, for its Cloud Service.',
      }),
    ),
    ims_client_secret: optional(text()),
    ims_org_id: optional(text({ pattern: '^\\S+@AdobeOrg$', description: 'The organisation: …@AdobeOrg.' })),
  }),
)
export type Credentials = Static<typeof credentials>

export type MagentoShop = Shop<Settings, Credentials>
export type MagentoFacts = ShopFacts<Settings>

export const mails = (
  { settings: { notify_customers: usual = true } }: MagentoFacts,
  { notify_customer: told = usual }: { notify_customer?: boolean },
): boolean => told

/** Adobe Commerce as a Cloud Service: Adobe runs it, and lets nobody in but by its own identity service. */
export const isService = (facts: MagentoFacts): boolean =>
  /^https:\/\/[a-z0-9-]+\.api\.commerce\.adobe\.com\//i.test(`${originOf(facts)}/`)

export const storeOf = ({ settings: { store_code: store = 'all' } }: MagentoFacts): string => store

/** Paths begin with the store view whose data are meant; the Cloud Service takes that in a header. */
export const pathOf = (facts: MagentoFacts, path: string): string =>
  isService(facts) ? `/V1/${path}` : `/rest/${storeOf(facts)}/V1/${path}`
