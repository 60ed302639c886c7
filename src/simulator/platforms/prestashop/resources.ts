import type { Call, Recorder } from '../../http/route.ts'
import { type Fields, textOf, wholeOf } from '../../json.ts'
import { listBySecond, listOrders } from '../../shop/list-orders.ts'
import type { ShopOrder } from '../../shop/order.ts'
import { createOrderWork } from '../../shop/work-on-order.ts'
import { ordersOn, type World } from '../../world.ts'
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
  order_histories: { field: 'id_order', indexOf: (id) => id - 1, records: records.historyRecords },
  order_details: { field: 'id_order', indexOf: (id) => id - 1, records: records.detailRecords },
  order_slip: { field: 'id_order', indexOf: (id) => id - 1, records: records.slipRecords },
  messages: { field: 'id_order', indexOf: (id) => id - 1, records: records.messageRecords },
  customers: { field: 'id', indexOf: (id) => id - 1, records: (order) => [records.customerRecord(order)] },
  addresses: {
    ...{ field: 'id', indexOf: (id) => Math.floor((id - 1) / 2) },
    records: (order) => [records.addressRecord(order, 'delivery'), records.addressRecord(order, 'invoice')],
  },
}

/** What was saved, or why nothing was; null where there is no such record. */
type Written = { saved: Fields } | { refused: readonly [status: number, code: number, message: string] } | null

