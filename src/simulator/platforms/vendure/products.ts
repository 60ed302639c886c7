import { toSecond } from '../../clock.ts'
import type { Recorder } from '../../http/route.ts'
import { type Fields, fieldsOf, listOf, rowsOf, textOf, wholeOf } from '../../json.ts'
import {
  locations,
  optionsOf,
  type Product,
  productTime,
  reservedOf,
  type Variant,
  variantTime,
} from '../../shop/goods.ts'
import { wordsTold } from '../../shop/received.ts'
import type { Article, ProductWords } from '../../shop/stockroom.ts'
import type { World } from '../../world.ts'
import { notFound, pageAmong, userError } from './lists.ts'
import { idOf, indexOf, partIn, timeOf, variantId } from './orders.ts'

export function createProducts({ shop: { stockroom } }: World) {
  /** Of products that were made here; the others have the usual ones. */
  const slugs = new WeakMap<Product, string>()
  const slugOf = (product: Product) => slugs.get(product) ?? `product-${product.index + 1}`
  /** What there is to choose of products that were made here. */
  const groups: Group[] = []
  const attached = new WeakMap<Product, Group[]>()
  const addOption = (group: Group, input: Fields) => {
    const option = { id: `${group.id}${group.options.length + 1}`, name: nameIn(input), group }
    group.options.push(option)
    return option
  }
  const at = (id: unknown): Product => {
    const product = stockroom.product(indexOf(id))
    if (!product) throw notFound('Product', id)
    return product
  }

  const productView = (product: Product): Fields => ({
    ...{ id: idOf(product.index), name: product.title, slug: slugOf(product), description: product.html },
    ...{ enabled: product.status === 'active', createdAt: timeOf(product.createdAt) },
    updatedAt: timeOf(productTime(product)),
    assets: product.images.map(({ url, alt }) => ({ name: alt ?? 'image.jpg', source: url })),
    optionGroups: attached.get(product) ?? groupsOf(product),
    variants: () => product.variants.map((variant) => view({ product, variant })),
  })

  const view = ({ product, variant }: Article): Fields => ({
    ...{ id: variantId(variant), sku: variant.sku, name: nameOf(product, variant), enabled: true },
    ...{ createdAt: timeOf(product.createdAt), updatedAt: timeOf(variantTime(product, variant)) },
    ...{ price: variant.price, prices: [{ currencyCode: 'EUR', price: variant.price }], currencyCode: 'EUR' },
    trackInventory: product.index % 4 === 0 ? 'TRUE' : 'INHERIT',
    options: variant.options.map(({ name, value }) => ({ id: value, name: value, group: { id: name, name } })),
    product: () => productView(product),
    stockLevels: variant.stock.map((available, location) => {
      const stockAllocated = reservedOf(variant, location)
      const shared = { id: `${variantId(variant)}${location}`, stockLocationId: idOf(location), stockAllocated }
      return { ...shared, stockOnHand: available + stockAllocated, updatedAt: timeOf(variant.stockUpdatedAt) }
    }),
  })

  const products = (args: Fields) =>
    pageAmong(stockroom.byChange(), args, {
      view: productView,
      read(product, name) {
        if (name === 'id') return idOf(product.index)
        if (name === 'slug') return slugOf(product)
        return toSecond(name === 'updatedAt' ? productTime(product) : product.createdAt)
      },
    })

  const productVariants = (args: Fields) =>
    pageAmong(stockroom.articles(), args, {
      view,
      read({ product, variant }, name) {
        if (name === 'id') return variantId(variant)
        if (name === 'sku') return variant.sku
        return toSecond(name === 'updatedAt' ? variantTime(product, variant) : product.createdAt)
      },
    })

  /** A slug that is taken gets a number. */
  function createProduct({ input }: Fields, record: Recorder): Fields {
    const wanted = textOf(translationIn(fieldsOf(input))['slug']) ?? 'product'
    const taken = stockroom.byChange().filter((product) => slugOf(product).replace(/-\d+$/, '') === wanted).length
    const words = { title: '', html: '', status: 'active' as const, ...wordsIn(fieldsOf(input)) }
    const product = stockroom.add({ ...words, images: [], variants: [] })
    slugs.set(product, taken === 0 ? wanted : `${wanted}-${taken + 1}`)
    record.effect('product.create', idOf(product.index), wanted, wanted)
    return productView(product)
  }

  function updateProduct({ input }: Fields, record: Recorder): Fields {
    const product = at(fieldsOf(input)['id'])
    if (stockroom.change(product, wordsIn(fieldsOf(input)))) record.effect('product.update', idOf(product.index))
    return productView(product)
  }

  function setLevels(variant: Variant, levels: unknown, record: Recorder): void {
    for (const { stockLocationId, stockOnHand } of rowsOf(levels)) {
      const location = indexOf(stockLocationId)
      if (locations[location] === undefined) throw userError('FOREIGN KEY constraint failed', 'INTERNAL_SERVER_ERROR')
      const available = (wholeOf(stockOnHand) ?? 0) - reservedOf(variant, location)
      if (stockroom.setStock(variant, location, available))
        record.effect('inventory.set', `${variantId(variant)} ${location}`)
    }
  }

  const each =
    (use: (input: Fields, record: Recorder) => Article) =>
    ({ input }: Fields, record: Recorder) =>
      rowsOf(input).map((one) => {
        const used = use(one, record)
        setLevels(used.variant, one['stockLevels'], record)
        return view(used)
      })

  function createVariant(input: Fields, record: Recorder) {
    const { productId, sku, price, optionIds } = input
    const product = at(productId)
    const chosen = groups.flatMap((group) => group.options).filter(({ id }) => listOf(optionIds).includes(id))
    const options = chosen.map(({ name, group }) => ({ name: group.name, value: name }))
    const draft = { sku: textOf(sku) ?? '', title: nameIn(input), options, price: wholeOf(price) ?? 0, stock: 0 }
    const variant = stockroom.addVariant(product, draft)
    record.effect('item.create', variantId(variant), null, variant.sku)
    return { product, variant }
  }

  function updateVariant({ id, price }: Fields, record: Recorder) {
    const [index, position] = partIn(id)
    const product = stockroom.product(index)
    const variant = product?.variants[position]
    if (!product || !variant) throw notFound('ProductVariant', id)
    if (stockroom.reprice(variant, wholeOf(price) ?? variant.price)) record.effect('price.set', variantId(variant))
    return { product, variant }
  }

  return {
    ...{ products, productVariants, createProduct, updateProduct },
    product({ id }: Fields): Fields | null {
      const found = stockroom.product(indexOf(id))
      return found && productView(found)
    },
    stockLocations: {
      totalItems: locations.length,
      items: locations.map((name, location) => ({ id: idOf(location), name })),
    },
    createProductOptionGroup({ input }: Fields): Group {
      const group = { id: `7${groups.length + 1}`, name: nameIn(fieldsOf(input)), options: [] }
      groups.push(group)
      for (const option of rowsOf(fieldsOf(input)['options'])) addOption(group, option)
      return group
    },
    createProductOption({ input }: Fields) {
      const group = groups.find(({ id }) => id === fieldsOf(input)['productOptionGroupId'])
      if (!group) throw notFound('ProductOptionGroup', fieldsOf(input)['productOptionGroupId'])
      return addOption(group, fieldsOf(input))
    },
    addOptionGroupToProduct({ productId, optionGroupId }: Fields): Fields {
      const product = at(productId)
      const group = groups.filter(({ id }) => id === optionGroupId)
      attached.set(product, [...(attached.get(product) ?? []), ...group])
      return productView(product)
    },
    createProductVariants: each(createVariant),
    updateProductVariants: each(updateVariant),
  }
}

const nameIn = (input: Fields): string => textOf(translationIn(input)['name']) ?? ''
const translationIn = ({ translations }: Fields): Fields => fieldsOf(listOf(translations)[0])

function wordsIn(input: Fields): ProductWords {
  const { name, description } = translationIn(input)
  const { enabled } = input
  const html = typeof description === 'string' ? description : null
  const status = typeof enabled === 'boolean' ? (enabled ? 'active' : 'draft') : null
  return wordsTold({ title: typeof name === 'string' ? name : null, html, status })
}

const nameOf = ({ title }: Product, variant: Variant): string =>
  variant.options.length === 0 ? title : `${title} ${variant.title}`

interface Group {
  id: string
  name: string
  options: { id: string; name: string; group: Group }[]
}

const groupsOf = (product: Product): Fields[] =>
  optionsOf(product).map(({ name, values }) => ({
    ...{ id: name, name, options: values.map((value) => ({ id: value, name: value })) },
  }))
