import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import { type ListPlan, ofIntegration } from '../../runtime/db/lists/paginate.ts'
import { type IntegrationLog, type LogEntry, redact } from './log.ts'

const columns = ['integration_id', 'id', 'run_id', 'level', 'event', 'message', 'context', 'at'] as const

export const logList: ListPlan = {
  name: 'integration-logs',
  from: 'integration_logs',
  columns: columns.join(', '),
  filters: {
    level: { column: 'level', type: 'text' },
    event: { column: 'event', type: 'text' },
    run_id: { column: 'run_id', type: 'bigint' },
    q: { column: "event || ' ' || message", type: 'text', match: 'contains' },
    since: { column: 'at', type: 'timestamptz', match: 'from' },
    until: { column: 'at', type: 'timestamptz', match: 'to' },
  },
  sorts: { id: 'id', created_at: 'at' },
  defaultSort: [{ field: 'created_at', descending: true }],
}

export const logScope = ofIntegration

/** Nothing secret goes in, whatever the caller passes. Give it the transaction of what it reports. */
export const appendLog = (db: Db, integrationId: number, entry: LogEntry): Promise<void> =>
  appendLogs(db, integrationId, [entry])

/** Several at once, in one statement. */
export async function appendLogs(db: Db, integrationId: number, entries: readonly LogEntry[]): Promise<void> {
  if (entries.length === 0) return
  await db
    .insertInto('integration_logs')
    .values(
      entries.map((entry) => ({
        integration_id: integrationId,
        run_id: entry.runId ?? null,
        level: entry.level,
        event: entry.event,
        message: String(redact(entry.message)),
        context: entry.context ? JSON.stringify(redact(entry.context)) : null,
      })),
    )
    .execute()
}

/** Whether the same has been said within so many hours. */
export async function hasLogged(
  db: Db,
  integrationId: number,
  { event, hours }: { event: string; hours: number },
): Promise<boolean> {
  const { rows } = await sql`
    select from integration_logs
    where integration_id = ${integrationId} and at > now() - make_interval(hours => ${hours}::int) and event = ${event}
    limit 1`.execute(db)
  return rows.length > 0
}

/** The newest few of many integrations in one read, newest first. */
export async function newestLogs(db: Db, integrationIds: readonly number[], each = 10): Promise<IntegrationLog[]> {
  if (integrationIds.length === 0) return []
  // From the anchor sideways: each integration's log is read from its own end. Named twice, for Citus to ask their shards only.
  const ids = sql`any(${integrationIds}::bigint[])`
  const { rows } = await sql<IntegrationLog>`
    select log.* from integration_state state
    cross join lateral (
      select ${sql.raw(columns.join(', '))} from integration_logs
      where integration_logs.integration_id = state.integration_id and integration_logs.integration_id = ${ids}
      order by at desc, id desc limit ${each}
    ) log
    where state.integration_id = ${ids}`.execute(db)
  return rows
}
