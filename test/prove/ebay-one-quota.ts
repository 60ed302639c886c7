import { setTimeout as sleep } from 'node:timers/promises'
import type { Transport } from '../../src/commerce/remote.ts'
import { connectors } from '../../src/connectors/index.ts'
import type { Context } from '../../src/domain/context.ts'
import { saveCredentials } from '../../src/domain/integrations/credentials-store.ts'
import { dispatchReads } from '../../src/domain/reads/dispatch-reads.ts'
import { savePlatformClient } from '../../src/domain/services/platform-client-store.ts'
import { completeOrders } from '../../src/domain/sync/outlines/complete-orders.ts'
import { queueComparisons } from '../../src/domain/sync/starting/queue-comparisons.ts'
import { workRun } from '../../src/domain/sync/work-run.ts'
import { type Database, openDatabase } from '../../src/runtime/db/connection.ts'
import { createLog } from '../../src/runtime/log.ts'
import { type MemorySimulator, openSimulator } from '../../src/simulator/simulator.ts'
import { makeIntegration } from '../support/gateway.ts'
import { inMemory } from '../support/imitation.ts'
import { newVault } from '../support/vault.ts'
import { proof } from './support/proof.ts'
import { installClock, type VirtualClock } from './support/virtual-clock.ts'

const tickSeconds = 60
const comparisonTicks = 600 / tickSeconds
/** Nobody buys any more, and what is under way comes in. */
const lastTicks = 1800 / tickSeconds
/** Work that waits for its budget sleeps in real time: while any does, the clock goes ten times as fast, and no faster. */
const stepMs = 100
const stepSeconds = 1

const quotaPerDay = 100_000
const daySeconds = 86_400

/**
 * A day passes in minutes, as for Amazon: the clock of the database is that of the imitations. Each seller is an imitation
 * of its own; what they have in common is counted before them, as eBay counts the calls of an application.
 */
export const ebayOneQuota = proof({
  name: 'ebay-one-quota',
  asked:
    'eBay, 30 sellers of one application on 100,000 calls a day (imitation, time-lapse of three hours, with calls in proportion), one of them while its long history is imported: quota shared fairly, 0 × 429 after the first hour, all new orders of sellers whose import is over here ≤ 15 min',
  full: { sellers: 30, hours: 3, perDay: 300, history: 3000 },
  quick: { sellers: 4, hours: 1, perDay: 300, history: 200 },
  async run({ sellers, hours, perDay, history }, lab) {
    const url = await lab.database('migrated')
    const clock = await installClock(url)
    await clock.setDefaults()
    const database = openDatabase({
      url,
      log: createLog('silent'),
      vault: newVault(),
      max: 30,
      applicationName: 'one quota',
      connectTimeoutMs: 60_000,
    })
    try {
      const town = openTown(database, clock, { sellers, history, hours })
      await town.connect()
      const ticks = Math.ceil((hours * 3600) / tickSeconds)
      const perTick = (perDay * tickSeconds) / 86_400
      for (let tick = 0; tick < ticks + lastTicks; tick++) {
        const due = (seller: number) => {
          const [from, to] = [tick, tick + 1].map((at) => Math.floor(at * perTick + seller / sellers))
          return tick < ticks ? (to ?? 0) - (from ?? 0) : 0
        }
        await town.pass({ due, compares: tick % comparisonTicks === 0 })
        if (tick % 60 === 0) lab.progress('ticks', tick, ticks + lastTicks)
      }
      return await town.outcome()
    } finally {
      await database.close()
      await clock.close()
    }
  },
})

interface Waiting {
  integrationId: number
  /** Null: the rest of orders that lists show a part of. */
  runId: number | null
  /** Seconds, in the time of the shops. */
  due: number
}

interface Seller {
  simulator: MemorySimulator
  carry: Transport
  integrationId: number
  calls: number
  /** How many orders it had when it was connected, and how many of all are here. */
  old: number
  here: number
  /** When all of the old ones were here. */
  importedAt: number
}

const isOrders = (url: string) => url.includes('/sell/fulfillment/')

