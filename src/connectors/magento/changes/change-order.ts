import type { Orders } from '../../../commerce/connector/parts.ts'
import { type Fields, fieldsOf } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { captureOnce, changeOnce, holdOnce, readOrder, releaseOnce } from '../../../commerce/wire/change-once.ts'
import { say } from '../../../commerce/words/say.ts'
import { bodyIn } from '../ask.ts'
import { orders } from '../orders.ts'
import { type Credentials, type MagentoShop, pathOf, type Settings } from '../settings.ts'
import { comment, commentsIn } from './comment.ts'

/** Shipments cannot be taken back there. */
type Changes = Pick<Orders<Settings, Credentials>, 'annotate' | 'hold' | 'release' | 'capture'>

const post = async (shop: MagentoShop, path: string, body?: Fields): Promise<unknown> =>
  bodyIn(await shop.remote.request({ method: 'POST', path: pathOf(shop, path), ...(body ? { body } : {}) }))

const noted = async (shop: MagentoShop, id: string, note: string): Promise<void> =>
  comment(shop, fieldsOf((await readOrder(orders, shop, id)).raw), note)

export const orderChanges: Changes = {
  annotate: {
    notes: true,
    tags: false,
    ...changeOnce(orders, {
      send: (shop, { order_remote_id: id, note }) => noted(shop, id, note ?? ''),
      shows: (order, { note }) => !note || commentsIn(fieldsOf(order.raw)).includes(note),
    }),
  },
  hold: holdOnce(orders, async (shop, { order_remote_id: id, reason }) => {
    if (reason) await noted(shop, id, reason)
    if ((await post(shop, `orders/${id}/hold`)) !== true) throw refused(say('not_held'))
  }),
  release: releaseOnce(orders, async (shop, { order_remote_id: id }) => {
    if ((await post(shop, `orders/${id}/unhold`)) !== true) throw refused(say('not_released'))
  }),
  capture: captureOnce(orders, (shop, { order_remote_id: id }) =>
    post(shop, `order/${id}/invoice`, { capture: true, notify: false }),
  ),
}
