import type { LogEntry } from '../../logs/log.ts'
import type { Quarantined } from './quarantine-store.ts'

const maxNamed = 10

/** What the log says of them: which they are, and sealed why. */
export function recordsSetAside(records: readonly Quarantined[]): Required<Pick<LogEntry, 'context' | 'said'>> {
  const named = records.slice(0, maxNamed)
  return {
    context: { records: named.map(({ key }) => ({ remote_id: key })) },
    said: { context: { records: named.map(({ key, reason }) => ({ remote_id: key, reason })) } },
  }
}
