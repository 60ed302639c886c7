import { readFile } from 'node:fs/promises'
import { type Outlook, simulate } from '../../bench/growth/simulate.ts'
import { saveCredentials } from '../../src/domain/integrations/credentials-store.ts'
import { readIntegration } from '../../src/domain/integrations/integration-store.ts'
import { type Fleet, type Merchant, withFleet } from './support/fleet.ts'
import { withContext } from './support/identities.ts'
import { type Lab, proof } from './support/proof.ts'
import { firstSync } from './support/runs.ts'
import { settingsFor } from './support/settings.ts'
import type { ShopProcess } from './support/shop-process.ts'
import { percentile, until } from './support/until.ts'

/** So rarely that no schedule has its next appointment while it is watched. */
const cron = '0 0 1 1 *'
/** How far what is foretold may lie from what is seen: of itself, and seconds that looking every two of them costs. */
const allowed = { share: 0.25, seconds: 3 }

/** What bench/growth foretells is what happens: the guide reckons with it for sizes that nobody has here. */
export const growth = proof({
  name: 'growth',
  asked:
    'twelve apps whose shops take 0.7 s for an answer, one worker with 6 slots; 60 and then 400 schedules are due in the same minute: starts (p50, p95, last) and the end of all are as node bench/growth/index.ts foretells from what a run took meanwhile, within a quarter and 3 s',
  full: { rounds: [60, 400], apps: 12, slots: 6, slowMs: 700 },
  quick: { rounds: [60], apps: 3, slots: 4, slowMs: 100 },
  async run({ rounds, apps, slots, slowMs }, lab) {
    const url = await lab.database('migrated')
    return await withFleet(
      url,
      async (fleet) => {
        const shop = await fleet.startShop({ platform: 'sandbox', orders: 2, products: 1 })
        await shop.post('/_weather', { slow_body: 1, slow_ms: slowMs })
        const merchants: Merchant[] = []
        while (merchants.length < apps) merchants.push(await fleet.makeMerchant())
        const worker = await fleet.startWorker()
        const shops = await fill({ fleet, merchants, shop, url, count: sum(rounds) }, lab)
        const seen: string[] = []
        let agrees = true
        for (const due of rounds) {
          lab.progress('due', due, Math.max(...rounds))
          const { run, times: measured } = await fallDue({ fleet, pid: worker.pid }, shops.splice(0, due))
          const foretold = simulate({
            ...{ integrations: due, apps, everyMinutes: 15, intervals: 1, workers: 1, slots, cores: 1 },
            ...{ ...run, dispatchedPerSecond: 100 },
          })
          const told = timesOf(foretold)
          agrees &&= foretold.runs === due && measured.every((value, n) => isNear(value, told[n] ?? 0))
          seen.push(
            `${due} due: a run waits ${run.shopSeconds.toFixed(2)} s and takes ${run.cpuSeconds.toFixed(3)} s of a core; ${words(measured)}, foretold ${words(told)}`,
          )
        }
        return {
          measured: seen.join('; '),
          pass: agrees,
        }
      },
      { WORKER_RUNS: String(slots) },
    )
  },
})

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

/** Seconds after they were due: half of them have started, nearly all, all; and all are over. */
type Times = readonly number[]

const timesOf = ({ lag, end }: Outlook): Times => [lag.p50, lag.p95, lag.longest, end]

const words = ([p50 = 0, p95 = 0, longest = 0, end = 0]: Times): string =>
  `started after ${p50.toFixed(1)} / ${p95.toFixed(1)} / ${longest.toFixed(1)} s, over after ${end.toFixed(1)} s`

const isNear = (measured: number, foretold: number): boolean =>
  Math.abs(measured - foretold) <= allowed.share * foretold + allowed.seconds

interface Setting {
  fleet: Fleet
  merchants: readonly Merchant[]
  shop: ShopProcess
  url: string
  count: number
}

