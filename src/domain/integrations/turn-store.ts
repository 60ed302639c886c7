import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'

/**
 * When the next run of the integration's tenant has its turn: now, or a second after the tenant's latest one. So whoever
 * queues a thousand runs stands in line with all but the first, whoever queues one goes next, and nobody waits for ever,
 * because turns never lie in the past.
 */
export async function takeTurn(trx: Db, integrationId: number): Promise<number> {
  const { rows } = await sql<{ turn: number }>`
    insert into run_turns (tenant, turn)
    select coalesce('app:' || app_id, 'integration:' || id), floor(extract(epoch from now()))
    from integrations where id = ${integrationId}
    on conflict (tenant) do update set turn = greatest(run_turns.turn + 1, excluded.turn)
    returning turn`.execute(trx)
  return rows[0]?.turn ?? 0
}
