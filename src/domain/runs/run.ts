import type { Wording } from '../../lib/words/wording.ts'
import type { JsonValue } from '../../runtime/db/tables.gen.ts'
import type { LogEntry } from '../logs/log.ts'
import { actionWords, logWords } from '../logs/log-words.ts'

/** A piece of long work on one integration. */
export interface Run {
  integration_id: number
  id: number
  resource: string
  status: RunStatus
  input: JsonValue
  done: number
  total: number | null
  result: JsonValue
  error: string | null
  /** What the error follows from; null where a shop has said it. */
  reason: JsonValue
  /** Seconds that it will still take; null where unknown. */
  estimated_seconds: number | null
  /** How often it has waited in a row for the shop, which was away: progress puts it back to 0. */
  waits: number
  created_at: string
  started_at: string | null
  finished_at: string | null
}

export const runStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const
export type RunStatus = (typeof runStatuses)[number]

/** In the clear of a run that has failed, and in its event. Why it has may be the words of a shop: that is sealed. */
export const failedRun = logWords('run.failed')

/** For the log: why a run has failed may be the words of a shop. */
export const wordsOfEnd = (
  end: { status: 'completed' } | { status: 'failed' | 'cancelled'; error: string | Wording },
  /** What came of it. */
  completed: Wording,
): Pick<LogEntry, 'words' | 'said'> => {
  if (end.status === 'completed') return { words: completed }
  const { error: reason } = end
  return end.status === 'cancelled'
    ? { words: logWords('run.cancelled_because', { reason }) }
    : { words: failedRun, said: { words: logWords('run.failed_because', { reason }) } }
}

const done: Readonly<Record<string, Wording>> = {
  sync_orders: logWords('synced_orders'),
  sync_products: logWords('synced_products'),
  sync_inventory: logWords('synced_inventory'),
  reconcile: logWords('reconciled'),
}

/** "Orders synced: 25 read, 3 new." Which run it was, and what came of it, so that no two lines of a log are alike without reason. */
export function completedWords(resource: string, counts: Readonly<Record<string, number>> = {}): Wording {
  const what = done[resource]
  if (what === undefined) return logWords('run.completed', { action: actionWords(resource) })
  const { read = 0, inserted = 0, updated = 0, deleted = 0, set_aside = 0 } = counts
  if (inserted + updated + deleted + set_aside === 0) return logWords('run.nothing_new', { what, read })
  return logWords('run.synced', { what, read, inserted, updated, deleted, set_aside })
}
