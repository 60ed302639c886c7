import { type Annotation, hasNote, isCaptured, withNote } from '../../../commerce/changes/order-change.ts'
import type { Orders } from '../../../commerce/connector/parts.ts'
import type { RemoteOrder } from '../../../commerce/order.ts'
import { fieldsOf, maybeText } from '../../../commerce/reading.ts'
import { cancelShipmentOnce, changeOnce, holdOnce, readOrder, releaseOnce } from '../../../commerce/wire/change-once.ts'
import { ask } from '../ask.ts'
import { orders } from '../orders.ts'
import type { BigShop, Credentials, Settings } from '../settings.ts'

const put = (shop: BigShop, id: string, body: Readonly<Record<string, unknown>>) =>
  ask(shop, { method: 'PUT', path: `/v2/orders/${id}`, body, repeatable: true })

export const cancelShipment = cancelShipmentOnce(orders, (shop: BigShop, parcel, { remote_id: id }) =>
  ask(shop, { method: 'DELETE', path: `/v2/orders/${id}/shipments/${parcel.remote_id}` }),
)

type Changes = Pick<Orders<Settings, Credentials>, 'annotate' | 'hold' | 'release' | 'capture'>

const staffNotes = ({ raw }: RemoteOrder): string | null => maybeText(fieldsOf(raw), 'staff_notes')

/** What people have to look at first; and what is to be sent. */
const [verification, fulfilment] = [12, 11]

export const orderChanges: Changes = {
  annotate: {
    notes: true,
    tags: false,
    ...changeOnce(orders, { send: annotate, shows: (order, { note }) => !note || hasNote(staffNotes(order), note) }),
  },
  hold: holdOnce(orders, async (shop, { order_remote_id: id, reason }) => {
    if (reason) await annotate(shop, { order_remote_id: id, note: reason })
    await put(shop, id, { status_id: verification })
  }),
  release: releaseOnce(orders, (shop, { order_remote_id: id }) => put(shop, id, { status_id: fulfilment })),
  capture: changeOnce(orders, {
    send: (shop, { order_remote_id: id }) =>
      ask(shop, { method: 'POST', path: `/v3/orders/${id}/payment_actions/capture` }),
    // The platform takes the money by and by.
    shows: (order) => isCaptured(order) || maybeText(fieldsOf(order.raw), 'payment_status') === 'capture pending',
  }),
}

/** There is one field for the notes of the staff. */
async function annotate(shop: BigShop, { order_remote_id: id, note }: Annotation): Promise<void> {
  const before = staffNotes(await readOrder(orders, shop, id))
  if (note && !hasNote(before, note)) await put(shop, id, { staff_notes: withNote(before, note) })
}
