import { compareDecimals, decimal } from '../../commerce/decimal.ts'
import { type Fields, idIn, maybeFields, recordsIn, textIn } from '../../commerce/reading.ts'
import { askList } from './ask.ts'
import type { WixShop } from './settings.ts'

/** Parcels and refunds are no part of an order: of a whole page of orders they cost one question each. */
export async function withParcelsAndRefunds(shop: WixShop, orders: readonly Fields[]): Promise<Fields[]> {
  const parcels = await partsOf(shop, orders.filter(isSent), {
    ...{ path: '/ecom/v1/fulfillments/list-by-ids', list: 'ordersWithFulfillments', part: 'fulfillments' },
  })
  const refunds = await partsOf(shop, orders.filter(isPaidBack), {
    ...{ path: '/ecom/v1/payments/list-by-ids', list: 'orderTransactions', part: 'refunds' },
  })
  return orders.map((order) => {
    const id = textIn(order, 'id')
    return { ...order, fulfillments: parcels.get(id) ?? [], refunds: refunds.get(id) ?? [] }
  })
}

const isSent = ({ fulfillmentStatus }: Fields): boolean => fulfillmentStatus !== 'NOT_FULFILLED'

const isPaidBack = (order: Fields): boolean => {
  const balance = maybeFields(order, 'balanceSummary') ?? {}
  const amounts = ['refunded', 'pendingRefund'].map((name) => maybeFields(balance, name)?.['amount'] ?? '0')
  return /REFUND/.test(String(order['paymentStatus'])) || amounts.some((one) => compareDecimals(decimal(one), '0') > 0)
}

async function partsOf(
  shop: WixShop,
  orders: readonly Fields[],
  { path, list, part }: { path: string; list: string; part: string },
): Promise<ReadonlyMap<string, readonly Fields[]>> {
  if (orders.length === 0) return new Map()
  const body = await askList(shop, path, { orderIds: orders.map((order) => textIn(order, 'id')) })
  const rows = body[list] == null ? [] : recordsIn(body, list)
  return new Map(rows.map((row) => [idIn(row, 'orderId'), row[part] == null ? [] : recordsIn(row, part)]))
}
