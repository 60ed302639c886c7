import { convert, decimal, inCents, unitsOf } from '../../amounts.ts'
import { type Answer, answer, type Call, type Recorder, type RouteRow } from '../../http/route.ts'
import { fieldsOf, rowsOf, textOf, wholeOf } from '../../json.ts'
import { locations, type Product, type Variant } from '../../shop/goods.ts'
import type { World } from '../../world.ts'
import { invalid, notFound } from './reply.ts'

export const nodeOf = (location: number): string => String(361_451_354_333_223_041n + BigInt(location))
export const nodes = locations.map((_, location) => nodeOf(location))

export const groupOf = ({ index }: Pick<Product, 'index'>): string => `GROUP-${index + 1}`

/** Items are articles; those of one product are a group. When one changed is not told. */
export function itemRoutes({ shop: { stockroom } }: World): readonly RouteRow[] {
  let sorted: readonly Variant[] | null = null
  stockroom.onChange(({ kind }) => {
    if (kind === 'created' || kind === 'deleted') sorted = null
  })
  const all = () => {
    sorted ??= stockroom.variantsByChange().toSorted((a, b) => a.product - b.product || a.position - b.position)
    return sorted
  }
  const views = (variants: readonly Variant[]) =>
    variants.flatMap((variant) => {
      const product = stockroom.product(variant.product)
      return product ? [itemView(product, variant)] : []
    })

  function list({ query }: Call): Answer {
    const group = query.get('variantGroupId')
    const product = group === null ? null : stockroom.product(Number(/^GROUP-(\d+)$/.exec(group)?.[1]) - 1)
    const variants = group === null ? all() : product && product.variants.length > 1 ? product.variants : []
    const start = wholeOf(query.get('nextCursor')) ?? 0
    const end = start + (wholeOf(query.get('limit')) ?? 20)
    const some = views(variants.slice(start, end))
    if (some.length === 0) return notFound('ITEM_QUERY')
    return answer(200, { ItemResponse: some, totalItems: variants.length, nextCursor: String(end) })
  }

  /** How many items each group has, of one or of all. */
  function count({ query }: Call): Answer {
    const wanted = query.get('variantGroupId')
    const groups = stockroom.byChange().filter(({ variants }) => variants.length > 1)
    const payload = groups.map((one) => ({ variantGroupId: groupOf(one), count: String(one.variants.length) }))
    return answer(200, {
      status: '200',
      payload: payload.filter((one) => (wanted ?? one.variantGroupId) === one.variantGroupId),
    })
  }

  function get(sku: string): Answer {
    const variant = stockroom.bySku(sku)
    return variant ? answer(200, { ItemResponse: views([variant]), totalItems: 1 }) : notFound('ITEM_QUERY')
  }

  function listLevels({ query }: Call): Answer {
    const start = wholeOf(query.get('nextCursor')) ?? 0
    const end = start + Math.min(50, wholeOf(query.get('limit')) ?? 10)
    const inventories = all().slice(start, end).map(levelView)
    if (inventories.length === 0) return notFound('INVENTORY')
    const meta = { totalCount: all().length, ...(end < all().length ? { nextCursor: String(end) } : {}) }
    return answer(200, { meta, elements: { inventories } })
  }

  /** Without a node it is the seller's first. */
  function setLevel(call: Call, record: Recorder): Answer {
    const sku = call.query.get('sku') ?? ''
    const variant = stockroom.bySku(sku)
    const node = call.query.get('shipNode') ?? nodeOf(0)
    const location = nodes.indexOf(node)
    const { sku: received, quantity } = call.fields()
    const amount = wholeOf(fieldsOf(quantity)['amount'])
    if (!variant || location < 0) return notFound('INVENTORY')
    if (received !== sku || amount === null || amount < 0) return invalid('INVENTORY', 'The quantity is not valid.')
    if (stockroom.setStock(variant, location, amount)) record.effect('inventory.set', `${sku}@${node}`)
    return answer(200, { sku, quantity: each(amount) })
  }

  function setPrice(call: Call, record: Recorder): Answer {
    const { sku, pricing } = call.fields()
    const variant = stockroom.bySku(textOf(sku) ?? '')
    const { currency, amount } = fieldsOf(rowsOf(pricing)[0]?.['currentPrice'])
    const units = unitsOf(amount, 'USD')
    if (!variant) return notFound('PRICE')
    if (currency !== 'USD' || units === null) return invalid('PRICE', 'The price is not valid.')
    if (stockroom.reprice(variant, inCents(units, 'USD'))) record.effect('price.set', variant.sku)
    const message = 'Thank you. Your price has been updated.'
    return answer(200, { ItemPriceResponse: { mart: 'WALMART_US', sku: variant.sku, message } })
  }

  return [
    ['GET', '/v3/items', 'items.list', list],
    ['GET', '/v3/items/groups/count', 'items.groups', count],
    ['GET', '/v3/items/:sku', 'items.get', (_, __, [sku]) => get(sku)],
    ['GET', '/v3/inventories', 'inventory.list', listLevels],
    ['PUT', '/v3/inventory', 'inventory.set', setLevel],
    ['PUT', '/v3/price', 'prices.set', setPrice],
  ]
}

const each = (amount: number) => ({ unit: 'EACH', amount })

const levelView = ({ sku, stock }: Variant) => ({
  sku,
  nodes: nodes.map((shipNode, location) => {
    const quantity = each(stock[location] ?? 0)
    return { shipNode, inputQty: quantity, availToSellQty: quantity, reservedQty: each(0) }
  }),
})

const itemView = (product: Product, variant: Variant) => ({
  ...{ mart: 'WALMART_US', sku: variant.sku, wpid: `0RE${product.index}X${variant.position}` },
  ...{ upc: variant.barcode.slice(1), gtin: `0${variant.barcode}` },
  ...{ productName: product.title, productType: product.type },
  price: { currency: 'USD', amount: Number(decimal(convert(variant.price, 'USD'), 'USD')) },
  publishedStatus: product.status === 'active' ? 'PUBLISHED' : 'UNPUBLISHED',
  lifecycleStatus: product.status === 'archived' ? 'RETIRED' : 'ACTIVE',
  ...(product.variants.length > 1 ? groupView(product, variant) : {}),
})

const groupView = (product: Product, { position, options }: Variant) => ({
  variantGroupId: groupOf(product),
  variantGroupInfo: {
    isPrimary: position === 0,
    groupingAttributes: options.map(({ value }) => ({ name: 'color', value })),
  },
})
