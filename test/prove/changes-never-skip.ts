import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { orderRecords } from '../../src/domain/orders/order-record-store.ts'
import { type Database, openDatabase } from '../../src/runtime/db/connection.ts'
import { readChanges } from '../../src/runtime/db/lists/changes.ts'
import { createLog } from '../../src/runtime/log.ts'
import { drawLots } from '../support/chance.ts'
import { proof } from './support/proof.ts'

/** Whoever follows the cursor ends up with the last version of every row, in whatever order transactions commit. */
export const changesNeverSkip = proof({
  name: 'changes-never-skip',
  asked:
    '32 writers for 60 s with transactions of random length, commits out of order, 3 readers that follow the cursor, while a dump has a transaction open from before until after: the last version of every row seen, 0 skipped; a reader that does not wait for open transactions skips some',
  full: { writers: 32, seconds: 60, rows: 3000, readers: 3 },
  quick: { writers: 8, seconds: 3, rows: 200, readers: 1 },
  async run(figures, lab) {
    const seen = await followWriters(await lab.database('migrated'), figures, lab.progress)
    const skipped = seen.skipped.reduce((sum, each) => sum + each, 0)
    return {
      measured: `${seen.transactions} transactions, ${seen.changes} changes of ${seen.rows} rows; ${figures.readers} readers: ${skipped} rows skipped in ${seen.pages} pages; without waiting: ${seen.skippedWithoutWaiting} skipped`,
      pass: skipped === 0 && seen.skippedWithoutWaiting > 0 && seen.transactions > figures.writers,
    }
  },
})

interface Figures {
  writers: number
  seconds: number
  rows: number
  readers: number
}

const integrationId = 1
type Versions = Map<number, string>

async function followWriters(
  url: string,
  { writers, seconds, rows, readers }: Figures,
  progress: (text: string, done?: number, all?: number) => void = () => undefined,
) {
  const log = createLog('silent')
  const database = openDatabase({ url, log, max: writers + readers + 4, statementTimeoutMs: 60_000 })
  // Nobody ends before everything was seen: whoever waited for this one would wait for ever.
  const dump = new pg.Client({ connectionString: url, application_name: 'pg_dump' })
  await dump.connect()
  try {
    await makeRows(database, rows)
    await dump.query('begin isolation level repeatable read read only')
    await dump.query('select count(*) from orders')
    const endsAt = Date.now() + seconds * 1000
    const counts = { transactions: 0, changes: 0, pages: 0 }
    let ended = Number.POSITIVE_INFINITY
    const write = async () => {
      while (Date.now() < endsAt) {
        const written = await writeSome(database, rows)
        counts.changes += written
        counts.transactions++
      }
    }
    const read = async (page: (cursor: string) => Promise<Page>): Promise<Versions> => {
      const versions: Versions = new Map()
      let cursor = '2000-01-01T00:00:00Z'
      for (let last = false; !last; ) {
        const { seen, next, asOf } = await page(cursor)
        for (const [id, version] of seen) versions.set(id, version)
        cursor = next
        counts.pages++
        // Nothing new, and the last writer had ended before the time until which everything has been shown.
        last = seen.size === 0 && asOf > ended
        if (seen.size === 0) await sleep(5)
      }
      return versions
    }
    progress('writing')
    const writing = Promise.all(Array.from({ length: writers }, write)).finally(() => {
      ended = Date.now()
      progress('reading the rest')
    })
    const [all, hasty] = await Promise.all([
      Promise.all(Array.from({ length: readers }, () => read((cursor) => nextPage(database, cursor)))),
      read((cursor) => nextWithoutWaiting(database, cursor)),
      writing,
    ])
    const truth = await database.query<{ id: number; number: string }>('select id, number from orders')
    const missing = (versions: Versions) => truth.filter(({ id, number }) => versions.get(id) !== number).length
    return { ...counts, rows: truth.length, skipped: all.map(missing), skippedWithoutWaiting: missing(hasty) }
  } finally {
    await dump.end()
    await database.close()
  }
}

async function makeRows({ db }: Database, rows: number): Promise<void> {
  await sql`insert into integration_state (integration_id) values (${integrationId})`.execute(db)
  await sql`insert into orders (integration_id, remote_id, number, status, currency, total)
    select ${integrationId}, n::text, '0', 'PENDING', 'EUR', 1 from generate_series(1, ${rows}::int) n`.execute(db)
}

let version = 0
const lots = drawLots('changes-never-skip')

/** One transaction: waits, changes some rows, waits, changes others, and now and then adds or deletes one. */
async function writeSome({ db }: Database, rows: number): Promise<number> {
  // Sorted, so that no two block each other crosswise.
  const ids = Array.from({ length: 1 + lots.below(5) }, () => 1 + lots.below(rows)).sort((a, b) => a - b)
  await db.transaction().execute(async (trx) => {
    await sql`select pg_sleep(${lots.fraction() ** 3 * 0.2}::float8)`.execute(trx)
    for (const id of ids) {
      const gone = lots.below(20) === 0
      await sql`update orders set number = ${String(++version)}, updated_at = now(),
          deleted_at = ${gone ? sql`now()` : sql`null`}
        where integration_id = ${integrationId} and id = ${id}`.execute(trx)
    }
    if (lots.below(10) === 0) {
      await sql`insert into orders (integration_id, remote_id, number, status, currency, total)
        select ${integrationId}, 'new-' || ${String(++version)}, ${String(version)}, 'PENDING', 'EUR', 1`.execute(trx)
    }
    await sql`select pg_sleep(${lots.fraction() ** 3 * 0.3}::float8)`.execute(trx)
  })
  return ids.length
}

interface Page {
  seen: Versions
  next: string
  /** Milliseconds since 1970. */
  asOf: number
}

async function nextPage({ pool }: Database, cursor: string): Promise<Page> {
  const page = await readChanges<{ id: number; number: string }>(pool, orderRecords.changes, integrationId, {
    since: cursor,
    limit: 50,
  })
  const seen = new Map(page.rows.map(({ id, number }) => [id, number]))
  return { seen, next: page.cursor, asOf: Date.parse(page.asOf) }
}

/** The same without the end at the oldest open transaction. */
async function nextWithoutWaiting({ pool }: Database, cursor: string): Promise<Page> {
  const [at, id = '0'] = cursor.split('/')
  const asOf = Date.now()
  const { rows } = await pool.query<{ id: number; number: string; updated_at: string }>(
    `select id, number, updated_at from orders where integration_id = $1
      and (updated_at, id) > ($2::timestamptz, $3::bigint) order by updated_at, id limit 50`,
    [integrationId, at, id],
  )
  const last = rows.at(-1)
  return {
    seen: new Map(rows.map((row) => [row.id, row.number])),
    next: last ? `${last.updated_at}/${last.id}` : cursor,
    asOf,
  }
}
