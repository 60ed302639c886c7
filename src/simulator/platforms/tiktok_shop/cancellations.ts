import type { Answer, Call, Recorder, RouteRow } from '../../http/route.ts'
import { listOf, textOf } from '../../json.ts'
import type { ShopOrder } from '../../shop/order.ts'
import type { World } from '../../world.ts'
import { orderIdOf } from './ids.ts'
import { unix } from './order-view.ts'
import { linesOf, notFound, type Orders } from './orders.ts'
import { no, ok } from './reply.ts'

interface Cancellation {
  id: string
  index: number
  role: 'SELLER' | 'BUYER'
  status: string
  reason: string
}

const pending = 'CANCELLATION_REQUEST_PENDING'
const complete = 'CANCELLATION_REQUEST_COMPLETE'
const wishId = (index: number): string => `40350000${String(index).padStart(10, '0')}`

/** What sellers call off, and what buyers want called off. */
export function cancellationRoutes({ shop: { book, work } }: World, orders: Orders): readonly RouteRow[] {
  const made: Cancellation[] = []
  const wishOf = ({ index }: ShopOrder): Cancellation => ({
    ...{ id: wishId(index), index, role: 'BUYER', status: pending },
    reason: 'ecom_order_to_ship_canceled_reason_created_by_mistake',
  })
  const view = ({ id, index, role, status, reason }: Cancellation) => ({
    ...{ cancel_id: id, order_id: orderIdOf(index), role, cancel_status: status, cancel_reason: reason },
    cancel_type: role === 'BUYER' ? 'BUYER_CANCEL' : 'CANCEL',
    ...{ create_time: unix(book.updatedAt(index)), update_time: unix(book.updatedAt(index)) },
  })

  function cancel(call: Call, record: Recorder): Answer {
    const { order_id: id, cancel_reason: reason, order_line_item_ids: ids } = call.fields()
    const order = orders.find(textOf(id) ?? '')
    const why = textOf(reason)
    if (!order) return notFound()
    if (why === null || !/^seller_cancel_/.test(why)) return no(200, 25_001_012, 'The cancel reason is invalid.')
    if (order.stage === 'cancelled') return no(200, 25_001_009, 'The order is cancelled already.')
    const some = listOf(ids)
    const items = some.length === 0 ? null : orders.openItems(order, some)
    if (some.length > 0 && !items) return no(200, 25_001_010, 'An order line item can not be cancelled.')
    const worked = items ? work.callOff(order, linesOf(items)) : work.cancel(order, why)
    if (!worked.ok) return no(200, 25_001_011, worked.why)
    record.effect(items ? 'order.cancel_lines' : 'order.cancel', orderIdOf(order.index))
    const cancel_id = `40351111${String(made.length + 1).padStart(10, '0')}`
    made.push({ id: cancel_id, index: order.index, role: 'SELLER', status: complete, reason: why })
    return ok({ cancel_id, cancel_status: 'CANCELLATION_REQUEST_SUCCESS' })
  }

  function search(call: Call): Answer {
    const ids = listOf(call.fields()['order_ids'])
    const found = ids.flatMap((id) => orders.find(String(id)) ?? [])
    const wishes = found.filter(orders.isUnwanted).map(wishOf)
    const own = made.filter(({ index }) => found.some((order) => order.index === index))
    const cancellations = [...own, ...wishes].map(view)
    return ok({ cancellations, total_count: cancellations.length, next_page_token: '' })
  }

  const approve: RouteRow[3] = (_, record, [id]) => {
    const index = id.startsWith('40350000') ? Number(id.slice(8)) : -1
    const order = orders.find(orderIdOf(index))
    if (!order || !orders.isUnwanted(order)) return no(200, 25_001_013, 'There is no such request.')
    const worked = work.cancel(order, wishOf(order).reason)
    if (!worked.ok) return no(200, 25_001_011, worked.why)
    record.effect('order.cancel', orderIdOf(index))
    made.push({ ...wishOf(order), status: complete })
    return ok()
  }

  const base = '/return_refund/202309/cancellations'
  return [
    ['POST', base, 'cancellations.create', cancel],
    ['POST', `${base}/search`, 'cancellations.list', search, { writes: false }],
    ['POST', `${base}/:id/approve`, 'cancellations.approve', approve],
  ]
}
