import type { JsonValue } from '../../runtime/db/tables.gen.ts'

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
