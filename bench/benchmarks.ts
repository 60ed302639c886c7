import { measureCitus } from './citus.ts'
import { measureConsole } from './console.ts'
import { measureDeliveries } from './deliveries.ts'
import { measureDemo } from './demo.ts'
import { measureEndToEnd } from './end-to-end.ts'
import { measureIntake } from './intake.ts'
import { options, say } from './options.ts'
import { measureOrderLife, stages } from './order-life.ts'
import { measureOrderLists } from './orders-list.ts'
import { peers } from './peers-rows.ts'
import type { Row } from './report.ts'
import { measureRequestLog } from './request-log.ts'
import { audit, sealedLists, sealedSync } from './safety-rows.ts'
import { besidePaging, comparison, secondSync } from './scale-rows.ts'
import { measureSearch } from './search.ts'
import { measureStartUp } from './start-up.ts'
import { measureStockLedger } from './stock-ledger.ts'
import type { Cost } from './support/cost.ts'
import { withDatabase } from './support/database.ts'
import { profileOptions } from './support/profile.ts'
import type { RatioResult } from './support/ratio.ts'
import { median, spread } from './support/statistics.ts'
import { measureSync, measureSyncMemory } from './sync.ts'
import { manyTenants } from './tenants-rows.ts'
import { measureUsersList } from './users-list.ts'

/** For those that send requests to us and to a bare handler in turns. */
const requests = {
  connections: Number(options.connections),
  rounds: Number(options.rounds),
  seconds: Number(options.seconds),
  progress: say,
}

/** For the processes that a benchmark starts. */
const nodeOptions = (name: string): string[] => (options.profile ? profileOptions(name) : [])

/** What can be measured, by name. */
export const benchmarks: Record<string, () => Promise<Row[]>> = {
  'users-list': usersList,
  'orders-list': ordersList,
  'beside-paging': besidePaging,
  'sealed-lists': sealedLists,
  'sealed-sync': sealedSync,
  audit,
  search,
  'many-tenants': manyTenants,
  'request-log': requestLog,
  'stock-ledger': stockLedger,
  intake,
  sync,
  comparison,
  'second-sync': secondSync,
  deliveries,
  'end-to-end': endToEnd,
  'order-life': orderLife,
  'start-up': startUp,
  demo,
  console: consoleRender,
  citus,
  peers,
}

/** Needs two databases that somebody has brought up, both with the same settings: one on Citus, one not. */
async function citus(): Promise<Row[]> {
  const [plainUrl, citusUrl] = [process.env['BENCH_PLAIN_URL'], process.env['BENCH_CITUS_URL']]
  if (!plainUrl || !citusUrl) {
    say('not run: no BENCH_PLAIN_URL and BENCH_CITUS_URL')
    return []
  }
  const results = await measureCitus({ plain: plainUrl, citus: citusUrl, blocks: Number(options.rounds) })
  return results.map(({ name, ratios, citus: ours, plain }) => {
    const limit = name.includes('sync') ? 2 : 2.5
    return {
      measured: `${name}: time on Citus against one PostgreSQL`,
      target: `≤ ${limit}`,
      result: median(ratios).toFixed(2),
      spread: spread(ratios),
      rounds: { values: ratios, better: 'less' },
      absolute: `${ours.toFixed(2)} ms against ${plain.toFixed(2)} ms`,
      pass: median(ratios) <= limit,
    }
  })
}

async function consoleRender(): Promise<Row[]> {
  const renders = await measureConsole({ rounds: Number(options.rounds), progress: say })
  const ms = renders.map((render) => render.ms)
  const shift = Math.max(...renders.map((render) => render.shift))
  return [
    {
      measured: 'overview of the console in Chromium, processor slowed down four times: largest paint',
      target: '≤ 1.0 s',
      result: `${(median(ms) / 1000).toFixed(2)} s`,
      spread: spread(ms.map((each) => each / 1000)),
      absolute: '',
      pass: median(ms) <= 1000,
    },
    {
      measured: 'the same: what moves while it loads (layout shift, worst round)',
      target: '≤ 0.02',
      result: shift.toFixed(3),
      spread: '',
      absolute: '',
      pass: shift <= 0.02,
    },
  ]
}

