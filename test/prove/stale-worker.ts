import { setTimeout as sleep } from 'node:timers/promises'
import { drawLots } from '../support/chance.ts'
import { type Fleet, type WorkerProcess, withFleet } from './support/fleet.ts'
import { proof } from './support/proof.ts'
import { type Copying, settle, underWay } from './support/rough-sync.ts'
import { until } from './support/until.ts'

const lots = drawLots('stale-worker')

/** A worker that slept until its run was somebody else's wakes up and writes nothing. */
export const staleWorker = proof({
  name: 'stale-worker',
  asked: 'a worker stopped past its lease and continued, 50 times during syncs: 0 stale writes, 0 runs ended twice',
  full: { copies: 5, orders: 5000, workers: 6, times: 50, settleSeconds: 600 },
  quick: { copies: 1, orders: 600, workers: 2, times: 1, settleSeconds: 300 },
  async run({ copies, orders, workers: count, times, settleSeconds }, lab) {
    return await withFleet(await lab.database('migrated'), async (fleet) => {
      await keepBooks(fleet)
      const [shop, merchant] = await Promise.all([
        fleet.startShop({ platform: 'woocommerce', orders }),
        fleet.makeMerchant(),
      ])
      const workers: WorkerProcess[] = []
      while (workers.length < count) workers.push(await fleet.startWorker())
      // Every page takes its time, so that there is always one under way.
      await shop.post('/_weather', { preset: 'calm', slow_body: 1, slow_ms: 400 })
      const all: Copying[] = []
      while (all.length < copies) all.push({ fleet, merchant, shop, id: await merchant.install(shop) })
      const asleep = new Set<WorkerProcess>()
      let overtaken = 0
      // Most of the time is spent on waiting for a lease to end, so several are waited for at a time.
      const stopSome = async (copying: Copying) => {
        while (overtaken < times) {
          if (await sleepThrough(copying, workers, asleep)) overtaken++
          lab.progress('overtaken', overtaken, times)
        }
      }
      await Promise.all(all.map(stopSome))
      const settled = await Promise.all(all.map((copying) => settle(copying, settleSeconds)))
      const unequal = settled.filter(({ same }) => !same)
      const books = await readBooks(fleet)
      return {
        measured: `${overtaken} times; ${books.stale} stale of ${books.writes} writes; ${books.twice} runs ended twice; ${copies} copies of ${(unequal[0] ?? settled[0])?.text}`,
        pass: books.stale === 0 && books.twice === 0 && books.writes > 0 && unequal.length === 0,
      }
    })
  },
})

/** Whether somebody else took the run while its worker slept; else it was over before. */
async function sleepThrough(copying: Copying, workers: WorkerProcess[], asleep: Set<WorkerProcess>): Promise<boolean> {
  const { fleet, id } = copying
  const { run, worker } = await until(
    'a run of orders is in the hands of a worker that is awake',
    async () => {
      const run = await underWay(copying)
      const claim = await latestClaim(fleet, id)
      const worker = workers.find(({ name }) => name === claim.worker)
      if (claim.fence !== run.fence || !worker || asleep.has(worker)) return null
      // Its other runs sleep with it. One that was begun in vain a few times gets on first, or it would be given up.
      if ((await maxAttempts(fleet)) >= 3 || asleep.has(worker)) return null
      asleep.add(worker)
      return { run, worker }
    },
    { seconds: 300 },
  )
  await sleep(lots.below(500))
  worker.signal('SIGSTOP')
  const end = await until(
    `another worker has run ${run.id}, or it was over`,
    async () => {
      if ((await latestClaim(fleet, id)).worker !== worker.name) return 'overtaken'
      return (await stateOf(fleet, run.id)).status !== 'running' && 'over'
    },
    { seconds: 180 },
  ).finally(() => {
    worker.signal('SIGCONT')
    asleep.delete(worker)
  })
  // Time to wake up and try to finish what it was at. Whoever has the run now must get on with it before he sleeps, too:
  // a run that is begun again and again in vain is given up.
  await sleep(1000)
  await until(
    'the run gets on',
    async () => {
      const { status, attempts } = await stateOf(fleet, run.id)
      return status !== 'running' || attempts === 0
    },
    { seconds: 300 },
  )
  return end === 'overtaken'
}

async function maxAttempts(fleet: Fleet): Promise<number> {
  const text = `select coalesce(max(attempts), 0)::int as max from runs where status = 'running'`
  return (await fleet.query<{ max: number }>(text))[0]?.max ?? 0
}

async function stateOf(fleet: Fleet, runId: number): Promise<{ status: string; attempts: number }> {
  const [run] = await fleet.query<{ status: string; attempts: number }>(
    'select status, attempts::int as attempts from runs where id = $1',
    [runId],
  )
  return run ?? { status: 'gone', attempts: 0 }
}

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

async function latestClaim(fleet: Fleet, integrationId: number): Promise<{ worker: string; fence: number }> {
  const [claim] = await fleet.query<{ worker: string; fence: string }>(
    'select worker, fence from proof_claims where integration_id = $1 order by proof_claims.fence desc limit 1',
    [integrationId],
  )
  return { worker: claim?.worker ?? '', fence: Number(claim?.fence ?? 0) }
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
