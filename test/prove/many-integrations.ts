import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { saveCredentials } from '../../src/domain/integrations/credentials-store.ts'
import { readIntegration } from '../../src/domain/integrations/integration-store.ts'
import { rushSeconds, spreadOf } from '../../src/domain/schedules/spread.ts'
import { makeIntegration } from '../support/gateway.ts'
import { makeShops, rarely } from '../support/many-shops.ts'
import { type Fleet, type Merchant, withFleet } from './support/fleet.ts'
import { withContext } from './support/identities.ts'
import { type Lab, proof } from './support/proof.ts'
import { startRun } from './support/runs.ts'
import { settingsFor } from './support/settings.ts'
import { percentile, until } from './support/until.ts'

/** An appointment that it names, with a whole interval before the next one. */
const slot = '2027-01-01T00:00:00.000000Z'

/** One app with very many shops, whose schedules all name the same minute. */
export const manyIntegrations = proof({
  name: 'many-integrations',
  asked:
    '100,000 integrations of one app with 200,000 schedules, 20,000 of them due in one minute: each started once and within its spread, "sync now" p95 ≤ 2 × idle, 0 dead letters; at rest a worker takes ≤ 3 % of a core and an API process ≤ 1 %',
  full: { integrations: 100_000, due: 20_000, asks: 1100, askEveryMs: 1000, restSeconds: 60, usualSpread: 30 },
  quick: { integrations: 400, due: 60, asks: 40, askEveryMs: 100, restSeconds: 1, usualSpread: 3 },
  async run({ integrations, due, asks, askEveryMs, restSeconds, usualSpread }, lab) {
    const url = await lab.database('migrated')
    return await withFleet(url, async (fleet) => {
      const merchant = await fleet.makeMerchant()
      const shops = await fill(fleet, merchant, { url, integrations, due, asks }, lab)
      const worker = await fleet.startWorker()
      // Nothing is left of the start.
      await sleep(2000)
      lab.progress('at rest')
      const [idleWorker, idleApi] = await Promise.all([
        cpuShare(worker.pid, restSeconds),
        cpuShare(fleet.api.pid, restSeconds),
      ])
      // As often as later: whoever is asked rarely answers more slowly, also at rest.
      const few = Math.floor(asks / 5)
      lab.progress('asked at rest')
      const idle = await askNow(merchant, shops.asked.slice(0, few), askEveryMs)
      const rush = await fallDue(fleet, due, usualSpread)
      let isOver = false
      const during = askNow(merchant, shops.asked.slice(few), askEveryMs, () => isOver)
      await until(
        'all have started',
        async () => {
          const started = await startedOf(fleet, rush.firstRun)
          lab.progress('started', started, due)
          return started >= due
        },
        { seconds: rush.windowSeconds + 600, everyMs: 2000 },
      )
      isOver = true
      const late = await latest(fleet, rush)
      const [p95Idle, p95Rush] = [percentile(idle, 0.95), percentile(await during, 0.95)]
      const [dead] = await fleet.query<{ n: number }>(
        `select count(*)::int as n from pgboss.job where name like '%-dead'`,
      )
      const isQuick = integrations < 10_000
      return {
        measured: `${integrations} integrations, ${2 * integrations} schedules, ${due} due: ${late.runs} runs, ${late.double} double; queued ${late.queued.toFixed(1)} s and started ${late.started.toFixed(1)} s after they were due at the latest, spread over ${rush.windowSeconds} s; "sync now" p95 ${Math.round(p95Idle)} ms idle, ${Math.round(p95Rush)} ms during it; ${dead?.n ?? 0} dead letters; at rest worker ${(idleWorker * 100).toFixed(1)} %, API ${(idleApi * 100).toFixed(1)} % of a core`,
        pass:
          late.runs === due &&
          late.double === 0 &&
          dead?.n === 0 &&
          // Times need many to mean anything.
          (isQuick || (late.started <= 60 && p95Rush <= 2 * p95Idle && idleWorker <= 0.03 && idleApi <= 0.01)),
      }
    })
  },
})

