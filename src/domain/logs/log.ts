import type { Wording } from '../../lib/words/wording.ts'
import type { JsonValue } from '../../runtime/db/tables.gen.ts'

/** What happened to an integration, for people. */
export const logLevels = ['info', 'warning', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

export interface IntegrationLog {
  integration_id: number
  id: number
  run_id: number | null
  level: LogLevel
  event: string
  message: string
  context: JsonValue
  /** What the message follows from; null for an entry from before there were codes, and for one that has been redacted. */
  code: string | null
  parameters: JsonValue
  at: string
}

export interface LogEntry {
  level: LogLevel
  /** Words with dots, such as `integration.installed`. */
  event: string
  /** Our own words, and no more than ids of what they are about: anybody with a copy of the database reads them. */
  words: Wording
  context?: Readonly<Record<string, unknown>> | null
  /** With the words of a shop, which may name anybody: sealed, and shown in the place of the message and with the context. */
  said?: { words?: Wording; context?: Readonly<Record<string, unknown>> }
  runId?: number | null
}

const secretName =
  /secret|password|passwd|token|credential|authorization|api[-_ ]?key|private[-_ ]?key|cookie|signature/i
const maxTextLength = 2000
const deepest = 8
const maxEntries = 100

/** The same without what must never be read again, and cut where it is endless. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.length > maxTextLength ? `${value.slice(0, maxTextLength)}…` : value
  if (typeof value !== 'object' || value === null) return value
  if (depth >= deepest) return '[…]'
  if (Array.isArray(value)) return value.slice(0, maxEntries).map((entry) => redact(entry, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, maxEntries)
      .map(([name, entry]) => [name, secretName.test(name) ? '[redacted]' : redact(entry, depth + 1)]),
  )
}
