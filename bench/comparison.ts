import { type Fleet, type Merchant, withFleet } from '../test/prove/support/fleet.ts'
import { watchMemory } from '../test/prove/support/memory.ts'
import { finished, startRun } from '../test/prove/support/runs.ts'
import type { ShopProcess, TrueOrder } from '../test/prove/support/shop-process.ts'
import { openMeters } from './support/cost.ts'

export interface Comparison {
  orders: number
  /** Of worker and PostgreSQL together, for one order. Microseconds of processor time. */
  cost: number
  seconds: number
  /** The most that the worker held beyond what it held before. Megabytes. */
  grown: number
  megabytes: number
}

/** So many orders are missing here, so that there is something to find. */
export const missing = 25
const filledAtOnce = 50_000

/**
 * The whole of a Shopify held against its copy, by ids and versions; the statistics of the tables know of the copy. Nearly all of the time is
 * Shopify's own, which allows ten such pages a second: so what counts is processor time.
 */
export async function measureComparison(options: {
  databaseUrl: string
  orders: number
  progress: (text: string) => void
}): Promise<Comparison> {
  const { databaseUrl, orders, progress } = options
  return await withFleet(databaseUrl, async (fleet) => {
    const shop = await fleet.startShop({ platform: 'shopify', orders, products: 1 })
    const merchant = await fleet.makeMerchant()
    const id = await copied(fleet, { merchant, shop, progress })
    const worker = await fleet.startWorker()
    const meters = await openMeters({ api: fleet.api.pid, worker: worker.pid }, fleet.query)
    const memory = watchMemory(worker.pid)
    try {
      const held = await memory.now()
      const before = await meters()
      await startRun(merchant, id, 'reconcile', { resources: ['orders'] })
      await finished(fleet, id, 600 + orders / 500)
      const after = await meters()
      const peak = await memory.stop()
      await assertFound(fleet, id)
      const spent = after.worker - before.worker + after.postgres - before.postgres
      const seconds = (after.at - before.at) / 1000
      const cost = (spent * 1000) / orders
      progress(`  ${orders} orders: ${seconds.toFixed(1)} s, ${cost.toFixed(1)} µs of processor time each, ${peak} MB`)
      return { orders, cost, seconds, grown: peak - held, megabytes: peak }
    } finally {
      await worker.stop()
    }
  })
}

/** An integration whose copy is as the shop is, but for some orders. It is not read for the first time: that would take much longer. */
async function copied(
  fleet: Fleet,
  { merchant, shop, progress }: { merchant: Merchant; shop: ShopProcess; progress: (text: string) => void },
): Promise<number> {
  const id = await merchant.install(shop)
  await fleet.query('delete from runs where integration_id = $1', [id])
  await fleet.query(
    `update integration_state set cursor = (select jsonb_object_agg(kind, jsonb_build_object('watermark', now()))
       from unnest('{orders,products,inventory}'::text[]) kind) where integration_id = $1`,
    [id],
  )
  for (let filled = 0; ; filled += filledAtOnce) {
    const truth = await shop.get<TrueOrder[]>(`/_truth/orders?offset=${filled}&limit=${filledAtOnce}`)
    if (truth.length === 0) break
    const kept = filled === 0 ? truth.slice(missing) : truth
    await fleet.query(
      `insert into orders (integration_id, remote_id, number, status, currency, total, items, remote_version, private, private_digest,
         private_words, placed_at, created_at)
       select $1, r.remote_id, r.number, 'PENDING', 'EUR', 19.90, '[]', r.version, '\\x01', '\\x01', '{}', now() - interval '1 day',
         now() - interval '1 hour'
       from unnest($2::text[], $3::text[], $4::text[]) r(remote_id, number, version)`,
      [
        id,
        kept.map(({ remote_id: remoteId }) => remoteId),
        kept.map(({ number }) => number),
        kept.map(({ updated_at: changed }) => changed),
      ],
    )
    progress(`  ${filled + truth.length} orders are there`)
  }
  await fleet.query('vacuum analyze orders')
  return id
}

/** What was missing is here afterwards, and nothing else was found. */
async function assertFound(fleet: Fleet, integrationId: number): Promise<void> {
  const [run] = await fleet.query<{ result: Record<string, number> }>(
    `select result from runs where integration_id = $1 and resource = 'reconcile'`,
    [integrationId],
  )
  const { missing: found, stale, rechecked } = run?.result ?? {}
  // Some are read again in turn, whatever their version: of what was laid down here, their content is another.
  if (found !== missing || stale !== rechecked)
    throw new Error(`The comparison has found something else: ${JSON.stringify(run?.result)}`)
}
