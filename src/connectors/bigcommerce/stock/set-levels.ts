import type { Operation } from '../../../commerce/connector/parts.ts'
import {
  articleFor,
  bareIdsIn,
  type InventoryResult,
  type InventorySetting,
  type NamedArticle,
  settingResult,
  skusIn,
} from '../../../commerce/inventory.ts'
import { onceForShop } from '../../../commerce/once-for-shop.ts'
import { type Fields, fieldsIn, idIn, isFields, maybeText, numberIn, recordsIn } from '../../../commerce/reading.ts'
import { refusalReason } from '../../../commerce/remote.ts'
import { chunks } from '../../../lib/chunks.ts'
import { ask, askPage } from '../ask.ts'
import type { BigShop } from '../settings.ts'
import { variantBySku } from './find-by-sku.ts'

/** A setting on its way, and what became of it. */
interface Pending {
  setting: InventorySetting
  place: number | null
  item: Item | null
  error: string | null
}

/** An article as stock knows it, with what is never to be sold, by place. */
interface Item extends NamedArticle {
  variant: number
  product: number
  safety: ReadonlyMap<number, number>
}

/**
 * Levels themselves, never differences. A batch is taken as a whole or not at all: if it is not, each is tried by itself.
 */
export async function setLevels(
  shop: BigShop,
  settings: readonly InventorySetting[],
  operation: Operation,
): Promise<InventoryResult[]> {
  const places = await placesOf(shop)
  const items = [...(await itemsBySku(shop, skusIn(settings))), ...(await itemsById(shop, bareIdsIn(settings)))]
  const pendings = settings.map((setting): Pending => {
    const named = setting.location ?? null
    const place = named === null ? places.main : (places.ids.find((id) => String(id) === named) ?? null)
    const item = articleFor(setting, items)
    if (typeof item === 'string') return { setting, place, item: null, error: item }
    return { setting, place, item, error: place === null ? 'The shop has no such location.' : null }
  })
  const ready = pendings.filter(({ error }) => error === null)
  for (const some of chunks(ready, atOnce)) {
    await setBatch(shop, some, operation)
  }
  return pendings.map(({ setting, error }) => settingResult(setting, error))
}

const atOnce = 100

const placesOf = onceForShop(async (shop: BigShop): Promise<{ ids: readonly number[]; main: number | null }> => {
  const { rows } = await askPage(shop, '/v3/inventory/locations', { limit: 1000 })
  const ids = rows.map((row) => numberIn(row, 'id'))
  const { rows: main } = await askPage(shop, '/v3/inventory/locations', { is_default: true, limit: 1 })
  return { ids, main: main[0] ? numberIn(main[0], 'id') : null }
})

const askedAtOnce = 50

async function itemsBySku(shop: BigShop, skus: readonly string[]): Promise<readonly Item[]> {
  const found: Item[] = []
  const wanted = [...new Set(skus)]
  // Commas stand between them: those that have one themselves are looked up in the catalogue.
  const plain = wanted.filter((sku) => !sku.includes(','))
  for (const some of chunks(plain, askedAtOnce)) {
    const query = { 'sku:in': some.join(','), limit: 1000 }
    const { rows } = await askPage(shop, '/v3/inventory/items', query)
    for (const row of rows) {
      const sku = maybeText(fieldsIn(row, 'identity'), 'sku')
      if (sku !== null && some.includes(sku)) found.push(toItem(row))
    }
  }
  for (const sku of wanted.filter((one) => one.includes(','))) {
    const variant = await variantBySku(shop, sku)
    if (!variant) continue
    const id = numberIn(variant, 'id')
    found.push({
      sku,
      variantId: String(id),
      variant: id,
      product: numberIn(variant, 'product_id'),
      safety: new Map(),
    })
  }
  return found
}

async function itemsById(shop: BigShop, ids: readonly string[]): Promise<readonly Item[]> {
  const found: Item[] = []
  const plain = ids.filter((id) => /^\d{1,15}$/.test(id))
  for (const some of chunks(plain, askedAtOnce)) {
    const query = { 'variant_id:in': some.join(','), limit: 1000 }
    found.push(...(await askPage(shop, '/v3/inventory/items', query)).rows.map(toItem))
  }
  return found
}

function toItem(row: Fields): Item {
  const identity = fieldsIn(row, 'identity')
  const safety = recordsIn(row, 'locations').map((place): [number, number] => {
    const settings = isFields(place['settings']) ? place['settings'] : {}
    return [numberIn(place, 'location_id'), Number(settings['safety_stock'] ?? 0)]
  })
  return {
    sku: maybeText(identity, 'sku'),
    variantId: idIn(identity, 'variant_id'),
    variant: numberIn(identity, 'variant_id'),
    product: numberIn(identity, 'product_id'),
    safety: new Map(safety),
  }
}

/** Articles are counted by product or by variant. One that is named the other way makes the shop refuse the whole batch. */
async function setBatch(shop: BigShop, pendings: readonly Pending[], operation: Operation): Promise<void> {
  const byProduct = await countedByProduct(shop)
  const send = () =>
    attempt(
      shop,
      pendings.map((one) => lineOf(one, isIn(byProduct, one))),
      operation,
    )
  const refusal = await send()
  if (refusal === null) return
  if (pendings.length > 1 && isNamedOtherwise(refusal)) {
    const unknown = await refusalReason(() => learnCounting(shop, pendings, byProduct))
    if (unknown === null && (await send()) === null) return
  }
  for (const one of pendings) one.error = await setOne(shop, one, operation)
}

async function setOne(shop: BigShop, pending: Pending, operation: Operation): Promise<string | null> {
  const isByProduct = isIn(await countedByProduct(shop), pending)
  const refusal = await attempt(shop, [lineOf(pending, isByProduct)], operation)
  if (refusal === null || !isNamedOtherwise(refusal)) return refusal
  return await attempt(shop, [lineOf(pending, !isByProduct)], operation)
}

const isNamedOtherwise = (refusal: string): boolean => /tracked by (product|variant)/i.test(refusal)

/** Ids of products, as far as anybody had to ask. */
const countedByProduct = onceForShop(async (_: BigShop) => new Set<number>())

const isIn = (byProduct: ReadonlySet<number>, { item }: Pending): boolean =>
  item !== null && byProduct.has(item.product)

async function learnCounting(shop: BigShop, pendings: readonly Pending[], byProduct: Set<number>): Promise<void> {
  const ids = new Set(pendings.flatMap(({ item }) => item?.product ?? []))
  const query = { 'id:in': [...ids].join(','), include_fields: 'inventory_tracking', limit: ids.size }
  const { rows } = await askPage(shop, '/v3/catalog/products', query)
  for (const row of rows) {
    if (maybeText(row, 'inventory_tracking') === 'product') byProduct.add(numberIn(row, 'id'))
    else byProduct.delete(numberIn(row, 'id'))
  }
}

/** What is reported is what may be sold; what is kept back lies there as well. */
function lineOf({ setting, place, item }: Pending, isByProduct: boolean): Fields {
  const kept = place === null ? 0 : (item?.safety.get(place) ?? 0)
  return {
    location_id: place,
    ...(isByProduct ? { product_id: item?.product } : { variant_id: item?.variant }),
    quantity: setting.quantity + kept,
  }
}

/** Why it was refused; null if it was not. */
async function attempt(shop: BigShop, items: readonly Fields[], { id }: Operation): Promise<string | null> {
  const request = { method: 'PUT', path: '/v3/inventory/adjustments/absolute', repeatable: true } as const
  return await refusalReason(() => ask(shop, { ...request, body: { reason: id, items } }))
}
