import { day, isWithin, second } from '../../clock.ts'
import { type Fields, listOf } from '../../json.ts'
import { customersOf } from '../../shop/customers.ts'
import { locations, type Product } from '../../shop/goods.ts'
import { countOrders, listOrders, type OrderQuery } from '../../shop/list-orders.ts'
import type { ShopOrder } from '../../shop/order.ts'
import { ordersOn, type World } from '../../world.ts'
import { type Asked, connection, may, need, pageOf, positionIn, sizeOf } from './asked.ts'
import type { GoodsViews } from './goods-views.ts'
import { gid, indexOf, wholeAndPart } from './ids.ts'
import type { OrderViews } from './order-views.ts'
import { spanOf, termsIn } from './search.ts'
import { books } from './words.ts'

type Args = Fields

const searchLag = 5 * second

export interface Parts {
  world: World
  goods: GoodsViews
  orders: OrderViews
}

/** Everything that may be read. */
export function createQueries({ world, goods, orders }: Parts) {
  const { shop, clock } = world
  const { book, stockroom } = shop

  /** Without a scope of its own the platform tells the orders of the last sixty days alone. */
  const isTold = (asked: Asked) => (index: number) =>
    may(asked, 'read_all_orders') || book.placedAt(index) >= clock.now() - 60 * day

  function orderAt(index: number, asked: Asked) {
    const found = book.get(index)
    return found && isTold(asked)(index) ? found : null
  }

  function orderQuery(args: Args, asked: Asked): Omit<OrderQuery, 'limit'> {
    const terms = termsIn(args['query'])
    const sort = args['sortKey'] === 'UPDATED_AT' ? 'changed' : 'placed'
    const reference = terms.find(({ name }) => name === 'source_identifier')?.value
    const referred = reference === undefined ? null : book.byReference(reference)
    // The newest are not found by what stands in them: the search learns of them a little later.
    const isFound = (index: number) => index === referred && book.placedAt(index) <= clock.now() - searchLag
    const anything = reference === undefined && may(asked, 'read_all_orders')
    const test = (index: number) => (reference === undefined || isFound(index)) && isTold(asked)(index)
    const spans = { changed: spanOf(terms, 'updated_at'), placed: spanOf(terms, 'created_at') }
    return { sort, ...spans, backwards: args['reverse'] === true, test: anything ? null : test }
  }

  function listed(args: Args, asked: Asked) {
    const query = { ...orderQuery(args, asked), limit: sizeOf(args, asked), after: positionIn(args) }
    const page = listOrders(book, query)
    const at = query.sort === 'changed' ? book.updatedAt : book.placedAt
    const positionOf = ({ index }: ShopOrder) => ({ at: at(index), index })
    return connection({ rows: ordersOn(world, page), more: page.more, positionOf }, orders.order)
  }

  const counted = (count: number, { limit }: Args) =>
    typeof limit === 'number' && count > limit ? { count: limit, precision: 'AT_LEAST' } : { count, precision: 'EXACT' }

  const found = (query: unknown, byChange: boolean): readonly Product[] => {
    const span = spanOf(termsIn(query), 'updated_at')
    const all = byChange ? stockroom.byChange() : stockroom.byNumber()
    return all.filter(({ updatedAt }) => isWithin(updatedAt, span))
  }

  /** A search is no comparison: it also finds what begins alike. */
  function variantsFor(query: unknown) {
    const all = stockroom.byNumber().flatMap(({ variants }) => variants)
    const terms = termsIn(query).flatMap(({ name, value }) => (name === 'sku' ? [value.toLowerCase()] : []))
    return terms.length === 0 ? all : all.filter(({ sku }) => terms.some((term) => sku.toLowerCase().startsWith(term)))
  }

  function node(id: unknown, asked: Asked) {
    const [item, variant] = [goods.itemOf(id), goods.variantAt(indexOf('ProductVariant', id))]
    if (variant) return goods.variant(variant)
    if (item) return goods.item(item)
    need(asked, 'read_orders', 'order')
    return order({ id }, asked)
  }
  function order({ id }: Args, asked: Asked) {
    const one = orderAt(indexOf('Order', id), asked)
    return one && orders.order(one)
  }

  return {
    shop: (_: Args, { shop }: Asked) => ({
      ...{ name: 'Harbour', myshopifyDomain: shop, currencyCode: books, taxesIncluded: true },
    }),
    currentAppInstallation: (_: Args, { scopes }: Asked) => ({
      accessScopes: [...scopes].map((handle) => ({ handle })),
    }),
    orders: listed,
    ordersCount: (args: Args, asked: Asked) =>
      counted(countOrders(book, orderQuery({ ...args, sortKey: 'UPDATED_AT' }, asked)), args),
    order,
    fulfillment({ id }: Args, asked: Asked) {
      const [whole, number] = wholeAndPart(indexOf('Fulfillment', id))
      const one = orderAt(whole, asked)
      const parcel = one?.parcels[number - 1]
      return one && parcel ? orders.fulfillment(one, parcel) : null
    },
    fulfillmentOrder({ id }: Args, asked: Asked) {
      const [whole, at] = wholeAndPart(indexOf('FulfillmentOrder', id))
      const one = orderAt(whole, asked)
      return one && orders.fulfillmentOrder(one, at)
    },
    return({ id }: Args, asked: Asked) {
      need(asked, 'read_returns', 'return')
      const [whole, number] = wholeAndPart(indexOf('Return', id))
      const one = orderAt(whole, asked)
      const back = one?.refunds.find(({ refund, returned }) => returned && refund === number)
      return one && back ? orders.returnView(one, back) : null
    },
    /** What was begun is done by the time that somebody asks. */
    job: ({ id }: Args) => ({ id, done: true }),
    nodes: ({ ids }: Args, asked: Asked) => listOf(ids).map((id) => node(id, asked)),
    products(args: Args, asked: Asked) {
      const byChange = args['sortKey'] === 'UPDATED_AT'
      const all = found(args['query'], byChange)
      return pageOf(all, args, asked, goods.product, ({ index, updatedAt }) => ({
        at: byChange ? updatedAt : 0,
        index,
      }))
    },
    customers(args: Args, asked: Asked) {
      const span = spanOf(termsIn(args['query']), 'updated_at')
      const all = customersOf(book).filter(({ updatedAt }) => isWithin(updatedAt, span))
      return pageOf(all, args, asked, orders.account, ({ id, updatedAt }) => ({ at: updatedAt, index: id }))
    },
    customer({ id }: Args) {
      const found = customersOf(book).find((one) => one.id === indexOf('Customer', id))
      return found && orders.account(found)
    },
    productsCount: (args: Args) => counted(found(args['query'], false).length, args),
    product: ({ id }: Args) => goods.productAt(indexOf('Product', id)),
    productVariants: (args: Args, asked: Asked) => pageOf(variantsFor(args['query']), args, asked, goods.variant),
    publications: (args: Args, asked: Asked) => pageOf([0], args, asked, (at) => ({ id: gid('Publication', at) })),
    location({ id }: Args) {
      const at = id == null ? 0 : indexOf('Location', id)
      return at in locations ? goods.location(at) : null
    },
    locations: (args: Args, asked: Asked) => pageOf([...locations.keys()], args, asked, goods.location),
  }
}
