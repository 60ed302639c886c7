import { hash } from 'node:crypto'
import { type GraphQLResolveInfo, getDirectiveValues } from 'graphql'
import { unitsOf } from '../../amounts.ts'
import { inSeconds } from '../../clock.ts'
import { type Fields, fieldsOf, listOf, rowsOf, textOf, wholeOf } from '../../json.ts'
import { locations, type Product, titleOf, type Variant } from '../../shop/goods.ts'
import { imagesIn, wordsTold } from '../../shop/received.ts'
import { type Asked, failure } from './asked.ts'
import { gid, indexOf, partOf } from './ids.ts'
import { done, userError } from './order-mutations.ts'
import type { Parts } from './queries.ts'
import { books } from './words.ts'

const maxQuantity = 1_000_000_000

export function createGoodsMutations({ world, goods }: Parts) {
  const { stockroom } = world.shop
  /** What came of a key, and of what it was used for. */
  const answers = new Map<string, { digest: string; answer: object }>()

  /** The same key twice is the same thing once; with other words it is a mistake. */
  function once(args: Fields, info: GraphQLResolveInfo, carryOut: (key: string) => object): object {
    const [node] = info.fieldNodes
    const directive = info.schema.getDirective('idempotent')
    const given = directive && node && getDirectiveValues(directive, node, info.variableValues)
    const key = textOf(given?.['key'])
    if (key === null) throw failure('The @idempotent directive is required for this mutation', 'BAD_REQUEST')
    const digest = hash('sha256', JSON.stringify(args))
    const known = answers.get(key)
    if (known && known.digest !== digest)
      return userError(['input'], 'Key was used for other parameters', 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH')
    const answer = known?.answer ?? carryOut(key)
    answers.set(key, { digest, answer })
    return answer
  }

  const setStock = (asked: Asked, variant: Variant, at: number, quantity: number, key: string | null) => {
    stockroom.setStock(variant, at, quantity)
    asked.record.effect('inventory.set', `${variant.sku}@${gid('Location', at)}`, key)
  }

  function refusalOf(field: readonly string[], input: Fields) {
    const { inventoryItemId, locationId, quantity, changeFromQuantity } = input
    const variant = goods.itemOf(inventoryItemId)
    const at = indexOf('Location', locationId)
    const refuse = (name: string, why: string, code: string) => userError([...field, name], why, code).userErrors
    if (!('changeFromQuantity' in input)) throw failure('changeFromQuantity is required.', 'BAD_REQUEST')
    if (!variant) return refuse('inventoryItemId', 'The inventory item could not be found.', 'INVALID_INVENTORY_ITEM')
    if (!(at in locations)) return refuse('locationId', 'The location could not be found.', 'INVALID_LOCATION')
    if (!goods.isStocked(variant, at))
      return refuse('inventoryItemId', 'Not stocked at the location.', 'INVALID_INVENTORY_ITEM')
    if (Number(quantity) < 0) return refuse('quantity', "The quantity can't be negative.", 'INVALID_QUANTITY_NEGATIVE')
    if (Number(quantity) > maxQuantity)
      return refuse('quantity', "The quantity can't be higher than 1,000,000,000.", 'INVALID_QUANTITY_TOO_HIGH')
    const before = wholeOf(changeFromQuantity)
    return before !== null && before !== variant.stock[at]
      ? refuse('changeFromQuantity', 'The quantity has changed meanwhile.', 'CHANGE_FROM_QUANTITY_STALE')
      : []
  }

  function setProduct(record: Asked['record'], product: Product, input: Fields) {
    const variants = rowsOf(input['variants']).map(variantIn)
    if (variants.length > 0 && product.variants.some(({ sku }) => !variants.some((one) => one.sku === sku)))
      return userError(['input', 'variants'], 'Variants that are left out would be removed: not imitated.')
    const before = product.version
    const html = textOf(input['descriptionHtml'])
    const tags = Array.isArray(input['tags']) ? input['tags'].map(String) : null
    const seen = { title: textOf(input['title']), html, status: statusIn(input), images: filesIn(input), tags }
    stockroom.change(product, wordsTold(seen))
    for (const { sku, price, stock, tracked } of variants) {
      const variant = product.variants.find((one) => one.sku === sku)
      if (variant) stockroom.reprice(variant, price)
      if (variant && tracked) stockroom.setStock(variant, 0, stock)
    }
    if (product.version > before) record.effect('product.update', gid('Product', product.index))
    return done({ product: goods.product(product) })
  }

  function makeProduct(record: Asked['record'], input: Fields, handle: string | null) {
    const title = textOf(input['title'])
    if (title === null) return userError(['input', 'title'], "Title can't be blank", 'INVALID_INPUT')
    const variants = rowsOf(input['variants']).map(variantIn)
    const made = stockroom.add({
      ...{ title, html: textOf(input['descriptionHtml']) ?? '', status: statusIn(input) ?? 'active' },
      ...{ vendor: textOf(input['vendor']) ?? 'Harbour', type: textOf(input['productType']) ?? '' },
      images: filesIn(input) ?? [],
      variants: variants.length > 0 ? variants : [variantIn({})],
    })
    if (handle !== null) goods.name(made.index, handle)
    goods.unpublished.add(made.index)
    record.effect('product.create', gid('Product', made.index), null, variants[0]?.sku ?? null)
    return done({ product: goods.product(made) })
  }

  return {
    productSet({ input: received, identifier }: Fields, asked: Asked) {
      const input = fieldsOf(received)
      const { id, handle } = fieldsOf(identifier)
      const named = textOf(handle) ?? textOf(input['handle'])
      const known = id == null ? goods.byHandle(named ?? '') : stockroom.product(indexOf('Product', id))
      if (known) return setProduct(asked.record, known, input)
      if (id != null) return userError(['identifier', 'id'], 'Product does not exist', 'PRODUCT_DOES_NOT_EXIST')
      return makeProduct(asked.record, input, named)
    },

    publishablePublish({ id, input }: Fields, asked: Asked) {
      const product = stockroom.product(indexOf('Product', id))
      if (!product || listOf(input).length === 0) return userError(['id'], 'Resource does not exist')
      if (goods.unpublished.delete(product.index)) asked.record.effect('product.publish', gid('Product', product.index))
      return done({})
    },

    productVariantsBulkUpdate({ productId, variants }: Fields, asked: Asked) {
      const product = stockroom.product(indexOf('Product', productId))
      if (!product) return userError(['productId'], 'Product does not exist', 'PRODUCT_DOES_NOT_EXIST')
      const changed = rowsOf(variants).flatMap(({ id, price, compareAtPrice: before }) => {
        const variant = product.variants.find((one) => partOf(one) === indexOf('ProductVariant', id))
        const compareAt = before === undefined ? variant?.compareAt : unitsOf(before, books)
        return variant ? [{ variant, price: unitsOf(price, books), compareAt }] : []
      })
      if (changed.length < listOf(variants).length)
        return userError(['variants'], 'Product variant does not exist', 'PRODUCT_VARIANT_DOES_NOT_EXIST')
      for (const { variant, price, compareAt } of changed)
        if (price !== null && stockroom.reprice(variant, price, compareAt))
          asked.record.effect('price.set', gid('ProductVariant', partOf(variant)))
      return done({ productVariants: changed.map(({ variant }) => goods.variant(variant)) })
    },

    productVariantsBulkCreate({ productId, variants }: Fields, asked: Asked) {
      const product = stockroom.product(indexOf('Product', productId))
      if (!product) return userError(['productId'], 'Product does not exist', 'PRODUCT_DOES_NOT_EXIST')
      const wanted = rowsOf(variants).map(variantIn)
      const taken = new Set(product.variants.map(({ title }) => title))
      if (wanted.some(({ title }) => taken.has(title)))
        return userError(['variants'], 'The variant already exists.', 'VARIANT_ALREADY_EXISTS')
      const made = wanted.map((one) => stockroom.addVariant(product, one))
      for (const one of made) asked.record.effect('item.create', gid('ProductVariant', partOf(one)), null, one.sku)
      return done({ productVariants: made.map(goods.variant) })
    },

    inventorySetQuantities: (args: Fields, asked: Asked, info: GraphQLResolveInfo) =>
      once(args, info, (key) => {
        const wanted = rowsOf(fieldsOf(args['input'])['quantities'])
        const userErrors = wanted.flatMap((one, n) => refusalOf(['input', 'quantities', String(n)], one))
        // All of it or nothing.
        if (userErrors.length > 0) return { userErrors }
        for (const { inventoryItemId, locationId, quantity } of wanted) {
          const variant = goods.itemOf(inventoryItemId)
          if (variant) setStock(asked, variant, indexOf('Location', locationId), Number(quantity), key)
        }
        return done({ inventoryAdjustmentGroup: { createdAt: inSeconds(world.clock.now()) } })
      }),

    inventoryActivate: (args: Fields, asked: Asked, info: GraphQLResolveInfo) =>
      once(args, info, (key) => {
        const { inventoryItemId, locationId, available } = args
        const variant = goods.itemOf(inventoryItemId)
        const at = indexOf('Location', locationId)
        if (!variant || !(at in locations)) return userError([], 'The inventory item could not be found.')
        if (available != null && goods.isStocked(variant, at))
          return userError(['available'], 'Not allowed to set available quantity when the item is already active.')
        goods.activate(variant, at)
        setStock(asked, variant, at, wholeOf(available) ?? 0, key)
        return done({ inventoryLevel: goods.level(variant, at) })
      }),
  }
}

function variantIn(input: Fields) {
  const [quantity] = rowsOf(input['inventoryQuantities'])
  const options = rowsOf(input['optionValues']).flatMap(({ optionName, name }) =>
    optionName === 'Title' ? [] : [{ name: String(optionName), value: String(name) }],
  )
  return {
    sku: textOf(input['sku']) ?? textOf(fieldsOf(input['inventoryItem'])['sku']) ?? '',
    ...{ title: titleOf(options), options, price: unitsOf(input['price'] ?? '0', books) ?? 0 },
    stock: wholeOf(quantity?.['quantity'] ?? quantity?.['availableQuantity']) ?? 0,
    tracked: quantity !== undefined,
    barcode: textOf(input['barcode']) ?? '',
  }
}

function statusIn({ status }: Fields): Product['status'] | null {
  const word = textOf(status)?.toLowerCase()
  return word === 'active' || word === 'draft' || word === 'archived' ? word : null
}

const filesIn = ({ files }: Fields): Product['images'] | null =>
  Array.isArray(files) ? imagesIn(files, ({ originalSource, alt }) => ({ url: originalSource, alt })) : null
