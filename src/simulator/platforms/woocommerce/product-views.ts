import { convert, decimal } from '../../amounts.ts'
import type { Product, Variant } from '../../shop/goods.ts'
import { totalOf } from '../../shop/stockroom.ts'
import { productIdOf, variantIdOf } from './ids.ts'
import { dates, type Site } from './site.ts'

/** The currency that products are priced in. */
export const home = 'EUR'

export const isVariable = ({ variants }: Product): boolean => variants.length > 1

function articleView(variant: Variant) {
  const { sku, barcode, price: cents, compareAt, grams } = variant
  const price = decimal(convert(cents, home), home)
  const stock = totalOf(variant)
  return {
    ...{
      sku,
      global_unique_id: barcode,
      price,
      on_sale: compareAt !== null,
      sale_price: compareAt === null ? '' : price,
    },
    regular_price: compareAt === null ? price : decimal(compareAt, home),
    ...{ manage_stock: true, stock_quantity: stock, stock_status: stock > 0 ? 'instock' : 'outofstock' },
    weight: String(grams / 1000),
  }
}

const statuses = { active: 'publish', draft: 'draft', archived: 'private' } as const
const nothing = {
  ...{ sku: '', price: '', regular_price: '', sale_price: '', on_sale: false, manage_stock: false },
  ...{ stock_quantity: null, stock_status: 'instock', weight: '' },
}

const linkOf = ({ index }: Product, { url }: Site) => `${url}/product/product-${index + 1}/`

export function productView(product: Product, site: Site) {
  const { index, variants } = product
  const [first] = variants
  const variable = isVariable(product)
  const drawn = site.draw()
  const colours = variants.flatMap(({ options }) => options.map(({ value }) => value))
  return {
    id: productIdOf(index),
    name: product.title,
    permalink: linkOf(product, site),
    ...dates('date_created', product.createdAt),
    ...dates('date_modified', product.updatedAt),
    type: variable ? 'variable' : 'simple',
    status: statuses[product.status],
    description: product.html,
    ...(first && !variable ? articleView(first) : nothing),
    related_ids: [1, 2, 3].map((n) => productIdOf((index + drawn + n) % 60)),
    parent_id: 0,
    categories: [{ id: 15, name: product.type, slug: product.type.toLowerCase() }],
    brands: [{ id: 16, name: product.vendor, slug: 'brand' }],
    tags: product.tags.map((name, id) => ({ id: id + 1, name, slug: name })),
    images: product.images.map(({ url, alt }, i) => ({
      ...{ id: index * 10 + i, ...dates('date_created', product.createdAt), src: url, name: '', alt: alt ?? '' },
    })),
    attributes: variable
      ? [{ id: 1, name: 'Colour', position: 0, visible: true, variation: true, options: colours }]
      : [],
    variations: variable ? variants.map((variant) => variantIdOf(product, variant)) : [],
  }
}

export const variationView = (product: Product, variant: Variant, site: Site) => ({
  id: variantIdOf(product, variant),
  type: 'variation',
  parent_id: productIdOf(product.index),
  name: variant.title,
  permalink: `${linkOf(product, site)}?variation=${variant.position}`,
  ...dates('date_created', product.createdAt),
  ...dates('date_modified', Math.max(product.updatedAt, variant.stockUpdatedAt)),
  status: statuses[product.status],
  description: '',
  ...articleView(variant),
  attributes: variant.options.map(({ name, value }) => ({ id: 1, name, option: value })),
})
