import type { VendorSpecification } from '../checkers/checker.ts'
import type { PlatformFacts } from './platform-facts.ts'

/** The models are about paths with versions in them: each is asked about its own. */
const about = (file: string, base: RegExp): VendorSpecification => ({
  kind: 'openapi',
  file: `amazon-spapi/${file}.json`,
  base,
})

export const facts: PlatformFacts = {
  skusOnce: 'a SKU is the name of a listing of the seller',
  unsigned: true,
  secrets: (secret) => ({ registration: [], client: { notification_key: `key of the operator ${secret}` } }),
  lacking: [
    [{ lacks: 'searchOrders' }, /Inventory and Order Tracking.*Solution Provider Portal/],
    [{ lacks: 'searchListingsItems' }, /Product Listing/],
  ],
  specifications: [
    about('orders_2026-01-01', /^(?=\/orders\/2026-01-01)/),
    about('ordersV0', /^(?=\/orders\/v0)/),
    about('listingsItems_2021-08-01', /^(?=\/listings\/)/),
    about('sellers', /^(?=\/sellers\/)/),
    about('feeds_2021-06-30', /^(?=\/feeds\/)/),
    about('reports_2021-06-30', /^(?=\/reports\/)/),
    about('notifications', /^(?=\/notifications\/)/),
  ],
}
