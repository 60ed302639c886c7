import { setTimeout as sleep } from 'node:timers/promises'
import { connectors } from '../../src/connectors/index.ts'
import type { Context } from '../../src/domain/context.ts'
import { saveCredentials } from '../../src/domain/integrations/credentials-store.ts'
import { dispatchReads } from '../../src/domain/reads/dispatch-reads.ts'
import { queueComparisons } from '../../src/domain/sync/starting/queue-comparisons.ts'
import { workRun } from '../../src/domain/sync/work-run.ts'
import { type Database, openDatabase } from '../../src/runtime/db/connection.ts'
import { createLog } from '../../src/runtime/log.ts'
import { type MemorySimulator, openSimulator } from '../../src/simulator/simulator.ts'
import { makeIntegration } from '../support/gateway.ts'
import { inMemory } from '../support/imitation.ts'
import { newVault } from '../support/vault.ts'
import { type Lab, proof } from './support/proof.ts'
import { installClock, type VirtualClock } from './support/virtual-clock.ts'

/** As often as the program looks what is due. */
const tickSeconds = 5
const ticksPerDay = 86_400 / tickSeconds
/** Comparisons are looked for as often as the program does. */
const comparisonTicks = 600 / tickSeconds
/** Nobody orders any more, and what is under way comes in. */
const lastTicks = 1800 / tickSeconds
/** Time does not wait for work that waits for its budget. */
const patienceMs = 500

/**
 * Days pass in minutes: the clock of the database, which the program goes by, is set to that of the imitation, tick by
 * tick. What is tried is the program's own dispatcher of reads, its comparisons, runs and budgets; in the place of the queue
 * of jobs stands a list with the times at which runs asked to go on.
 */
export const amazonThreeDays = proof({
  name: 'amazon-three-days',
  asked:
    'Amazon with 1,000 orders a day at the real limits (imitation whose list lags 2 minutes, time-lapse of 3 days), without messages, comparison on: new orders here ≤ 5 min at p95, 0 missed deadlines (2 days to ship) and none later than an hour; 0 calls beyond quota',
  full: { ticks: 3 * ticksPerDay, perDay: 1000 },
  quick: { ticks: 360, perDay: 1000 },
  async run({ ticks, perDay }, lab) {
    const url = await lab.database('migrated')
    const clock = await installClock(url)
    await clock.setDefaults()
    const database = openDatabase({
      ...{ url, log: createLog('silent'), vault: newVault() },
      ...{ max: 8, applicationName: 'three days' },
    })
    try {
      const shop = openShop(database, clock)
      await shop.connect()
      for (let tick = 0; tick < ticks + lastTicks; tick++) {
        const due = tick < ticks ? ordersAt(tick, perDay) : 0
        await shop.pass({ orders: due, compares: tick % comparisonTicks === 0 })
        if (tick % 200 === 0) lab.progress('ticks', tick, ticks + lastTicks)
      }
      return await shop.outcome(lab)
    } finally {
      await database.close()
      await clock.close()
    }
  },
})

/** More by day than by night, and the same every time. */
function ordersAt(tick: number, perDay: number): number {
  const until = (at: number) => {
    const days = at / ticksPerDay + 0.5
    return Math.floor(perDay * (days - Math.sin(2 * Math.PI * days) / (2 * Math.PI)))
  }
  return until(tick + 1) - until(tick)
}

interface Waiting {
  integrationId: number
  runId: number
  /** Seconds, in the time of the shop. */
  due: number
}

