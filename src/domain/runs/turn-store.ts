import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'

/**
 * Which turn the next run of the integration's tenant has: the one that the queue has reached, or the one after the
 * tenant's latest. So whoever queues a thousand runs stands in line with all but the first, whoever queues one goes next,
 * and both take turns from there. What somebody has used while nobody else waited is not held against him.
 */
export const turnOf =
  (trx: Db, queue: 'runs' | 'steps', integrationId: number) =>
  async (reached: number | null): Promise<number> => {
    const { rows } = await sql<{ turn: number }>`
      insert into run_turns (queue, tenant, turn)
      select ${queue}, coalesce('app:' || app_id, 'integration:' || id),
        coalesce(${reached}::bigint, (select max(turn) from run_turns where queue = ${queue}), 0)
      from integrations where id = ${integrationId}
      on conflict (queue, tenant) do update set turn = greatest(run_turns.turn + 1, excluded.turn)
      returning turn`.execute(trx)
    return rows[0]?.turn ?? 0
  }
