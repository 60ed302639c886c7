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

/**
 * Milliseconds until somebody has taken the run up again; null if nobody could be interrupted at it: it is over, it waits for
 * a shop that is away, or whoever works on it has come to such a wait.
 */
export async function takenUp({ fleet, id }: Copying, before: RunState, since: number): Promise<number | null> {
  const find = async () => (await runsOf(fleet, id)).find((run) => run.id === before.id)
  const [now, worked] = await Promise.all([find(), isWorkedOn(fleet, id, before.id)])
  if (now?.status !== 'running' || !worked) return null
  const moved = await until(
    `run ${before.id} goes on`,
    async () => {
      const run = await find().catch(() => undefined)
      if (!run) return undefined
      if (run.waits > now.waits) return 'waits'
      return (run.fence ?? 0) > (now.fence ?? 0) || run.status !== 'running' ? 'goes on' : undefined
    },
    { seconds: 180, everyMs: 20 },
  )
  return moved === 'waits' ? null : performance.now() - since
}

/** A worker has its job, alive or dead. A run between two turns, or one that waits for its shop, has none. */
async function isWorkedOn(fleet: Fleet, integrationId: number, runId: number): Promise<boolean> {
  const rows = await fleet.query(
    `select 1 from pgboss.job where name = 'perform-run' and state = 'active'
      and data->'input' = jsonb_build_object('integrationId', $1::int, 'runId', $2::int)`,
    [integrationId, runId],
  )
  return rows.length > 0
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

/** The same merchant, with the same tokens, who asks the servers of another fleet. */
export const inFleet = (merchant: Merchant, { api }: Fleet): Merchant => ({
  ...merchant,
  call: (method, path, body) => merchant.call(method, path, body, api),
})