function openTown(
  database: Database,
  clock: VirtualClock,
  { sellers: count, history, hours }: { sellers: number; history: number; hours: number },
) {
  const sellers = Array.from({ length: count }, (_, n): Seller => {
    const shop = `seller-${n}.ebay.com`
    const simulator = openSimulator({
      ...{ platform: 'ebay', shop, products: 2, seed: `quota ${n}` },
      orders: n === 0 ? history : 40,
    })
    const old = simulator.truth().length
    const carry = inMemory(simulator)
    return { simulator, carry, integrationId: 0, calls: 0, old, here: 0, importedAt: Number.POSITIVE_INFINITY }
  })
  const [first] = sellers
  if (!first) throw new Error('There are no sellers.')
  const running = { signal: new AbortController().signal, attempt: 1 }
  const waiting: Waiting[] = []
  const working = new Set<Promise<void>>()
  const placed = new Map<string, number>()
  const arrived = new Map<string, number>()
  const counts = { calls: 0, early: 0, late: 0 }
  let lastSeen = 0
  const seconds = () => first.simulator.world.clock.now() / 1e6
  const begin = seconds()
  const byToken = new Map(sellers.map((one) => [one, one.simulator.keep(30 * 86_400)]))

  const lapse = hours * 3600 + lastTicks * tickSeconds
  /** A day's calls in proportion: what is too many in a part of it is turned away, although a whole day would bear it. */
  const quota = Math.floor((quotaPerDay * lapse) / daySeconds)

  /** What an application asks for itself: its token, and what is left of its day. */
  function askedByApp(url: string) {
    const headers = { date: new Date(seconds() * 1000).toUTCString() }
    if (url.endsWith('/oauth2/token')) return { status: 200, headers, body: { access_token: 'of the app' } }
    if (!url.includes('/rate_limit/')) return null
    const reset = new Date((begin + lapse) * 1000).toISOString()
    const rate = { limit: quotaPerDay, remaining: Math.max(0, quota - counts.calls), reset, timeWindow: daySeconds }
    const resources = [{ name: 'sell.fulfillment', rates: [rate] }]
    return { status: 200, headers, body: { rateLimits: [{ apiContext: 'sell', apiName: 'fulfillment', resources }] } }
  }

  /** One quota before all of them; whose call it is the token says. */
  const transport: Transport = async (call) => {
    const own = askedByApp(call.url)
    if (own) return own
    const sent = call.request.headers?.['authorization'] ?? ''
    const seller = sellers.find((one) => sent.endsWith(String(byToken.get(one)?.['access_token'])))
    if (!seller) throw new Error('Nobody knows who is asked.')
    if (isOrders(call.url)) {
      counts.calls++
      seller.calls++
      if (counts.calls > quota) {
        if (seconds() - begin < 3600) counts.early++
        else counts.late++
        return { status: 429, headers: {}, body: { errors: [{ errorId: 2001, message: 'Too many requests.' }] } }
      }
    }
    return await seller.carry(call)
  }

  const context: Context = {
    db: database.db,
    reader: database.pool,
    transaction: database.transaction,
    enqueue: async (_, { name }, input, { startAfterSeconds = 0 } = {}) => {
      const { integrationId } = Object(input)
      const waits = waiting.some((one) => one.runId === null && one.integrationId === integrationId)
      if (name === completeOrders.name && !waits)
        waiting.push({ integrationId, runId: null, due: seconds() + startAfterSeconds })
    },
    record: async (_, fact, about) => {
      if (fact === 'run.queued' && 'runId' in about) waiting.push({ ...about, due: seconds() })
    },
    keys: [{ id: 'proof', key: Buffer.alloc(32) }],
    connectors: new Map([...connectors].filter(([type]) => type === 'ebay')),
    transport,
    webhookAllow: [],
    callOut: () => Promise.reject(new Error('Nothing leaves from here.')),
    identify: () => null,
    log: createLog('silent'),
    publicUrl: 'https://entrepot.test',
  }

  async function goOn({ integrationId, runId }: Waiting): Promise<void> {
    if (runId === null) return await completeOrders.run(context, { integrationId }, running)
    const again = await workRun(context, { integrationId, runId }, running.signal)
    if (again !== null) waiting.push({ integrationId, runId, due: seconds() + again })
  }

  async function advance(by: number): Promise<number> {
    for (const { simulator } of sellers) simulator.advance(by)
    await clock.set(new Date(seconds() * 1000))
    return by
  }

  /** Orders that were not here a moment ago. */
  async function look(): Promise<void> {
    const rows = await database.query<{ id: number; integration_id: number; remote_id: string }>(
      'select id, integration_id, remote_id from orders where id > $1 order by id',
      [lastSeen],
    )
    for (const { id, integration_id: of, remote_id: remoteId } of rows) {
      lastSeen = Math.max(lastSeen, Number(id))
      arrived.set(`${of} ${remoteId}`, seconds())
      const seller = sellers.find(({ integrationId }) => integrationId === Number(of))
      if (seller && ++seller.here === seller.old) seller.importedAt = seconds()
    }
  }

  return {
    async connect(): Promise<void> {
      await clock.set(new Date(seconds() * 1000))
      for (const seller of sellers) {
        const { shop, settings, client } = seller.simulator.install
        const { integration } = await makeIntegration(context, { appId: null }, { type: 'ebay', shop })
        seller.integrationId = integration.id
        const place = { serviceId: integration.service_id, appId: null }
        if (seller === first) await savePlatformClient(context.db, context.keys, place, Object(client))
        await database.query(
          `update integrations set settings = $2, next_read_at = now(),
             installed_at = now() - make_interval(mins => $3) where id = $1`,
          // The first comparison of the others is due soon.
          [integration.id, JSON.stringify(settings ?? {}), seller === first ? 0 : 1400],
        )
        const credentials = byToken.get(seller) ?? {}
        await saveCredentials(context.db, context.keys, integration, { credentials, expiresAt: null })
      }
    },
    async pass({ due, compares }: { due: (seller: number) => number; compares: boolean }): Promise<void> {
      for (const [n, { simulator, integrationId }] of sellers.entries()) {
        const orders = due(n)
        // Whatever is bought is later packed, sent or changed in some other way.
        if (orders > 0)
          for (const id of simulator.change({ new_orders: orders, orders }).new_orders)
            placed.set(`${integrationId} ${id}`, seconds())
      }
      await dispatchReads.run(context, {}, running)
      if (compares) await queueComparisons.run(context, {}, running)
      const now = seconds()
      for (const one of waiting.filter((other) => other.due <= now)) {
        waiting.splice(waiting.indexOf(one), 1)
        // What fails for no known reason the queue brings back.
        const work: Promise<void> = goOn(one)
          .catch(() => void waiting.push({ ...one, due: now + 5 }))
          .finally(() => working.delete(work))
        working.add(work)
      }
      let left = tickSeconds
      while (working.size > 0 && left > 0) {
        await Promise.race([Promise.all(working), sleep(stepMs)])
        if (working.size > 0) left -= await advance(stepSeconds)
      }
      await look()
      await advance(left)
    },
    async outcome() {
      await Promise.all(working)
      await look()
      const importedAt = new Map(sellers.map((one) => [String(one.integrationId), one.importedAt]))
      const isMeant = ([key, at]: [string, number]) => at >= (importedAt.get(key.split(' ')[0] ?? '') ?? 0)
      const meant = [...placed].filter(isMeant)
      const sorted = meant.map(([key, at]) => (arrived.get(key) ?? seconds()) - at).sort((a, b) => a - b)
      const at = (share: number) => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0)
      const others = sellers.slice(1).map(({ calls }) => calls)
      const missing = [...placed.keys()].filter((key) => !arrived.has(key)).length
      const [{ behind } = { behind: null }] = await database.query<{ behind: number }>(
        'select count(*)::int as behind from orders where incomplete',
      )
      const importHours = ((first.importedAt - begin) / 3600).toFixed(1)
      return {
        measured: `${placed.size} new orders of ${count} sellers, ${placed.size - meant.length} of them while their seller was imported, the others here after ${at(0.5)} s (p50), ${at(0.95)} s (p95), ${at(1)} s (longest), ${missing} missing, ${behind} of all orders without their parcels; ${counts.calls} of ${quota} calls; the one with ${history} old orders was imported in ${importHours} h and made ${first.calls} calls, the others ${Math.min(...others)} to ${Math.max(...others)}; 429: ${counts.early} in the first hour, ${counts.late} later`,
        pass:
          meant.length > 0 &&
          missing + Number(behind ?? 1) === 0 &&
          at(1) <= 900 &&
          counts.late === 0 &&
          first.calls > Math.max(...others),
      }
    },
  }
}
