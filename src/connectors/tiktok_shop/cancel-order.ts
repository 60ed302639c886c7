import type { Cancellation, Write } from '../../commerce/connector/parts.ts'
import type { RemoteOrder } from '../../commerce/order.ts'
import { type Fields, recordsIn, textIn } from '../../commerce/reading.ts'
import type { WantedLineCancellation } from '../../commerce/refund.ts'
import { refused } from '../../commerce/remote.ts'
import { cancelLinesOnce } from '../../commerce/wire/refund-once.ts'
import { say } from '../../commerce/words/say.ts'
import { ask, search } from './ask.ts'
import { getOrder, needOrder } from './get-order.ts'
import type { Credentials, Settings, TikTokShop } from './settings.ts'
import { groupsIn, hasLeft, isOff, toOrder } from './translate-order.ts'

const path = '/return_refund/202309/cancellations'

/** Asked after first: whatever the answer to an earlier attempt was, nothing is called off twice. */
export const cancel: Write<Settings, Credentials, Cancellation, RemoteOrder> = { repeatable: true, send }

async function send(shop: TikTokShop, { remoteId, reason }: Cancellation): Promise<RemoteOrder> {
  const order = await needOrder(shop, remoteId)
  if (textIn(order, 'status') === 'CANCELLED') return toOrder(order, shop)
  const known = await cancellationsOf(shop, remoteId)
  const wish = known.find((one) => one['role'] === 'BUYER' && isPending(one))
  if (wish) await approve(shop, textIn(wish, 'cancel_id'))
  else if (!known.some((one) => one['role'] === 'SELLER' && isPending(one)))
    await callOff(shop, order, { reason, items: null })
  return toOrder(await needOrder(shop, remoteId), shop)
}

const isPending = (cancellation: Fields): boolean => cancellation['cancel_status'] === 'CANCELLATION_REQUEST_PENDING'

async function cancellationsOf(shop: TikTokShop, id: string): Promise<readonly Fields[]> {
  const data = await search(shop, `${path}/search`, { page_size: 50 }, { order_ids: [id] })
  return data['cancellations'] == null ? [] : recordsIn(data, 'cancellations')
}

/** What the buyer has asked for is granted, and not done once more by the seller. */
async function approve(shop: TikTokShop, id: string): Promise<void> {
  await ask(shop, { method: 'POST', path: `${path}/${id}/approve`, body: {} })
}

async function callOff(
  shop: TikTokShop,
  order: Fields,
  { reason, items }: { reason: string | null; items: readonly string[] | null },
): Promise<void> {
  const body = { order_id: textIn(order, 'id'), cancel_reason: reasonFor(order, reason, shop) }
  await ask(shop, { method: 'POST', path, body: items === null ? body : { ...body, order_line_item_ids: items } })
}

/** So many pieces of single lines, which TikTok Shop allows in some countries. */
export const cancelLines = cancelLinesOnce<Settings, Credentials>(
  { get: getOrder, translate: toOrder },
  async (shop: TikTokShop, { order_remote_id: id, lines, reason }: WantedLineCancellation) => {
    const order = await needOrder(shop, id)
    const groups = groupsIn(order)
    const items = lines.flatMap(({ order_line_remote_id: line, quantity }) => {
      const pieces = groups.find((group) => group.id === line)?.items.filter((item) => !hasLeft(item) && !isOff(item))
      if (!pieces || pieces.length < quantity) throw refused(say('fewer_to_cancel', { quantity, line }))
      // The last ones: the first may be on their way into a parcel.
      return pieces.slice(pieces.length - quantity).map((item) => textIn(item, 'id'))
    })
    await callOff(shop, order, { reason, items })
  },
)

/** TikTok Shop's words, which differ by whether the order is paid; callers may use them, or say what they mean. */
const reasons: readonly (readonly [meant: RegExp, paid: string, unpaid: string])[] = [
  [/price|pricing/i, 'seller_cancel_reason_wrong_price', 'seller_cancel_unpaid_reason_wrong_price'],
  [
    ...([/address|deliver/i, 'seller_cancel_paid_reason_address_not_deliver'] as const),
    'seller_cancel_unpaid_reason_out_of_stock',
  ],
  [
    ...([/buyer|customer/i, 'seller_cancel_paid_reason_buyer_requested_cancellation'] as const),
    'seller_cancel_unpaid_reason_buyer_requested_cancellation',
  ],
  [/(?:)/, 'seller_cancel_reason_out_of_stock', 'seller_cancel_unpaid_reason_out_of_stock'],
]

function reasonFor(order: Fields, told: string | null, { settings: { region } }: TikTokShop): string {
  if (told !== null && /^seller_cancel_[a-z_]+$/.test(told)) return told
  const [, paid, unpaid] = reasons.find(([meant]) => meant.test(told ?? '')) ?? []
  const isUnpaid = textIn(order, 'status') === 'UNPAID'
  const word = (isUnpaid ? unpaid : paid) ?? ''
  return region === 'GB' && word === 'seller_cancel_reason_out_of_stock' ? `${word}_uk` : word
}
