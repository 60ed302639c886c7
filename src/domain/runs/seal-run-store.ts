import { sql } from 'kysely'
import { sealRecord } from '../../lib/sealing/record-box.ts'
import type { Sealable } from '../../runtime/db/vault/sealable.ts'
import { failedRun } from './run.ts'
import { placeOfEnding } from './sealed-run.ts'

interface Row {
  integration_id: number
  id: number
  result: unknown
  error: string | null
  isDone: boolean
}

/** Those that are over, from before what a shop has answered to them was sealed. */
const unsealed = `to_seal and status not in ('queued', 'running')`

export const sealableRuns: Sealable = {
  table: 'runs',
  unsealed,
  async sealSome(trx, integrationId, { key, limit }) {
    const { rows } = await sql<Row>`
      select integration_id, id, result, error,
        (private_result is not null or (result is null and error is null)) as "isDone" from runs
      where integration_id = ${integrationId} and ${sql.raw(unsealed)} order by id limit ${limit} for update`.execute(
      trx,
    )
    const sealed = rows
      .filter(({ isDone }) => !isDone)
      .map((row) => {
        const { result, error } = row
        const ending = { ...(result !== null && { result }), ...(error !== null && { error }) }
        return { id: row.id, private: sealRecord(key, JSON.stringify(ending), placeOfEnding(row)).toString('hex') }
      })
    await sql`
      update runs set private_result = decode(r.private, 'hex'), result = null, to_seal = null,
        error = case when runs.error is null then null else ${failedRun.text} end
      from jsonb_to_recordset(${JSON.stringify(sealed)}::jsonb) r(id bigint, private text)
      where runs.integration_id = ${integrationId} and runs.id = r.id`.execute(trx)
    const done = rows.filter(({ isDone }) => isDone).map(({ id }) => id)
    await sql`
      update runs set to_seal = null where integration_id = ${integrationId} and id = any(${done}::bigint[])`.execute(
      trx,
    )
    return rows.length
  },
}
