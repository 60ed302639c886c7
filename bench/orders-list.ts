import { listOrders } from '../src/domain/orders/order-list-store.ts'
import { openDatabase } from '../src/runtime/db/connection.ts'
import type { PageQuery, Reader } from '../src/runtime/db/lists/paginate.ts'
import { createLog } from '../src/runtime/log.ts'
import { countStored } from '../test/support/count-stored.ts'
import type { Query } from '../test/support/many-shops.ts'

/**
 * What a page of orders costs at the start, in the middle and at the end of a small and of a large list. Needs a
 * migrated database of its own; fills it, and leaves the rows there.
 */
export interface OrderListTimes {
  rows: number
  /** Milliseconds, median. */
  first: number
  middle: number
  last: number
}

export interface OrderListResult {
  small: OrderListTimes
  large: OrderListTimes
  /** Large against small, the worst of the three places. */
  growth: number
  /** Middle or last page against the first, the worst of both sizes. */
  depth: number
  /** In each other order. */
  sorted: SortedTimes[]
}

/** Pages from the middle on, each behind the one that was read before it; milliseconds, median. */
export interface SortedTimes {
  field: string
  small: number
  large: number
  /** The first of them in the large list, which has to be walked to. */
  walked: number
}

export async function measureOrderLists(options: {
  url: string
  small?: number
  large?: number
  rounds?: number
}): Promise<OrderListResult> {
  const { url, small = 10_000, large = 2_000_000, rounds = 300 } = options
  const database = openDatabase({ url, max: 1, statementTimeoutMs: 600_000, log: createLog('warn') })
  try {
    const lists = [
      { integrationId: 1_000_001, rows: small },
      { integrationId: 1_000_002, rows: large },
    ]
    for (const list of lists) await fill(database.query, list)
    await database.query('vacuum analyze orders, row_counters')
    const cells = lists.flatMap((list) => {
      const pages = Math.ceil(list.rows / perPage)
      return [1, Math.ceil(pages / 2), pages].map((page) => ({ ...list, page, times: [] as number[] }))
    })
    // Interleaved, so that whatever else the machine does falls on all cells alike; the first rounds only warm up.
    for (let round = -20; round < rounds; round++) {
      for (const cell of cells) {
        const start = process.hrtime.bigint()
        const page = await listOrders(database.pool, cell.integrationId, { ...firstPage, page: cell.page })
        const took = Number(process.hrtime.bigint() - start) / 1e6
        if (page.total !== cell.rows || page.rows.length === 0)
          throw new Error('The list does not hold what it should.')
        if (round >= 0) cell.times.push(took)
      }
    }
    const [a, b, c, d, e, f] = cells.map(({ times }) => median(times))
    const times = (rows: number, [first = 0, middle = 0, last = 0]: (number | undefined)[]) => ({
      rows,
      first,
      middle,
      last,
    })
    const sorted: SortedTimes[] = []
    for (const field of ['created_at', 'placed_at', 'updated_at', 'number', 'status'])
      sorted.push(await timesSorted(database.pool, lists, { field, rounds }))
    return { ...summary(times(small, [a, b, c]), times(large, [d, e, f])), sorted }
  } finally {
    await database.close()
  }
}

async function timesSorted(
  reader: Reader,
  lists: readonly { integrationId: number; rows: number }[],
  { field, rounds }: { field: string; rounds: number },
): Promise<SortedTimes> {
  const cells = lists.map((list) => ({ ...list, from: Math.ceil(list.rows / perPage / 2), times: [] as number[] }))
  for (let round = 0; round < rounds; round++) {
    for (const { integrationId, rows, from, times } of cells) {
      const start = process.hrtime.bigint()
      const sort = [{ field, descending: true }]
      const page = await listOrders(reader, integrationId, { ...firstPage, page: from + round, sort })
      times.push(Number(process.hrtime.bigint() - start) / 1e6)
      if (page.total !== rows || page.rows.length !== perPage) throw new Error('The list does not hold what it should.')
    }
  }
  const [small = 0, large = 0] = cells.map(({ times }) => median(times.slice(1)))
  return { field, small, large, walked: cells[1]?.times[0] ?? 0 }
}

const perPage = 15
export const firstPage: PageQuery = { page: 1, perPage, filter: { acknowledged: ['all'] }, sort: [] }

function summary(small: OrderListTimes, large: OrderListTimes): Omit<OrderListResult, 'sorted'> {
  const round = (value: number) => Math.round(value * 100) / 100
  return {
    small,
    large,
    growth: round(Math.max(large.first / small.first, large.middle / small.middle, large.last / small.last)),
    depth: round(Math.max(...[small, large].flatMap((list) => [list.middle / list.first, list.last / list.first]))),
  }
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

export async function fill(
  run: Query,
  { integrationId, rows }: { integrationId: number; rows: number },
): Promise<void> {
  await run('insert into integration_state (integration_id) values ($1)', [integrationId])
  await fillOrders(run, { integrationId, rows })
}

const atOnce = 250_000

/** Of an integration that is there; nothing of them is sealed. */
export async function fillOrders(
  run: Query,
  {
    integrationId,
    rows,
    progress = () => undefined,
  }: { integrationId: number; rows: number; progress?: (done: number) => void },
): Promise<void> {
  for (let done = 0; done < rows; done += atOnce) {
    await run(
      `insert into orders (integration_id, remote_id, number, status, currency, total, customer, items, placed_at)
       select $1, 'r' || n, '#' || n, 'PENDING', 'EUR', 19.90,
         '{"name": "Ada Example", "email": "ada@example.com"}',
         '[{"sku": "A-1", "name": "Thing", "quantity": 1, "price": "9.95"}, {"sku": "B-2", "name": "Other thing", "quantity": 1, "price": "9.95"}]',
         now()
       from generate_series($2::int, $3::int) n`,
      [integrationId, done + 1, Math.min(done + atOnce, rows)],
    )
    progress(Math.min(done + atOnce, rows))
  }
  await countStored(run, 'orders', { first: integrationId, count: 1 })
}
