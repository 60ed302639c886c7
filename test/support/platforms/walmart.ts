import type { VendorSpecification } from '../checkers/checker.ts'
import type { PlatformFacts } from './platform-facts.ts'

const about = (
  file: string,
  paths: string,
  wrong: { report: RegExp; because: string }[] = [],
): VendorSpecification => ({
  kind: 'openapi',
  file: `walmart/us-mp-${file}.json`,
  base: new RegExp(`^(?=/v3/${paths})`),
  wrong,
})

export const facts: PlatformFacts = {
  skusOnce: 'a SKU is the name of an item of the seller',
  lacking: [
    [{ lacks: 'orders' }, /orders \(full_access\).*API Key Management/],
    [{ lacks: 'inventory', may: 'view_only' }, /inventory \(full_access\)/],
  ],
  specifications: [
    about('auth', 'token'),
    about('orders', 'orders', [
      {
        report: /GET \/v3\/orders\/\{purchaseOrderId\}: answer must have/,
        because: 'Its own sample has the order under a name.',
      },
      {
        report: /\/orderLine\/\d+ must have required property 'refunds'/,
        because: 'The lines of refunds stand where those of orders and parcels should.',
      },
    ]),
    about('returns', 'returns', [
      { report: /the parameter offset is unknown/, because: 'Its own sample names the next page by it.' },
    ]),
    about('items', 'items', [
      { report: /\/price\/amount must be string/, because: 'Its own samples have numbers.' },
      { report: /\/groupingAttributes must be object/, because: 'Its own sample has a list there.' },
    ]),
    about('notifications', 'webhooks'),
    about('inventory', 'inventor', [
      { report: /answer\/elements\/inventories must be object/, because: 'Its own sample has a list there.' },
    ]),
  ],
}