function openShop(database: Database, clock: VirtualClock) {
  const simulator: MemorySimulator = openSimulator({
    ...{ platform: 'amazon', orders: 300, products: 10, seed: '13' },
    variant: { list_delay: 'yes', report_delay: 'yes' },
  })
  const waiting: Waiting[] = []
  const working = new Set<Promise<void>>()
  const placed = new Map<string, number>()
  const latencies = new Map<string, number>()
  const running = { signal: new AbortController().signal, attempt: 1 }
  let [integrationId, lastSeen] = [0, 0]
  const seconds = () => simulator.world.clock.now() / 1e6
  const context: Context = {
    db: database.db,
    reader: database.pool,
    transaction: database.transaction,
    enqueue: async () => undefined,
    record: async (_, fact, about) => {
      if (fact === 'run.queued' && 'runId' in about) waiting.push({ ...about, due: seconds() })
    },
    keys: [{ id: 'proof', key: Buffer.alloc(32) }],
    connectors: new Map([...connectors].filter(([type]) => type === 'amazon')),
    transport: inMemory(simulator),
    webhookAllow: [],
    callOut: () => Promise.reject(new Error('Nothing leaves from here.')),
    identify: () => null,
    log: createLog('silent'),
    publicUrl: 'https://entrepot.test',
  }
  const setClock = () => clock.set(new Date(seconds() * 1000))

  async function goOn({ integrationId: id, runId }: Waiting): Promise<void> {
    const again = await workRun(context, { integrationId: id, runId }, running.signal)
    if (again !== null) waiting.push({ integrationId: id, runId, due: seconds() + again })
  }

  /** Orders that were not here a moment ago. */
  async function look(): Promise<void> {
    const rows = await database.query<{ id: number; remote_id: string }>(
      'select id, remote_id from orders where integration_id = $1 and id > $2 order by id',
      [integrationId, lastSeen],
    )
    for (const { id, remote_id: remoteId } of rows) {
      lastSeen = Math.max(lastSeen, Number(id))
      const at = placed.get(remoteId)
      if (at !== undefined) latencies.set(remoteId, seconds() - at)
    }
  }

  return {
    async connect(): Promise<void> {
      await setClock()
      const { shop, settings } = simulator.install
      const { integration } = await makeIntegration(context, { appId: null }, { type: 'amazon', shop })
      integrationId = integration.id
      // Connected long enough for the first comparison to be due soon.
      await database.query(
        `update integrations set settings = $2, next_read_at = now(), installed_at = now() - interval '1430 minutes'
         where id = $1`,
        [integrationId, JSON.stringify(settings)],
      )
      const kept = { credentials: simulator.kept, expiresAt: null }
      await saveCredentials(context.db, context.keys, integration, kept)
    },
    async pass({ orders, compares }: { orders: number; compares: boolean }): Promise<void> {
      simulator.advance(tickSeconds)
      await setClock()
      // Whatever is bought is later packed, sent or changed in some other way.
      if (orders > 0)
        for (const id of simulator.change({ new_orders: orders, orders }).new_orders) placed.set(id, seconds())
      await dispatchReads.run(context, {}, running)
      if (compares) await queueComparisons.run(context, {}, running)
      const now = seconds()
      const due = waiting.filter((one) => one.due <= now)
      for (const one of due) {
        waiting.splice(waiting.indexOf(one), 1)
        const work: Promise<void> = goOn(one).finally(() => working.delete(work))
        working.add(work)
      }
      if (working.size === 0) return
      await Promise.race([Promise.all(working), sleep(patienceMs)])
      await look()
    },
    async outcome(lab: Lab) {
      lab.progress('the end')
      await Promise.all(working)
      await look()
      const comparisons = await database.query<{ n: number; missing: number }>(
        `select count(*)::int as n, coalesce(sum((result ->> 'missing')::int), 0)::int as missing from runs
         where integration_id = $1 and resource = 'reconcile' and status = 'completed' and input -> 'resources' ? 'orders'`,
        [integrationId],
      )
      const sorted = [...latencies.values()].sort((a, b) => a - b)
      const at = (share: number) => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0)
      const [p50, p95, longest] = [at(0.5), at(0.95), at(1)]
      const requests = simulator.ledger().filter((one) => one.kind === 'request')
      const beyond = requests.filter(({ status }) => status === 429).length
      const lists = requests.filter(({ operation }) => operation === 'searchOrders').length
      const missed = placed.size - sorted.filter((one) => one < 2 * 86_400).length
      const [{ n: compared, missing } = { n: 0, missing: 0 }] = comparisons
      return {
        measured: `${placed.size} orders placed, here after ${p50} s (p50), ${p95} s (p95), ${longest} s (longest); ${missed} missed deadlines; ${requests.length} calls, ${lists} of them for lists of orders, ${beyond} beyond quota; ${compared} comparisons completed, ${missing} orders found missing by them`,
        pass: placed.size > 0 && p95 <= 300 && longest <= 3600 && missed === 0 && beyond === 0 && compared > 0,
      }
    },
  }
}
