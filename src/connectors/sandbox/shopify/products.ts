import type { InventoryResult, InventorySetting } from '../../../commerce/inventory.ts'
import { toMinorUnits } from '../../../commerce/money.ts'
import type { ProductDraft } from '../../../commerce/product.ts'
import { type Fields, fieldsIn, maybeFields, maybeText, recordsIn, textIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import type { Dialect } from '../dialect.ts'
import type { SandboxShop } from '../settings.ts'
import { ask, change, nextIn, nodesIn, type Query, quoted, since } from './graphql.ts'
import { toInventoryLevel, toProduct } from './translate-product.ts'

const productFields = `
fragment Told on Product {
  id title status vendor productType tags descriptionHtml createdAt updatedAt onlineStoreUrl
  options { name values }
  media(first: 50) { nodes { alt preview { image { url } } } }
  variants(first: 100) {
    pageInfo { hasNextPage }
    nodes {
      id title sku barcode price compareAtPrice inventoryQuantity
      selectedOptions { name value }
      inventoryItem { id tracked measurement { weight { value unit } } }
    }
  }
}`

const listQuery: Query = {
  cost: 125,
  text: `query Products($first: Int!, $after: String, $query: String) {
  shop { currencyCode }
  products(first: $first, after: $after, query: $query, sortKey: UPDATED_AT) {
    pageInfo { hasNextPage endCursor }
    nodes { ...Told }
  }
}${productFields}`,
}

const productQuery: Query = {
  cost: 100,
  text: `query Product($id: ID!) { shop { currencyCode } product(id: $id) { ...Told } }${productFields}`,
}

const bySkuQuery: Query = {
  cost: 30,
  text: `query Variant($query: String) {
  productVariants(first: 2, query: $query) {
    nodes { id sku inventoryItem { id } product { id } }
  }
}`,
}

/** The currency stands at the shop, not at the product. */
const withCurrency = (data: Fields, product: Fields): Fields => ({
  ...product,
  currencyCode: textIn(fieldsIn(data, 'shop'), 'currencyCode'),
})

async function get(shop: SandboxShop, remoteId: string): Promise<Fields | null> {
  const data = await ask(shop, productQuery, { id: remoteId })
  const product = maybeFields(data, 'product')
  return product && withCurrency(data, product)
}

async function variantBySku(shop: SandboxShop, sku: string): Promise<Fields | null> {
  const data = await ask(shop, bySkuQuery, { query: `sku:${quoted(sku)}` })
  return nodesIn(data, 'productVariants').find((one) => one['sku'] === sku) ?? null
}

export const products: Dialect['products'] = {
  async list(shop, { updatedSince, cursor, limit }) {
    const first = Math.min(limit, 100)
    const data = await ask(shop, listQuery, { first, after: cursor, query: since(updatedSince) })
    const page = fieldsIn(data, 'products')
    const items = recordsIn(page, 'nodes').map((product) => withCurrency(data, product))
    return { items, next: nextIn(page), total: null }
  },
  get,
  translate: toProduct,
  async export(shop, draft, operation) {
    if (draft.currency !== 'EUR') throw refused('The books of this shop are in EUR.')
    const variant = await variantBySku(shop, draft.sku)
    const id = variant && textIn(fieldsIn(variant, 'product'), 'id')
    const known = id && (await get(shop, id))
    if (known && (await saysAlready(shop, known, draft))) return toProduct(known)
    const location = draft.quantity == null ? null : textIn(await mainLocation(shop), 'id')
    const input = productInput(draft, { id, location })
    const told = await change(shop, setMutation, { input }, operation)
    return toProduct((await get(shop, textIn(fieldsIn(told, 'product'), 'id'))) ?? {})
  },
}

const setMutation = {
  name: 'productSet',
  text: `mutation Export($input: ProductSetInput!) {
  productSet(input: $input, synchronous: true) { product { id } userErrors { field message } }
}`,
}

const statuses = { active: 'ACTIVE', draft: 'DRAFT', archived: 'ARCHIVED', inactive: 'DRAFT' } as const

const productInput = (
  draft: ProductDraft,
  { id, location }: { id: string | null; location: string | null },
): Fields => ({
  ...(id === null ? {} : { id }),
  title: draft.title,
  descriptionHtml: draft.description_html ?? '',
  status: statuses[draft.status ?? 'active'],
  ...(draft.images ? { files: draft.images.map(({ url, alt }) => ({ originalSource: url, alt: alt ?? '' })) } : {}),
  variants: [
    {
      sku: draft.sku,
      price: draft.price,
      ...(location === null
        ? {}
        : { inventoryQuantities: [{ locationId: location, name: 'available', quantity: draft.quantity ?? 0 }] }),
    },
  ],
})

/** Telling it again would be a change in the shop's books all the same. */
async function saysAlready(shop: SandboxShop, known: Fields, draft: ProductDraft): Promise<boolean> {
  const { title, description_html, status, variants, images } = toProduct(known)
  const variant = variants.find(({ sku }) => sku === draft.sku)
  const price = (amount: string) => toMinorUnits({ amount, currency: draft.currency })
  const wantedImages = draft.images?.map(({ url }) => url)
  const same =
    title === draft.title &&
    (description_html ?? '') === (draft.description_html ?? '') &&
    statuses[status] === statuses[draft.status ?? 'active'] &&
    variant?.price != null &&
    price(variant.price.amount) === price(draft.price) &&
    (!wantedImages || JSON.stringify(images.map(({ url }) => url)) === JSON.stringify(wantedImages))
  if (!same || draft.quantity == null) return same
  const main = textIn(await mainLocation(shop), 'id')
  const { items } = await levels(shop, { query: `sku:${quoted(draft.sku)}`, after: null, first: 5 })
  const level = items.map(toInventoryLevel).find((one) => one.sku === draft.sku && one.location_remote_id === main)
  return level?.available === draft.quantity
}

const levelsQuery: Query = {
  cost: 50,
  text: `query Levels($first: Int!, $after: String, $query: String) {
  inventoryItems(first: $first, after: $after, query: $query) {
    pageInfo { hasNextPage endCursor }
    nodes {
      id sku variant { id }
      inventoryLevels(first: 50) { nodes { updatedAt location { id } quantities(names: ["available"]) { name quantity } } }
    }
  }
}`,
}

async function levels(
  shop: SandboxShop,
  variables: { query: string | null; after: string | null; first: number },
): Promise<{ items: Fields[]; next: string | null }> {
  const page = fieldsIn(await ask(shop, levelsQuery, variables), 'inventoryItems')
  const items = recordsIn(page, 'nodes').flatMap(({ inventoryLevels, ...item }) =>
    maybeText(item, 'sku') === null
      ? []
      : nodesIn({ inventoryLevels }, 'inventoryLevels').map((level) => ({ ...item, level })),
  )
  return { items, next: nextIn(page) }
}

const locationsQuery: Query = {
  cost: 10,
  text: 'query Places { locations(first: 50) { nodes { id isActive fulfillsOnlineOrders } } }',
}

const locationsOf = async (shop: SandboxShop): Promise<readonly Fields[]> =>
  nodesIn(await ask(shop, locationsQuery), 'locations')

async function mainLocation(shop: SandboxShop): Promise<Fields> {
  const all = await locationsOf(shop)
  const main = all.find((one) => one['fulfillsOnlineOrders'] === true) ?? all[0]
  if (!main) throw refused('The shop has no places.')
  return main
}

const setLevels = {
  name: 'inventorySetQuantities',
  text: `mutation Stock($input: InventorySetQuantitiesInput!, $key: String!) {
  inventorySetQuantities(input: $input) @idempotent(key: $key) {
    inventoryAdjustmentGroup { createdAt }
    userErrors { field message code }
  }
}`,
}
const mostAtOnce = 250

export const inventory: Dialect['inventory'] = {
  async list(shop, { updatedSince, cursor, limit }) {
    const first = Math.min(limit, 100)
    return { ...(await levels(shop, { first, after: cursor, query: since(updatedSince) })), total: null }
  },
  translate: toInventoryLevel,
  /** The platform keeps the key: the same one again changes nothing. */
  async set(shop, items, operation) {
    const places = await locationsOf(shop)
    const main = (places.find((one) => one['fulfillsOnlineOrders'] === true) ?? places[0])?.['id']
    const quantities: Fields[] = []
    const results: InventoryResult[] = []
    for (const item of items) {
      const { sku, location = null } = item
      const place = places.find(({ id }) => id === (location ?? main))
      const variant = place ? await variantBySku(shop, sku) : null
      const error = !place ? 'The shop has no such place.' : !variant ? 'The shop has no such article.' : null
      results.push({ sku, location, ok: error === null, error })
      if (variant && place) quantities.push(quantityOf(item, variant, place))
    }
    for (let start = 0; start < quantities.length; start += mostAtOnce) {
      const input = { name: 'available', reason: 'correction', quantities: quantities.slice(start, start + mostAtOnce) }
      await change(shop, setLevels, { input, key: `${operation.id}-${start / mostAtOnce}` }, operation)
    }
    return results
  },
}

const quantityOf = ({ quantity }: InventorySetting, variant: Fields, place: Fields): Fields => ({
  inventoryItemId: textIn(fieldsIn(variant, 'inventoryItem'), 'id'),
  locationId: textIn(place, 'id'),
  quantity,
})
