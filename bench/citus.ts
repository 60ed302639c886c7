import { randomInt } from 'node:crypto'
import { listOrders } from '../src/domain/orders/order-list-store.ts'
import { upsertOrders } from '../src/domain/orders/order-upsert-store.ts'
import { syncedOrder } from '../src/domain/orders/synced-order.ts'
import { distribute } from '../src/runtime/db/citus/distribute.ts'
import { type Database, openDatabase } from '../src/runtime/db/connection.ts'
import { askInTurn, migrate } from '../src/runtime/db/migrate.ts'
import { takeIds } from '../src/runtime/db/take-ids.ts'
import { createLog } from '../src/runtime/log.ts'
import { remoteOrder } from '../test/support/remote-order.ts'
import { newVault } from '../test/support/vault.ts'
import { fill, firstPage } from './orders-list.ts'
import { median } from './support/statistics.ts'

/** What the same work costs on Citus and on one PostgreSQL with the same settings, in turns, over one connection each. */
export interface CitusTimes {
  name: string
  /** Milliseconds on Citus against those on the other, of each block of rounds. */
  ratios: number[]
  citus: number
  plain: number
}

const log = createLog('warn')
const rows = 20_000
const ordersInPage = 100
const perBlock = 20

export async function measureCitus(options: { plain: string; citus: string; blocks: number }): Promise<CitusTimes[]> {
  const sides = [await prepare(options.citus), await prepare(options.plain)]
  try {
    const cells = works.map(({ name, work }) => ({
      name,
      work,
      times: sides.map((): number[] => []),
      ratios: [] as number[],
    }))
    for (let block = -1; block < options.blocks; block++) {
      for (const { work, times, ratios } of cells) {
        const medians: number[] = []
        const taken = sides.map((): number[] => [])
        for (let round = 0; round < perBlock; round++) {
          for (const [n, side] of sides.entries()) taken[n]?.push(await timed(() => work(side)))
        }
        for (const [n, some] of taken.entries()) {
          medians.push(median(some))
          if (block >= 0) times[n]?.push(...some)
        }
        // The first block only warms up.
        if (block >= 0) ratios.push((medians[0] ?? 0) / (medians[1] ?? 1))
      }
    }
    return cells.map(({ name, ratios, times }) => ({
      name,
      ratios,
      citus: median(times[0] ?? []),
      plain: median(times[1] ?? []),
    }))
  } finally {
    for (const { database } of sides) await database.close()
  }
}

interface Side {
  database: Database
  integrationId: number
}

async function prepare(url: string): Promise<Side> {
  await migrate({ url, log })
  await askInTurn(url, distribute)
  const database = openDatabase({ url, max: 1, statementTimeoutMs: 600_000, log, vault: newVault() })
  // Another one each time, so that the database can be used again.
  const integrationId = randomInt(1_000_000, 1_000_000_000)
  await fill(database.query, { integrationId, rows })
  await database.query('analyze orders')
  return { database, integrationId }
}

const list = (page: number) => async (side: Side) => {
  const { rows: found } = await listOrders(side.database.pool, side.integrationId, { ...firstPage, page })
  if (found.length === 0) throw new Error('The list does not hold what it should.')
}

let written = 0

async function syncPage({ database, integrationId }: Side): Promise<void> {
  const orders = Array.from({ length: ordersInPage }, () =>
    syncedOrder({ type: 'sandbox' }, remoteOrder({ remote_id: `s${++written}`, number: `#${written}` })),
  )
  const ids = await takeIds(database.db, 'orders', ordersInPage)
  await database.transaction((trx) => upsertOrders(trx, integrationId, { ids, orders }))
}

const works: readonly { name: string; work(side: Side): Promise<void> }[] = [
  { name: 'the first page of a list of orders', work: list(1) },
  { name: 'a page in its middle', work: list(rows / firstPage.perPage / 2) },
  { name: `a page of a sync, ${ordersInPage} new orders with history and counters`, work: syncPage },
]

async function timed(work: () => Promise<void>): Promise<number> {
  const start = process.hrtime.bigint()
  await work()
  return Number(process.hrtime.bigint() - start) / 1e6
}
