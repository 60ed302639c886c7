import type { Inventory, RawPage, ReadQuery } from '../../commerce/connector.ts'
import type { InventoryResult, InventorySetting } from '../../commerce/inventory.ts'
import {
  bodyOf,
  type Fields,
  fieldsOf,
  idIn,
  isFields,
  maybeFields,
  maybeText,
  recordsIn,
} from '../../commerce/reading.ts'
import { type Article, chunks, findBySku } from './find-by-sku.ts'
import { changedAt, listAll, listChanged, maxPageSize } from './pages.ts'
import { productsPath } from './products.ts'
import type { Credentials, Settings, WooShop } from './settings.ts'
import { isCounted, toInventoryLevel } from './translate-product.ts'

export const inventory: Inventory<Settings, Credentials> = {
  locations: false,
  list: listLevels,
  translate: toInventoryLevel,
  set: { repeatable: true, send: setLevels },
}

const variationsPath = (productId: string) => `${productsPath}/${productId}/variations`

/** As many products of several variants to a page; each costs a request. */
const productsAtOnce = 20

/**
 * First what products themselves have in stock, by the time of the last change. Then their variations: these change
 * without their product, so that all products that have some are asked, each for those that changed.
 */
async function listLevels(shop: WooShop, query: ReadQuery): Promise<RawPage> {
  const { cursor, updatedSince } = query
  if (!cursor?.startsWith('v:')) {
    const page = await listChanged(shop, productsPath, query)
    return { items: page.items.map(fieldsOf).filter(isCounted), next: page.next ?? 'v:', total: null }
  }
  const parents = await listChanged(shop, productsPath, {
    updatedSince: null,
    cursor: cursor === 'v:' ? null : cursor.slice(2),
    limit: Math.min(query.limit, productsAtOnce),
    further: { type: 'variable' },
  })
  const items: Fields[] = []
  for (const product of parents.items.map(fieldsOf)) {
    const variations = await listAll(shop, variationsPath(idIn(product, 'id')))
    items.push(
      ...variations.filter((one) => isCounted(one) && (updatedSince === null || changedAt(one) >= updatedSince)),
    )
  }
  return { items, next: parents.next === null ? null : `v:${parents.next}`, total: null }
}

/* Setting -------------------------------------------------------------------------------------------------------- */

async function setLevels(shop: WooShop, items: readonly InventorySetting[]): Promise<readonly InventoryResult[]> {
  const asked = items.filter(({ location }) => !location)
  const articles = await findBySku(
    shop,
    asked.map(({ sku }) => sku),
  )
  const changes = new Map<string, { article: Article; quantity: number }>()
  for (const { sku, quantity } of asked) {
    const article = articles.get(sku)
    if (article) changes.set(sku, { article, quantity })
  }
  const errors = await change(shop, changes)
  return items.map(({ sku, location = null }) => {
    const error = location
      ? 'The shop has no locations.'
      : articles.has(sku)
        ? (errors.get(sku) ?? null)
        : 'The shop has no such article.'
    return { sku, location, ok: error === null, error }
  })
}

/** Products in one go, variations in one for each product. What the shop says against some of them, by SKU. */
async function change(
  shop: WooShop,
  changes: ReadonlyMap<string, { article: Article; quantity: number }>,
): Promise<ReadonlyMap<string, string>> {
  const errors = new Map<string, string>()
  // What is so already need not be sent: it would be a change in the shop all the same.
  const needed = [...changes].filter(([, { article, quantity }]) => {
    const { manage_stock: managed, stock_quantity: held } = article.row
    return managed !== true || held !== quantity
  })
  const groups = Map.groupBy(needed, ([, { article }]) => (article.variationId ? article.productId : null))
  for (const [productId, group] of groups) {
    const path = productId === null ? productsPath : variationsPath(productId)
    for (const some of chunks(group, maxPageSize)) {
      const update = some.map(([, { article, quantity }]) => ({
        id: Number(article.variationId ?? article.productId),
        manage_stock: true,
        stock_quantity: quantity,
      }))
      const request = { method: 'POST', path: `${path}/batch`, body: { update }, repeatable: true } as const
      const reported = recordsIn(fieldsOf(bodyOf(await shop.remote.request(request))), 'update')
      some.forEach(([sku], n) => {
        const error = reported[n] ? maybeFields(reported[n], 'error') : {}
        if (isFields(error)) errors.set(sku, maybeText(error, 'message') ?? 'The shop rejected the change.')
      })
    }
  }
  return errors
}
