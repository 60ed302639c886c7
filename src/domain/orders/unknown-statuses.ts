import { isUnknownStatus } from '../../commerce/rules/unknown-status.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { appendLog } from '../logs/log-store.ts'
import type { SyncedOrder } from './order.ts'

const maxNamed = 10

/** Orders that are held because nobody has said what their status means: whoever reads the log can say it. */
export async function logUnknownStatuses(
  trx: Db,
  integrationId: number,
  { rows, runId }: { rows: readonly SyncedOrder[]; runId: number | null },
): Promise<void> {
  const held = rows.filter(({ hold_reason: reason }) => isUnknownStatus(reason))
  if (held.length === 0) return
  const reasons = [...new Set(held.flatMap(({ hold_reason: reason }) => reason ?? []))]
  await appendLog(trx, integrationId, {
    level: 'warning',
    event: 'orders.unknown_status',
    message: `${held.length} orders are on hold: ${reasons.slice(0, maxNamed).join('; ')}.`,
    context: { remote_ids: held.slice(0, maxNamed).map(({ remote_id: id }) => id) },
    ...(runId === null ? {} : { runId }),
  })
}
