import type { RemoteOrder } from '../../commerce/order.ts'
import { type Fields, isFields, maybeText, textIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import type { Wording } from '../../lib/words/wording.ts'
import { ask, postOrder } from './ask.ts'
import type { EbayShop } from './settings.ts'
import { cancelRequestsIn, cancelStateOf, isOpenWish, toOrder } from './translate-order.ts'

/** Those that a seller may give. */
const reasons = ['OUT_OF_STOCK_OR_CANNOT_FULFILL', 'BUYER_ASKED_CANCEL', 'ADDRESS_ISSUES']

/**
 * By the Post-Order API, which pays the buyer back as well. Where the buyer has asked for it, it is agreed to; what is on
 * its way is left alone, so that asking twice does no harm.
 */
export async function cancel(
  shop: EbayShop,
  { remoteId, reason }: { remoteId: string; reason: string | null },
  getOrder: (shop: EbayShop, id: string) => Promise<Fields | null>,
): Promise<RemoteOrder> {
  const before = await getOrder(shop, remoteId)
  if (before === null) throw refused(say('no_such_order'))
  if (cancelStateOf(before) === 'CANCELED') return toOrder(before)
  const asked = openRequestIn(before)
  const post = (path: string, body: Fields, repeatable = false) =>
    ask(shop, {
      ...{ method: 'POST', path: `${postOrder}/cancellation${path}`, body, repeatable },
      headers: marketplaceOf(toOrder(before)),
    })
  if (asked !== null) await post(`/${encodeURIComponent(asked)}/approve`, {})
  else if (cancelStateOf(before) === 'NONE_REQUESTED') await cancelUnasked(post, before, reason)
  return toOrder(await getOrder(shop, remoteId))
}

/** Where it was bought: the older interface does not find that out by itself. */
const marketplaceOf = ({ marketplace }: RemoteOrder): Record<string, string> =>
  marketplace === null ? {} : { 'x-ebay-c-marketplace-id': marketplace }

type Post = (path: string, body: Fields, repeatable?: boolean) => Promise<unknown>

async function cancelUnasked(post: Post, before: Fields, reason: string | null): Promise<void> {
  // It knows orders by their old ids, where these differ.
  const order = { legacyOrderId: maybeText(before, 'legacyOrderId') ?? textIn(before, 'orderId') }
  const reported = await post('/check_eligibility', order, true)
  if (isFields(reported) && reported['eligible'] === false) throw refused(refusalIn(reported))
  const word = reason?.toUpperCase().replace(/[^A-Z]+/g, '_') ?? ''
  const cancelReason = reasons.includes(word) ? word : 'OUT_OF_STOCK_OR_CANNOT_FULFILL'
  const made = await post('', { ...order, cancelReason })
  const result = isFields(made) ? made['orderEligibilityResult'] : null
  if (isFields(result) && result['eligible'] === false) throw refused(refusalIn(result))
}

function refusalIn(result: Fields): Wording {
  const why = Array.isArray(result['failureReason']) ? result['failureReason'].join(', ') : ''
  return why === ''
    ? say('not_cancelled_at', { platform: 'eBay' })
    : say('not_cancelled_for', { platform: 'eBay', words: why })
}

function openRequestIn(order: Fields): string | null {
  const open = cancelRequestsIn(order).find(isOpenWish)
  return open ? maybeText(open, 'cancelRequestId') : null
}
