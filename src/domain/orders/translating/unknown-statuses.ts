import { unknownStatusIn } from '../../../commerce/rules/unknown-status.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { appendLog } from '../../logs/log-store.ts'
import { logWords } from '../../logs/log-words.ts'
import type { SyncedOrder } from '../order.ts'

const maxNamed = 10

/** Orders that are held because nobody has said what their status means: whoever reads the log can say it. */
export async function logUnknownStatuses(
  trx: Db,
  integrationId: number,
  { rows, runId }: { rows: readonly SyncedOrder[]; runId: number | null },
): Promise<void> {
  const held = rows.filter(({ hold_reason: reason }) => unknownStatusIn(reason) !== null)
  if (held.length === 0) return
  const reasons = [...new Set(held.map(({ hold_reason: reason }) => reason))].slice(0, maxNamed).flatMap((reason) => {
    const unknown = unknownStatusIn(reason)
    return unknown ? [logWords('unknown_status', unknown)] : []
  })
  await appendLog(trx, integrationId, {
    level: 'warning',
    event: 'orders.unknown_status',
    words: logWords('orders.unknown_status', { orders: held.length, reasons }),
    context: { remote_ids: held.slice(0, maxNamed).map(({ remote_id: id }) => id) },
    ...(runId === null ? {} : { runId }),
  })
}
