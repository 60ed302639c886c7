import type { InventoryResult } from '../../../commerce/inventory.ts'
import { toMinorUnits } from '../../../commerce/money.ts'
import type { ProductDraft } from '../../../commerce/product.ts'
import { arrayIn, bodyOrNull, fieldsOf, isFields, recordsIn, textIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { type Dialect, signed } from '../dialect.ts'
import type { SandboxShop } from '../settings.ts'
import { ask, nextOf, pageQuery, record } from './ask.ts'
import { toInventoryLevel, toProduct } from './translate.ts'

const pathOf = (sku: string) => `/v1/items/${encodeURIComponent(sku)}`

const get = async (shop: SandboxShop, sku: string): Promise<unknown> =>
  bodyOrNull(await ask(shop, 'items.get', { method: 'GET', path: pathOf(sku) }))

export const products: Dialect['products'] = {
  async list(shop, query) {
    const page = record(
      await ask(shop, 'items.list', { method: 'GET', path: '/v1/items', query: pageQuery(query, 100) }),
    )
    return { items: arrayIn(page, 'items'), next: nextOf(page), total: null }
  },
  get,
  translate: toProduct,
  async export(shop, draft, operation) {
    const body = itemOf(draft)
    const headers = signed(operation)
    const known = await get(shop, draft.sku)
    const same = known !== null && isAlready(known, body)
    const told = same
      ? known
      : record(
          await ask(shop, 'items.put', {
            method: 'PUT',
            path: pathOf(draft.sku),
            body,
            headers,
          }),
        )
    if (draft.quantity != null) await setLevel(shop, { sku: draft.sku, quantity: draft.quantity }, headers)
    return toProduct(told)
  },
}

const states = { active: 'PUBLISHED', draft: 'DRAFT', archived: 'RETIRED', inactive: 'RETIRED' } as const

function itemOf(draft: ProductDraft) {
  const { currency } = draft
  if (currency !== 'EUR') throw refused('Prices in this shop are in EUR.')
  return {
    title: draft.title,
    description: draft.description_html ?? '',
    state: states[draft.status ?? 'active'],
    price: { value: toMinorUnits({ amount: draft.price, currency }), scale: 2, currency },
    images: (draft.images ?? []).map(({ url }) => url),
  }
}

/** Telling a shop what it says already would be a change in its books all the same. */
function isAlready(known: unknown, body: ReturnType<typeof itemOf>): boolean {
  const item = fieldsOf(known)
  return Object.entries(body).every(([name, wanted]) => JSON.stringify(item[name]) === JSON.stringify(wanted))
}

interface Setting {
  sku: string
  quantity: number
  location?: string | null | undefined
}

const setLevel = (shop: SandboxShop, { sku, quantity, location }: Setting, headers: Readonly<Record<string, string>>) =>
  ask(shop, 'inventory.set', {
    method: 'PUT',
    path: `/v1/inventory/${encodeURIComponent(sku)}`,
    body: { quantity, ...(location ? { node: location } : {}) },
    headers,
    repeatable: true,
  })

export const inventory: Dialect['inventory'] = {
  async list(shop, query) {
    const page = record(
      await ask(shop, 'inventory.list', { method: 'GET', path: '/v1/inventory', query: pageQuery(query, 200) }),
    )
    const items = recordsIn(page, 'inventory').flatMap(({ sku, nodes, lastUpdatedAt }) =>
      (Array.isArray(nodes) ? nodes.filter(isFields) : []).map((node) => ({ sku, lastUpdatedAt, ...node })),
    )
    return { items, next: nextOf(page), total: null }
  },
  translate: toInventoryLevel,
  async set(shop, items, operation) {
    const results: InventoryResult[] = []
    for (const item of items) {
      const { status, body } = await setLevel(shop, item, signed(operation))
      const [error] = status < 300 ? [] : recordsIn(fieldsOf(body), 'errors')
      const { sku, location = null } = item
      results.push({ sku, location, ok: status < 300, error: error ? textIn(error, 'message') : null })
    }
    return results
  },
}
