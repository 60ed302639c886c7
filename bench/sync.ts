import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { type Fleet, withFleet } from '../test/prove/support/fleet.ts'
import { firstSync } from '../test/prove/support/runs.ts'

export interface SyncResult {
  /** Orders a second, by round. */
  ours: number[]
  bare: number[]
  ratios: number[]
  /** The most that the worker held at any time. */
  megabytes: number
}

interface SyncOptions {
  databaseUrl: string
  orders: number
  nodeOptions?: string
  progress: (text: string) => void
}

/** The first sync of a calm shop by one worker, and the same rows upserted by hand, in turns. */
export async function measureSync(options: SyncOptions & { rounds: number }): Promise<SyncResult> {
  const { databaseUrl, orders, rounds, nodeOptions = '', progress } = options
  return await withFleet(databaseUrl, async (fleet) => {
    const shop = await fleet.startShop({ platform: 'shopify', orders, products: 1 })
    const merchant = await fleet.makeMerchant()
    const worker = await fleet.startWorker(nodeOptions)
    const memory = watchMemory(worker.pid)
    const result: SyncResult = { ours: [], bare: [], ratios: [], megabytes: 0 }
    try {
      for (let round = 1; round <= rounds; round++) {
        const id = await merchant.install(shop)
        await firstSync(fleet, id, 60 + orders / 100)
        const ours = orders / (await secondsOfSync(fleet, id))
        const bare = orders / (await upsertByHand(databaseUrl, { from: id, to: 1_000_000 + round }))
        result.ours.push(ours)
        result.bare.push(bare)
        result.ratios.push(ours / bare)
        progress(`  round ${round} of ${rounds}: ${Math.round(ours)}/s against ${Math.round(bare)}/s`)
      }
      // A profile is written on the way out.
      if (nodeOptions !== '') await worker.stop()
    } finally {
      result.megabytes = memory.stop()
    }
    return result
  })
}

/** Megabytes that a worker takes at most while it copies a shop of this size, once. */
export async function measureSyncMemory({ databaseUrl, orders, progress }: SyncOptions): Promise<number> {
  return await withFleet(databaseUrl, async (fleet) => {
    const shop = await fleet.startShop({ platform: 'shopify', orders, products: 1 })
    const merchant = await fleet.makeMerchant()
    const memory = watchMemory((await fleet.startWorker()).pid)
    try {
      const id = await merchant.install(shop)
      await firstSync(fleet, id, 60 + orders / 100)
      progress(`  ${orders} orders: ${Math.round(orders / (await secondsOfSync(fleet, id)))}/s`)
    } finally {
      memory.stop()
    }
    return memory.stop()
  })
}

/** From the first page on: before that Shopify lays the orders down as a file, and takes its time. */
export async function secondsOfSync(fleet: Fleet, integrationId: number): Promise<number> {
  const [run] = await fleet.query<{ seconds: number }>(
    `select extract(epoch from finished_at - (select min(created_at) from orders where integration_id = $1))::float8 as seconds
      from runs where integration_id = $1 and resource = 'sync_orders' and status = 'completed'`,
    [integrationId],
  )
  if (!run) throw new Error('There was no sync of orders.')
  return run.seconds
}

const columns = [
  ...['remote_id', 'number', 'status', 'currency', 'total', 'items', 'placed_at', 'sandbox', 'remote_status'],
  ...['remote_version', 'private', 'private_digest', 'private_words', 'remote_record'],
].join(', ')
const rowsInAStatement = 250

/** Seconds; the rows are in memory before the clock starts, and are put into JSON while it runs. */
async function upsertByHand(databaseUrl: string, { from, to }: { from: number; to: number }): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('insert into integration_state (integration_id) values ($1)', [to])
    const { rows } = await client.query(
      `select ${columns.replace(/\b(private|private_digest|remote_record)\b/g, '$1::text')} from orders where integration_id = $1 order by id`,
      [from],
    )
    const assignments = columns.replace(/\w+/g, (column) => `${column} = excluded.${column}`)
    const text = `insert into orders (integration_id, ${columns})
      select $1, ${columns} from jsonb_to_recordset($2::jsonb) r(
        remote_id text, number text, status text, currency text, total numeric, items jsonb, placed_at timestamptz,
        sandbox boolean, remote_status text, remote_version text, private bytea, private_digest bytea,
        private_words bigint[], remote_record bytea)
      on conflict (integration_id, remote_id) do update set ${assignments}`
    const begun = performance.now()
    for (let first = 0; first < rows.length; first += rowsInAStatement) {
      const batch = JSON.stringify(rows.slice(first, first + rowsInAStatement))
      await client.query({ name: 'upsert', text, values: [to, batch] })
    }
    return (performance.now() - begun) / 1000
  } finally {
    await client.end()
  }
}

/** The largest resident size since now, in megabytes. */
function watchMemory(pid: number): { stop(): number } {
  let peak = 0
  const look = async () => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0)
    peak = Math.max(peak, kilobytes / 1024)
  }
  const timer = setInterval(() => void look(), 100)
  return {
    stop() {
      clearInterval(timer)
      return peak
    },
  }
}
