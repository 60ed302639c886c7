import type { InventoryResult } from '../../../commerce/inventory.ts'
import { toMinorUnits } from '../../../commerce/money.ts'
import type { ProductDraft } from '../../../commerce/product.ts'
import { arrayIn, bodyOf, bodyOrNull, type Fields, fieldsOf, idIn, recordsIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { type Dialect, signed } from '../dialect.ts'
import type { SandboxShop } from '../settings.ts'
import { listAll, listChanged } from './pages.ts'
import { articlesOf, toInventoryLevel, toProduct } from './translate-product.ts'

const root = '/wp-json/wc/v3/products'
const pathOf = (remoteId: string) => `${root}/${encodeURIComponent(remoteId)}`

/** A product of several variants names only their ids; they are asked for product by product. */
async function withVariants(shop: SandboxShop, product: Fields): Promise<Fields> {
  const variable = product['type'] === 'variable'
  return { ...product, variants: variable ? await listAll(shop, `${pathOf(idIn(product, 'id'))}/variations`) : [] }
}

async function get(shop: SandboxShop, remoteId: string): Promise<Fields | null> {
  const found = bodyOrNull(await shop.remote.request({ method: 'GET', path: pathOf(remoteId) }))
  return found === null ? null : await withVariants(shop, fieldsOf(found))
}

async function list(shop: SandboxShop, query: Parameters<Dialect['products']['list']>[1]) {
  // Few at a time: most of them cost a request of their own.
  const page = await listChanged(shop, root, { ...query, limit: Math.min(query.limit, 50) })
  const items: Fields[] = []
  for (const product of page.items) items.push(await withVariants(shop, fieldsOf(product)))
  return { ...page, items }
}

export const products: Dialect['products'] = {
  list,
  get,
  translate: toProduct,
  async export(shop, draft, operation) {
    const known = await bySku(shop, draft.sku)
    const headers = signed(operation)
    if (!known) {
      const body = { type: 'simple', sku: draft.sku, ...productOf(draft), ...articleOf(draft), manage_stock: true }
      const made = fieldsOf(bodyOf(await shop.remote.request({ method: 'POST', path: root, body, headers })))
      return toProduct(await withVariants(shop, made))
    }
    const path = pathOf(idIn(known.product, 'id'))
    const change = async (target: string, old: Fields, body: Fields) => {
      if (saysAlready(old, body)) return
      bodyOf(await shop.remote.request({ method: 'PUT', path: target, body, headers }))
    }
    const simple = known.variant === null
    const article = articleOf(draft)
    await change(path, known.product, simple ? { ...productOf(draft), ...article } : productOf(draft))
    if (known.variant) await change(`${path}/variations/${idIn(known.variant, 'id')}`, known.variant, article)
    return toProduct(await get(shop, idIn(known.product, 'id')))
  },
}

const statuses = { active: 'publish', draft: 'draft', archived: 'private', inactive: 'private' } as const

const productOf = (draft: ProductDraft): Fields => ({
  name: draft.title,
  description: draft.description_html ?? '',
  status: statuses[draft.status ?? 'active'],
  ...(draft.images ? { images: draft.images.map(({ url, alt }) => ({ src: url, alt: alt ?? '' })) } : {}),
})

function articleOf(draft: ProductDraft): Fields {
  const { price, currency } = draft
  if (currency !== 'EUR') throw refused('Prices in this shop are in EUR.')
  const units = toMinorUnits({ amount: price, currency })
  return {
    regular_price: (units / 100).toFixed(2),
    ...(draft.quantity == null ? {} : { stock_quantity: draft.quantity }),
  }
}

/** Telling it again would be a change in the shop's books all the same. Images have ids there, so they are told anew. */
const saysAlready = (old: Fields, body: Fields): boolean =>
  Object.entries(body).every(([name, wanted]) => {
    if (name !== 'images') return old[name] === wanted
    const sources = (fields: Fields) => recordsIn(fields, 'images').map(({ src, alt }) => [src, alt])
    return JSON.stringify(sources(old)) === JSON.stringify(sources(body))
  })

interface Found {
  product: Fields
  /** Null where the product is its own only variant. */
  variant: Fields | null
}

async function bySku(shop: SandboxShop, sku: string): Promise<Found | null> {
  const answer = await shop.remote.request({ method: 'GET', path: root, query: { sku, per_page: 10 } })
  for (const row of arrayIn({ rows: bodyOf(answer) }, 'rows').map(fieldsOf)) {
    if (row['sku'] === sku) return { product: row, variant: null }
    const product = await withVariants(shop, row)
    const variant = recordsIn(product, 'variants').find((one) => one['sku'] === sku)
    if (variant) return { product, variant }
  }
  return null
}

export const inventory: Dialect['inventory'] = {
  async list(shop, query) {
    const page = await list(shop, query)
    return { items: page.items.flatMap(articlesOf), next: page.next, total: null }
  },
  translate: toInventoryLevel,
  async set(shop, items, operation) {
    const results: InventoryResult[] = []
    for (const { sku, quantity, location = null } of items) {
      const error = location ? 'The shop has no places.' : await setStock(shop, { sku, quantity }, signed(operation))
      results.push({ sku, location, ok: error === null, error })
    }
    return results
  },
}

/** Null if the shop says so now; else why not. */
async function setStock(
  shop: SandboxShop,
  { sku, quantity }: { sku: string; quantity: number },
  headers: Readonly<Record<string, string>>,
): Promise<string | null> {
  const found = await bySku(shop, sku)
  if (!found) return 'The shop has no such article.'
  const { product, variant } = found
  if ((variant ?? product)['stock_quantity'] === quantity) return null
  const path = pathOf(idIn(product, 'id'))
  const target = variant ? `${path}/variations/${idIn(variant, 'id')}` : path
  const body = { stock_quantity: quantity }
  bodyOf(await shop.remote.request({ method: 'PUT', path: target, body, headers }))
  return null
}
