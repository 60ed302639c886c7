import type { ReturnList, ReturnQuery } from '../../../commerce/connector/parts.ts'
import type { RawPage } from '../../../commerce/connector/reads.ts'
import type { OrderReturn, RemoteReturn } from '../../../commerce/order.ts'
import {
  type Fields,
  fieldsOf,
  idIn,
  maybeText,
  numberIn,
  recordsIn,
  textIn,
  timeIn,
} from '../../../commerce/reading.ts'
import { bodyIn, criteria, type Filter, isId, isUnknownRoute, maxPageSize } from '../ask.ts'
import { written } from '../pages.ts'
import { type Credentials, type MagentoShop, pathOf, type Settings } from '../settings.ts'

/** Returns of Adobe Commerce. Magento Open Source knows none, and has no such address. */
export const returns: ReturnList<Settings, Credentials> = { list, translate: toReturns }

/** A return does not say when it changed: those that were asked for within these days are looked at each time. */
const openDays = 90
const dayMs = 86_400_000

async function list(shop: MagentoShop, { updatedSince, cursor, limit }: ReturnQuery): Promise<RawPage> {
  const from = updatedSince === null ? null : new Date(Date.parse(updatedSince) - openDays * dayMs).toISOString()
  const filters: Filter[] = [
    ...(from === null ? [] : [['date_requested', 'gteq', written(from.slice(0, 19))] as const]),
    ...(cursor !== null && isId(cursor) ? [['entity_id', 'gt', cursor] as const] : []),
  ]
  const query = criteria({ filters, sort: ['entity_id'], size: Math.min(limit, maxPageSize) })
  const answer = await shop.remote.request({ method: 'GET', path: pathOf(shop, 'returns'), query })
  if (isUnknownRoute(answer)) return { items: [], next: null, total: null }
  const body = fieldsOf(bodyIn(answer))
  const rows = body['items'] == null ? [] : recordsIn(body, 'items')
  const last = rows.at(-1)
  const next = last && rows.length < numberIn(body, 'total_count') ? idIn(last, 'entity_id') : null
  return { items: await withReasons(shop, rows), next, total: null }
}

/** Items name their reason by the number of an option. */
async function withReasons(shop: MagentoShop, rows: readonly Fields[]): Promise<Fields[]> {
  if (rows.length === 0) return []
  const path = pathOf(shop, 'returnsAttributeMetadata/reason')
  const answer = await shop.remote.request({ method: 'GET', path })
  const known = answer.status < 300 ? recordsIn({ options: [], ...fieldsOf(answer.body) }, 'options') : []
  return rows.map((row) => {
    const used = new Set(itemsIn(row).map((item) => maybeText(item, 'reason')))
    return { ...row, reasons: known.filter((option) => used.has(maybeText(option, 'value'))) }
  })
}

const itemsIn = (row: Fields): readonly Fields[] => (row['items'] == null ? [] : recordsIn(row, 'items'))

function toReturns(raw: unknown): RemoteReturn[] {
  const row = fieldsOf(raw)
  const requested = timeIn(row, 'date_requested')
  const reasons = new Map(
    recordsIn({ reasons: [], ...row }, 'reasons').map((one) => [maybeText(one, 'value'), maybeText(one, 'label')]),
  )
  return [
    {
      order_remote_id: idIn(row, 'order_id'),
      updated_at: requested,
      told: {
        remote_id: idIn(row, 'entity_id'),
        status: statusOf(row),
        remote_status: textIn(row, 'status'),
        requested_at: requested,
        lines: itemsIn(row).map((item) => ({
          order_line_remote_id: idIn(item, 'order_item_id'),
          quantity: numberIn(item, 'qty_requested'),
          reason: reasons.get(maybeText(item, 'reason')) ?? null,
        })),
      },
    },
  ]
}

/** Goods are looked at when they have come: then they are "approved" or "rejected", and the return is closed. */
const statuses: Readonly<Record<string, OrderReturn['status'] | undefined>> = {
  pending: 'requested',
  authorized: 'approved',
  partially_authorized: 'approved',
  received: 'received',
  received_on_item: 'partially_received',
  approved_on_item: 'partially_received',
  rejected_on_item: 'partially_received',
  closed: 'completed',
  processed_closed: 'completed',
}

/** A return of which every item was refused is closed like any other. */
function statusOf(row: Fields): OrderReturn['status'] {
  const items = itemsIn(row).map((item) => maybeText(item, 'status') ?? '')
  const isRefused = items.length > 0 && items.every((word) => word === 'denied' || word === 'rejected')
  const status = statuses[textIn(row, 'status')] ?? 'unknown'
  return status === 'completed' && isRefused ? 'declined' : status
}
