import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import type { AcrossPlan } from '../../runtime/db/lists/across.ts'
import {
  type ListPlan,
  ofIntegration,
  type PageOf,
  type PageQuery,
  paginate,
  type Reader,
} from '../../runtime/db/lists/paginate.ts'
import { withCode } from './coded-context.ts'
import { type IntegrationLog, type LogEntry, redact } from './log.ts'
import { openSaid, type SealedLog, sealSaid } from './sealed-log.ts'

const columns = ['integration_id', 'id', 'run_id', 'level', 'event', 'message', 'context', 'private', 'at'] as const

const logList: ListPlan = {
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

/** Over many integrations. */
export const logsAcross: AcrossPlan = {
  name: 'logs-across',
  from: 'integration_logs',
  columns: columns.join(', '),
  keys: [
    { column: 'at', type: 'timestamptz' },
    { column: 'id', type: 'bigint' },
  ],
  filters: {
    level: { column: 'level', type: 'text' },
    q: { column: "event || ' ' || message", type: 'text', match: 'contains' },
    since: { column: 'at', type: 'timestamptz', match: 'from' },
    until: { column: 'at', type: 'timestamptz', match: 'to' },
  },
}

/** `q` finds our own words: what a shop has said is sealed. */
export async function listLogs(
  reader: Reader,
  integrationId: number,
  query: PageQuery,
): Promise<PageOf<IntegrationLog>> {
  const page = await paginate<StoredLog>(reader, logList, ofIntegration(integrationId), query)
  return { rows: await openSaid(reader, page.rows), total: page.total }
}

/** As the table has it: the code is part of the context. */
export type StoredLog = Omit<IntegrationLog, 'code' | 'parameters'> & SealedLog

/** Nothing secret goes in, whatever the caller passes. Give it the transaction of what it reports. */
export const appendLog = (db: Db, integrationId: number, entry: LogEntry): Promise<void> =>
  appendLogs(db, integrationId, [entry])

/** Several at once, in one statement. */
export async function appendLogs(db: Db, integrationId: number, entries: readonly LogEntry[]): Promise<void> {
  if (entries.length === 0) return
  const sealed = await sealSaid(db, integrationId, entries)
  await insertEntries(
    db,
    integrationId,
    entries.filter((entry) => !sealed.has(entry)).map((entry) => ({ entry })),
  )
  await insertEntries(
    db,
    integrationId,
    [...sealed].map(([entry, own]) => ({ entry, own })),
  )
}

async function insertEntries(
  db: Db,
  integrationId: number,
  rows: readonly { entry: LogEntry; own?: { id: number; private: Buffer } }[],
): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('integration_logs')
    .values(
      rows.map(({ entry, own }) => ({
        ...own,
        integration_id: integrationId,
        run_id: entry.runId ?? null,
        level: entry.level,
        event: entry.event,
        message: String(redact(entry.words.text)),
        context: JSON.stringify(redact(withCode(entry.words, entry.context))),
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
  const { rows } = await sql<StoredLog>`
    select log.* from integration_state state
    cross join lateral (
      select ${sql.raw(columns.join(', '))} from integration_logs
      where integration_logs.integration_id = state.integration_id and integration_logs.integration_id = ${ids}
      order by at desc, id desc limit ${each}
    ) log
    where state.integration_id = ${ids}`.execute(db)
  return await openSaid(db, rows)
}
