import { sql } from 'kysely'
import { leavesOf } from '../../lib/sealing/person-text.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { TextTable } from '../text-table.ts'
import { type SealedInput, type SealedResult, unsealInputs, unsealResults } from './sealed-operation.ts'

/**
 * What was sent to the shop, and what it answered. What is under way is needed until its end is known: a day at most, unless
 * the shop stays away. What nobody has sent yet and nobody is at any longer is not.
 */
export const operationTexts: TextTable = {
  name: 'operations',
  async read(db, integrationId, { after, limit }) {
    const { rows } = await sql<Row>`
      select integration_id, id, kind, key, input, private_input, result, error, private_result,
        (lease_until is not null and lease_until > now()) or (status in ('sent', 'unknown') and settled_at is null) as needed
      from operations where integration_id = ${integrationId} and id > ${after ?? '0'}::bigint
      order by id limit ${limit}`.execute(db)
    const opened = await unsealInputs(db, await unsealResults(db, rows))
    return opened.map((row) => ({
      place: String(row.id),
      says: [row.error ?? '', ...[row.reason, row.input, row.result].flatMap(leavesOf)].join('\n'),
      orders: ordersIn(row),
      isNeeded: row.needed,
    }))
  },
  async forget(trx, integrationId, places) {
    await sql`
      update operations set input = '{}', private_input = null, private_result = null, error = null,
        result = case when result is null then null else '{"redacted":true}'::jsonb end
      where integration_id = ${integrationId} and id = any(${[...places]}::bigint[])`.execute(trx)
  },
}

interface Row extends SealedInput, SealedResult {
  id: number
  needed: boolean
}

function ordersIn({ kind, key, input, result }: Row): string[] {
  const ids: unknown[] = [Object(input).order_remote_id]
  if (kind === 'cancel_order') ids.push(key)
  if (kind === 'create_order') ids.push(Object(result).remote_id)
  return ids.filter((id) => typeof id === 'string')
}

/** Places of those that ended so many days ago and still say something. */
export async function expiredOperations(
  db: Db,
  integrationId: number,
  { days, limit }: { days: number; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: number }>`
    select id from operations
    where integration_id = ${integrationId} and updated_at < now() - make_interval(days => ${days}::int)
      and status in ('confirmed', 'refused') and (private_input is not null or private_result is not null or input <> '{}')
    limit ${limit}`.execute(db)
  return rows.map(({ id }) => String(id))
}
