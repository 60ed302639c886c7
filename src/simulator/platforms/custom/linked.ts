import { answer, type Handle, type RouteRow } from '../../http/route.ts'
import { rowsOf, textOf, wholeOf } from '../../json.ts'
import { locations, totalOf } from '../../shop/goods.ts'
import { listOrders } from '../../shop/list-orders.ts'
import type { ShopOrder, Stage } from '../../shop/order.ts'
import { ordersOn, type World } from '../../world.ts'
import { momentIn, orderId, orderWork, productId, secondsOf, variantId, wholeIn } from './both-manners.ts'

export const saleStates: Readonly<Record<Stage, number>> = {
  ...{ unpaid: 0, held: 0, paid: 1, part_sent: 1, sent: 2, delivered: 2, part_refunded: 2, refunded: 2, cancelled: 9 },
}

export const placeOf = (location: number): string => `place-${location + 1}`

export function linkedRoutes(world: World): readonly RouteRow[] {
  const { book, stockroom } = world.shop
  const { found, get, cancel, send } = orderWork(world, saleView)

  const list: Handle = (call) => {
    const { query } = call
    const [at, index] = (query.get('after') ?? '').split('-').map(Number)
    const after = at !== undefined && index !== undefined ? { at, index } : null
    const changed = { from: momentIn(query.get('changed_since')) }
    const read = listOrders(book, { sort: 'changed', changed, after, limit: wholeIn(call, 'limit', 10) })
    const last = read.indexes.at(-1)
    const next = read.more && last !== undefined ? `${book.updatedAt(last)}-${last}` : null
    return answer(200, { results: ordersOn(world, read).map(saleView), page: { next } })
  }
  /** The next page is told by an address that need not be this one. */
  const listGoods: Handle = (call) => {
    const [limit, from] = [wholeIn(call, 'limit', 10), wholeIn(call, 'from', 0)]
    const since = call.query.get('changed_since')
    const rows = stockroom.byChange().filter(({ updatedAt }) => updatedAt >= (momentIn(since) ?? 0))
    const goods = rows.slice(from, from + limit).map((product) => ({
      ...{ id: Number(productId(product.index)), title: product.title, changed: secondsOf(product.updatedAt) },
      variants: product.variants.map((one) => ({
        ...{ id: variantId(one), sku: one.sku, cents: one.price },
        left: totalOf(one),
      })),
    }))
    const query = new URLSearchParams({ limit: String(limit), from: String(from + limit) })
    if (since !== null) query.set('changed_since', since)
    const next = `</goods>; rel="first", <https://elsewhere.example/goods?${query}>; rel="next"`
    return answer(200, goods, from + limit < rows.length ? { link: next } : {})
  }
  const listLevels: Handle = () => {
    const levels = stockroom
      .variantsByChange()
      .flatMap(({ sku, stock }) => stock.map((count, at) => ({ article: sku, place: placeOf(at), count })))
    return answer(200, { levels })
  }
  const setLevel: Handle = (call, record) => {
    const { article, place, count } = call.fields()
    const variant = stockroom.bySku(textOf(article) ?? '')
    const location = locations.findIndex((_, at) => placeOf(at) === place)
    const free = wholeOf(count)
    if (location < 0) return answer(422, { message: 'No such place.' })
    if (!variant || free === null) return answer(422, { message: 'No such article.' })
    if (stockroom.setStock(variant, location, free)) record.effect('inventory.set', `${article} ${place}`)
    return answer(200, {})
  }
  const sendSale = found((order, call, record) => {
    const { tracking, rows } = call.fields()
    const named = rowsOf(rows).map(({ row, qty }) => ({ line: wholeOf(row) ?? 0, quantity: wholeOf(qty) ?? 0 }))
    const lines = named.length === 0 ? null : named
    const parcel = { trackingNumber: textOf(tracking) ?? '', carrier: '', lines, key: call.header('idempotency-key') }
    return send(order, parcel, record)
  })

  return [
    ['GET', '/whoami', 'whoami', () => answer(200, { name: 'shop' })],
    ['GET', '/sales', 'sales.list', list],
    ['GET', '/sales/:id', 'sales.get', get],
    ['DELETE', '/sales/:id', 'sales.cancel', cancel],
    ['POST', '/sales/:id/send', 'sales.send', sendSale],
    ['GET', '/goods', 'goods.list', listGoods],
    ['GET', '/levels', 'levels.list', listLevels],
    ['POST', '/levels', 'levels.set', setLevel],
  ]
}

const saleView = ({ index, stage, total, placedAt, updatedAt, lines }: ShopOrder) => ({
  ...{ sale_id: Number(orderId(index)), state: saleStates[stage], amount_total: total, mail: '' },
  ...{ created: secondsOf(placedAt), changed: secondsOf(updatedAt) },
  rows: lines.map((line) => ({
    ...{ id: line.line, sku: line.sku, name: line.title, qty: line.quantity, price: line.unitPrice },
  })),
})
