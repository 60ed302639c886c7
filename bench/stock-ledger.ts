import { balancesAt, balancesOf, sumOf } from '../src/domain/stock/ledger-store.ts'
import { type Database, openDatabase } from '../src/runtime/db/connection.ts'
import { createLog } from '../src/runtime/log.ts'
import { drawLots } from '../test/support/chance.ts'

/** What is available of an article, now and at a past time, in a ledger of so many movements. */
export interface LedgerResult {
  movements: number
  /** Milliseconds that 99 of 100 reads do not exceed. */
  now: number
  past: number
  /** Half of them. */
  median: { now: number; past: number }
}

const articles = 1000
/** Within the time that a statement may take on a busy machine. */
const chunk = 50_000

/** Each with one now and one past read. */
const rounds = 20_000
const opening = new Date('2026-01-01T00:00:00Z')

export async function measureStockLedger({
  url,
  restart,
  movements,
  progress,
}: {
  url: string
  /** The filling is written to the disk before anything is measured. */
  restart: () => Promise<string>
  movements: number
  progress: (text: string) => void
}): Promise<LedgerResult> {
  const first = await withConnection(url, (database) => fill(database, movements, progress))
  const times = await withConnection(await restart(), (database) => read(database, first, movements))
  const share = (values: readonly number[], of: number) =>
    [...values].sort((a, b) => a - b)[Math.floor(values.length * of)] ?? 0
  return {
    ...{ movements, now: share(times.now, 0.99), past: share(times.past, 0.99) },
    median: { now: share(times.now, 0.5), past: share(times.past, 0.5) },
  }
}

async function withConnection<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase({ url, max: 1, log: createLog('warn'), statementTimeoutMs: 600_000 })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** The id of the first article; the others follow. */
async function fill(database: Database, movements: number, progress: (text: string) => void): Promise<number> {
  const [pool] = await database.query<{ id: number }>(
    `with app as (insert into apps (name) values ('Bench') returning id),
    account as (insert into accounts (app_id, remote_id) select id, 'bench' from app returning id, app_id)
    insert into stock_pools (app_id, account_id) select app_id, id from account returning id`,
  )
  if (!pool) throw new Error('There is no pool.')
  const [place] = await database.query<{ id: number }>(
    `insert into stock_places (pool_id, name) values ($1, 'Main') returning id`,
    [pool.id],
  )
  const placeId = place?.id ?? 0
  const made = await database.query<{ id: number }>(
    `insert into stock_articles (pool_id, sku) select $1, 'A' || n from generate_series(1, $2::int) n returning id`,
    [pool.id, articles],
  )
  const first = Math.min(...made.map(({ id }) => id))
  for (let done = 0; done < movements; done += chunk) {
    // Each brings one piece in, a second after the one before: what is there is how many there were.
    await database.query(
      `insert into stock_movements (pool_id, article_id, place_id, kind, on_hand_by, reserved_by, on_hand, reserved, source, key, at)
      select $1, $2 + n % $3::int, $4, 'purchase', 1, 0, n / $3::int + 1, 0, 'app:bench', n::text,
        $7::timestamptz + make_interval(secs => n / $3::int)
      from generate_series($5::bigint, $6::bigint - 1) n`,
      [pool.id, first, articles, placeId, done, Math.min(movements, done + chunk), opening.toISOString()],
    )
    progress(`${Math.min(movements, done + chunk).toLocaleString('en')} movements`)
  }
  await database.query(
    `insert into stock_balances (article_id, place_id, pool_id, on_hand, reserved, at)
    select id, $2, $1, $3, 0, now() from stock_articles where pool_id = $1`,
    [pool.id, placeId, movements / articles],
  )
  await database.query('vacuum analyze stock_movements, stock_balances, stock_articles')
  return first
}

async function read({ db }: Database, first: number, movements: number) {
  const lots = drawLots('stock ledger')
  const timed = async (ask: () => Promise<number>, expected: number) => {
    const begun = process.hrtime.bigint()
    const found = await ask()
    const took = Number(process.hrtime.bigint() - begun) / 1e6
    if (found !== expected) throw new Error(`The ledger says ${found} instead of ${expected}.`)
    return took
  }
  const times = { now: [] as number[], past: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    const article = first + lots.below(articles)
    const seconds = lots.below(movements / articles)
    const at = new Date(opening.getTime() + seconds * 1000).toISOString()
    times.now.push(await timed(async () => sumOf(await balancesOf(db, [article])).available, movements / articles))
    times.past.push(await timed(async () => sumOf(await balancesAt(db, article, at)).available, seconds + 1))
  }
  return times
}
