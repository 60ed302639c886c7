import type { Fleet } from './fleet.ts'
import type { Sale, StockShop } from './stock-world.ts'

export interface Reserved {
  integration_id: string
  remote_id: string
  /** What the order has taken from the stock, whether it still holds it or it has left. */
  pieces: string
  /** Seconds: when the first message of the shop about it came, null where none did; when it was stored; when it was booked, if it was. */
  message: string | null
  stored: string
  booked: string | null
}

/** What the ledger has of each order that buyers made, by shop and the shop's own id of the order. */
export async function reservedFor(
  fleet: Fleet,
  sold: readonly Sale[],
  shops: readonly StockShop[],
): Promise<Reserved[]> {
  type Key = Pick<Reserved, 'integration_id' | 'remote_id'>
  const keyOf = (one: Key) => `${one.integration_id} ${one.remote_id}`
  const byKey = <Row extends Key>(rows: readonly Row[]) => new Map(rows.map((row) => [keyOf(row), row]))
  // Put together here: over tables that nobody has analysed yet, PostgreSQL compares each order with each other.
  const orders = byKey(
    await fleet.query<Key & { id: string; stored: string }>(
      'select id, integration_id, remote_id, extract(epoch from created_at) as stored from orders',
    ),
  )
  const booked = await fleet.query<{ integration_id: string; order_id: string; pieces: string; at: string }>(
    `select integration_id, order_id, sum(reserved_by - on_hand_by) as pieces, extract(epoch from min(at)) as at
     from stock_movements where source = 'order:' || integration_id group by integration_id, order_id`,
  )
  const bookings = new Map(booked.map((one) => [`${one.integration_id} ${one.order_id}`, one]))
  const messages = byKey(
    await fleet.query<Key & { at: string }>(
      `select integration_id, remote_id, extract(epoch from min(received_at)) as at from shop_messages
       where kind = 'order' group by 1, 2`,
    ),
  )
  return sold.flatMap(({ shop, remoteId }) => {
    const order = orders.get(`${shops[shop]?.id} ${remoteId}`)
    if (!order) return []
    const booking = bookings.get(`${order.integration_id} ${order.id}`)
    return {
      ...{ integration_id: order.integration_id, remote_id: order.remote_id, stored: order.stored },
      ...{ pieces: booking?.pieces ?? '0', booked: booking?.at ?? null },
      message: messages.get(keyOf(order))?.at ?? null,
    }
  })
}

/** What the people at each shop have done with its orders, by its own records: weather lets some move on while they are read. */
export async function givenBack(sold: readonly Sale[], shops: readonly StockShop[]): Promise<Map<Sale, number>> {
  const back = new Map<Sale, number>()
  for (const [shop, { process }] of shops.entries()) {
    const orders = new Map((await process.truth()).map((order) => [order.remote_id, order]))
    for (const sale of sold) {
      const order = sale.shop === shop ? orders.get(sale.remoteId) : undefined
      if (order?.cancelled_at) back.set(sale, Date.parse(order.cancelled_at))
    }
  }
  return back
}

/** Orders that the ledger has wrong: each takes one piece, or none if its shop has cancelled it. */
export async function oddOrders(
  fleet: Fleet,
  { sold, shops }: { sold: readonly Sale[]; shops: readonly StockShop[] },
): Promise<{ odd: Reserved[]; unknown: number }> {
  const back = await givenBack(sold, shops)
  const given = new Set([...back.keys()].map((sale) => `${shops[sale.shop]?.id} ${sale.remoteId}`))
  const reserved = await reservedFor(fleet, sold, shops)
  const odd = reserved.filter((one) => {
    const wanted = given.has(`${one.integration_id} ${one.remote_id}`) ? 0 : 1
    return Number(one.pieces) !== wanted
  })
  return { odd, unknown: sold.length - reserved.length }
}
