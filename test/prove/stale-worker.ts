import { setTimeout as sleep } from 'node:timers/promises'
import { type Fleet, withFleet } from './support/fleet.ts'
import { proof } from './support/proof.ts'
import { settle, underWay } from './support/rough-sync.ts'
import { until } from './support/until.ts'

/** A worker that slept until its run was somebody else's wakes up and writes nothing. */
export const staleWorker = proof({
  name: 'stale-worker',
  asked: 'a worker stopped past its lease and continued, 50 times during syncs: 0 stale writes, 0 runs ended twice',
  full: { orders: 5000, times: 50, settleSeconds: 600 },
  quick: { orders: 600, times: 1, settleSeconds: 90 },
  async run({ orders, times, settleSeconds }, lab) {
    return await withFleet(await lab.database('migrated'), async (fleet) => {
      await keepBooks(fleet)
      const [shop, merchant, ...workers] = await Promise.all([
        fleet.startShop({ dialect: 'woo', orders }),
        fleet.makeMerchant(),
        fleet.startWorker(),
        fleet.startWorker(),
      ])
      // Every page takes its time, so that there is always one under way.
      await shop.post('/_weather', { preset: 'calm', slow_body: 1, slow_ms: 400 })
      const copying = { fleet, merchant, shop, id: await merchant.install(shop) }
      for (let overtaken = 0; overtaken < times; ) {
        const run = await underWay(copying)
        await sleep(Math.random() * 500)
        const claim = await latestClaim(fleet, copying.id)
        const holder = workers.find(({ name }) => name === claim.worker)
        if (!holder) throw new Error(`Nobody is called ${claim.worker}.`)
        holder.signal('SIGSTOP')
        const other = await until(
          `another worker has run ${run.id}, or it was over`,
          async () => {
            const [now] = await fleet.query<{ status: string }>('select status from runs where id = $1', [run.id])
            const next = await latestClaim(fleet, copying.id)
            if (next.worker !== claim.worker) return 'overtaken'
            return now?.status !== 'running' && 'over'
          },
          { seconds: 120 },
        ).finally(() => holder.signal('SIGCONT'))
        if (other === 'overtaken') overtaken++
        // Time to finish what it was at.
        await sleep(1000)
        lab.progress('overtaken', overtaken, times)
      }
      const copy = await settle(copying, settleSeconds)
      const books = await readBooks(fleet)
      return {
        measured: `${times} times; ${books.stale} stale of ${books.writes} writes; ${books.twice} runs ended twice; ${copy.text}`,
        pass: books.stale === 0 && books.twice === 0 && books.writes > 0 && copy.same,
      }
    })
  },
})

/** The database itself notes who takes which fence, and under which fence each transaction writes orders. */
async function keepBooks(fleet: Fleet): Promise<void> {
  await fleet.query(`
    create table proof_claims (integration_id bigint, fence bigint, worker text);
    create table proof_writes (integration_id bigint, fence bigint, worker text, xid text primary key);
    create function proof_claim() returns trigger language plpgsql as $$
      begin
        insert into proof_claims values (new.integration_id, new.fence, current_setting('application_name'));
        return null;
      end $$;
    create function proof_write() returns trigger language plpgsql as $$
      begin
        insert into proof_writes
          select integration_id, fence, current_setting('application_name'), pg_current_xact_id()::text
          from integration_state where integration_id = new.integration_id
          on conflict do nothing;
        return null;
      end $$;
    create trigger proof_claim after update of fence on integration_state for each row
      when (old.fence <> new.fence) execute function proof_claim();
    create trigger proof_write after insert or update on orders for each row execute function proof_write()`)
}

async function latestClaim(fleet: Fleet, integrationId: number): Promise<{ worker: string }> {
  const [claim] = await fleet.query<{ worker: string }>(
    'select worker from proof_claims where integration_id = $1 order by fence desc limit 1',
    [integrationId],
  )
  return claim ?? { worker: '' }
}

async function readBooks(fleet: Fleet): Promise<{ writes: number; stale: number; twice: number }> {
  const [row] = await fleet.query<{ writes: number; stale: number; twice: number }>(`
    select
      (select count(*)::int from proof_writes) as writes,
      (select count(*)::int from proof_writes w where not exists (
        select from proof_claims c
        where c.integration_id = w.integration_id and c.fence = w.fence and c.worker = w.worker)) as stale,
      (select count(*)::int from (
        select from integration_logs where event like 'run.completed' group by run_id having count(*) > 1) ended) as twice`)
  return row ?? { writes: 0, stale: 0, twice: 0 }
}
