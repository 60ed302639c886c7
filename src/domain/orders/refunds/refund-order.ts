import type { LineCancellationDraft, RefundDraft } from '../../../commerce/refund.ts'
import type { Context } from '../../context.ts'
import type { Integration } from '../../integrations/integration.ts'
import { inShopOf } from '../changes/in-shop.ts'
import type { Order } from '../order.ts'
import { cancelLinesInShop, refundInShop } from './refund-in-shop.ts'

interface Wanted<Draft> {
  order: Pick<Order, 'remote_id' | 'remote_version'>
  draft: Omit<Draft, 'order_remote_id'>
  force: boolean | undefined
  workKey: string | null
}

/** A refund of an order that we hold, in its shop. */
export const refundOrder = (
  context: Context,
  integration: Integration,
  { order, draft, force, workKey }: Wanted<RefundDraft>,
): Promise<void> =>
  inShopOf(context, integration, { order, workKey }, ({ refunds }) => refunds, {
    missing: 'This platform does not let orders be refunded through its API.',
    work: (open, refunds) =>
      refundInShop(open, refunds, {
        draft: { ...draft, order_remote_id: order.remote_id },
        force,
        field: 'order',
      }),
  })

/** Single lines of an order that we hold, called off in its shop. */
export const cancelOrderLines = (
  context: Context,
  integration: Integration,
  { order, draft, force, workKey }: Wanted<LineCancellationDraft>,
): Promise<void> =>
  inShopOf(context, integration, { order, workKey }, ({ orders }) => orders?.cancelLines, {
    missing: 'This platform does not let single lines of an order be cancelled.',
    work: (open, cancelLines) =>
      cancelLinesInShop(open, cancelLines, {
        draft: { ...draft, order_remote_id: order.remote_id },
        force,
        field: 'order',
      }),
  })
