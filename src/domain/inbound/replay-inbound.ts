import { invalidField } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { type InboundSummary, makeDue } from './inbound-list-store.ts'
import { announceInbound } from './inbound-store.ts'

/** Works on a message once more. What it brings is compared by version as ever, so that nothing newer is overwritten. */
export async function replayInbound(context: Context, delivery: InboundSummary): Promise<InboundSummary> {
  const { integration_id: integrationId, id } = delivery
  const due = await context.transaction(async (trx) => {
    const made = await makeDue(trx, integrationId, id)
    if (!made) throw invalidField('delivery', 'The content of the webhook is no longer stored.')
    await appendLog(trx, integrationId, {
      level: 'info',
      event: 'webhooks.replayed',
      words: logWords('webhooks.replayed'),
      context: { delivery: id },
    })
    return made
  })
  await announceInbound(context.reader, [integrationId])
  return due
}
