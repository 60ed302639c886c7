import { Type } from 'typebox'
import type { AcknowledgementClock } from '../../../commerce/connector/parts.ts'
import { hoursAfter } from '../../../lib/timestamp.ts'
import { type Node, onEachNode } from '../../../runtime/db/citus/nodes.ts'
import { job } from '../../../runtime/jobs/job.ts'
import type { Context } from '../../context.ts'
import { connectedOfType } from '../../integrations/integration-store.ts'
import { appendLogs } from '../../logs/log-store.ts'
import { logWords } from '../../logs/log-words.ts'
import { emitAcknowledgementsDue } from '../order-events.ts'
import { integrationsWithDueOrders, takeDueOrders } from './due-order-store.ts'

const integrationsAtOnce = 100
const ordersAtOnce = 100

/** Some platforms count how long orders wait for their acknowledgement: in the last hour of it we say so, once an order. */
export const notifyDueAcknowledgements = job({
  name: 'notify-due-acknowledgements',
  input: Type.Object({}),
  oneAtATime: () => 'notify-due-acknowledgements',
  run: async (context: Context, _input, { signal }) => {
    await onEachNode(context, async (node) => {
      for (const [type, { acknowledgement }] of context.connectors) {
        if (acknowledgement?.clock) await notifyForType(context, type, { clock: acknowledgement.clock, node, signal })
      }
    })
  },
})

async function notifyForType(
  context: Context,
  type: string,
  { clock, node, signal }: { clock: AcknowledgementClock; node: Node; signal: AbortSignal },
): Promise<void> {
  for (let after = 0; ; ) {
    const ids = await connectedOfType(context.db, type, { after, limit: integrationsAtOnce, node })
    for (const id of await integrationsWithDueOrders(context.db, ids, clock)) {
      try {
        await notifyForIntegration(context, id, { clock, signal })
      } catch (error) {
        // Its orders are still unreported, so the next look finds them; the others need not wait for that.
        context.log.warn({ err: error, integration: id }, 'due acknowledgements could not be reported')
      }
    }
    const last = ids.at(-1)
    if (signal.aborted || last === undefined || ids.length < integrationsAtOnce) return
    after = last
  }
}

async function notifyForIntegration(
  context: Context,
  id: number,
  { clock, signal }: { clock: AcknowledgementClock; signal: AbortSignal },
): Promise<void> {
  let notified = ordersAtOnce
  while (notified === ordersAtOnce && !signal.aborted) notified = await notifySome(context, id, clock)
}

/** The mark, the log and the event commit together: an order has been reported, or will be. How many there were. */
const notifySome = (context: Context, id: number, clock: AcknowledgementClock): Promise<number> =>
  context.transaction(async (trx) => {
    const taken = await takeDueOrders(trx, id, { clock, limit: ordersAtOnce })
    const due = taken.flatMap((order) => {
      const acknowledgeBy = hoursAfter(order.placed_at, clock.hours)
      return acknowledgeBy === null ? [] : [{ ...order, acknowledge_by: acknowledgeBy }]
    })
    await appendLogs(
      trx,
      id,
      due.map(({ id: orderId, number, remote_id: remoteId, acknowledge_by: by }) => ({
        level: 'warning',
        event: 'order.acknowledgement_due',
        words: logWords('order.acknowledgement_due', { number: number ?? remoteId, at: by }),
        context: { order_id: orderId, number, remote_id: remoteId, acknowledge_by: by },
      })),
    )
    await emitAcknowledgementsDue(trx, id, due)
    return taken.length
  })
