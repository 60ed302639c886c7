import type { Orders } from '../../../commerce/connector/parts.ts'
import { bodyOf, fieldsOf, maybeText } from '../../../commerce/reading.ts'
import { changeOnce, holdOnce, readOrder, releaseOnce } from '../../../commerce/wire/change-once.ts'
import { isNoted, orders, ordersPath, writeNote } from '../orders.ts'
import type { Credentials, Settings, WooShop } from '../settings.ts'

type Changes = Pick<Orders<Settings, Credentials>, 'annotate' | 'hold' | 'release'>

const setStatus = async ({ remote }: WooShop, id: string, status: string): Promise<unknown> =>
  bodyOf(await remote.request({ method: 'PUT', path: `${ordersPath}/${id}`, body: { status }, repeatable: true }))

const noteFor = (shop: WooShop, id: string, note: string) => writeNote(shop, id, { note, customer_note: false })

/** Money is taken by the plug-in of the payment, each in a way of its own: not from here. */
export const orderChanges: Changes = {
  annotate: {
    notes: true,
    tags: false,
    ...changeOnce(orders, {
      send: (shop, { order_remote_id: id, note }) => noteFor(shop, id, note ?? ''),
      shows: async ({ remote_id: id }, { note }, shop) => !note || (await isNoted(shop, id, note)),
    }),
  },
  hold: holdOnce(orders, async (shop, { order_remote_id: id, reason }) => {
    if (reason) await noteFor(shop, id, reason)
    await setStatus(shop, id, 'on-hold')
  }),
  /** Being processed means paid there: an order that waits for its money goes back to waiting for it. */
  release: releaseOnce(orders, async (shop, { order_remote_id: id }) => {
    const { raw } = await readOrder(orders, shop, id)
    const isPaid = maybeText(fieldsOf(raw), 'date_paid_gmt') !== null || maybeText(fieldsOf(raw), 'date_paid') !== null
    await setStatus(shop, id, isPaid ? 'processing' : 'pending')
  }),
}
