import type { Inventory } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import {
  articleFor,
  bareIdsIn,
  type InventoryResult,
  type InventorySetting,
  settingResult,
  skusIn,
} from '../../commerce/inventory.ts'
import { justLookedAt } from '../../commerce/once-for-shop.ts'
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
import { say } from '../../commerce/words/say.ts'
import { chunks } from '../../lib/chunks.ts'
import { sideBySide } from '../../lib/turns/side-by-side.ts'
import { type Article, findById, findBySku } from './find-by-sku.ts'
import { changedAt, listAll, listChanged, maxPageSize } from './pages.ts'
import { type Credentials, productsPath, type Settings, type WooShop } from './settings.ts'
import { isCounted, ownSku, toInventoryLevel } from './translate-product.ts'

export const inventory: Inventory<Settings, Credentials> = {
  locations: false,
  list: listLevels,
  translate: toInventoryLevel,
  levelsNow: async (shop, names) => (await lookAt(shop, skusIn(names))).map(({ row }) => row).filter(isCounted),
  set: { repeatable: true, send: setLevels },
}

const looked = justLookedAt<WooShop, readonly Article[]>()

async function lookAt(shop: WooShop, skus: readonly string[]): Promise<readonly Article[]> {
  const found = await findBySku(shop, skus)
  looked.keep(shop, skus, found)
  return found
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
    const read = await listAll(shop, variationsPath(idIn(product, 'id')))
    const variations = read.map((one) => ({ ...one, sku: ownSku(one, product) ?? '' }))
    items.push(
      ...variations.filter((one) => isCounted(one) && (updatedSince === null || changedAt(one) >= updatedSince)),
    )
  }
  return { items, next: parents.next === null ? null : `v:${parents.next}`, total: null }
}

/* Setting -------------------------------------------------------------------------------------------------------- */

interface Change {
  setting: InventorySetting
  article: Article
}

async function setLevels(shop: WooShop, items: readonly InventorySetting[]): Promise<readonly InventoryResult[]> {
  const asked = items.filter(({ location }) => !location)
  const skus = skusIn(asked)
  const found = looked.take(shop, skus) ?? (await findBySku(shop, skus))
  const articles = [...found, ...(await findById(shop, bareIdsIn(asked)))]
  const changes: Change[] = []
  const errors = new Map<InventorySetting, string>()
  for (const setting of items) {
    const article = setting.location ? say('no_locations').text : articleFor(setting, articles)
    const error = typeof article === 'string' ? article : reasonAgainst(article)
    if (error !== null) errors.set(setting, error)
    else if (typeof article !== 'string') changes.push({ setting, article })
  }
  await change(shop, changes, errors)
  return items.map((setting) => settingResult(setting, errors.get(setting) ?? null))
}

/** A product of several variations that keeps no stock itself would keep one from then on, beside theirs. */
const reasonAgainst = ({ row }: Article): string | null =>
  row['type'] === 'variable' && row['manage_stock'] !== true
    ? 'The stock of this product is that of its variations; name one of them.'
    : null

/** Variations that share the stock of their product are counted there. */
const isShared = ({ row }: Article): boolean => row['manage_stock'] === 'parent'

/** Levels of many products at once would else take as long as all of their requests. */
const requestsAtOnce = 4

/** Products in one go, variations in one for each product. */
async function change(shop: WooShop, changes: readonly Change[], errors: Map<InventorySetting, string>): Promise<void> {
  // What is so already need not be sent: it would be a change in the shop all the same.
  const needed = changes.filter(({ article, setting: { quantity } }) => {
    const { manage_stock: managed, stock_quantity: held } = article.row
    return (managed !== true && !isShared(article)) || held !== quantity
  })
  const groups = Map.groupBy(needed, ({ article }) =>
    article.variationId && !isShared(article) ? article.productId : null,
  )
  await sideBySide([...groups], requestsAtOnce, async ([productId, group]) => {
    const path = productId === null ? productsPath : variationsPath(productId)
    for (const some of chunks(group, maxPageSize)) {
      const update = some.map(({ article, setting: { quantity } }) => ({
        id: Number(isShared(article) ? article.productId : article.variantId),
        manage_stock: true,
        stock_quantity: quantity,
      }))
      const request = { method: 'POST', path: `${path}/batch`, body: { update }, repeatable: true } as const
      const reported = recordsIn(fieldsOf(bodyOf(await shop.remote.request(request))), 'update')
      some.forEach(({ setting }, n) => {
        const error = reported[n] ? maybeFields(reported[n], 'error') : {}
        if (isFields(error)) errors.set(setting, maybeText(error, 'message') ?? 'The shop rejected the change.')
      })
    }
  })
}
