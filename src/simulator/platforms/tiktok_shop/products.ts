import { convert, decimal, inCents } from '../../amounts.ts'
import { second } from '../../clock.ts'
import { type Answer, type Call, forOne, type Recorder, type RouteRow } from '../../http/route.ts'
import { fieldsOf, listOf, rowsOf, textOf, wholeOf } from '../../json.ts'
import { locations, type Product, reservedOf, totalOf, type Variant } from '../../shop/goods.ts'
import type { World } from '../../world.ts'
import { placeOf, productIdOf, productIndexOf, skuIdOf, warehouseIdOf } from './ids.ts'
import { unix } from './order-view.ts'
import { invalid, nextToken, no, ok, pageIn } from './reply.ts'

export const currency = 'USD'
const places = locations.map((_, place) => place)
const maxQuantity = 99_999

const statuses = { active: 'ACTIVATE', draft: 'DRAFT', archived: 'SELLER_DEACTIVATED' } as const

const priceOf = ({ price }: Variant): string => decimal(convert(price, currency), currency)

const skuView = (variant: Variant) => ({
  ...{ id: skuIdOf(variant.product, variant.position), seller_sku: variant.sku },
  price: { currency, sale_price: priceOf(variant), tax_exclusive_price: priceOf(variant) },
  inventory: places.map((place) => ({ warehouse_id: warehouseIdOf(place), quantity: variant.stock[place] ?? 0 })),
})

/** What a list tells of a product: neither words nor pictures, nor by what its kinds differ. */
const listView = ({ index, title, status, variants, createdAt, updatedAt }: Product) => ({
  ...{ id: productIdOf(index), title, status: statuses[status], skus: variants.map(skuView) },
  ...{ create_time: unix(createdAt), update_time: unix(updatedAt), sales_regions: ['US'] },
})

const detailView = (product: Product) => ({
  ...listView(product),
  description: product.html,
  ...{ brand: { id: '7082427311584347905', name: product.vendor } },
  category_chains: [{ id: '853000', is_leaf: true, local_name: product.type, parent_id: '0' }],
  main_images: product.images.map(({ url }) => ({ height: 600, width: 600, uri: url, urls: [url], thumb_urls: [url] })),
  package_weight: { value: String((product.variants[0]?.grams ?? 0) / 1000), unit: 'KILOGRAM' },
  skus: product.variants.map((variant) => ({
    ...skuView(variant),
    identifier_code: { code: variant.barcode, type: 'EAN' },
    sales_attributes: variant.options.map(({ name, value }) => ({
      ...{ id: '100000', name, value_id: `100${variant.position}`, value_name: value },
    })),
  })),
})