interface Copy {
  id: number
  merchant: Merchant
}

/** Copies of one that is installed, of each app in turn, each with a schedule that never comes due by itself. */
async function fill({ fleet, merchants, shop, url, count }: Setting, lab: Lab): Promise<Copy[]> {
  const copiesOf = async (merchant: Merchant): Promise<Copy[]> => {
    const like = await merchant.install(shop)
    await firstSync(fleet, like, 120)
    const rows = await fleet.query<{ id: string }>(
      `with made as (
         insert into integrations (app_id, service_id, type, name, shop, status, settings, installed_at, compared_at, next_read_at)
         select app_id, service_id, type, 'Shop ' || n, 'copy-' || n || '.example.com', 'ACTIVE', settings, now(), now(), now() + interval '10 years'
         from integrations, generate_series(1, $2::int) n where id = $1 returning id, app_id),
       states as (insert into integration_state (integration_id, app_id) select id, app_id from made)
       insert into schedules (integration_id, resource, cron, next_run_at)
       select id, 'sync_orders', $3, now() + interval '10 years' from made returning integration_id as id`,
      [like, Math.ceil(count / merchants.length), cron],
    )
    return rows.map(({ id }) => ({ id: Number(id), merchant }))
  }
  const copies = await Promise.all(merchants.map(copiesOf))
  const all = copies[0]?.flatMap((_, n) => copies.flatMap((own) => own[n] ?? [])) ?? []
  await withContext(settingsFor(url), async (context) => {
    for (const [n, { id }] of all.entries()) {
      const granted = { credentials: shop.install.credentials ?? {}, expiresAt: null }
      await saveCredentials(context.db, context.keys, await readIntegration(context.db, id), granted)
      if (n % 100 === 0) lab.progress('shops', n, all.length)
    }
  })
  return all.slice(0, count)
}

/** All in two seconds from now, and from then on as the program spreads them. */
async function fallDue(
  { fleet, pid }: { fleet: Fleet; pid: number },
  copies: readonly Copy[],
): Promise<{ times: Times; run: { shopSeconds: number; cpuSeconds: number } }> {
  const before = await cpuSecondsOf(pid)
  const ids = copies.map(({ id }) => id)
  const rows = await fleet.query<{ id: string; due: string; moment: string }>(
    `update schedules set next_run_at = now() + interval '2 seconds' where integration_id = any($1)
     returning integration_id as id, (due_at at time zone 'UTC')::text as due, next_run_at::text as moment`,
    [ids],
  )
  await until(
    'all are over',
    async () => {
      const [open] = await fleet.query<{ n: number }>(
        `select count(*)::int as n from runs where integration_id = any($1) and status = 'completed'`,
        [ids],
      )
      return open?.n === ids.length
    },
    { seconds: 900, everyMs: 500 },
  )
  const cpuSeconds = ((await cpuSecondsOf(pid)) - before) / ids.length
  const ran = await fleet.query<{ lag: number; end: number; took: number }>(
    `select extract(epoch from r.started_at - d.due)::float8 as lag, extract(epoch from r.finished_at - $4::timestamptz)::float8 as end,
       extract(epoch from r.finished_at - r.started_at)::float8 as took
     from runs r join unnest($2::bigint[], $3::timestamptz[]) d (id, due) on d.id = r.integration_id
     where r.integration_id = any($1)`,
    [ids, rows.map(({ id }) => id), rows.map(({ due }) => due), rows[0]?.moment],
  )
  const lags = ran.map(({ lag }) => lag)
  const end = Math.max(...ran.map((each) => each.end))
  const whole = sum(ran.map(({ took }) => took)) / ran.length
  return {
    times: [percentile(lags, 0.5), percentile(lags, 0.95), percentile(lags, 1), end],
    run: { shopSeconds: Math.max(0, whole - cpuSeconds), cpuSeconds },
  }
}

const ticksPerSecond = 100

async function cpuSecondsOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}
