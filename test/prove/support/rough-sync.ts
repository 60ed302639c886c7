import { setTimeout as sleep } from 'node:timers/promises'
import type { Fleet, Merchant } from './fleet.ts'
import { compare, type Difference, finished, type RunState, runsOf, startRun } from './runs.ts'
import type { ShopProcess } from './shop-process.ts'
import { until } from './until.ts'

/** A merchant's shop that is being copied. */
export interface Copying {
  fleet: Fleet
  merchant: Merchant
  shop: ShopProcess
  id: number
}

/**
 * Bad weather, and pages so slow that there is something to be interrupted. Limits are wider than in real life: with those of
 * Amazon, 20,000 orders would take three hours.
 */
export const roughWeather = { preset: 'rough', hold_ms: 2000, slow_body: 0.5, slow_ms: 300, limit_scale: 100 }

/** A run of orders that is being worked on; another full one is started where the last is over. */
export async function underWay({ fleet, merchant, id }: Copying): Promise<RunState> {
  return await until(
    'a run is under way',
    async () => {
      const runs = (await runsOf(fleet, id)).filter(({ resource }) => resource === 'sync_orders')
      const open = runs.filter(({ status }) => status === 'running' || status === 'queued')
      if (runs.length > 0 && open.length === 0) await startRun(merchant, id, 'sync_orders', { mode: 'full' })
      return open.find(({ status }) => status === 'running')
    },
    { seconds: 180 },
  )
}

/**
 * A run under way; none of the integration's has been begun several times in vain: one that is, again and again, is given
 * up, and rightly so. A slow machine would come to that by chance.
 */
export async function gettingOn(copying: Copying): Promise<RunState> {
  return await until(
    'a run gets on',
    async () => {
      const run = await underWay(copying)
      const text = `select max(attempts)::int as attempts from runs where integration_id = $1 and status = 'running'`
      const [row] = await copying.fleet.query<{ attempts: number | null }>(text, [copying.id])
      return (row?.attempts ?? 0) < 3 && run
    },
    { seconds: 300 },
  )
}

/** Null if it was over before it could be interrupted; else the milliseconds until somebody has taken it up again. */
export async function takenUp({ fleet, id }: Copying, before: RunState, since: number): Promise<number | null> {
  const find = async () => (await runsOf(fleet, id)).find((run) => run.id === before.id)
  const now = await find()
  if (now?.status !== 'running') return null
  const fence = now.fence ?? 0
  await until(
    `run ${before.id} goes on`,
    async () => {
      const run = await find().catch(() => undefined)
      return run && ((run.fence ?? 0) > fence || run.status !== 'running')
    },
    { seconds: 180, everyMs: 20 },
  )
  return performance.now() - since
}

/** Orders change in the meantime, a few at a time, until all have. */
export function changing(shop: ShopProcess, orders: number, seconds: number): { stop(): Promise<void> } {
  const steps = Math.max(1, Math.min(orders, seconds * 2))
  let running = true
  let changed = 0
  const loop = (async () => {
    for (let step = 1; step <= steps; step++) {
      const now = Math.round((orders * step) / steps) - changed
      changed += now
      if (now > 0) await shop.post('/_shop/change', { orders: now })
      if (running) await sleep((seconds * 1000) / steps)
    }
  })()
  return {
    async stop() {
      running = false
      await loop
    },
  }
}

/** The weather clears up, a last sync and a comparison: then the copy is to be equal. */
export async function settle({ fleet, merchant, shop, id }: Copying, seconds: number): Promise<Difference> {
  await shop.post('/_weather', { preset: 'calm' })
  await finished(fleet, id, seconds)
  await startRun(merchant, id, 'sync_orders')
  await startRun(merchant, id, 'reconcile', { resources: ['orders'] })
  await finished(fleet, id, seconds)
  return await compare(fleet, shop, id)
}