export function createResources(world: World) {
  const { book, stockroom } = world.shop
  const refundState = world.settings.variant['refunds'] === 'state'
  /** Single fields can be told since PrestaShop 8. */
  const isYoung = world.settings.variant['age'] !== '1.7'
  const severalShops = world.settings.variant['shops'] === 'several'
  /** Records that were written: the whole of them is replaced, so that a field that was not told is empty. */
  const replaced = new Map<string, Fields>()
  const asWritten = (resource: string, kept: string) => (row: Fields) => {
    const fields = replaced.get(`${resource} ${String(row['id'])}`)
    if (!fields) return row
    const emptied = Object.fromEntries(Object.keys(row).map((name) => [name, fields[name] ?? '']))
    return { ...emptied, id: row['id'], [kept]: row[kept] }
  }

  const noteOf = ({ notes }: ShopOrder): string => notes.at(-1) ?? ''

  function orders(selection: Selection): readonly Fields[] {
    const { filters, sorts, first, count } = selection
    const record = (order: ShopOrder): Fields => ({ ...records.orderRecord(order, refundState), note: noteOf(order) })
    const named = namedIn(filters.get('id'))
    if (named) return among(named.flatMap((id) => book.get(id - 1) ?? []).map(record), selection)
    const byChange = sorts[0] === 'date_upd'
    const bounds = byChange ? boundsIn(filters.get('date_upd')) : null
    const held = (index: number, field: string): unknown => {
      if (field === 'id') return index + 1
      if (field === 'date_upd') return written(book.updatedAt(index))
      const order = book.get(index)
      return order && record(order)[field]
    }
    const test = (index: number) => [...filters].every(([field, condition]) => holds(condition, held(index, field)))
    const query = {
      changed: bounds ? momentsWithin(...bounds) : {},
      ...{ test: filters.size === 0 ? null : test, limit: Math.min(count, book.count()), offset: first },
    }
    const page = byChange
      ? listBySecond(book, query, { shown: local, together })
      : listOrders(book, { ...query, sort: 'placed' })
    return ordersOn(world, page).map(record)
  }

  const lists: Readonly<Record<string, (() => readonly Fields[]) | undefined>> = {
    products: () => stockroom.byChange().map(records.productRecord),
    combinations: () => stockroom.byChange().flatMap(records.combinationRecords),
    stock_availables: () => {
      const rows = stockroom.byNumber().flatMap((product) => records.stockRecords(product, severalShops))
      return rows.map(asWritten('stock_availables', 'quantity'))
    },
  }

  function rowsOf(resource: string, selection: Selection): readonly Fields[] {
    if (resource === 'orders') return orders(selection)
    const own = ofOrders[resource]
    if (!own) return among(lists[resource]?.() ?? surroundings[resource] ?? [], selection)
    const named = namedIn(selection.filters.get(own.field))
    const indexes = new Set(named ? named.map(own.indexOf) : book.byNumber())
    const rows = [...indexes].flatMap((index) => book.get(index) ?? []).flatMap(own.records)
    return among(rows.map(asWritten(resource, 'tracking_number')), selection)
  }

  /** PrestaShop lets any state follow any other. */
  function enter(fields: Fields, record: Recorder): Written {
    const order = book.get((wholeOf(fields['id_order']) ?? 0) - 1)
    const stage = records.stageFor[textOf(fields['id_order_state']) ?? '']
    if (!order || !stage)
      return { refused: [400, 85, 'Validation error: "Property OrderHistory->id_order is not valid"'] }
    book.change(order.index, { stage, extra: { parcels: order.parcels } })
    record.effect(stage === 'cancelled' ? 'order.cancel' : `order.${stage}`, String(order.index + 1))
    return { saved: { id: order.index + 1, ...fields } }
  }

  function setParcel(id: number, fields: Fields, record: Recorder): boolean {
    const order = book.get(id / 10 - 1)
    const trackingNumber = textOf(fields['tracking_number'])
    const parcel = order?.parcels.at(-1)
    // The order keeps its date of change.
    const change: typeof book.change = (index, patch) => book.change(index, patch, order?.updatedAt)
    const work = createOrderWork({ ...book, change }, stockroom, world.clock)
    if (order && parcel && trackingNumber !== null && parcel.trackingNumber !== '') {
      const { carrier, trackingUrl } = parcel
      const worked = work.amend(order, parcel, { carrier, trackingUrl, trackingNumber })
      if (worked.ok && worked.changed) record.effect('shipment.amend', String(order.index + 1))
    } else if (order && trackingNumber !== null && trackingNumber !== parcel?.trackingNumber) {
      work.track(order, { carrier: '', trackingNumber, trackingUrl: null })
      record.effect('shipment.create', String(order.index + 1), null, `${order.index} ${trackingNumber}`)
    }
    return order !== null
  }

  function setStock(id: number, fields: Fields, record: Recorder): boolean {
    const variant = stockroom.product(Math.floor(id / 100) - 1)?.variants[Math.max(0, (id % 50) - 1)]
    const quantity = wholeOf(fields['quantity'])
    // The other shop's: its stock is nobody's concern here, but that it was changed is.
    if (id % 100 >= records.otherShop) record.effect('inventory.set', `other shop ${id}`)
    if (id % 100 >= records.otherShop) return true
    if (!variant || quantity === null) return false
    if (stockroom.setTotal(variant, quantity)) record.effect('inventory.set', variant.sku)
    return true
  }
  /** The note of the people at the shop; of the fields that may be changed one by one, the only one that is kept here. */
  function annotate(id: number, fields: Fields, record: Recorder): Written {
    const order = book.get(id - 1)
    const note = textOf(fields['note'])
    if (!order) return null
    if (note !== null) {
      book.change(order.index, { extra: { notes: [note] } })
      record.effect('order.note', String(id))
    }
    return { saved: { ...fields, id } }
  }
  const setters: Readonly<Record<string, typeof setStock | undefined>> = {
    ...{ order_carriers: setParcel, stock_availables: setStock },
  }

  return {
    names: (): readonly string[] => [
      ...['orders', 'order_histories'],
      ...[ofOrders, lists, surroundings].flatMap((known) => Object.keys(known)),
    ],

    has: (resource: string): boolean =>
      resource === 'orders' || [ofOrders, lists, surroundings].some((known) => known[resource] !== undefined),

    /** A sentence where the question makes no sense. */
    list(call: Call, resource: string): readonly Fields[] | string {
      const selection = selectionIn(call)
      return typeof selection === 'string' ? selection : rowsOf(resource, selection).map(selection.show)
    },

    write({ raw, method }: Call, record: Recorder, resource: string, id: string | null): Written {
      const fields = recordIn(raw.toString())
      if (!fields) return { refused: [500, 127, 'XML error : String could not be parsed as XML'] }
      if (resource === 'order_histories' && method === 'POST') return enter(fields, record)
      const set = setters[resource]
      const number = wholeOf(id)
      if (resource === 'orders' && method === 'PATCH' && isYoung) return annotate(number ?? 0, fields, record)
      if (method === 'PATCH' && !isYoung) return { refused: [405, 23, 'Method PATCH is not valid'] }
      if (!set || number === null || method !== 'PUT')
        return { refused: [405, 25, `Method ${method} is not allowed for the resource ${resource}`] }
      if (!set(number, fields, record)) return null
      replaced.set(`${resource} ${number}`, fields)
      return { saved: { ...fields, id: number } }
    },
  }
}
