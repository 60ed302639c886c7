import { sql } from 'kysely'
import { leavesOf } from '../../lib/sealing/person-text.ts'
import type { TextTable } from '../text-table.ts'
import { openEndings, type Sealed } from './sealed-run.ts'

interface RunText {
  id: number
  input: unknown
  result: unknown
  error: string | null
  reason: unknown
  needed: boolean
}

/** What somebody asked for with an action, and what came of it. */
export const runTexts: TextTable = {
  name: 'runs',
  async read(db, integrationId, { after, limit }) {
    const { rows } = await sql<Sealed<RunText>>`
      select integration_id, id, input, result, error, reason, private_result, status in ('queued', 'running') as needed from runs
      where integration_id = ${integrationId} and id > ${after ?? '0'}::bigint
      order by id limit ${limit}`.execute(db)
    const runs = await openEndings<RunText>(db, rows)
    return runs.map(({ id, input, result, error, reason, needed }) => ({
      place: String(id),
      says: [error ?? '', ...[reason, input, result].flatMap(leavesOf)].join('\n'),
      orders: [],
      isNeeded: needed,
    }))
  },
  async forget(trx, integrationId, places) {
    await sql`
      update runs set input = '{}', error = case when error is null then null else '[redacted]' end,
        result = case when result is null then null else '{"redacted":true}'::jsonb end, reason = null, private_result = null
      where integration_id = ${integrationId} and id = any(${[...places]}::bigint[])`.execute(trx)
  },
}
