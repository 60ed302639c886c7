import { type Fleet, withFleet } from '../test/prove/support/fleet.ts'
import { finished, firstSync, startRun } from '../test/prove/support/runs.ts'
import { openMeters } from './support/cost.ts'

export interface SecondSync {
  /** Orders a second, by round. */
  first: number[]
  /** What has changed since, of which there is nothing. */
  incremental: number[]
  /** Everything once more. */
  full: number[]
  /** Microseconds of worker and PostgreSQL for one order that is read again. */
  cost: number
}

/**
 * A shop that has not changed is read again, as its schedule does and as a whole; each run from its start to its end, with what the shop takes to lay
 * its orders down as a file.
 */
export async function measureSecondSync(options: {
  databaseUrl: string
  orders: number
  rounds: number
  progress: (text: string) => void
}): Promise<SecondSync> {
  const { databaseUrl, orders, rounds, progress } = options
  return await withFleet(databaseUrl, async (fleet) => {
    const shop = await fleet.startShop({ platform: 'shopify', orders, products: 1 })
    const merchant = await fleet.makeMerchant()
    const worker = await fleet.startWorker()
    const meters = await openMeters({ api: fleet.api.pid, worker: worker.pid }, fleet.query)
    const result: SecondSync = { first: [], incremental: [], full: [], cost: Number.NaN }
    const patience = 120 + orders / 50
    for (let round = 1; round <= rounds; round++) {
      const id = await merchant.install(shop)
      await firstSync(fleet, id, patience)
      const again = async (mode: string) => {
        const before = await meters()
        const run = await startRun(merchant, id, 'sync_orders', { mode })
        await finished(fleet, id, patience)
        const after = await meters()
        result.cost = ((after.worker - before.worker + after.postgres - before.postgres) * 1000) / orders
        return orders / (await secondsOf(fleet, run))
      }
      const [run] = await fleet.query<{ id: string }>(
        `select id from runs where integration_id = $1 and resource = 'sync_orders'`,
        [id],
      )
      result.first.push(orders / (await secondsOf(fleet, Number(run?.id))))
      result.incremental.push(await again('incremental'))
      result.full.push(await again('full'))
      const told = [result.first, result.incremental, result.full].map((rates) => Math.round(rates.at(-1) ?? 0))
      progress(`  round ${round} of ${rounds}: first, incremental, full: ${told.join(', ')} orders/s`)
    }
    return result
  })
}

async function secondsOf(fleet: Fleet, run: number): Promise<number> {
  const [found] = await fleet.query<{ seconds: number }>(
    'select extract(epoch from finished_at - started_at)::float8 as seconds from runs where id = $1',
    [run],
  )
  if (!found) throw new Error('There is no such run.')
  return found.seconds
}