export function productRoutes({ shop: { stockroom } }: World): readonly RouteRow[] {
  function search(call: Call): Answer {
    const page = pageIn(call.query, 100)
    if (!page) return invalid('page_size is a number from 1 to 100.')
    const fields = call.fields()
    const [skus, ids] = [listOf(fields['seller_skus']), listOf(fields['sku_ids'])]
    if (ids.length > 10) return invalid('sku_ids holds at most 10.')
    const since = wholeOf(fields['update_time_ge'])
    const status = textOf(fields['status']) ?? 'ALL'
    const isMeant = (product: Product): boolean =>
      (since === null || product.updatedAt >= since * second) &&
      (status === 'ALL' || statuses[product.status] === status) &&
      (skus.length === 0 || product.variants.some(({ sku }) => skus.includes(sku))) &&
      (ids.length === 0 || product.variants.some(({ product: p, position }) => ids.includes(skuIdOf(p, position))))
    const all = stockroom.byNumber().filter(isMeant)
    const { offset, limit } = page
    const next_page_token = nextToken(offset + limit, offset + limit < all.length)
    return ok({ products: all.slice(offset, offset + limit).map(listView), total_count: all.length, next_page_token })
  }

  function levels(call: Call): Answer {
    const ids = listOf(call.fields()['product_ids']).map(String)
    if (ids.length === 0 || ids.length > 100) return invalid('product_ids holds from 1 to 100.')
    const found = ids.flatMap((id) => stockroom.product(productIndexOf(id)) ?? [])
    const inventory = found.map(({ index, variants }) => ({
      product_id: productIdOf(index),
      skus: variants.map((variant) => ({
        ...{ id: skuIdOf(variant.product, variant.position), seller_sku: variant.sku },
        ...{ total_available_quantity: totalOf(variant), total_committed_quantity: 0 },
        warehouse_inventory: places.map((place) => ({
          ...{ warehouse_id: warehouseIdOf(place), available_quantity: variant.stock[place] ?? 0 },
          committed_quantity: reservedOf(variant, place),
        })),
      })),
    }))
    return ok({ inventory })
  }

  /** All warehouses of a SKU are named, or none of them changes. */
  function update(product: Product, call: Call, record: Recorder): Answer {
    const errors: object[] = []
    for (const sku of rowsOf(call.fields()['skus'])) {
      const variant = product.variants.find((one) => skuIdOf(one.product, one.position) === sku['id'])
      const wanted = rowsOf(sku['inventory']).map((one) => ({
        ...{ place: placeOf(textOf(one['warehouse_id']) ?? ''), quantity: wholeOf(one['quantity']) ?? -1 },
      }))
      const isWhole =
        places.every((place) => wanted.some((one) => one.place === place)) && wanted.length === places.length
      const isInRange = wanted.every(({ quantity }) => quantity >= 0 && quantity <= maxQuantity)
      if (!variant || !isWhole || !isInRange) {
        const why = isInRange ? 'Not all warehouses of the SKU are there' : 'The quantity is out of range'
        errors.push({
          ...{ code: 12_052_990, message: 'Check failed' },
          detail: { sku_id: sku['id'], extra_errors: [{ code: 12_052_097, message: why, warehouse_id: '' }] },
        })
        continue
      }
      const changed = wanted.filter(({ place, quantity }) => stockroom.setStock(variant, place, quantity))
      if (changed.length > 0) record.effect('inventory.set', variant.sku)
    }
    return ok({ errors })
  }

  /** Only of what is on sale. */
  function reprice(product: Product, call: Call, record: Recorder): Answer {
    if (product.status !== 'active') return no(200, 12_052_023, 'The product is not in the status ACTIVATE.')
    for (const sku of rowsOf(call.fields()['skus'])) {
      const variant = product.variants.find((one) => skuIdOf(one.product, one.position) === sku['id'])
      const { amount, currency: given } = fieldsOf(sku['price'])
      const cents = Math.round(Number(amount) * 100)
      if (!variant || given !== currency || !(cents > 0)) return no(200, 12_052_700, 'The price is invalid.')
      if (priceOf(variant) === decimal(cents, currency)) continue
      stockroom.reprice(variant, inCents(cents, currency))
      record.effect('price.set', variant.sku)
    }
    return ok()
  }

  const ofProduct = forOne(
    (id) => stockroom.product(productIndexOf(id)),
    no(200, 12_052_032, 'The product does not exist.'),
  )
  const warehouses = locations.map((name, place) => ({
    ...{ id: warehouseIdOf(place), name, type: 'SALES_WAREHOUSE', sub_type: 'DOMESTIC_WAREHOUSE' },
    ...{ effect_status: 'ENABLED', is_default: place === 0 },
  }))
  return [
    ['POST', '/product/202502/products/search', 'products.list', search, { writes: false }],
    ['GET', '/product/202309/products/:id', 'products.get', ofProduct((product) => ok(detailView(product)))],
    ['POST', '/product/202309/inventory/search', 'inventory.list', levels, { writes: false }],
    ['POST', '/product/202309/products/:id/inventory/update', 'inventory.set', ofProduct(update)],
    ['POST', '/product/202309/products/:id/prices/update', 'prices.set', ofProduct(reprice)],
    ['GET', '/logistics/202309/warehouses', 'warehouses.list', () => ok({ warehouses })],
  ]
}
