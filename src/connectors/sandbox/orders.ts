import type { Acknowledgement, Orders, Refunds } from '../../commerce/connector/parts.ts'
import { toMinorUnits } from '../../commerce/money.ts'
import { paidFor } from '../../commerce/refund.ts'
import { cancelLinesOnce, refundOnce } from '../../commerce/wire/refund-once.ts'
import { say } from '../../commerce/words/say.ts'
import { listOf, readOne, readPage, write, writeOnce } from './pages.ts'
import type { Credentials, Settings } from './settings.ts'
import { statuses, toOrder } from './translate-order.ts'

const read = { get: readOne('/orders'), translate: toOrder }

export const orders: Orders<Settings, Credentials> = {
  list: readPage('/orders'),
  ...read,
  statuses: async () => statuses,
  create: {
    repeatable: true,
    send: async (shop, draft, operation) => {
      const body = { ...draft, reference: draft.reference ?? operation.id }
      return toOrder(await write(shop, 'POST', '/orders', body, operation))
    },
  },
  takes: ['shipping_method', 'shipping_total', 'tax_total', 'prices_include_tax', 'paid'],
  cancel: {
    repeatable: true,
    send: async (shop, { remoteId, reason }, operation) =>
      toOrder(await write(shop, 'POST', `/orders/${encodeURIComponent(remoteId)}/cancel`, { reason }, operation)),
  },
  cancelLines: cancelLinesOnce(read, (shop, { order_remote_id: id, lines }, operation) =>
    writeOnce(shop, `/orders/${encodeURIComponent(id)}/cancel-lines`, { lines: lines.map(toPart) }, operation),
  ),
}

export const acknowledgement: Acknowledgement<Settings, Credentials> = {
  repeatable: true,
  send: async (shop, { remoteIds }, operation) => {
    const body = await write(shop, 'POST', '/orders/acknowledge', { orders: remoteIds }, operation)
    const known = new Set(listOf(body).items)
    return remoteIds.map((remoteId) => {
      const ok = known.has(remoteId)
      return { remoteId, ok, error: ok ? null : say('no_such_order').text }
    })
  },
}

const toPart = ({ order_line_remote_id: line, quantity }: { order_line_remote_id: string; quantity: number }) => ({
  line,
  quantity,
})

export const refunds: Refunds<Settings, Credentials> = {
  by: ['amount', 'lines'],
  restock: true,
  paidFor,
  create: refundOnce(read, (shop, { order_remote_id: id, amount, currency, lines, reason, restock }, operation) => {
    const what = lines.length > 0 ? { lines: lines.map(toPart) } : { amount: toMinorUnits({ amount, currency }) }
    return writeOnce(shop, `/orders/${encodeURIComponent(id)}/refunds`, { ...what, reason, restock }, operation)
  }),
}