async function usersList(): Promise<Row[]> {
  const result = await withDatabase((databaseUrl) =>
    measureUsersList({ databaseUrl, ...requests, nodeOptions: nodeOptions('users-list') }),
  )
  return ratioRows(`\`GET /api/1.0/users\`, 10,000 users, ${requests.connections} connections`, [0.95, 1.25], result)
}

async function ordersList(): Promise<Row[]> {
  say('filling two lists of orders')
  const { small, large, growth, depth, sorted } = await withDatabase((url) => measureOrderLists({ url }))
  const times = ({ first, middle, last }: typeof small) => [first, middle, last].map((ms) => ms.toFixed(2)).join(' / ')
  const absolute = `first / middle / last page: ${times(large)} ms against ${times(small)} ms`
  const sizes = `${large.rows.toLocaleString('en')} orders against ${small.rows.toLocaleString('en')}`
  return [
    {
      measured: `a page of ${sizes}`,
      target: '≤ 1.5',
      result: growth.toFixed(2),
      absolute,
      pass: growth <= 1.5,
    },
    {
      measured: 'a page in the middle or at the end against the first',
      target: '≤ 3',
      result: depth.toFixed(2),
      pass: depth <= 3,
    },
    ...sorted.map((by) => ({
      measured: `by ${by.field}, from the middle on, each page behind the one before: ${sizes}`,
      target: '≤ 1.5',
      result: (by.large / by.small).toFixed(2),
      absolute: `${by.large.toFixed(2)} ms against ${by.small.toFixed(2)} ms; the first of them, which is walked to, ${by.walked.toFixed(0)} ms`,
      pass: by.large / by.small <= 1.5,
    })),
  ]
}

async function search(): Promise<Row[]> {
  const results = await withDatabase((url) => measureSearch({ url, progress: say }))
  return results.map(({ what, median: half, p95, growth }) => ({
    measured: `${what}, in 2,000,000 orders of 1,000 shops: p95`,
    target: '≤ 50 ms',
    result: `${p95.toFixed(1)} ms`,
    absolute: `median ${half.toFixed(1)} ms, ${growth.toFixed(2)} times what it takes in 10,000 orders`,
    pass: p95 <= 50,
  }))
}

async function requestLog(): Promise<Row[]> {
  const { ours, bare, perSecond, logged } = await withDatabase((one) =>
    withDatabase((other) => measureRequestLog({ databaseUrls: [one, other], ...requests })),
  )
  const rate = (each: typeof ours) => `${Math.round(median(each.map((one) => one.perSecond))).toLocaleString('en')}/s`
  return [
    {
      measured: `\`GET /api/2.0/app/accounts\`, 10,000 accounts, ${requests.connections} connections, with the request log on: speed against off`,
      target: '≥ 0.98',
      result: median(perSecond).toFixed(2),
      spread: spread(perSecond),
      rounds: { values: perSecond, better: 'more' },
      absolute: `${rate(ours)} against ${rate(bare)}, ${logged.toLocaleString('en')} calls kept`,
      pass: median(perSecond) >= 0.98,
    },
  ]
}

async function stockLedger(): Promise<Row[]> {
  const movements = Number(options.movements)
  const { now, past, median } = await withDatabase((url, restart) =>
    measureStockLedger({ url, restart, movements, progress: say }),
  )
  const ledger = `of an article, in a ledger of ${movements.toLocaleString('en')} movements (p99)`
  return [
    {
      measured: `what is available ${ledger}`,
      target: '≤ 5 ms',
      result: `${now.toFixed(2)} ms`,
      absolute: `half within ${median.now.toFixed(2)} ms`,
      pass: now <= 5,
    },
    {
      measured: `what was available at a past time ${ledger}`,
      target: '≤ 50 ms',
      result: `${past.toFixed(2)} ms`,
      absolute: `half within ${median.past.toFixed(2)} ms`,
      pass: past <= 50,
    },
  ]
}

