import { toSecond } from '../../clock.ts'
import type { Recorder } from '../../http/call.ts'
import { type Fields, fieldsOf, listOf, textOf, wholeOf } from '../../json.ts'
import { locations, type Product, productTime, reservedOf, type Variant, variantTime } from '../../shop/goods.ts'
import type { World } from '../../world.ts'
import { notFound, pageAmong, userError } from './lists.ts'
import { indexOf, partIn, productId, timeOf, variantId } from './order-view.ts'

export function createProducts({ shop: { stockroom } }: World) {
  /** Of products that were made here; the others have the usual ones. */
  const slugs = new WeakMap<Product, string>()
  const slugOf = (product: Product) => slugs.get(product) ?? `product-${product.index + 1}`
  const at = (id: unknown): Product => {
    const product = stockroom.product(indexOf(id))
    if (!product) throw notFound('Product', id)
    return product
  }

  const productView = (product: Product): Fields => ({
    ...{ id: productId(product.index), name: product.title, slug: slugOf(product), description: product.html },
    ...{ enabled: product.status === 'active', createdAt: timeOf(product.createdAt) },
    updatedAt: timeOf(productTime(product)),
    assets: product.images.map(({ url, alt }) => ({ name: alt ?? 'image.jpg', source: url })),
    optionGroups: groupsOf(product),
    variants: () => product.variants.map((variant) => view(product, variant)),
  })

  const view = (product: Product, variant: Variant): Fields => ({
    ...{ id: variantId(variant), sku: variant.sku, name: nameOf(product, variant), enabled: true },
    ...{ createdAt: timeOf(product.createdAt), updatedAt: timeOf(variantTime(product, variant)) },
    ...{ price: variant.price, prices: [{ currencyCode: 'EUR', price: variant.price }], currencyCode: 'EUR' },
    trackInventory: product.index % 4 === 0 ? 'TRUE' : 'INHERIT',
    options: variant.options.map(({ name, value }) => ({ name: value, group: { name, options: [] } })),
    product: () => productView(product),
    stockLevels: locations.map((_, location) => ({
      ...{ id: `${variantId(variant)}${location}`, stockLocationId: String(location + 1) },
      stockOnHand: (variant.stock[location] ?? 0) + reservedOf(variant, location),
      ...{ stockAllocated: reservedOf(variant, location), updatedAt: timeOf(variant.stockUpdatedAt) },
    })),
  })

  const products = (args: Fields) => {
    const page = pageAmong(stockroom.byChange(), args, (product, name) => {
      if (name === 'id') return productId(product.index)
      if (name === 'slug') return slugOf(product)
      return toSecond(name === 'updatedAt' ? productTime(product) : product.createdAt)
    })
    return { ...page, items: page.items.map(productView) }
  }

  const productVariants = (args: Fields) => {
    const all = stockroom.byChange().flatMap((product) => product.variants.map((variant) => ({ product, variant })))
    const page = pageAmong(all, args, ({ product, variant }, name) => {
      if (name === 'id') return variantId(variant)
      if (name === 'sku') return variant.sku
      return toSecond(name === 'updatedAt' ? variantTime(product, variant) : product.createdAt)
    })
    return { ...page, items: page.items.map(({ product, variant }) => view(product, variant)) }
  }

  function wordsIn({ enabled, translations }: Fields): Partial<Pick<Product, 'title' | 'html' | 'status'>> {
    const { name, description } = fieldsOf(listOf(translations)[0])
    return {
      ...(typeof name === 'string' ? { title: name } : {}),
      ...(typeof description === 'string' ? { html: description } : {}),
      ...(typeof enabled === 'boolean' ? { status: enabled ? 'active' : 'draft' } : {}),
    }
  }

  /** A slug that is taken gets a number. */
  function createProduct({ input }: Fields, record: Recorder): Fields {
    const wanted = textOf(fieldsOf(listOf(fieldsOf(input)['translations'])[0])['slug']) ?? 'product'
    const taken = stockroom.byChange().filter((product) => slugOf(product).replace(/-\d+$/, '') === wanted).length
    const words = { title: '', html: '', status: 'active' as const, ...wordsIn(fieldsOf(input)) }
    const product = stockroom.add({ ...words, images: [], variants: [] })
    slugs.set(product, taken === 0 ? wanted : `${wanted}-${taken + 1}`)
    record.effect('product.create', productId(product.index), wanted, wanted)
    return productView(product)
  }

  function updateProduct({ input }: Fields, record: Recorder): Fields {
    const product = at(fieldsOf(input)['id'])
    const words = wordsIn(fieldsOf(input))
    const now = { title: product.title, html: product.html, status: product.status }
    if (JSON.stringify({ ...now, ...words }) !== JSON.stringify(now)) {
      stockroom.change(product, words)
      record.effect('product.update', productId(product.index))
    }
    return productView(product)
  }

  function setLevels(variant: Variant, levels: unknown, record: Recorder): void {
    for (const { stockLocationId, stockOnHand } of listOf(levels).map(fieldsOf)) {
      const location = indexOf(stockLocationId)
      if (locations[location] === undefined) throw userError('FOREIGN KEY constraint failed', 'INTERNAL_SERVER_ERROR')
      const available = (wholeOf(stockOnHand) ?? 0) - reservedOf(variant, location)
      if (available === variant.stock[location]) continue
      stockroom.setStock(variant, location, available)
      record.effect('inventory.set', `${variantId(variant)} ${location}`)
    }
  }

  const createProductVariants = ({ input }: Fields, record: Recorder): Fields[] =>
    listOf(input)
      .map(fieldsOf)
      .map(({ productId: id, sku, price, translations, stockLevels }) => {
        const product = at(id)
        const title = textOf(fieldsOf(listOf(translations)[0])['name']) ?? ''
        const draft = { sku: textOf(sku) ?? '', title, price: wholeOf(price) ?? 0, stock: 0 }
        const variant = stockroom.addVariant(product, draft)
        record.effect('item.create', variantId(variant), null, variant.sku)
        setLevels(variant, stockLevels, record)
        return view(product, variant)
      })

  const updateProductVariants = ({ input }: Fields, record: Recorder): Fields[] =>
    listOf(input)
      .map(fieldsOf)
      .map(({ id, price, stockLevels }) => {
        const [index, position] = partIn(id)
        const product = stockroom.product(index)
        const variant = product?.variants[position]
        if (!product || !variant) throw notFound('ProductVariant', id)
        const cents = wholeOf(price)
        if (cents !== null && cents !== variant.price) {
          stockroom.reprice(variant, cents)
          record.effect('price.set', variantId(variant))
        }
        setLevels(variant, stockLevels, record)
        return view(product, variant)
      })

  const product = ({ id }: Fields): Fields | null => {
    const found = stockroom.product(indexOf(id))
    return found && productView(found)
  }
  const stockLocations = () => ({
    totalItems: locations.length,
    items: locations.map((name, location) => ({ id: String(location + 1), name })),
  })
  const fields = { products, product, productVariants, stockLocations, createProduct, updateProduct }
  return { fields: { ...fields, createProductVariants, updateProductVariants }, view, product: stockroom.product }
}

const nameOf = ({ title }: Product, variant: Variant): string =>
  variant.options.length === 0 ? title : `${title} ${variant.title}`

const groupsOf = ({ variants }: Product): Fields[] => {
  const [name] = variants.flatMap(({ options }) => options.map((option) => option.name))
  if (name === undefined) return []
  const values = variants.flatMap(({ options }) => options.map(({ value }) => ({ name: value, group: { name } })))
  return [{ name, options: values }]
}