/** Shops of the sandbox, in the process; those that are due or asked have credentials, the others are only there. */
async function fill(
  fleet: Fleet,
  merchant: Merchant,
  { url, integrations, due, asks }: { url: string; integrations: number; due: number; asks: number },
  lab: Lab,
): Promise<{ asked: number[] }> {
  const like = await withContext(settingsFor(url), async (context) => {
    const { integration } = await makeIntegration(context, { appId: merchant.appId }, { orders: 1 })
    return integration.id
  })
  lab.progress('integrations', 0, integrations)
  const { first } = await makeShops(fleet.query, like, integrations)
  const ids = Array.from({ length: due + asks }, (_, n) => first + n)
  await withContext(settingsFor(url), async (context) => {
    for (let at = 0; at < ids.length; at += 50) {
      await Promise.all(
        ids.slice(at, at + 50).map(async (id) => {
          const granted = { credentials: { api_key: 'any' }, expiresAt: null }
          await saveCredentials(context.db, context.keys, await readIntegration(context.db, id), granted)
        }),
      )
      if (at % 1000 === 0) lab.progress('credentials', at, ids.length)
    }
  })
  await fleet.query('vacuum analyze')
  return { asked: ids.slice(due) }
}

interface Rush {
  windowSeconds: number
  /** Runs after this one are its. */
  firstRun: number
  dueAt: ReadonlyMap<number, string>
}

/** In two seconds for so many of them, spread as they would be from their second time on. */
async function fallDue(fleet: Fleet, due: number, usualSpread: number): Promise<Rush> {
  const [counted] = await fleet.query<{ n: number; run: number; ids: string[] }>(
    `select (select count(*)::int from schedules) as n, (select coalesce(max(id), 0)::int from runs) as run,
       array(select id from schedules where resource = 'sync_orders' order by id limit $1) as ids`,
    [due],
  )
  if (!counted) throw new Error('There are no schedules.')
  const moment = new Date(Date.now() + 2000).toISOString()
  const rush = rushSeconds(counted.n)
  const spreads = counted.ids.map(
    (id) => spreadOf({ id: Number(id), cron: rarely, timezone: 'UTC' }, slot, rush) ?? Number(id) % usualSpread,
  )
  await fleet.query(
    `update schedules set next_run_at = $1, spread_seconds = w.spread
     from unnest($2::bigint[], $3::int[]) w (id, spread) where schedules.id = w.id`,
    [moment, counted.ids, spreads],
  )
  const dueAt = new Map(
    counted.ids.map((id, n) => [Number(id), new Date(Date.parse(moment) + (spreads[n] ?? 0) * 1000).toISOString()]),
  )
  return { windowSeconds: Math.max(...new Set(spreads)), firstRun: counted.run, dueAt }
}

/** How long the API takes to queue a run, one after the other. */
async function askNow(
  merchant: Merchant,
  ids: readonly number[],
  everyMs: number,
  isOver = () => false,
): Promise<number[]> {
  const took: number[] = []
  for (const id of ids) {
    if (isOver()) break
    const began = performance.now()
    await startRun(merchant, id, 'sync_orders')
    took.push(performance.now() - began)
    await sleep(everyMs)
  }
  return took
}

const startedOf = async (fleet: Fleet, after: number): Promise<number> =>
  (
    await fleet.query<{ n: number }>(
      'select count(*)::int as n from runs where id > $1 and schedule_id is not null and started_at is not null',
      [after],
    )
  )[0]?.n ?? 0

interface Latest {
  runs: number
  double: number
  /** Seconds after they were due. */
  queued: number
  started: number
}

async function latest(fleet: Fleet, { firstRun, dueAt }: Rush): Promise<Latest> {
  const [found] = await fleet.query<Latest>(
    `select count(*)::int as runs, (count(*) - count(distinct r.schedule_id))::int as double,
       max(extract(epoch from r.created_at - d.due))::float8 as queued,
       max(extract(epoch from r.started_at - d.due))::float8 as started
     from runs r join unnest($2::bigint[], $3::timestamptz[]) d (id, due) on d.id = r.schedule_id where r.id > $1`,
    [firstRun, [...dueAt.keys()], [...dueAt.values()]],
  )
  return found ?? { runs: 0, double: 0, queued: 0, started: 0 }
}

const ticksPerSecond = 100

/** Of one core, over so many seconds. */
async function cpuShare(pid: number, seconds: number): Promise<number> {
  const ticks = async () => {
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
    return Number(fields[11]) + Number(fields[12])
  }
  const before = await ticks()
  await sleep(seconds * 1000)
  return ((await ticks()) - before) / ticksPerSecond / seconds
}
