import { decimal } from '../../amounts.ts'
import { inSeconds } from '../../clock.ts'
import { listOf } from '../../json.ts'
import { locations, type Product, type Variant } from '../../shop/goods.ts'
import { connection, cut, type ObjectType, objectType, of } from './graphql/types.ts'
import { gid, numberOf, partOf } from './ids.ts'
import { books } from './money.ts'
import { locationType } from './order-part-types.ts'

export interface VariantOf {
  product: Product
  variant: Variant
}
interface LevelOf extends VariantOf {
  place: number
}

const option = objectType<{ name: string; value: string }>('SelectedOption', {
  name: ({ name }) => name,
  value: ({ value }) => value,
})

const productOption = objectType<{ name: string; values: readonly string[] }>('ProductOption', {
  name: ({ name }) => name,
  values: ({ values }) => values,
})

const weight = objectType<number>('Weight', { value: (grams) => grams, unit: () => 'GRAMS' })
const measurement = objectType<number>('InventoryItemMeasurement', {
  weight: of(
    () => weight,
    (grams) => grams,
  ),
})

const quantity = objectType<{ name: string; quantity: number }>('InventoryQuantity', {
  name: ({ name }) => name,
  quantity: (one) => one.quantity,
})

const inventoryLevel = objectType<LevelOf>('InventoryLevel', {
  id: ({ variant, place }) =>
    `${gid('InventoryLevel', place)}?inventory_item_id=${numberOf('InventoryItem', partOf(variant))}`,
  updatedAt: ({ variant }) => inSeconds(variant.stockUpdatedAt),
  location: of(
    () => locationType,
    ({ place }) => place,
  ),
  quantities: of(
    () => quantity,
    ({ variant, place }, { names }) => {
      const asked = listOf(names).map(String)
      return (asked.length > 0 ? asked : ['available']).map((name) => ({
        name,
        quantity: name === 'reserved' ? 0 : (variant.stock[place] ?? 0),
      }))
    },
  ),
})

export const inventoryItemType: ObjectType = objectType<VariantOf>('InventoryItem', {
  id: ({ variant }) => gid('InventoryItem', partOf(variant)),
  sku: ({ variant }) => variant.sku,
  tracked: () => true,
  updatedAt: ({ variant }) => inSeconds(variant.stockUpdatedAt),
  measurement: of(
    () => measurement,
    ({ variant }) => variant.grams,
  ),
  variant: of(
    () => variantType,
    (source) => source,
  ),
  inventoryLevels: connection(
    () => inventoryLevel,
    (source, args) =>
      cut(
        locations.map((_, place) => ({ ...source, place })),
        args,
      ),
  ),
})

export const variantType: ObjectType = objectType<VariantOf>('ProductVariant', {
  id: ({ variant }) => gid('ProductVariant', partOf(variant)),
  title: ({ variant }) => variant.title,
  sku: ({ variant }) => variant.sku,
  barcode: ({ variant }) => variant.barcode,
  price: ({ variant }) => decimal(variant.price, books),
  compareAtPrice: ({ variant }) => (variant.compareAt === null ? null : decimal(variant.compareAt, books)),
  inventoryQuantity: ({ variant }) => variant.stock.reduce((sum, count) => sum + count, 0),
  updatedAt: ({ product }) => inSeconds(product.updatedAt),
  selectedOptions: of(
    () => option,
    ({ variant }) => variant.options,
  ),
  inventoryItem: of(
    () => inventoryItemType,
    (source) => source,
  ),
  product: of(
    () => productType,
    ({ product }) => product,
  ),
})

const image = objectType<Product['images'][number]>('Image', { url: ({ url }) => url, altText: ({ alt }) => alt })
const preview = objectType<Product['images'][number]>('MediaPreviewImage', {
  image: of(
    () => image,
    (one) => one,
  ),
})
const media = objectType<Product['images'][number]>('MediaImage', {
  alt: ({ alt }) => alt,
  mediaContentType: () => 'IMAGE',
  preview: of(
    () => preview,
    (one) => one,
  ),
})

export const productType: ObjectType = objectType<Product>('Product', {
  id: ({ index }) => gid('Product', index),
  legacyResourceId: ({ index }) => String(numberOf('Product', index)),
  title: ({ title }) => title,
  handle: ({ index }) => `product-${index + 1}`,
  status: ({ status }) => status.toUpperCase(),
  vendor: ({ vendor }) => vendor,
  productType: ({ type }) => type,
  tags: ({ tags }) => tags,
  descriptionHtml: ({ html }) => html,
  createdAt: ({ createdAt }) => inSeconds(createdAt),
  updatedAt: ({ updatedAt }) => inSeconds(updatedAt),
  onlineStoreUrl: ({ index }) => `https://shop.example/products/product-${index + 1}`,
  options: of(
    () => productOption,
    ({ variants }) => {
      const values = variants.flatMap(({ options }) => options.map(({ value }) => value))
      return values.length === 0 ? [{ name: 'Title', values: ['Default Title'] }] : [{ name: 'Colour', values }]
    },
  ),
  media: connection(
    () => media,
    ({ images }, args) => cut(images, args),
  ),
  variants: connection(
    () => variantType,
    (product, args) =>
      cut(
        product.variants.map((variant) => ({ product, variant })),
        args,
      ),
  ),
})
