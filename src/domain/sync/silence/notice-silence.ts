import type { Db } from '../../../runtime/db/connection.ts'
import { checkSoon, markComplete, readMessages, setMessages } from '../../integrations/messages-store.ts'
import { appendLog } from '../../logs/log-store.ts'
import { logWords } from '../../logs/log-words.ts'
import type { Claim } from '../../runs/run-store.ts'
import type { Passes } from '../completeness.ts'
import { hasHeardSince, type Unreported, unreportedBefore } from './unreported-store.ts'

/**
 * What a read for news has found although no message told of it: the webhooks of the shop are looked at at once, and the
 * integration says so until a later read finds nothing of the kind. `tellsNew`: its platform reports new orders.
 */
export async function noticeSilence(
  trx: Db,
  { integrationId, id: runId }: Claim,
  { passes, tellsNew }: { passes: Passes; tellsNew: boolean },
): Promise<void> {
  const news = passes.filter(([kind, { mode }]) => kind === 'orders' && mode === 'incremental')
  if (news.length === 0) return
  const [now] = news.flatMap(([, { unreported }]) => (unreported ? [unreported] : []))
  const found = now ?? (tellsNew ? await foundEarlier(trx, integrationId) : null)
  if (!found) {
    if (!news.some(([, { undecided }]) => undecided)) await markComplete(trx, integrationId)
    return
  }
  const { count, since } = found
  const state = (await hasHeardSince(trx, integrationId, since)) ? 'late' : 'not_arriving'
  await setMessages(trx, integrationId, state, { since })
  await checkSoon(trx, integrationId)
  await appendLog(trx, integrationId, {
    level: 'warning',
    event: 'webhooks.silent',
    words: logWords('webhooks.silent', { orders: count }),
    context: { count, since },
    runId,
  })
}

async function foundEarlier(trx: Db, integrationId: number): Promise<Unreported | null> {
  const { state, since } = await readMessages(trx, integrationId)
  return state === 'none' || since === null ? null : await unreportedBefore(trx, integrationId, since)
}