async function intake(): Promise<Row[]> {
  const result = await withDatabase((databaseUrl) =>
    measureIntake({ databaseUrl, ...requests, nodeOptions: nodeOptions('intake') }),
  )
  return ratioRows(`a signed message of 2 KB taken in, ${requests.connections} connections`, [1.4, 1.5], result)
}

function ratioRows(
  name: string,
  [atLeast, slower]: [number, number],
  { bare, ours, perSecond, p99 }: RatioResult,
): Row[] {
  const middle = (runs: typeof bare, key: 'perSecond' | 'p99') => Math.round(median(runs.map((run) => run[key])))
  return [
    {
      measured: `${name}: requests/s against bare`,
      target: `≥ ${atLeast.toFixed(2)}`,
      result: median(perSecond).toFixed(2),
      spread: spread(perSecond),
      rounds: { values: perSecond, better: 'more' },
      absolute: `${middle(ours, 'perSecond')}/s against ${middle(bare, 'perSecond')}/s`,
      pass: median(perSecond) >= atLeast,
    },
    {
      measured: 'the same: p99 against bare',
      target: `≤ ${slower}`,
      result: median(p99).toFixed(2),
      spread: spread(p99),
      rounds: { values: p99, better: 'less' },
      absolute: `${middle(ours, 'p99')} ms against ${middle(bare, 'p99')} ms`,
      pass: median(p99) <= slower,
    },
  ]
}

async function sync(): Promise<Row[]> {
  const orders = Number(options.orders)
  // A round takes many times as long as one of the others.
  const rounds = Math.ceil(Number(options.rounds) / 3)
  const normal = await withDatabase((databaseUrl) =>
    measureSync({ databaseUrl, orders, rounds, nodeOptions: nodeOptions('sync').join(' '), progress: say }),
  )
  const larger: Row[] = []
  for (const size of options.large ? [50_000, 200_000] : []) {
    larger.push(
      memory(
        size,
        await withDatabase((databaseUrl) => measureSyncMemory({ databaseUrl, orders: size, progress: say })),
      ),
    )
  }
  const middle = (values: readonly number[]) => Math.round(median([...values])).toLocaleString('en')
  return [
    {
      measured: `a first sync of ${orders.toLocaleString('en')} orders by one worker: orders/s against bare`,
      target: '≥ 0.75',
      result: median(normal.ratios).toFixed(2),
      spread: spread(normal.ratios),
      rounds: { values: normal.ratios, better: 'more' },
      absolute: `${middle(normal.ours)}/s against ${middle(normal.bare)}/s`,
      pass: median(normal.ratios) >= 0.75,
    },
    memory(orders, normal.megabytes),
    ...larger,
  ]
}

const memory = (size: number, megabytes: number): Row => ({
  measured: `memory of the worker that copies ${size.toLocaleString('en')} orders, at most`,
  target: '≤ 250 MB',
  result: `${Math.round(megabytes)} MB`,
  pass: megabytes <= 250,
})

