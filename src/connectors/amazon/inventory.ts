import type { Inventory } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type InventoryResult, type InventorySetting, settingResult, skuOf } from '../../commerce/inventory.ts'
import { type Fields, fieldsOf, maybeFields, recordsIn, textIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { Fault } from '../../lib/fault.ts'
import { ask } from './ask.ts'
import { getListing, listingPath, listListings, summaryOf } from './listings.ts'
import { type AmazonShop, type Credentials, homeOf, type Settings } from './settings.ts'
import { levelsIn, ownChannel, toInventoryLevel } from './translate-product.ts'

export const inventory: Inventory<Settings, Credentials> = {
  locations: true,
  list: listLevels,
  translate: toInventoryLevel,
  set: { repeatable: true, send: setLevels },
}

/** Stock is part of listings, which do not say when it changed: all of it is reported each time. */
async function listLevels(shop: AmazonShop, query: ReadQuery): Promise<RawPage> {
  const page = await listListings(shop, { ...query, updatedSince: null })
  const items = page.items.map(fieldsOf).flatMap((listing) => {
    const sku = textIn(listing, 'sku')
    return levelsIn(listing).map((level) => ({ sku, ...level }))
  })
  return { items, next: page.next, total: null }
}

/** Listing by listing: an attribute is replaced as a whole, so what else it holds goes along. */
async function setLevels(shop: AmazonShop, settings: readonly InventorySetting[]): Promise<readonly InventoryResult[]> {
  const errors = new Map<string, string | null>()
  for (const [sku, some] of Map.groupBy(settings, skuOf)) {
    errors.set(sku, await setListing(shop, sku, some).then(() => null, reasonOf))
  }
  return settings.map((setting) => settingResult(setting, errors.get(skuOf(setting)) ?? null))
}

async function setListing(shop: AmazonShop, sku: string, settings: readonly InventorySetting[]): Promise<void> {
  const listing = await getListing(shop, sku, 'summaries,attributes,fulfillmentAvailability')
  if (listing === null) throw refused(say('no_such_listing'))
  const levels = new Map(channelsIn(listing).map((entry) => [textIn(entry, code), entry]))
  for (const { location, quantity } of settings) {
    const channel = location ?? ownChannel
    levels.set(channel, { ...levels.get(channel), [code]: channel, quantity })
  }
  // A listing that is set to be sent by the seller is no longer sent by Amazon.
  if ([...levels.keys()].some((channel) => channel.startsWith('AMAZON_'))) {
    throw refused(say('own_warehouse_counts', { platform: 'Amazon' }))
  }
  await replaceAttribute(shop, listing, 'fulfillment_availability', [...levels.values()])
}

/** An attribute of a listing is replaced as a whole. */
export async function replaceAttribute(shop: AmazonShop, listing: Fields, name: string, value: readonly Fields[]) {
  const reported = await ask(shop, {
    method: 'PATCH',
    path: listingPath(shop, textIn(listing, 'sku')),
    query: { marketplaceIds: homeOf(shop).id },
    body: {
      productType: textIn(summaryOf(listing, shop), 'productType'),
      patches: [{ op: 'replace', path: `/attributes/${name}`, value }],
    },
    repeatable: true,
    budget: 'patch_listing',
  })
  if (reported === null) throw refused(say('no_such_listing'))
  throwIfInvalid(fieldsOf(reported))
}

const code = 'fulfillment_channel_code'

/** The attribute as it stands, days to ship and of restocking among it. What is left is reported beside it, after all sales. */
function channelsIn(listing: Fields): Fields[] {
  const attributes = maybeFields(listing, 'attributes') ?? {}
  const reported =
    attributes['fulfillment_availability'] == null ? [] : recordsIn(attributes, 'fulfillment_availability')
  const counted = listing['fulfillmentAvailability'] == null ? [] : recordsIn(listing, 'fulfillmentAvailability')
  const channels = [...counted.map((one) => one['fulfillmentChannelCode']), ...reported.map((one) => one[code])]
  return [...new Set(channels)].map((channel) => {
    const left = counted.find((one) => one['fulfillmentChannelCode'] === channel)?.['quantity']
    const entry = reported.find((one) => one[code] === channel)
    return { ...entry, [code]: channel, ...(left == null ? {} : { quantity: left }) }
  })
}

/** Refusals come with status 200. */
function throwIfInvalid(reported: Fields): void {
  if (reported['status'] !== 'INVALID') return
  const [issue] =
    reported['issues'] == null ? [] : recordsIn(reported, 'issues').filter((one) => one['severity'] === 'ERROR')
  throw refused(issue ? textIn(issue, 'message') : say('rejected_change', { platform: 'Amazon' }))
}

/** What one listing has against it does not keep the others from being set. */
function reasonOf(error: unknown): string {
  if (error instanceof Fault && error.kind === 'upstream_refused' && !error.errors) return error.message
  throw error
}
