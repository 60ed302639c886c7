import type { Orders } from '../../../commerce/connector/parts.ts'
import type { RemoteOrder } from '../../../commerce/order.ts'
import { type Fields, fieldsOf, maybeText, recordsIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { captureOnce, changeOnce, holdOnce, readOrder, releaseOnce } from '../../../commerce/wire/change-once.ts'
import { bodyIn } from '../ask.ts'
import { orders } from '../orders.ts'
import { type Credentials, type MagentoShop, pathOf, type Settings } from '../settings.ts'

/** Shipments cannot be taken back there. */
type Changes = Pick<Orders<Settings, Credentials>, 'annotate' | 'hold' | 'release' | 'capture'>

const post = async (shop: MagentoShop, path: string, body?: Fields): Promise<unknown> =>
  bodyIn(await shop.remote.request({ method: 'POST', path: pathOf(shop, path), ...(body ? { body } : {}) }))

const comments = ({ raw }: RemoteOrder): (string | null)[] =>
  recordsIn({ status_histories: [], ...fieldsOf(raw) }, 'status_histories').map((one) => maybeText(one, 'comment'))

export const orderChanges: Changes = {
  annotate: {
    notes: true,
    tags: false,
    ...changeOnce(orders, {
      send: (shop, { order_remote_id: id, note }) => comment(shop, id, note ?? ''),
      shows: (order, { note }) => !note || comments(order).includes(note),
    }),
  },
  hold: holdOnce(orders, async (shop, { order_remote_id: id, reason }) => {
    if (reason) await comment(shop, id, reason)
    if ((await post(shop, `orders/${id}/hold`)) !== true) throw refused('The shop does not put this order on hold.')
  }),
  release: releaseOnce(orders, async (shop, { order_remote_id: id }) => {
    if ((await post(shop, `orders/${id}/unhold`)) !== true) throw refused('The shop does not release this order.')
  }),
  capture: captureOnce(orders, (shop, { order_remote_id: id }) =>
    post(shop, `order/${id}/invoice`, { capture: true, notify: false }),
  ),
}

/** An order takes the status of its last comment: without one it would have none. */
async function comment(shop: MagentoShop, id: string, note: string): Promise<void> {
  const order = await readOrder(orders, shop, id)
  if (comments(order).includes(note)) return
  const status = maybeText(fieldsOf(order.raw), 'status')
  const statusHistory = {
    comment: note,
    is_customer_notified: 0,
    is_visible_on_front: 0,
    parent_id: Number(id),
    status,
  }
  await post(shop, `orders/${id}/comments`, { statusHistory })
}
