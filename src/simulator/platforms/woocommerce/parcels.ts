import { momentOf } from '../../clock.ts'
import { type Answer, answer, type Call, type Recorder } from '../../http/route.ts'
import { type Fields, rowsOf, textOf, wholeOf } from '../../json.ts'
import type { ShopOrder } from '../../shop/order.ts'
import type { World } from '../../world.ts'
import { orderIdOf, partIdOf, partOf } from './ids.ts'
import { fulfilmentsOf, fulfilmentView, trackingView } from './order-views.ts'
import { listOf as listedAs, missing, no } from './reply.ts'
import { dates, type Site } from './site.ts'
import { asHtml } from './words.ts'

/** The three ways in which shops keep parcels; none of them moves the order on. */
export function createParcels({ shop: { book, work }, clock }: World, site: Site) {
  const notes = new Map<number, { id: number; note: string; customer_note: boolean }[]>()
  const add = (
    order: ShopOrder,
    parcel: Omit<Parameters<typeof work.track>[1], 'sentAt'>,
    day: unknown,
    record: Recorder,
  ) => {
    const sentAt = momentOf(textOf(day) ?? '') ?? clock.now()
    record.effect('shipment.create', String(orderIdOf(order.index)), null, `${order.index} ${parcel.trackingNumber}`)
    return work.track(order, { ...parcel, sentAt })
  }
  const after = ({ index }: ShopOrder, view: (order: ShopOrder) => object): Answer => {
    const order = book.get(index)
    return order ? answer(201, view(order)) : no(404, 'woocommerce_rest_order_invalid_id', 'Invalid order ID.')
  }

  return {
    fulfilments: (order: ShopOrder): Answer =>
      listedAs(fulfilmentsOf(order, site), (parcel) => fulfilmentView(order, parcel)),

    /** How many of a line have left before is not looked at, and notes without an id are passed over. */
    fulfil(order: ShopOrder, call: Call, record: Recorder): Answer {
      const input = parcelIn(
        order,
        rowsOf(call.fields()['meta_data']).filter(({ id }) => id !== undefined),
      )
      if (input.lines.length === 0) return empty
      const packed = call.fields()['is_fulfilled'] === false
      const parcel = add(order, { ...input, packed }, null, record)
      return after(order, (changed) => fulfilmentView(changed, parcel, true))
    },

    /** What is not said again is gone. */
    correct(order: ShopOrder, call: Call, record: Recorder, [, id]: readonly string[]): Answer {
      const parcel = order.parcels.find((one) => String(partIdOf(order.index, one.parcel)) === id)
      if (!parcel) return no(404, 'woocommerce_rest_fulfillment_error', 'Fulfillment not found.')
      const input = parcelIn(order, rowsOf(call.fields()['meta_data']))
      if (input.lines.length === 0) return empty
      const goes = parcel.packed && call.fields()['is_fulfilled'] === true
      const worked = goes ? work.dispatch(order, parcel, input) : work.amend(order, parcel, input)
      if (!worked.ok) return no(400, 'woocommerce_rest_fulfillment_error', worked.why)
      if (worked.changed) record.effect('shipment.amend', String(orderIdOf(order.index)))
      return answer(200, fulfilmentView(order, worked.value))
    },

    unfulfil(order: ShopOrder, _: Call, record: Recorder, [, id]: readonly string[]): Answer {
      const parcel = order.parcels.find((one) => String(partIdOf(order.index, one.parcel)) === id)
      if (!parcel) return no(404, 'woocommerce_rest_fulfillment_error', 'Fulfillment not found.')
      work.takeBack(order, parcel)
      record.effect('shipment.cancel', id ?? '')
      return answer(200, { message: 'Fulfillment deleted successfully.' })
    },

    trackings: (order: ShopOrder): Answer => listedAs(order.parcels, (parcel) => trackingView(order, parcel)),

    track(order: ShopOrder, call: Call, record: Recorder): Answer {
      const input = call.fields()
      const trackingNumber = textOf(input['tracking_number'])
      if (trackingNumber === null) return missing('tracking_number')
      const carrier = textOf(input['tracking_provider']) ?? textOf(input['custom_tracking_provider']) ?? 'Other'
      const trackingUrl = textOf(input['custom_tracking_link'])
      const parcel = add(order, { carrier, trackingNumber, trackingUrl }, input['date_shipped'], record)
      return after(order, (changed) => trackingView(changed, parcel))
    },

    untrack(order: ShopOrder, _: Call, record: Recorder, [, id]: readonly string[]): Answer {
      const parcel = order.parcels.find((one) => trackingView(order, one).tracking_id === id)
      if (!parcel) return no(404, 'woocommerce_rest_invalid_id', 'Invalid shipment tracking ID.')
      book.change(order.index, { extra: { parcels: order.parcels.filter((one) => one !== parcel) } })
      record.effect('shipment.delete', String(orderIdOf(order.index)))
      return answer(200, trackingView(order, parcel))
    },

    notes: (order: ShopOrder): Answer => answer(200, notes.get(order.index) ?? []),

    addNote(order: ShopOrder, call: Call, record: Recorder): Answer {
      const { note, customer_note } = call.fields()
      const text = textOf(note)
      if (text === null) return missing('note')
      const known = notes.get(order.index) ?? []
      const id = partIdOf(order.index, known.length)
      const made = { id, author: 'system', ...dates('date_created', clock.now()), note: asHtml(text) }
      notes.set(order.index, [...known, { ...made, customer_note: customer_note === true }])
      record.effect('note.create', String(orderIdOf(order.index)), null, `${order.index} ${text}`)
      return answer(201, { ...made, customer_note: customer_note === true })
    },
  }
}

const empty = no(400, 'woocommerce_rest_fulfillment_error', 'The fulfillment should contain at least one item.')

/** A fulfilment as it is told: everything in notes to machines. */
function parcelIn({ index }: ShopOrder, notes: readonly Fields[]) {
  const received = new Map(notes.map(({ key, value }) => [key, value]))
  const text = (name: string) => textOf(received.get(name))
  return {
    carrier: text('_shipment_provider') ?? '',
    ...{ trackingNumber: text('_tracking_number') ?? '', trackingUrl: text('_tracking_url') },
    lines: rowsOf(received.get('_items')).map(({ item_id, qty }) => ({
      ...{ line: partOf(index, wholeOf(item_id) ?? 0), quantity: wholeOf(qty) ?? 0 },
    })),
  }
}
