import { generateKeyPairSync } from 'node:crypto'
import { publicKeyView, signingKeys } from '../../../src/simulator/platforms/ebay/signatures.ts'
import { openSimulator } from '../../../src/simulator/simulator.ts'
import type { PlatformFacts } from './platform-facts.ts'

/** What the app of the imitation signs with. */
export const testKeys = signingKeys

const bare = (key: string): string => key.replace(/-----[A-Z ]+-----|\s/g, '')

/** eBay has one key for all its messages; whoever believes another believes none of them. */
const another = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'pem', type: 'spki' })

/** Keys are given to apps that eBay knows. */
const { client } = openSimulator({ platform: 'ebay', orders: 1, products: 1 }).install

export const facts: PlatformFacts = {
  skusOnce: 'inventory items are named by their SKU',
  lacking: [
    [{ lacks: 'orders' }, /sell\.fulfillment.*developer account/],
    [{ lacks: 'items' }, /sell\.inventory/],
    [{ lacks: 'user.get' }, /commerce\.identity\.readonly/],
  ],
  specifications: [
    { kind: 'openapi', file: 'ebay/sell_fulfillment_v1_oas3.json', base: '/sell/fulfillment/v1' },
    {
      kind: 'openapi',
      file: 'ebay/sell_inventory_v1_oas3.json',
      base: '/sell/inventory/v1',
      wrong: [
        { report: /aspects must be string/, because: 'Its own text describes aspects as an object of lists of texts.' },
      ],
    },
    { kind: 'openapi', file: 'ebay/commerce_identity_v1_oas3.json', base: '/commerce/identity/v1' },
    {
      kind: 'openapi',
      file: 'ebay/cancellation_oas3.json',
      base: /^\/post-order\/v2(?=\/cancellation)/,
      wrong: [
        { report: /takes no JSON body/, because: 'The file names the paths only and says nothing about bodies.' },
      ],
    },
    {
      kind: 'openapi',
      file: 'ebay/return_oas3.json',
      base: /^\/post-order\/v2(?=\/return)/,
      wrong: [
        {
          report: /the parameter (role|limit|creation_date_range_(from|to)|x-ebay-c-marketplace-id) is unknown/,
          because: 'The file names the paths only; the parameters are in the reference of the Post-Order API 2.7.8.',
        },
      ],
    },
  ],
  secrets: (secret) => ({
    ...{ registration: [], client },
    publicKey: `SHA1 ${bare(secret === 'theirs' ? String(another) : publicKeyView.key)}`,
  }),
  signsForAll: true,
}
