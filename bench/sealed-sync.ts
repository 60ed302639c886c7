import { fileURLToPath } from 'node:url'
import { type Fleet, type Merchant, withFleet } from '../test/prove/support/fleet.ts'
import { firstSync } from '../test/prove/support/runs.ts'
import type { ShopProcess } from '../test/prove/support/shop-process.ts'
import { between, openMeters } from './support/cost.ts'
import { secondsOfSync } from './sync.ts'

/**
 * What it costs a first sync that customer data is sealed: the same shop copied by the worker as it is, and by one that seals
 * nothing (`clear-records.ts`), in turns. Each is a process of its own, and copies the shop once before it is measured.
 */
export interface SealedSyncResult {
  /** How much of the speed is left, by the processor time of worker and PostgreSQL, round by round. */
  ratios: number[]
  /** The same by the clock on the wall. */
  byClock: number[]
  /** Processor time of an order, milliseconds. */
  sealed: number[]
  clear: number[]
}

const clearRecords = fileURLToPath(new URL('support/clear-records.ts', import.meta.url))

export async function measureSealedSync(options: {
  databaseUrl: string
  orders: number
  rounds: number
  progress(text: string): void
}): Promise<SealedSyncResult> {
  const { databaseUrl, orders, rounds, progress } = options
  return await withFleet(databaseUrl, async (fleet) => {
    const shop = await fleet.startShop({ platform: 'shopify', orders, products: 1 })
    const merchant = await fleet.makeMerchant()
    const way = { fleet, merchant, shop, orders }
    const result: SealedSyncResult = { ratios: [], byClock: [], sealed: [], clear: [] }
    for (let round = 1; round <= rounds; round++) {
      const sealed = await copy(way, '')
      const clear = await copy(way, `--import=${clearRecords}`)
      result.sealed.push(sealed.ms)
      result.clear.push(clear.ms)
      result.ratios.push(clear.ms / sealed.ms)
      result.byClock.push(clear.seconds / sealed.seconds)
      progress(`  round ${round} of ${rounds}: ${sealed.ms.toFixed(2)} ms an order against ${clear.ms.toFixed(2)} ms`)
    }
    return result
  })
}

interface Way {
  fleet: Fleet
  merchant: Merchant
  shop: ShopProcess
  orders: number
}

async function copy(
  { fleet, merchant, shop, orders }: Way,
  nodeOptions: string,
): Promise<{ ms: number; seconds: number }> {
  const worker = await fleet.startWorker(nodeOptions)
  try {
    await firstSync(fleet, await merchant.install(shop), 60 + orders / 100)
    const read = await openMeters({ api: fleet.api.pid, worker: worker.pid }, fleet.query)
    const before = await read()
    const id = await merchant.install(shop)
    await firstSync(fleet, id, 60 + orders / 100)
    const cost = between(before, await read(), { records: orders })
    const [stored] = await fleet.query<{ clear: boolean }>(
      'select bool_or(0 = any(private_words)) as clear from orders where integration_id = $1',
      [id],
    )
    if (stored?.clear !== (nodeOptions !== '')) throw new Error('The orders are not stored as they should be.')
    return { ms: cost.worker + cost.postgres, seconds: await secondsOfSync(fleet, id) }
  } finally {
    await worker.stop()
  }
}
