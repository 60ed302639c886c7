import { type Fields, idIn, maybeText, recordsIn } from '../../../commerce/reading.ts'
import { isRightsMissing } from '../../../commerce/rules/rights.ts'
import { bodyIn } from '../ask.ts'
import { type MagentoShop, pathOf } from '../settings.ts'

export const commentsIn = (order: Fields): (string | null)[] =>
  recordsIn({ status_histories: [], ...order }, 'status_histories').map((one) => maybeText(one, 'comment'))

/** For the people at the shop, once. An order takes the status of its last comment: without one it would have none. */
export async function comment(shop: MagentoShop, order: Fields, note: string): Promise<void> {
  if (commentsIn(order).includes(note)) return
  const id = idIn(order, 'entity_id')
  const statusHistory = {
    comment: note,
    is_customer_notified: 0,
    is_visible_on_front: 0,
    parent_id: Number(id),
    status: maybeText(order, 'status'),
  }
  const path = pathOf(shop, `orders/${id}/comments`)
  bodyIn(await shop.remote.request({ method: 'POST', path, body: { statusHistory } }))
}

/** Beside something else that is done: who may not comment does that all the same. */
export async function commentIfAllowed(shop: MagentoShop, order: Fields, note: string): Promise<void> {
  await comment(shop, order, note).catch((error: unknown) => {
    if (!isRightsMissing(error)) throw error
  })
}
