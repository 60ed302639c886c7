import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '../../src/runtime/db/migrate.ts'
import { createLog } from '../../src/runtime/log.ts'
import { makeSiblingApp, makeTenant, type TestTenant } from '../support/server.ts'
import { type Fleet, withFleet } from './support/fleet.ts'
import { httpClient } from './support/http.ts'
import { withContext } from './support/identities.ts'
import { missingPatroni, type PatroniCluster, type PatroniNode, startPatroni } from './support/patroni.ts'
import { proof } from './support/proof.ts'
import { finished, firstSync, startRun } from './support/runs.ts'
import { settingsFor } from './support/settings.ts'
import { countStatuses, type Sent, type SteadyLoad, steadyLoad } from './support/steady-load.ts'
import { until } from './support/until.ts'

const allowedMs = 1000

/** A primary that dies is followed to the next by every process, by itself, and what was acknowledged is there. */
export const failover = proof({
  name: 'failover',
  asked:
    'Patroni with etcd and three nodes, synchronous replication, all named in DATABASE_URL; the primary and its Patroni killed 10 times under 200 writes/s and a sync: 0 acknowledged writes lost, only 503 meanwhile, each outage at most 1 s longer than a bare client sees none of the nodes take a write, no process of ours restarted, every sync finished',
  missing: missingPatroni,
  full: { kills: 10, perSecond: 200, settleMs: 3000, orders: 300 },
  quick: { kills: 1, perSecond: 50, settleMs: 1000, orders: 100 },
  async run({ kills, perSecond, settleMs, orders }, lab) {
    lab.progress('bringing up Patroni')
    const cluster = await startPatroni(3)
    try {
      await cluster.create('proof')
      const url = cluster.urlOf('proof')
      await migrate({ url, log: createLog('warn') })
      return await withFleet(url, async (fleet) => {
        const [worker, shop, merchant, writers] = await Promise.all([
          fleet.startWorker(),
          fleet.startShop({ platform: 'woocommerce', orders }),
          fleet.makeMerchant(),
          makeWriters(url),
        ])
        const integrationId = await merchant.install(shop)
        await firstSync(fleet, integrationId, 120)
        const load = steadyLoad({ perSecond, next: write(fleet, writers), http: httpClient(1000) })
        const seen: Kill[] = []
        for (let time = 1; time <= kills; time++) {
          await sleep(settleMs)
          const primary = await cluster.whole()
          await startRun(merchant, integrationId, 'sync_orders', { mode: 'full' })
          seen.push(await killUnderLoad(cluster, primary, load))
          primary.start()
          await finished(fleet, integrationId, 120)
          lab.progress('kills', time, kills)
        }
        await sleep(settleMs)
        await load.stop()
        const missing = await missingWrites(fleet, writers, load.sent)
        const exits = [fleet.api, worker].filter((one) => one.exitCode() !== null).length
        const outages = seen.map((kill, at) => outageOf(kill, seen[at + 1], load.sent))
        return judge({ load, outages, missing, exits })
      })
    } finally {
      await cluster.remove()
    }
  },
})

/** So many that none has thousands of accounts: each new one is counted against a quota. */
const writersInAll = 20

const makeWriters = (url: string): Promise<TestTenant[]> =>
  withContext(settingsFor(url), async (context) => {
    const first = await makeTenant(context)
    const writers = [first]
    while (writers.length < writersInAll) writers.push(await makeSiblingApp(context, first))
    return writers
  })

const nameOf = (n: number): string => `written-${n}`

const write = (fleet: Fleet, writers: readonly TestTenant[]) => (n: number) =>
  ({
    url: `${fleet.api.url}/api/2.0/app/accounts`,
    method: 'POST',
    token: writers[n % writers.length]?.appToken ?? '',
    body: { remote_id: nameOf(n) },
  }) as const

/** On the clock of `performance.now()`. */
interface Kill {
  killedAt: number
  deadAt: number
  /** A bare client's write was committed by another node. */
  takenAt: number
}

async function killUnderLoad(cluster: PatroniCluster, primary: PatroniNode, load: SteadyLoad): Promise<Kill> {
  const others = cluster.nodes.filter((node) => node !== primary)
  const probe = await openProbe(primary, others)
  try {
    const killedAt = performance.now()
    await primary.kill()
    const deadAt = performance.now()
    const takenAt = await probe.taken
    await until(
      'a write is acknowledged again',
      async () => load.sent.some(({ sentAt, status }) => sentAt > deadAt && status === 201),
      { everyMs: 20 },
    )
    return { killedAt, deadAt, takenAt }
  } finally {
    await probe.close()
  }
}

