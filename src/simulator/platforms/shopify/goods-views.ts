import { convert, decimal } from '../../amounts.ts'
import { inSeconds, isWithin } from '../../clock.ts'
import { type Fields, listOf } from '../../json.ts'
import { locations, optionsOf, type Product, totalOf, type Variant } from '../../shop/goods.ts'
import type { World } from '../../world.ts'
import { type Asked, connection, pageOf, positionIn, sizeOf } from './asked.ts'
import { gid, indexOf, numberOf, part, partOf, wholeAndPart } from './ids.ts'
import { spanOf, termsIn } from './search.ts'
import { books } from './words.ts'

export type GoodsViews = ReturnType<typeof createGoodsViews>

/** Products, variants, stock and locations, as the platform shows them. Lists and records within are made when asked for. */
export function createGoodsViews({ shop: { stockroom }, settings }: World) {
  const price = (units: number) => decimal(convert(units, books), books)
  /** In some shops articles lie in the main location alone, until somebody brings them elsewhere. */
  const mainOnly = settings.variant['stock'] === 'main'
  const activated = new Set<number>()
  /** What was made by API is in no sales channel until it is put there. */
  const unpublished = new Set<number>()
  /** Those that were given by whoever made the product. */
  const handles = { byProduct: new Map<number, string>(), toProduct: new Map<string, number>() }
  const isStocked = (variant: Variant, location: number) =>
    location in locations && (!mainOnly || location === 0 || activated.has(part(partOf(variant), location)))
  const variantAt = (index: number): Variant | null => {
    const [product, position] = wholeAndPart(index)
    return stockroom.product(product)?.variants[position] ?? null
  }
  const handleOf = (index: number) => handles.byProduct.get(index) ?? `product-${index + 1}`

  function product(one: Product) {
    const { index, variants, images } = one
    return {
      ...{ __typename: 'Product', id: gid('Product', index), title: one.title, status: one.status.toUpperCase() },
      ...{ vendor: one.vendor, productType: one.type, tags: one.tags, descriptionHtml: one.html },
      ...{ createdAt: inSeconds(one.createdAt), updatedAt: inSeconds(one.updatedAt) },
      onlineStoreUrl: () =>
        one.status === 'active' && !unpublished.has(index)
          ? `https://${settings.shop}/products/${handleOf(index)}`
          : null,
      options() {
        const options = optionsOf(one)
        return options.length > 0 ? options : [{ name: 'Title', values: ['Default Title'] }]
      },
      variantsCount: { count: variants.length, precision: 'EXACT' },
      variants: (args: Fields, asked: Asked) => pageOf(variants, args, asked, variant),
      media: (args: Fields, asked: Asked) =>
        pageOf([...images.entries()], args, asked, ([n, { url, alt }]) => ({
          ...{ __typename: 'MediaImage', id: gid('MediaImage', part(index, n)) },
          preview: { image: { url, altText: alt } },
        })),
    }
  }

  function variant(one: Variant) {
    return {
      ...{ __typename: 'ProductVariant', id: gid('ProductVariant', partOf(one)) },
      ...{ title: one.title, sku: one.sku, barcode: one.barcode || null, price: () => price(one.price) },
      compareAtPrice: () => (one.compareAt === null ? null : price(one.compareAt)),
      inventoryQuantity: totalOf(one),
      selectedOptions: one.options.length > 0 ? one.options : [{ name: 'Title', value: 'Default Title' }],
      inventoryItem: () => item(one),
      product: () => productAt(one.product),
    }
  }
  const productAt = (index: number) => {
    const found = stockroom.product(index)
    return found && product(found)
  }

  const item = (one: Variant) => ({
    ...{ __typename: 'InventoryItem', id: gid('InventoryItem', partOf(one)), sku: one.sku, tracked: true },
    measurement: { weight: { value: one.grams, unit: 'GRAMS' } },
    variants: (args: Fields, asked: Asked) => pageOf([one], args, asked, variant),
    inventoryLevel({ locationId }: Fields) {
      const at = indexOf('Location', locationId)
      return isStocked(one, at) ? level(one, at) : null
    },
  })
  const level = (one: Variant, at: number) => ({
    __typename: 'InventoryLevel',
    id: `${gid('InventoryLevel', at)}?inventory_item_id=${numberOf('InventoryItem', partOf(one))}`,
    updatedAt: inSeconds(one.stockUpdatedAt),
    location: () => location(at),
    item: () => item(one),
    quantities: ({ names }: Fields) => {
      // So many are sold and not sent, or laid aside: they lie there all the same.
      const [available = 0, committed, reserved] = [one.stock[at], partOf(one) % 3, partOf(one) % 2]
      const counts = new Map(Object.entries({ available, committed, reserved }))
      counts.set('on_hand', available + committed + reserved)
      return listOf(names).map((name) => ({ name, quantity: counts.get(String(name)) ?? 0 }))
    },
  })

  const location = (at: number) => ({
    ...{ __typename: 'Location', id: gid('Location', at), name: locations[at] ?? '', isActive: true },
    inventoryLevels: (args: Fields, asked: Asked) => levels(at, args, asked),
  })

  /** By article; a page costs what a page costs. */
  function levels(at: number, args: Fields, asked: Asked) {
    const size = sizeOf(args, asked)
    const span = spanOf(termsIn(args['query']), 'updated_at')
    const after = positionIn(args)
    const [first, position] = wholeAndPart((after?.index ?? -1) + 1)
    const rows: Variant[] = []
    for (let index = Math.max(0, first); index < stockroom.size() && rows.length <= size; index++) {
      for (const one of stockroom.product(index)?.variants ?? []) {
        if (index === first && one.position < position) continue
        if (isStocked(one, at) && isWithin(one.stockUpdatedAt, span)) rows.push(one)
      }
    }
    const positionOf = (one: Variant) => ({ at: 0, index: partOf(one) })
    const page = { rows: rows.slice(0, size), more: rows.length > size, positionOf }
    return connection(page, (one) => level(one, at))
  }

  return {
    ...{ unpublished, product, productAt, variant, item, level, location, variantAt, isStocked },
    itemOf: (id: unknown) => variantAt(indexOf('InventoryItem', id)),
    byHandle: (handle: string) => stockroom.product(handles.toProduct.get(handle) ?? -1),
    name(index: number, handle: string) {
      handles.byProduct.set(index, handle)
      handles.toProduct.set(handle, index)
    },
    activate: (one: Variant, at: number) => activated.add(part(partOf(one), at)),
  }
}
