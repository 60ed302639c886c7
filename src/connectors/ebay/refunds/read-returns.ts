import type { ReturnList, ReturnQuery } from '../../../commerce/connector/parts.ts'
import type { RawPage } from '../../../commerce/connector/reads.ts'
import type { OrderReturn, RemoteReturn } from '../../../commerce/order.ts'
import {
  fieldsIn,
  fieldsOf,
  idIn,
  maybeFields,
  maybeText,
  numberIn,
  recordsIn,
  textIn,
  timeIn,
} from '../../../commerce/reading.ts'
import { shopAway } from '../../../commerce/remote.ts'
import { bodyOf, postOrder, request } from '../ask.ts'
import type { Credentials, EbayShop, Settings } from '../settings.ts'

/** Requests of buyers, by the older Post-Order API. Two hours apart: all sellers of an app share its calls of a day. */
export const returns: ReturnList<Settings, Credentials> = { list, translate: toReturns, everyMinutes: 120 }

const dayMs = 86_400_000
/** eBay does not say what changed: those that were made within these days are looked at each time. It takes no longer time at once. */
const windowMs = 89 * dayMs
/** Older ones are not told: eighteen months. A week less, since months differ. */
const oldestMs = 540 * dayMs
const maxReturns = 100
const leastMs = 60_000

/** Time after time, each so short that what it holds comes at once: nobody says how eBay counts pages. */
async function list(shop: EbayShop, { updatedSince, cursor, limit }: ReturnQuery): Promise<RawPage> {
  // The sandbox of eBay has no such list.
  if (shop.settings.environment === 'sandbox') return { items: [], next: null, total: null }
  const [, begin, length] = /^(\d{1,14})\|(\d{1,14})$/.exec(cursor ?? '') ?? []
  const from =
    begin === undefined ? (updatedSince === null ? null : Date.parse(updatedSince) - windowMs) : Number(begin)
  const width = Math.max(leastMs, Number(length ?? windowMs))
  // What time it is there says the first answer.
  const { rows, total, now } = await ask(shop, { from, to: from === null ? null : from + width - 1, limit })
  const next = (at: number, wide: number) => `${at}|${Math.min(windowMs, Math.ceil(wide))}`
  if (from === null) return { items: [], next: next(now - oldestMs, windowMs), total: null }
  if (total > rows.length && width > leastMs) return { items: [], next: next(from, width / 2), total: null }
  return { items: rows, next: from + width > now ? null : next(from + width, width * 2), total: null }
}

async function ask(shop: EbayShop, { from, to, limit }: { from: number | null; to: number | null; limit: number }) {
  const time = (at: number) => new Date(at).toISOString()
  const range =
    from === null || to === null ? {} : { creation_date_range_from: time(from), creation_date_range_to: time(to) }
  const answer = await request(shop, {
    path: `${postOrder}/return/search`,
    query: { role: 'SELLER', limit: String(Math.min(limit, maxReturns)), ...range },
    headers: { 'x-ebay-c-marketplace-id': 'EBAY_US' },
  })
  const body = fieldsOf(bodyOf(answer))
  const now = Date.parse(answer.headers['date'] ?? '')
  if (Number.isNaN(now)) throw shopAway(60)
  const rows = body['members'] == null ? [] : recordsIn(body, 'members')
  const pages = maybeFields(body, 'paginationOutput')
  return {
    rows,
    total: pages === null ? rows.length : numberIn({ totalEntries: rows.length, ...pages }, 'totalEntries'),
    now,
  }
}

/** One article of an order each, which is named by its listing. */
function toReturns(raw: unknown): RemoteReturn[] {
  const request = fieldsOf(raw)
  const made = fieldsIn(request, 'creationInfo')
  const item = fieldsIn(made, 'item')
  const requested = timeIn(fieldsIn(made, 'creationDate'), 'value')
  const word = textIn(request, 'status')
  return [
    {
      order_remote_id: textIn(request, 'orderId'),
      updated_at: requested,
      told: {
        remote_id: idIn(request, 'returnId'),
        status: statuses[word] ?? 'unknown',
        remote_status: word,
        requested_at: requested,
        lines: [
          {
            order_line_remote_id: null,
            quantity: numberIn({ returnQuantity: 1, ...item }, 'returnQuantity'),
            reason: maybeText(made, 'reason'),
          },
        ],
      },
    },
  ]
}

const all = (words: readonly string[], status: OrderReturn['status']) =>
  Object.fromEntries(words.map((word) => [word, status]))

/** What the two sides still talk about is requested; what eBay decides is unknown until it has. */
const statuses: Readonly<Record<string, OrderReturn['status'] | undefined>> = {
  ...all(['RETURN_REQUESTED', 'RETURN_REQUESTED_TIMEOUT', 'REPLACEMENT_REQUESTED'], 'requested'),
  ...all(['PARTIAL_REFUND_REQUESTED', 'PARTIAL_REFUND_DECLINED', 'PARTIAL_REFUND_FAILED'], 'requested'),
  ...all(['READY_FOR_SHIPPING', 'RETURN_LABEL_REQUESTED', 'WAITING_FOR_RETURN_LABEL', 'ITEM_SHIPPED'], 'approved'),
  ...all(['WAITING_FOR_RMA', 'REPLACEMENT_WAITING_FOR_RMA', 'REPLACEMENT_LABEL_REQUESTED'], 'approved'),
  ...all(['ITEM_DELIVERED', 'LESS_THAN_A_FULL_REFUND_ISSUED'], 'received'),
  ...all(['CLOSED', 'REPLACED', 'REPLACEMENT_CLOSED', 'REPLACEMENT_DELIVERED'], 'completed'),
  RETURN_REJECTED: 'declined',
}
