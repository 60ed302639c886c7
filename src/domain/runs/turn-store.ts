import { sql } from 'kysely'
import type { TakeTurns } from '../../runtime/jobs/job.ts'

/**
 * Which turns the next runs have, given the integrations they are for: the one that the queue has reached, or the one after
 * the tenant's latest, and those after it. So whoever queues a thousand runs stands in line with all but the first, whoever
 * queues one goes next, and both take turns from there. What somebody has used while nobody else waited is not held
 * against him. Tenants are taken in order, so that two who take turns for many never wait crosswise.
 */
const turnsIn =
  (queue: 'runs' | 'steps'): TakeTurns =>
  async (trx, of, reached) => {
    const { rows } = await sql<{ turn: number }>`
      with start as (
        select coalesce(${reached}::bigint, (select max(turn) from run_turns where queue = ${queue}), 0) as turn
      ), wanted as (
        select w.nth, coalesce('app:' || i.app_id, 'integration:' || i.id) as tenant
        from unnest(${of}::bigint[]) with ordinality as w (id, nth) join integrations i on i.id = w.id
      ), taken as (
        insert into run_turns (queue, tenant, turn)
        select ${queue}, tenant, (select turn from start) + count(*) - 1 from wanted group by tenant order by tenant
        on conflict (queue, tenant) do update
          set turn = excluded.turn + greatest(run_turns.turn + 1 - (select turn from start), 0)
        returning tenant, turn
      )
      select taken.turn - row_number() over (partition by tenant order by nth desc) + 1 as turn
      from wanted join taken using (tenant) order by nth`.execute(trx)
    return rows.map(({ turn }) => turn)
  }

export const turnsOfRuns = turnsIn('runs')
export const turnsOfSteps = turnsIn('steps')
