import { decimal, sum } from '../../commerce/decimal.ts'
import { digitsOf } from '../../commerce/money.ts'
import type { OrderFee, OrderRefund } from '../../commerce/order.ts'
import { type Fields, idIn, maybeText, maybeTime, numberIn, recordsIn } from '../../commerce/reading.ts'
import { listAll } from './pages.ts'
import { root, type WooShop } from './settings.ts'

/** Orders say how much went back; what for is asked besides. */
export const hasRefunds = (order: Fields): boolean => recordsIn({ refunds: [], ...order }, 'refunds').length > 0

/** With its refunds in full under `refund_records`, where it has any. */
export async function withRefunds(shop: WooShop, order: Fields): Promise<Fields> {
  if (!hasRefunds(order)) return order
  return { ...order, refund_records: await listAll(shop, `${root}/orders/${idIn(order, 'id')}/refunds`) }
}

const unsigned = (amount: string): string => amount.replace(/^-/, '')

/** Amounts are below zero there, with their tax beside them. */
export function refundsOf(order: Fields, currency: string): OrderRefund[] {
  const digits = digitsOf(currency)
  const full = new Map(
    recordsIn({ refund_records: [], ...order }, 'refund_records').map((one) => [idIn(one, 'id'), one]),
  )
  return recordsIn(order, 'refunds').map((refund) => {
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
    title: maybeText(fee, 'name') ?? 'Fee',
    amount: { amount: decimal(fee['total'], digitsOf(currency)), currency },
    tax: { amount: decimal(fee['total_tax'] ?? '0', digitsOf(currency)), currency },
  }))