interface Outage {
  /** From the kill until another node takes writes. */
  switchMs: number
  /** From the kill until a write of ours is acknowledged. */
  firstMs: number
  /** From the kill until the last one is sent that is refused. */
  lastMs: number
}

/** What was sent after one kill and before the next. */
function outageOf({ killedAt, deadAt, takenAt }: Kill, next: Kill | undefined, all: readonly Sent[]): Outage {
  const end = next?.killedAt ?? Number.POSITIVE_INFINITY
  const sent = all.filter(({ sentAt }) => sentAt > deadAt && sentAt < end)
  // Those that were under way at the next kill are its own.
  const refused = sent.filter(({ answeredAt, status }) => status !== 201 && answeredAt < end)
  const acknowledged = sent.filter(({ status }) => status === 201)
  return {
    switchMs: takenAt - killedAt,
    firstMs: Math.min(...acknowledged.map(({ answeredAt }) => answeredAt)) - killedAt,
    lastMs: Math.max(deadAt, ...refused.map(({ sentAt }) => sentAt)) - killedAt,
  }
}

const askEveryMs = 50

/** A client that knows nothing but the addresses: it asks every other node to write, again and again. */
async function openProbe(primary: PatroniNode, others: readonly PatroniNode[]) {
  await once(primary, 'create table if not exists probe (at timestamptz default now())')
  let over = false
  const asking = others.map(async (node) => {
    while (!over) {
      const client = new pg.Client({ connectionString: node.urlOf('postgres'), connectionTimeoutMillis: 1000 })
      client.on('error', () => undefined)
      try {
        await client.connect()
        while (!over) {
          const next = sleep(askEveryMs)
          const isTaken = await client.query('insert into probe default values').then(
            () => true,
            (error: unknown) => {
              // It takes none: asked again on the same connection. Anything else wants a new one.
              if (Object(error).code !== '25006') throw error
            },
          )
          if (isTaken) return performance.now()
          await next
        }
      } catch {
        await sleep(askEveryMs)
      } finally {
        await client.end().catch(() => undefined)
      }
    }
    throw new Error('Nobody took a write.')
  })
  const taken = Promise.any(asking)
  taken.catch(() => undefined)
  return {
    taken,
    async close() {
      over = true
      await Promise.allSettled(asking)
    },
  }
}

async function once(node: PatroniNode, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: node.urlOf('postgres') })
  await client.connect()
  await client.query(text)
  await client.end()
}

/** Acknowledged, and not there. */
async function missingWrites(fleet: Fleet, writers: readonly TestTenant[], sent: readonly Sent[]): Promise<number> {
  const rows = await fleet.query<{ remote_id: string }>('select remote_id from accounts where app_id = any($1)', [
    writers.map(({ appId }) => appId),
  ])
  const kept = new Set(rows.map(({ remote_id }) => remote_id))
  return sent.filter(({ n, status }) => status === 201 && !kept.has(nameOf(n))).length
}

function judge(seen: { load: SteadyLoad; outages: readonly Outage[]; missing: number; exits: number }) {
  const { load, outages, missing, exits } = seen
  const other = load.sent.filter(({ status }) => status !== 201 && status !== 503)
  const examples = [...new Set(other.map(({ status, problem }) => problem ?? status))].slice(0, 5)
  const acknowledged = load.sent.filter(({ status }) => status === 201).length
  const longer = outages.map(({ switchMs, firstMs, lastMs }) => Math.max(firstMs, lastMs) - switchMs)
  const seconds = (values: readonly number[]) => `${(Math.max(...values) / 1000).toFixed(2)} s`
  const said = [
    `${outages.length} kills; ${missing} of ${acknowledged} acknowledged writes lost`,
    `${countStatuses(load.sent)}${examples.length > 0 ? ` (${examples.join('; ')})` : ''}`,
    `Patroni’s own switch at most ${seconds(outages.map(({ switchMs }) => switchMs))}`,
    `the first write of ours at most ${seconds(outages.map(({ switchMs, firstMs }) => firstMs - switchMs))} after it, the last refused one at most ${seconds(outages.map(({ switchMs, lastMs }) => lastMs - switchMs))}`,
    `${exits} processes ended`,
  ]
  return {
    measured: said.join('; '),
    pass: missing + other.length + exits === 0 && longer.every((ms) => ms <= allowedMs),
  }
}