async function deliveries(): Promise<Row[]> {
  const count = 3000
  const rounds = Math.ceil(Number(options.rounds) / 2)
  const { ours, bare, megabytes } = await withDatabase((databaseUrl) =>
    measureDeliveries({
      ...{ databaseUrl, deliveries: count, rounds, progress: say },
      nodeOptions: nodeOptions('deliveries').join(' '),
    }),
  )
  const perSecond = median(ours)
  const ratios = ours.map((each, n) => each / (bare[n] ?? Number.NaN))
  const growth = megabytes.last - megabytes.first
  return [
    {
      measured: `${(count * rounds).toLocaleString('en')} webhook deliveries by one worker to one quick endpoint`,
      target: '≥ 2,500/s',
      result: `${Math.round(perSecond)}/s`,
      spread: spread(ours, 0),
      pass: perSecond >= 2500,
    },
    {
      measured: 'the same against bare posts, signed, without order, record or retry',
      target: '≥ 0.25',
      result: median(ratios).toFixed(2),
      spread: spread(ratios),
      rounds: { values: ratios, better: 'more' },
      absolute: `${Math.round(perSecond)}/s against ${Math.round(median(bare))}/s`,
      pass: median(ratios) >= 0.25,
    },
    {
      measured: 'memory of that worker at the end against when it was warm',
      target: '≤ 30 MB more',
      result: `${growth.toFixed(0)} MB`,
      absolute: `${Math.round(megabytes.last)} MB`,
      pass: growth <= 30,
    },
  ]
}

async function endToEnd(): Promise<Row[]> {
  const rounds = Math.ceil(Number(options.rounds) / 2)
  const perSecond = await withDatabase((databaseUrl) =>
    measureEndToEnd({
      ...{ databaseUrl, orders: 2000, rounds, progress: say },
      nodeOptions: nodeOptions('end-to-end').join(' '),
    }),
  )
  return [
    {
      measured: 'signed message of a shop → order stored → webhook delivered, one worker, orders/s',
      target: '≥ 800/s',
      result: `${Math.round(median(perSecond))}/s`,
      spread: spread(perSecond, 0),
      pass: median(perSecond) >= 800,
    },
  ]
}

async function orderLife(): Promise<Row[]> {
  const rounds = Math.ceil(Number(options.rounds) / 2)
  const costs = await withDatabase((databaseUrl) =>
    measureOrderLife({ databaseUrl, orders: 200, rounds, progress: say }),
  )
  return stages.map((stage) => {
    const own = costs[stage]
    const middle = (name: keyof Cost) => median(own.map((cost) => cost[name]))
    const total = own.map(({ api, worker, postgres }) => api + worker + postgres)
    const parts = (['api', 'worker', 'postgres'] as const).map((name) => middle(name).toFixed(2)).join(' / ')
    const pages = Math.round(own.at(-1)?.pages ?? Number.NaN)
    return {
      measured: `one order ${stage}: processor time`,
      target: '',
      result: `${median(total).toFixed(2)} ms`,
      spread: spread(total),
      rounds: { values: total, better: 'less' },
      absolute: `API / worker / PostgreSQL ${parts} ms; ${pages} pages; ${(middle('wal') / 1024).toFixed(1)} KB of WAL`,
      pass: null,
    }
  })
}

async function startUp(): Promise<Row[]> {
  const { coldSeconds, secondSeconds, idleMegabytes } = await measureStartUp(say)
  const atMost = (measured: string, value: number, limit: number, unit: string, digits: number): Row => ({
    measured,
    target: `≤ ${limit} ${unit}`,
    result: `${value.toFixed(digits)} ${unit}`,
    pass: value <= limit,
  })
  return [
    atMost('`npm start` to the first answer, empty data folder', coldSeconds, 10, 's', 1),
    atMost('the same, second start', secondSeconds, 1.5, 's', 1),
    atMost('memory at rest, without PostgreSQL', idleMegabytes, 120, 'MB', 0),
  ]
}

async function demo(): Promise<Row[]> {
  const seconds = await measureDemo({ rounds: Number(options.rounds), progress: say })
  const slowest = Math.max(...seconds)
  return [
    {
      measured: '`entrepot demo` beside a service that was just started for the first time (slowest round)',
      target: '≤ 5 s',
      result: `${slowest.toFixed(1)} s`,
      spread: spread(seconds, 1),
      pass: slowest <= 5,
    },
  ]
}
