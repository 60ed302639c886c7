import type { Operation, Orders, Refunds } from '../../commerce/connector/parts.ts'
import type { Definition } from '../../commerce/definition/definition.ts'
import { bodyOf } from '../../commerce/reading.ts'
import { paidFor, type WantedRefund } from '../../commerce/refund.ts'
import type { AnyFields, Shop } from '../../commerce/shop.ts'
import { refundOnce } from '../../commerce/wire/refund-once.ts'
import { put, requestFrom, type Tree } from './ask.ts'
import type { OrderRules } from './translate-order.ts'
import { moneyThere } from './values.ts'

type Rules = NonNullable<Definition['refunds']>['create']

/** Money goes back as the description says; after an answer that got lost the order tells, unless the service itself knows. */
export function refundsOf(
  orders: Orders<AnyFields, AnyFields>,
  { refunds: shown }: OrderRules,
  rules: Rules,
): Refunds<AnyFields, AnyFields> {
  const pay = (shop: Shop, refund: WantedRefund, operation: { id: string }) => send(shop, rules, refund, operation)
  // Ours is told from others by its reason, where that is both written and read.
  const isNamed = says(rules, 'reason') && shown?.fields.reason !== undefined
  const once = refundOnce(orders, pay, isNamed ? 'reason' : 'nothing')
  return {
    by: [...(says(rules, 'amount') ? ['amount' as const] : []), ...(rules.lines ? ['lines' as const] : [])],
    restock: says(rules, 'restock'),
    paidFor,
    create: rules.idempotency_header === undefined ? once : { repeatable: true, send: once.send },
  }
}

/** Whether one of our fields is sent at all. */
const says = ({ body = [], query = [], headers = [] }: Rules, name: string): boolean =>
  body.some(({ field, template }) => field === name || template?.includes(`{${name}}`)) ||
  [...query, ...headers].some(({ value }) => value.includes(`{${name}}`))

async function send(shop: Shop, rules: Rules, refund: WantedRefund, { id }: Pick<Operation, 'id'>): Promise<void> {
  const { order_remote_id: orderId, amount, currency, reason, restock, notify_customer: notify } = refund
  const fields = { id: orderId, amount, currency, reason, restock, notify_customer: notify ?? null, operation_id: id }
  const request = requestFrom(rules, fields, { id: orderId })
  const body = withLines(rules, request.body, refund)
  const header = rules.idempotency_header?.toLowerCase()
  bodyOf(
    await shop.remote.request({
      ...request,
      ...(body && { body }),
      ...(header && { headers: { ...request.headers, [header]: id }, repeatable: true }),
    }),
  )
}

function withLines({ lines: rules }: Rules, body: Tree | undefined, { lines, currency }: WantedRefund) {
  if (!rules || lines.length === 0) return body
  const whole = body ?? {}
  const entries = lines.map((line) => {
    const entry: Tree = {}
    put(entry, rules.order_line_remote_id, line.order_line_remote_id)
    put(entry, rules.quantity, line.quantity)
    if (rules.amount !== undefined) put(entry, rules.amount, moneyThere({ amount: line.amount, currency }, rules.money))
    return entry
  })
  put(whole, rules.path, entries)
  return whole
}
