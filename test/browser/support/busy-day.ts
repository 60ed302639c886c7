import pg from 'pg'
import { describeCluster, findPostmaster } from '../../../src/runtime/db/embedded/embedded-cluster.ts'
import { superuser } from '../../../src/runtime/db/embedded/embedded-role.ts'

/** How busy each hour of the last day was, the latest first: a morning, a noon, an evening. */
const hours = [9, 11, 14, 17, 19, 18, 15, 12, 9, 6, 4, 3, 2, 2, 3, 5, 8, 12, 16, 20, 23, 21, 16, 12]

/**
 * What has just happened, shown as if it had happened over a day, so that pictures show what a day looks like. Only when
 * it happened is made up.
 */
export async function spreadOverDay(dataDir: string): Promise<void> {
  const cluster = await describeCluster(dataDir, {})
  const postmaster = await findPostmaster(cluster)
  if (!postmaster) throw new Error('The database of the showcase does not run.')
  const connectionString = `postgres://${superuser}:${cluster.password}@127.0.0.1:${postmaster.port}/entrepot`
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await spread(client, 'orders', ['created_at'])
    await client.query('update orders set placed_at = created_at')
    await spread(client, 'runs', ['created_at', 'started_at', 'finished_at'])
    await spread(client, 'webhook_deliveries', ['created_at', 'delivered_at'])
  } finally {
    await client.end()
  }
}

async function spread(client: pg.Client, table: string, columns: readonly string[]): Promise<void> {
  const turns = hours.flatMap((share, hour) => Array.from({ length: share }, () => hour))
  const { rows } = await client.query<{ place: string }>(`select ctid::text as place from ${table}`)
  const back = rows.map((_, n) => {
    const hour = turns[Math.floor((n / rows.length) * turns.length)] ?? 0
    return hour === 0 ? 0 : hour * 60 - ((n * 37) % 55)
  })
  const moved = columns.map((column) => `${column} = ${column} - make_interval(secs => shift.minutes * 60)`).join(', ')
  await client.query(
    `update ${table} t set ${moved} from unnest($1::text[], $2::float8[]) as shift (place, minutes)
      where t.ctid = shift.place::tid`,
    [rows.map(({ place }) => place), back],
  )
}
