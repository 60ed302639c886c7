import { momentOf, second } from '../../clock.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import { fieldsOf, listOf, textOf, wholeOf } from '../../json.ts'
import { countOrders, listBySecond, listOrders } from '../../shop/list-orders.ts'
import type { ShopOrder } from '../../shop/order.ts'
import { cancelOrder, sendParcel } from '../../shop/work-on-order.ts'
import { answer, disturb, type World } from '../../world.ts'
import { lineOf, orderIdOf, orderIndexOf, shipmentIdOf } from './ids.ts'
import { orderView, shipmentView } from './order-views.ts'
import {
  type Criteria,
  criteriaIn,
  type Filter,
  found,
  holds,
  isAnswer,
  pageWithin,
  refusal,
  searchAmong,
} from './search.ts'
import { locationOf } from './sources.ts'

export function createOrders(world: World) {
  const { book } = world.shop

  function list(call: Call): Answer {
    const criteria = criteriaIn(call)
    if (isAnswer(criteria)) return criteria
    const [first] = criteria.sorts
    const { from, before, rest } = spanIn(criteria)
    const heldIn = (index: number, field: string) => {
      const order = field === 'entity_id' ? null : book.get(index)
      return order ? fieldsOf(orderView(order))[field] : orderIdOf(index)
    }
    const test = (index: number) => rest.every((group) => group.some((one) => holds(one, heldIn(index, one.field))))
    const query = { sort: 'changed' as const, from, before, test: rest.length === 0 ? null : test }
    const total = countOrders(book, query)
    const offset = (pageWithin(criteria, total) - 1) * criteria.size
    const page =
      first?.field === 'updated_at' && !first.descending
        ? listBySecond(book, { ...query, offset, limit: criteria.size })
        : listOrders(book, {
            ...{ sort: first?.field === 'updated_at' ? 'changed' : 'placed', backwards: first?.descending ?? false },
            test: (index) => test(index) && within(book.updatedAt(index), from, before),
            ...{ offset, limit: criteria.size },
          })
    const items = page.indexes.flatMap((index) => book.get(index) ?? []).map(orderView)
    disturb(world, page)
    return found(call, criteria, items, total)
  }

  /** Asked for by their orders; all of them are looked through for anything else. */
  function shipments(call: Call): Answer {
    const criteria = criteriaIn(call)
    if (isAnswer(criteria)) return criteria
    const named = criteria.groups
      .flat()
      .find(({ field }) => field === 'order_id')
      ?.value.split(',')
      .map(orderIndexOf)
    const orders = (named ?? [...book.byNumber()]).flatMap((index) => book.get(index) ?? [])
    const rows = orders.flatMap((order) => order.parcels.map((parcel) => ({ order, parcel })))
    return searchAmong(call, rows, {
      view: ({ order, parcel }) => shipmentView(order, parcel),
      held: ({ order, parcel }, field) => fieldsOf(shipmentView(order, parcel))[field],
    })
  }

  /** Without items everything that is left goes. */
  function ship(order: ShopOrder, call: Call, record: Recorder): Answer {
    const { items, tracks, arguments: further } = call.fields()
    const [track] = listOf(tracks).map(fieldsOf)
    const trackingNumber = textOf(track?.['track_number']) ?? ''
    const source = fieldsOf(fieldsOf(further)['extension_attributes'])['source_code']
    const worked = sendParcel(book, order, {
      carrier: textOf(track?.['title']) ?? '',
      trackingNumber,
      trackingUrl: null,
      sentAt: world.clock.now(),
      place: Math.max(0, locationOf(source)),
      lines: Array.isArray(items)
        ? items.map(fieldsOf).map(({ order_item_id: id, qty }) => ({
            ...{ line: lineOf(order.index, wholeOf(id) ?? 0), quantity: wholeOf(qty) ?? 0 },
          }))
        : null,
    })
    if (!worked.ok) return refusal(400, 'Shipment Document Validation Error(s):\n%1', [worked.why])
    record.effect('shipment.create', String(orderIdOf(order.index)), null, `${order.index} ${trackingNumber}`)
    return answer(200, shipmentIdOf(order.index, worked.value))
  }

  /** What is paid is not cancelled any more; the platform just says no. */
  function cancel(order: ShopOrder, _: Call, record: Recorder): Answer {
    if (order.stage !== 'unpaid' || !cancelOrder(book, order, null).ok) return answer(200, false)
    record.effect('order.cancel', String(orderIdOf(order.index)))
    return answer(200, true)
  }

  return { list, shipments, ship, cancel }
}

/** Bounds of the last change, which the book finds by itself; and what else must hold. */
function spanIn({ groups }: Criteria): { from: number | null; before: number | null; rest: (readonly Filter[])[] } {
  let from: number | null = null
  let before: number | null = null
  const rest: (readonly Filter[])[] = []
  for (const group of groups) {
    const [only, ...others] = group
    const at = only?.field === 'updated_at' && others.length === 0 ? momentOf(only.value) : null
    const after = only && at !== null ? (only.condition === 'gt' || only.condition === 'lteq' ? at + second : at) : null
    if (after !== null && only?.condition.startsWith('gt')) from = Math.max(from ?? 0, after)
    else if (after !== null && only?.condition.startsWith('lt')) before = Math.min(before ?? after, after)
    else rest.push(group)
  }
  return { from, before, rest }
}

const within = (at: number, from: number | null, before: number | null): boolean =>
  (from === null || at >= from) && (before === null || at < before)
