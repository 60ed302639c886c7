import type { ReturnList, ReturnQuery } from '../../../commerce/connector/parts.ts'
import type { RawPage } from '../../../commerce/connector/reads.ts'
import type { OrderReturn, RemoteReturn } from '../../../commerce/order.ts'
import { type Fields, fieldsOf, maybeText, numberIn, recordsIn, textIn, timeOfUnix } from '../../../commerce/reading.ts'
import { search } from '../ask.ts'
import type { Credentials, Settings, TikTokShop } from '../settings.ts'

/** Orders say nothing of what comes back. */
export const returns: ReturnList<Settings, Credentials> = { list, translate: toReturns }

const maxReturns = 50

/** The next page is named by a token; those who write other things into a cursor begin anew. */
async function list(shop: TikTokShop, { updatedSince, cursor }: ReturnQuery): Promise<RawPage> {
  const since = updatedSince === null ? undefined : Math.floor(Date.parse(updatedSince) / 1000)
  const data = await search(
    shop,
    '/return_refund/202309/returns/search',
    { page_size: maxReturns, sort_field: 'update_time', sort_order: 'ASC', page_token: cursor },
    { update_time_ge: since },
  )
  const items = data['return_orders'] == null ? [] : recordsIn(data, 'return_orders')
  return { items, next: items.length === 0 ? null : maybeText(data, 'next_page_token'), total: null }
}

const statuses: Readonly<Record<string, OrderReturn['status']>> = {
  RETURN_OR_REFUND_REQUEST_PENDING: 'requested',
  REPLACEMENT_REQUEST_PENDING: 'requested',
  AWAITING_BUYER_RESPONSE: 'requested',
  AWAITING_BUYER_SHIP: 'approved',
  BUYER_SHIPPED_ITEM: 'approved',
  RETURN_OR_REFUND_REQUEST_SUCCESS: 'approved',
  RETURN_OR_REFUND_REQUEST_COMPLETE: 'completed',
  REPLACEMENT_REQUEST_COMPLETE: 'completed',
  REPLACEMENT_REQUEST_REFUND_SUCCESS: 'completed',
  REFUND_OR_RETURN_REQUEST_REJECT: 'declined',
  REPLACEMENT_REQUEST_REJECT: 'declined',
  REJECT_RECEIVE_PACKAGE: 'declined',
  RETURN_OR_REFUND_REQUEST_CANCEL: 'cancelled',
  REPLACEMENT_REQUEST_CANCEL: 'cancelled',
}

/** Where only money goes back, nothing is sent. Pieces are told one by one, and our lines are of several: by their SKU. */
function toReturns(raw: unknown): RemoteReturn[] {
  const one = fieldsOf(raw)
  const [id, status] = [textIn(one, 'return_id'), textIn(one, 'return_status')]
  const order = textIn(one, 'order_id')
  if (maybeText(one, 'return_type') === 'REFUND') return []
  const items = one['return_line_items'] == null ? [] : recordsIn(one, 'return_line_items')
  const bySku = [...Map.groupBy(items, (item: Fields) => maybeText(item, 'seller_sku'))]
  const reason = maybeText(one, 'return_reason_text') ?? maybeText(one, 'return_reason')
  return [
    {
      order_remote_id: order,
      updated_at: timeOfUnix(numberIn(one, 'update_time')),
      told: {
        remote_id: id,
        status: (Object.hasOwn(statuses, status) ? statuses[status] : undefined) ?? 'unknown',
        remote_status: status,
        requested_at: timeOfUnix(numberIn(one, 'create_time')),
        lines: bySku.map(([, some]) => ({ order_line_remote_id: null, quantity: some.length, reason })),
      },
      skus: bySku.map(([sku]) => sku),
    },
  ]
}
