import type { Connector } from '../../../commerce/connector.ts'
import type { LineCancellationDraft, RefundDraft } from '../../../commerce/refund.ts'
import { invalidField } from '../../../lib/fault.ts'
import type { Context } from '../../context.ts'
import type { Integration } from '../../integrations/integration.ts'
import { useShop } from '../../shop/use-shop.ts'
import { isKnownToShop, type Order } from '../order.ts'
import { cancelLinesInShop, type Opened, refundInShop } from './refund-in-shop.ts'

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
  inShop(context, integration, { order, workKey }, ({ refunds }) => refunds, {
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
  inShop(context, integration, { order, workKey }, ({ orders }) => orders?.cancelLines, {
    missing: 'This platform does not let single lines of an order be cancelled.',
    work: (open, cancelLines) =>
      cancelLinesInShop(open, cancelLines, {
        draft: { ...draft, order_remote_id: order.remote_id },
        force,
        field: 'order',
      }),
  })

async function inShop<Part>(
  context: Context,
  integration: Integration,
  { order, workKey }: Pick<Wanted<unknown>, 'order' | 'workKey'>,
  choose: (connector: Connector) => Part | undefined,
  { missing, work }: { missing: string; work: (open: Opened, part: Part) => Promise<unknown> },
): Promise<void> {
  if (!isKnownToShop(order)) throw invalidField('order', 'The order is kept here only: its shop does not have it.')
  const { db, transaction } = context
  const integrationId = integration.id
  const done = await useShop(context, integration, choose, async (shop, part, write, connector) => {
    await work({ integrationId, connector, shop, write, db, transaction, workKey }, part)
    return true
  })
  if (done === null) throw invalidField('order', missing)
}
