import type { Inventory } from '../../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../../commerce/connector/reads.ts'
import { type Fields, maybeFields, maybeText } from '../../../commerce/reading.ts'
import { inEitherCatalog } from '../ask.ts'
import { inventoryItems, listChanged, readAll } from '../pages.ts'
import { type Credentials, isId, type Settings, type WixShop } from '../settings.ts'
import { isOfOldCatalog, listOldLevels, setOldLevels } from './old-catalog.ts'
import { setLevels } from './set-levels.ts'
import { toInventoryLevel } from './translate-product.ts'

export const inventory: Inventory<Settings, Credentials> = {
  locations: true,
  list: listLevels,
  levelsOf,
  translate: toInventoryLevel,
  set: {
    repeatable: true,
    send: (shop, settings) =>
      inEitherCatalog(
        () => setLevels(shop, settings),
        () => setOldLevels(shop, settings),
      ),
  },
}

async function listLevels(shop: WixShop, query: ReadQuery): Promise<RawPage> {
  const before = () => listOldLevels(shop, query)
  return isOfOldCatalog(query.cursor) ? await before() : await inEitherCatalog(() => listOfToday(shop, query), before)
}

async function listOfToday(shop: WixShop, query: ReadQuery): Promise<RawPage> {
  const page = await listChanged(shop, { ...inventoryItems, question: 'query' }, query)
  return { ...page, items: page.items.filter(isCounted) }
}

/** Messages name the item, which is an article at one place. */
async function levelsOf(shop: WixShop, remoteId: string): Promise<readonly Fields[]> {
  if (!isId(remoteId)) return []
  return (await readAll(shop, { ...inventoryItems, filter: { id: { $in: [remoteId] } } })).filter(isCounted)
}

/** What has no number cannot be told from others, and what is only there or not there has no level. */
export const isCounted = (item: Fields): boolean =>
  typeof item['quantity'] === 'number' &&
  item['trackQuantity'] !== false &&
  maybeText(maybeFields(item, 'product') ?? {}, 'variantSku') !== null
