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
): Pick<LogEntry, 'message' | 'said'> => {
  if (end.status === 'completed') return { message: 'Run completed.' }
  return end.status === 'cancelled' ? { message: end.error } : { message: failedWords, said: { message: end.error } }
}
