import {
  articleFor,
  bareIdsIn,
  type InventoryResult,
  type InventorySetting,
  type NamedArticle,
  noArticle,
  settingResult,
  skusIn,
} from '../../../commerce/inventory.ts'
import {
  type Fields,
  isFields,
  maybeFields,
  maybeText,
  numberIn,
  recordsIn,
  textIn,
} from '../../../commerce/reading.ts'
import { chunks } from '../../../lib/chunks.ts'
import { ask, askList } from '../ask.ts'
import { inventoryItems, readAll } from '../pages.ts'
import { isId, type WixShop } from '../settings.ts'

/** A setting on its way, and what became of it. */
interface Pending {
  setting: InventorySetting
  item: Item | null
  error: string | null
}

/** An article at one place, as it was seen. */
interface Item extends NamedArticle {
  id: string
  revision: string
  place: string | null
  quantity: number | null
}

const atOnce = 100

/** Whoever changes an item says which revision of it was seen; where somebody was quicker, it is looked at again. */
const attempts = 3

/** Levels themselves, never differences. */
export async function setLevels(shop: WixShop, settings: readonly InventorySetting[]): Promise<InventoryResult[]> {
  const items = await itemsFor(shop, settings)
  const needsMain = settings.some(({ location }) => !location)
  const main = needsMain && new Set(items.map(({ place }) => place)).size > 1 ? await mainPlace(shop) : null
  const pendings = settings.map((setting) => pendingOf(setting, items, main))
  for (const some of chunks(
    pendings.filter(({ error }) => error === null),
    atOnce,
  ))
    await setSome(shop, some)
  return pendings.map(({ setting, error }) => settingResult(setting, error))
}

function pendingOf(setting: InventorySetting, items: readonly Item[], main: string | null): Pending {
  const article = articleFor(setting, items)
  if (typeof article === 'string') return { setting, item: null, error: article }
  const places = items.filter(({ variantId }) => variantId === article.variantId)
  const named = setting.location || (places.length > 1 ? main : null)
  const item = named ? places.find(({ place }) => place === named) : places[0]
  return item
    ? { setting, item, error: null }
    : { setting, item: null, error: 'The article is not kept at this location.' }
}

/** Where the store keeps its goods, unless somebody says otherwise. */
async function mainPlace(shop: WixShop): Promise<string | null> {
  const query = { filter: { defaultLocation: { $eq: true } } }
  const body = await askList(shop, '/stores/v3/locations/query', { query })
  const places = recordsIn({ places: body['storesLocations'] ?? [] }, 'places')
  const main = places.find(({ defaultLocation }) => defaultLocation === true)
  return main ? textIn(main, 'id') : null
}

/**
 * Wix cannot be asked for articles by their number: our copy says which products have them, and only where that does not
 * suffice, all items are gone through, once for everything that is to be set.
 */
async function itemsFor(shop: WixShop, settings: readonly InventorySetting[]): Promise<readonly Item[]> {
  const names = { skus: skusIn(settings), variantIds: bareIdsIn(settings) }
  const products = ((await shop.productsWith?.(names)) ?? []).filter(isId)
  const known: Item[] = []
  for (const some of chunks(products, atOnce)) known.push(...(await itemsWith(shop, { productId: { $in: some } })))
  if (settings.every((setting) => articleFor(setting, known) !== noArticle)) return known
  return await itemsWith(shop)
}

async function itemsWith(shop: WixShop, filter?: Fields): Promise<readonly Item[]> {
  return (await readAll(shop, { ...inventoryItems, ...(filter ? { filter } : {}) })).map(toItem)
}

const toItem = (item: Fields): Item => ({
  id: textIn(item, 'id'),
  revision: String(item['revision'] ?? ''),
  sku: maybeText(maybeFields(item, 'product') ?? {}, 'variantSku'),
  variantId: textIn(item, 'variantId'),
  place: maybeText(item, 'locationId'),
  quantity: typeof item['quantity'] === 'number' ? item['quantity'] : null,
})

async function setSome(shop: WixShop, pendings: readonly Pending[]): Promise<void> {
  let left = pendings
  for (let attempt = 1; left.length > 0; attempt++) {
    const outdated = await attemptAll(shop, left)
    if (outdated.length === 0) return
    if (attempt === attempts) {
      for (const one of outdated) one.error = 'The article is being changed by somebody else; try again.'
      return
    }
    left = await seenAgain(shop, outdated)
  }
}

/** Those whose revision was no longer the last one; all others are settled. */
async function attemptAll(shop: WixShop, pendings: readonly Pending[]): Promise<Pending[]> {
  const changed = pendings.map(({ setting: { quantity }, item }) => ({
    inventoryItem: { id: item?.id, revision: item?.revision, trackQuantity: true, quantity },
  }))
  const body = { inventoryItems: changed, reason: 'MANUAL', returnEntity: false }
  const path = '/stores/v3/bulk/inventory-items/update'
  const results = recordsIn(await ask(shop, { method: 'POST', path, body, repeatable: true }), 'results')
  const outdated: Pending[] = []
  pendings.forEach((pending, index) => {
    const told = results.map((one) => maybeFields(one, 'itemMetadata') ?? {}).find((one) => isAt(one, index))
    const error = told && isFields(told['error']) ? told['error'] : {}
    if (told?.['success'] === true) return
    if (/REVISION|CONFLICT|ABORTED/.test(maybeText(error, 'code') ?? '')) outdated.push(pending)
    else pending.error = maybeText(error, 'description') ?? 'Wix did not store the quantity.'
  })
  return outdated
}

const isAt = (metadata: Fields, index: number): boolean =>
  metadata['originalIndex'] != null && numberIn(metadata, 'originalIndex') === index

/** What has the right level by now needs nothing more: it may be our own change, whose answer got lost. */
async function seenAgain(shop: WixShop, pendings: readonly Pending[]): Promise<Pending[]> {
  const ids = pendings.flatMap(({ item }) => item?.id ?? [])
  const now = new Map((await itemsWith(shop, { id: { $in: ids } })).map((item) => [item.id, item]))
  return pendings.filter((pending) => {
    pending.item = now.get(pending.item?.id ?? '') ?? null
    if (pending.item === null) pending.error = noArticle
    return pending.item !== null && pending.item.quantity !== pending.setting.quantity
  })
}
