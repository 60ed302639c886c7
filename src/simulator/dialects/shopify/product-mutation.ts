import { unitsOf } from '../../amounts.ts'
import { type Fields, fieldsOf, listOf, textOf, wholeOf } from '../../json.ts'
import type { Product } from '../../shop/goods.ts'
import type { World } from '../../world.ts'
import { type Args, objectType, of } from './graphql/types.ts'
import { gid, indexOf } from './ids.ts'
import { books } from './money.ts'
import { payload, type Refusal, type Request, userError } from './payload.ts'
import { productType } from './product-type.ts'

const operation = objectType<null>('ProductSetOperation', { id: () => null, status: () => 'COMPLETE' })

/** `productSet` makes a product or brings one into the state told; `productCreate` always makes one. */
export function productMutations({ shop }: World) {
  const { stockroom } = shop

  function set({ record }: Request, { input, identifier }: Args): { product: Product } | Refusal {
    const wanted = fieldsOf(input)
    const id = wanted['id'] ?? fieldsOf(identifier)['id']
    if (id === undefined || id === null) return create(record, wanted)
    const product = stockroom.product(indexOf('Product', id) ?? -1)
    if (!product) return userError(['input', 'id'], 'Product does not exist', 'PRODUCT_DOES_NOT_EXIST')
    return update(record, product, wanted)
  }

  function create(record: Request['record'], wanted: Fields): { product: Product } | Refusal {
    const variants = listOf(wanted['variants']).map((value) => variantIn(fieldsOf(value)))
    if (variants.some(({ sku }) => stockroom.bySku(sku) !== null)) {
      return userError(['input', 'variants'], 'SKU has already been taken', 'INVALID_VARIANT')
    }
    const title = textOf(wanted['title'])
    if (title === null) return userError(['input', 'title'], "Title can't be blank", 'BLANK')
    const product = stockroom.add({
      title,
      html: textOf(wanted['descriptionHtml']) ?? '',
      status: statusIn(wanted) ?? 'active',
      vendor: textOf(wanted['vendor']) ?? '',
      type: textOf(wanted['productType']) ?? '',
      images: imagesIn(wanted) ?? [],
      variants: variants.length > 0 ? variants : [variantIn({})],
    })
    record.effect('product.create', gid('Product', product.index))
    return { product }
  }

  function update(record: Request['record'], product: Product, wanted: Fields): { product: Product } {
    const images = imagesIn(wanted)
    const status = statusIn(wanted)
    stockroom.change(product, {
      title: textOf(wanted['title']) ?? product.title,
      html: textOf(wanted['descriptionHtml']) ?? product.html,
      ...(status ? { status } : {}),
      ...(images ? { images } : {}),
    })
    for (const value of listOf(wanted['variants'])) {
      const { sku, price, stock } = variantIn(fieldsOf(value))
      const variant = product.variants.find((one) => one.sku === sku)
      if (!variant) continue
      if (variant.price !== price) stockroom.reprice(variant, price)
      if ('inventoryQuantities' in fieldsOf(value)) stockroom.setStock(variant, 0, stock)
    }
    record.effect('product.update', gid('Product', product.index))
    return { product }
  }

  const fields = {
    product: of<{ product: Product }>(
      () => productType,
      ({ product }) => product,
    ),
    // Everything is done at once here, so there is never anything to wait for.
    productSetOperation: of<{ product: Product }>(
      () => operation,
      () => null,
    ),
  }
  return {
    productSet: payload('ProductSetPayload', set, fields),
    productCreate: payload(
      'ProductCreatePayload',
      ({ record }, args) => create(record, fieldsOf(args['product'] ?? args['input'])),
      fields,
    ),
  }
}

function variantIn(input: Fields) {
  const [quantity] = listOf(input['inventoryQuantities']).map(fieldsOf)
  return {
    sku: textOf(input['sku']) ?? textOf(fieldsOf(input['inventoryItem'])['sku']) ?? '',
    title: 'Default Title',
    price: unitsOf(input['price'] ?? '0', books) ?? 0,
    stock: wholeOf(quantity?.['quantity']) ?? 0,
    barcode: textOf(input['barcode']) ?? '',
  }
}

function statusIn(input: Fields): Product['status'] | null {
  const status = textOf(input['status'])?.toLowerCase()
  return status === 'active' || status === 'draft' || status === 'archived' ? status : null
}

function imagesIn(input: Fields): Product['images'] | null {
  if (!Array.isArray(input['files'])) return null
  return listOf(input['files']).flatMap((value) => {
    const { originalSource, alt } = fieldsOf(value)
    const url = textOf(originalSource)
    return url === null ? [] : [{ url, alt: textOf(alt) }]
  })
}
