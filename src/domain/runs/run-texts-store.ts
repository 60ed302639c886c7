import { sql } from 'kysely'
import { leavesOf } from '../../lib/sealing/person-text.ts'
import type { TextTable } from '../text-table.ts'

/** What somebody asked for with an action, and what came of it. */
export const runTexts: TextTable = {
  name: 'runs',
  async read(db, integrationId, { after, limit }) {
    const { rows } = await sql<{ id: number; input: unknown; result: unknown; error: string | null; needed: boolean }>`
      select id, input, result, error, status in ('queued', 'running') as needed from runs
      where integration_id = ${integrationId} and id > ${after ?? '0'}::bigint
      order by id limit ${limit}`.execute(db)
    return rows.map(({ id, input, result, error, needed }) => ({
      place: String(id),
      says: [error ?? '', ...leavesOf(input), ...leavesOf(result)].join('\n'),
      orders: [],
      isNeeded: needed,
    }))
  },
  async forget(trx, integrationId, places) {
    await sql`
      update runs set input = '{}', error = case when error is null then null else '[redacted]' end,
        result = case when result is null then null else '{"redacted":true}'::jsonb end
      where integration_id = ${integrationId} and id = any(${[...places]}::bigint[])`.execute(trx)
  },
}
