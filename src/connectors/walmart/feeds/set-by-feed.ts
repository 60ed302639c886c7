import type { Operation } from '../../../commerce/connector/parts.ts'
import { type InventoryResult, type InventorySetting, settingResult, skuOf } from '../../../commerce/inventory.ts'
import { type Fields, fieldsOf, maybeFields, maybeText, recordsIn, textIn } from '../../../commerce/reading.ts'
import { shopAway } from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'
import { ask } from '../ask.ts'
import type { WalmartShop } from '../settings.ts'

/** As many as the limit of single levels takes at once; more go as a file, for which Walmart may take half an hour. */
export const maxSingleLevels = 100

/** One kind of file is for the seller's first place, the other for places that are named. */
const feedTypes = ['inventory', 'MP_INVENTORY'] as const
type FeedType = (typeof feedTypes)[number]

const typeFor = ({ location }: InventorySetting): FeedType => (location == null ? 'inventory' : 'MP_INVENTORY')

const lookAgainSeconds = 60

/** Levels by file. What was sent is asked after by its receipt; the answer is there once Walmart is done with all of it. */
export async function setByFeed(
  shop: WalmartShop,
  settings: readonly InventorySetting[],
  operation: Operation,
): Promise<readonly InventoryResult[]> {
  const feeds = new Map(feedsIn(operation.receipt ?? ''))
  for (const type of feedTypes) {
    const some = settings.filter((one) => typeFor(one) === type)
    if (some.length === 0 || feeds.has(type)) continue
    feeds.set(type, await sendFile(shop, type, some))
    await operation.keep?.([...feeds].map((pair) => pair.join(' ')).join('\n'))
  }
  const errors = new Map<FeedType, (sku: string) => string | null>()
  for (const [type, id] of feeds) errors.set(type, await errorsOf(shop, id))
  return settings.map((one) => settingResult(one, errors.get(typeFor(one))?.(skuOf(one)) ?? null))
}

const feedsIn = (receipt: string): [FeedType, string][] =>
  feedTypes.flatMap((type) => {
    const line = receipt.split('\n').find((one) => one.startsWith(`${type} `))
    return line === undefined ? [] : [[type, line.slice(type.length + 1)]]
  })

/** Level after level: sent again it does no harm but to the quota. */
async function sendFile(shop: WalmartShop, type: FeedType, settings: readonly InventorySetting[]): Promise<string> {
  const boundary = 'levels-of-stock'
  const file = JSON.stringify(type === 'inventory' ? plainFile(settings) : fileByPlaces(settings))
  const reported = await ask(shop, {
    method: 'POST',
    path: '/v3/feeds',
    query: { feedType: type },
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: [
      `--${boundary}`,
      'Content-Disposition: form-data; name="file"; filename="levels.json"',
      'Content-Type: application/json',
      '',
      file,
      `--${boundary}--`,
      '',
    ].join('\r\n'),
    repeatable: true,
    budget: 'send_feed',
  })
  return textIn(fieldsOf(reported), 'feedId')
}

const quantityOf = ({ quantity }: InventorySetting) => ({ unit: 'EACH', amount: quantity })

const plainFile = (settings: readonly InventorySetting[]) => ({
  InventoryHeader: { version: '1.4' },
  Inventory: settings.map((one) => ({ sku: skuOf(one), quantity: quantityOf(one) })),
})

function fileByPlaces(settings: readonly InventorySetting[]) {
  const bySku = Map.groupBy(settings, skuOf)
  return {
    inventoryHeader: { version: '1.5' },
    inventory: [...bySku].map(([sku, levels]) => ({
      sku,
      shipNodes: levels.map((one) => ({ shipNode: one.location, quantity: quantityOf(one) })),
    })),
  }
}

const maxDetails = 50

/** Why an article of the file was not taken; null of those that were. */
async function errorsOf(shop: WalmartShop, id: string): Promise<(sku: string) => string | null> {
  const reasons = new Map<string, string>()
  for (let offset = 0; ; offset += maxDetails) {
    const feed = fieldsOf(
      await ask(shop, {
        path: `/v3/feeds/${encodeURIComponent(id)}`,
        query: { includeDetails: true, offset, limit: maxDetails },
        budget: 'feed_status',
      }),
    )
    const status = textIn(feed, 'feedStatus')
    if (status === 'ERROR') return () => reasonIn(feed) ?? 'Walmart could not process the file.'
    if (status !== 'PROCESSED')
      throw shopAway(lookAgainSeconds, undefined, say('still_levels', { platform: 'Walmart' }))
    if (feed['itemsFailed'] === 0) return () => null
    const details = maybeFields(feed, 'itemDetails') ?? {}
    const items = details['itemIngestionStatus'] == null ? [] : recordsIn(details, 'itemIngestionStatus')
    for (const item of items) {
      const word = textIn(item, 'ingestionStatus')
      if (word !== 'SUCCESS') reasons.set(textIn(item, 'sku'), reasonIn(item) ?? `Walmart rejected the level: ${word}.`)
    }
    if (items.length < maxDetails) return (sku) => reasons.get(sku) ?? null
  }
}

function reasonIn(holder: Fields): string | null {
  const errors = maybeFields(holder, 'ingestionErrors') ?? {}
  const [first] = errors['ingestionError'] == null ? [] : recordsIn(errors, 'ingestionError')
  return first ? maybeText(first, 'description') : null
}
