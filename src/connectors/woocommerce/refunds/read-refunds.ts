import { decimal, sum } from '../../../commerce/decimal.ts'
import { digitsOf } from '../../../commerce/money.ts'
import type { OrderFee, OrderRefund } from '../../../commerce/order.ts'
import {
  arrayIn,
  bodyOf,
  type Fields,
  fieldsOf,
  idIn,
  maybeText,
  maybeTime,
  numberIn,
  recordsIn,
} from '../../../commerce/reading.ts'
import { chunks } from '../../../lib/chunks.ts'
import { listAll, maxPageSize, partOfSite } from '../pages.ts'
import { root, type WooShop } from '../settings.ts'
import { maybeName } from '../values.ts'

/** Orders say how much went back; what for is asked besides. */
export const hasRefunds = (order: Fields): boolean => recordsIn({ refunds: [], ...order }, 'refunds').length > 0

/** Orders with their refunds in full under `refund_records`, where they have any: a request for all of a page. */
export async function withRefunds(shop: WooShop, orders: readonly Fields[]): Promise<Fields[]> {
  const ids = orders.flatMap((order) => refundIds(order))
  const listed = ids.length > 0 ? await refundsById(shop, ids) : new Map<string, Fields>()
  const complete: Fields[] = []
  for (const order of orders) {
    const own = listed ? refundIds(order).flatMap((id) => listed.get(id) ?? []) : await refundsIn(shop, order)
    complete.push(own.length > 0 ? { ...order, refund_records: own } : order)
  }
  return complete
}

const refundIds = (order: Fields): string[] =>
  recordsIn({ refunds: [], ...order }, 'refunds').flatMap((refund) => (refund['id'] == null ? [] : idIn(refund, 'id')))

const askList = partOfSite()

/** Null where the shop does not list them: before WooCommerce 9.0, each order is asked. */
async function refundsById(shop: WooShop, ids: readonly string[]): Promise<Map<string, Fields> | null> {
  const found = new Map<string, Fields>()
  for (const some of chunks(ids, maxPageSize)) {
    const include = some.join(',')
    const query = { include, per_page: maxPageSize }
    const answer = await askList(shop, { method: 'GET', path: `${root}/refunds`, query })
    if (answer === null) return null
    for (const refund of arrayIn({ rows: bodyOf(answer) }, 'rows').map(fieldsOf)) found.set(idIn(refund, 'id'), refund)
  }
  return found
}

const refundsIn = async (shop: WooShop, order: Fields): Promise<readonly Fields[]> =>
  hasRefunds(order) ? await listAll(shop, `${root}/orders/${idIn(order, 'id')}/refunds`) : []

const unsigned = (amount: string): string => amount.replace(/^-/, '')

/** The newest first. The shop sorts them by the second alone: those of one second come now this way, now that. */
const inOrder = (refunds: readonly Fields[]): readonly Fields[] =>
  refunds.toSorted((one, other) => Number(other['id'] ?? 0) - Number(one['id'] ?? 0))

/** Amounts are below zero there, with their tax beside them. */
export function refundsOf(order: Fields, currency: string): OrderRefund[] {
  const digits = digitsOf(currency)
  const full = new Map(
    recordsIn({ refund_records: [], ...order }, 'refund_records').map((one) => [idIn(one, 'id'), one]),
  )
  return inOrder(recordsIn(order, 'refunds')).map((refund) => {
    const record = refund['id'] == null ? undefined : full.get(idIn(refund, 'id'))
    return {
      remote_id: refund['id'] == null ? null : idIn(refund, 'id'),
      amount: { amount: unsigned(decimal(refund['total'], digits)), currency },
      reason: maybeText(refund, 'reason'),
      refunded_at: record ? maybeTime(record, 'date_created_gmt') : null,
      lines: record ? recordsIn(record, 'line_items').flatMap((line) => lineOf(line, currency)) : [],
    }
  })
}

function lineOf(line: Fields, currency: string): OrderRefund['lines'] {
  const digits = digitsOf(currency)
  const sold = recordsIn(line, 'meta_data').find(({ key }) => key === '_refunded_item_id')
  if (!sold) return []
  const amount = sum([decimal(line['total'], digits), decimal(line['total_tax'] ?? '0', digits)], digits)
  return [
    {
      order_line_remote_id: typeof sold['value'] === 'number' ? String(sold['value']) : idIn(sold, 'value'),
      quantity: Math.abs(numberIn(line, 'quantity')),
      amount: { amount: unsigned(amount), currency },
    },
  ]
}

/** Without tax, as everything but the total. */
export const feesOf = (order: Fields, currency: string): OrderFee[] =>
  recordsIn({ fee_lines: [], ...order }, 'fee_lines').map((fee) => ({
    remote_id: idIn(fee, 'id'),
    title: maybeName(fee, 'name') ?? 'Fee',
    amount: { amount: decimal(fee['total'], digitsOf(currency)), currency },
    tax: { amount: decimal(fee['total_tax'] ?? '0', digitsOf(currency)), currency },
  }))
