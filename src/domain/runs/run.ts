import type { JsonValue } from '../../runtime/db/tables.gen.ts'
import type { LogEntry } from '../logs/log.ts'

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
export const failedWords = 'The run failed.'

/** For the log: why a run has failed may be the words of a shop. */
export const wordsOfEnd = (
  end: { status: 'completed' } | { status: 'failed' | 'cancelled'; error: string },
  /** What came of it. */
  completed: string,
): Pick<LogEntry, 'message' | 'said'> => {
  if (end.status === 'completed') return { message: completed }
  return end.status === 'cancelled' ? { message: end.error } : { message: failedWords, said: { message: end.error } }
}

const done: Readonly<Record<string, string>> = {
  sync_orders: 'Orders synced',
  sync_products: 'Products synced',
  sync_inventory: 'Stock synced',
  reconcile: 'Compared with the shop',
}

/** "Orders synced: 25 read, 3 new." Which run it was, and what came of it, so that no two lines of a log are alike without reason. */
export function completedWords(resource: string, counts: Readonly<Record<string, number>> = {}): string {
  const title = done[resource] ?? `Completed: ${resource.replaceAll('_', ' ')}`
  const { read = 0, inserted = 0, updated = 0, deleted = 0, set_aside: aside = 0 } = counts
  const parts = [
    [inserted, 'new'],
    [updated, 'changed'],
    [deleted, 'removed'],
    [aside, 'quarantined'],
  ] as const
  const said = parts.filter(([n]) => n > 0).map(([n, word]) => `${n.toLocaleString('en')} ${word}`)
  if (done[resource] === undefined) return `${title}.`
  return `${title}: ${[`${read.toLocaleString('en')} read`, ...(said.length === 0 ? ['nothing new'] : said)].join(', ')}.`
}
