import type { Call, Recorder } from '../../http/call.ts'
import { type Fields, textOf, wholeOf } from '../../json.ts'
import { listBySecond } from '../../shop/list-orders.ts'
import type { ShopOrder } from '../../shop/order.ts'
import { setTotal } from '../../shop/stockroom.ts'
import { addTracking } from '../../shop/work-on-order.ts'
import { disturb, type World } from '../../world.ts'
import { local, momentsWithin, together, written } from './local-time.ts'
import * as records from './records.ts'
import { among, boundsIn, holds, namedIn, type Selection, selectionIn } from './select.ts'
import { surroundings } from './surroundings.ts'
import { recordIn } from './xml.ts'

/** What each order brings along, and which number of it names the order. */
interface OfOrder {
  field: string
  indexOf(number: number): number
  records(order: ShopOrder): readonly Fields[]
}

const ofOrders: Readonly<Record<string, OfOrder | undefined>> = {
  order_carriers: { field: 'id_order', indexOf: (id) => id - 1, records: (order) => [records.parcelRecord(order)] },
  customers: { field: 'id', indexOf: (id) => id - 1, records: (order) => [records.customerRecord(order)] },
  addresses: {
    ...{ field: 'id', indexOf: (id) => Math.floor((id - 1) / 2) },
    records: (order) => [records.addressRecord(order, 'delivery'), records.addressRecord(order, 'invoice')],
  },
}

export function createResources(world: World) {
  const { book, stockroom } = world.shop
  const refundState = world.settings.variant['refunds'] === 'state'
  /** Records that were written: the whole of them is replaced, so that a field that was not told is empty. */
  const replaced = new Map<string, Fields>()
  const asWritten = (resource: string, row: Fields, kept: string): Fields => {
    const fields = replaced.get(`${resource} ${String(row['id'])}`)
    if (!fields) return row
    const emptied = Object.fromEntries(Object.keys(row).map((name) => [name, fields[name] ?? '']))
    return { ...emptied, id: row['id'], [kept]: row[kept] }
  }

  function orders(selection: Selection): readonly Fields[] {
    const { filters, sorts, first, count } = selection
    const record = (order: ShopOrder) => records.orderRecord(order, refundState)
    const named = namedIn(filters.get('id'))
    if (named) return among(named.flatMap((id) => book.get(id - 1) ?? []).map(record), selection)
    const bounds = boundsIn(filters.get('date_upd'))
    const held = (index: number, field: string): unknown => {
      if (field === 'id') return index + 1
      if (field === 'date_upd') return written(book.updatedAt(index))
      const order = book.get(index)
      return order ? record(order)[field] : null
    }
    const test = (index: number) => [...filters].every(([field, condition]) => holds(condition, held(index, field)))
    const limit = Math.min(count, book.count())
    if (sorts[0] !== 'date_upd') {
      const indexes = book
        .byNumber()
        .filter(test)
        .slice(first, first + limit)
      return [...indexes].flatMap((index) => book.get(index) ?? []).map(record)
    }
    const query = {
      ...(bounds ? momentsWithin(...bounds) : {}),
      test: filters.size === 0 ? null : test,
      limit,
      offset: first,
    }
    const page = listBySecond(book, query, { shown: local, together })
    const rows = page.indexes.flatMap((index) => book.get(index) ?? []).map(record)
    disturb(world, page)
    return rows
  }

  const products = () => stockroom.byChange()
  const lists: Readonly<Record<string, (() => readonly Fields[]) | undefined>> = {
    products: () => products().map(records.productRecord),
    combinations: () =>
      products()
        .filter(records.isCombined)
        .flatMap((product) => product.variants.map((variant) => records.combinationRecord(product, variant))),
    stock_availables: () =>
      products()
        .toSorted((a, b) => a.index - b.index)
        .flatMap(records.stockRecords)
        .map((row) => asWritten('stock_availables', row, 'quantity')),
  }

  function rowsOf(resource: string, selection: Selection): readonly Fields[] {
    if (resource === 'orders') return orders(selection)
    const own = ofOrders[resource]
    if (own) {
      const named = namedIn(selection.filters.get(own.field))
      const indexes = named ? named.map(own.indexOf) : [...book.byNumber()]
      const found = [...new Set(indexes)].flatMap((index) => book.get(index) ?? []).flatMap(own.records)
      return among(
        found.map((row) => asWritten(resource, row, 'tracking_number')),
        selection,
      )
    }
    return among(lists[resource]?.() ?? surroundings[resource] ?? [], selection)
  }

  /** PrestaShop lets any state follow any other. */
  function enter(fields: Fields, record: Recorder): Fields | string {
    const order = book.get((wholeOf(fields['id_order']) ?? 0) - 1)
    const state = textOf(fields['id_order_state']) ?? ''
    const stage = records.stageFor[state]
    if (!order || !stage) return 'Validation error: "Property OrderHistory->id_order is not valid"'
    book.change(order.index, { stage, extra: { parcels: order.parcels } })
    record.effect(stage === 'cancelled' ? 'order.cancel' : `order.${stage}`, String(order.index + 1))
    return { id: order.index + 1, ...fields }
  }

  function setParcel(id: number, fields: Fields, record: Recorder): boolean {
    const order = book.get(id / 10 - 1)
    if (!order) return false
    const trackingNumber = textOf(fields['tracking_number']) ?? ''
    if (trackingNumber !== '' && trackingNumber !== order.parcels.at(-1)?.trackingNumber) {
      addTracking(book, order, { carrier: '', trackingNumber, trackingUrl: null, sentAt: world.clock.now() })
      record.effect('shipment.create', String(order.index + 1), null, `${order.index} ${trackingNumber}`)
    }
    return true
  }

  function setStock(id: number, fields: Fields, record: Recorder): boolean {
    const product = stockroom.product(Math.floor(id / 100) - 1)
    const variant = product?.variants[Math.max(0, (id % 100) - 1)]
    const quantity = wholeOf(fields['quantity'])
    if (!product || !variant || quantity === null) return false
    setTotal(stockroom, variant, quantity)
    record.effect('inventory.set', variant.sku)
    return true
  }
  const setters: Readonly<Record<string, typeof setStock | undefined>> = {
    ...{ order_carriers: setParcel, stock_availables: setStock },
  }

  return {
    has: (resource: string): boolean =>
      ['orders', 'order_histories'].includes(resource) ||
      [ofOrders, lists, surroundings].some((known) => known[resource] !== undefined),

    /** A sentence where the question makes no sense. */
    list(call: Call, resource: string, id: string | null): readonly Fields[] | string {
      const selection = selectionIn(call)
      if (typeof selection === 'string') return selection
      if (id === null) return rowsOf(resource, selection).map(selection.show)
      return rowsOf(resource, { ...selection, filters: new Map([['id', id]]) })
    },

    /** What was saved, or why nothing was. */
    write(call: Call, record: Recorder, resource: string, id: string | null): Fields | string {
      const fields = recordIn(call.raw.toString())
      if (!fields) return 'no XML'
      if (resource === 'order_histories' && call.method === 'POST') return enter(fields, record)
      const set = setters[resource]
      const number = wholeOf(id)
      if (!set || number === null || call.method !== 'PUT') return 'not allowed'
      if (!set(number, fields, record)) return 'unknown'
      replaced.set(`${resource} ${number}`, fields)
      return { ...fields, id: number }
    },
  }
}
