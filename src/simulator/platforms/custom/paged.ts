import { decimal } from '../../amounts.ts'
import { inSeconds, second } from '../../clock.ts'
import { answer, forOne, type Handle, type RouteRow } from '../../http/route.ts'
import { fieldsOf, textOf, wholeOf } from '../../json.ts'
import { totalOf, type Variant } from '../../shop/goods.ts'
import { countOrders, listOrders } from '../../shop/list-orders.ts'
import type { ShopOrder, Stage } from '../../shop/order.ts'
import type { Article } from '../../shop/stockroom.ts'
import { ordersOn, type World } from '../../world.ts'
import { momentIn, orderId, orderWork, variantId, wholeIn } from './both-manners.ts'

export const orderStates: Readonly<Record<Stage, string>> = {
  ...{ unpaid: 'waiting', held: 'waiting', paid: 'ready', part_sent: 'ready', sent: 'sent', delivered: 'sent' },
  ...{ part_refunded: 'sent', refunded: 'sent', cancelled: 'void' },
}

/** Numbers of articles have signs in them that mean something in an address. */
const numberOf = ({ sku }: Pick<Variant, 'sku'>): string => sku.replace('-', '/')
const skuOf = (number: string): string => number.replace('/', '-')

export function pagedRoutes(world: World): readonly RouteRow[] {
  const { book, stockroom } = world.shop
  const { found, missing, get, cancel, send } = orderWork(world, (order) => ({ data: orderView(order) }))

  const list: Handle = (call) => {
    const [page, size] = [wholeIn(call, 'page', 1), wholeIn(call, 'per_page', 10)]
    const after = momentIn(call.query.get('updated_after'))
    const changed = { from: after && after + second }
    const query = { sort: 'changed', changed, limit: size, offset: (page - 1) * size } as const
    const total = countOrders(book, query)
    return answer(200, { data: ordersOn(world, listOrders(book, query)).map(orderView), meta: { total } })
  }
  const listArticles: Handle = (call) => {
    const [page, size] = [wholeIn(call, 'page', 1), wholeIn(call, 'per_page', 10)]
    const after = momentIn(call.query.get('updated_after'))
    const rows = stockroom.articles().filter(({ product }) => after === null || product.updatedAt >= after + second)
    return answer(200, { data: rows.slice((page - 1) * size, page * size).map(articleView) })
  }
  const ofArticle = forOne((id) => stockroom.articles().find(({ variant }) => variantId(variant) === id), missing)
  const listStock: Handle = (call) => {
    const [skip, take] = [wholeIn(call, 'skip', 0), wholeIn(call, 'take', 10)]
    const rows = stockroom.articles().sort((a, b) => Number(variantId(a.variant)) - Number(variantId(b.variant)))
    const data = rows.slice(skip, skip + take).map(({ variant }) => {
      const free = totalOf(variant)
      return { sku: numberOf(variant), free, total: free, updated: inSeconds(variant.stockUpdatedAt) }
    })
    return answer(200, { data })
  }
  const setStock: Handle = (call, record, [number]) => {
    const variant = stockroom.bySku(skuOf(number))
    const free = wholeOf(call.fields()['free'])
    if (!variant || free === null) return missing()
    if (stockroom.setTotal(variant, free)) record.effect('inventory.set', number)
    return answer(200, {})
  }
  const addParcel = found((order, call, record) => {
    const { code, by } = fieldsOf(call.fields()['parcel'])
    const parcel = { trackingNumber: textOf(code) ?? '', carrier: textOf(by) ?? '', lines: null, key: null }
    return send(order, parcel, record)
  })

  return [
    ['GET', '/orders', 'orders.list', list],
    ['GET', '/orders/:id', 'orders.get', get],
    ['POST', '/orders/:id/void', 'orders.cancel', cancel],
    ['POST', '/orders/:id/parcels', 'parcels.create', addParcel],
    ['GET', '/articles', 'articles.list', listArticles],
    ['GET', '/articles/:id', 'articles.get', ofArticle((article) => answer(200, { data: articleView(article) }))],
    ['GET', '/stock', 'stock.list', listStock],
    ['PUT', '/stock/:sku', 'stock.set', setStock],
  ]
}

const orderView = ({ index, stage, currency, buyer, shipTo, ...order }: ShopOrder) => ({
  ...{ id: Number(orderId(index)), reference: `R-${orderId(index)}`, state: orderStates[stage] },
  payment: { state: stage === 'unpaid' ? 'due' : 'paid' },
  totals: { currency, shipping: decimal(order.shipping, currency), grand: decimal(order.total, currency) },
  ...{ created: inSeconds(order.placedAt), updated: inSeconds(order.updatedAt) },
  buyer: { mail: buyer.email, names: [buyer.firstName, buyer.lastName] },
  ship_to: { street: shipTo.street, town: shipTo.city, country: shipTo.countryCode.toLowerCase() },
  rows: order.lines.map((line) => ({
    ...{ id: line.line, sku: numberOf(line), name: line.title, qty: line.quantity },
    price: decimal(line.unitPrice, currency),
  })),
  paid_back: order.refunds.map(({ refund, amount, reason, at, lines }) => ({
    ...{ id: refund, sum: decimal(amount, currency), why: reason, on: inSeconds(at) },
    rows: lines.map(({ line, quantity }) => ({ row: line, qty: quantity })),
  })),
  sent_back: order.refunds
    .filter(({ returned }) => returned)
    .map(({ refund, at, reason, lines }) => ({
      ...{ id: `R${refund}`, state: 'back', on: inSeconds(at) },
      rows: lines.map(({ line, quantity }) => ({ row: line, qty: quantity, why: reason })),
    })),
  parcels: order.parcels.map((one) => ({ id: one.parcel, code: one.trackingNumber, by: one.carrier })),
})

const articleView = ({ product, variant }: Article) => ({
  ...{ id: Number(variantId(variant)), sku: numberOf(variant), name: `${product.title} ${variant.title}` },
  ...{ live: product.status === 'active', tags: product.tags, updated: inSeconds(product.updatedAt) },
  price: { amount: decimal(variant.price, 'EUR'), currency: 'EUR' },
})
