import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type AuditFilter, type AuditScope, readEntries } from '../src/domain/audit/audit-store.ts'
import { bareFacts, openTrail } from '../src/domain/audit/trail.ts'
import { openDatabase } from '../src/runtime/db/connection.ts'
import { createLog } from '../src/runtime/log.ts'
import { median, medians } from './support/statistics.ts'

/**
 * What the audit trail costs a write: the same change of one row in a transaction, with its entry and without, in turns; and what
 * a search in it takes. All among the entries of a thousand companies.
 */
export interface AuditResult {
  entries: number
  /** Milliseconds, medians; of the ratios each is the median of fifty pairs. */
  write: { with: number; without: number; ratios: number[] }
  searches: { name: string; ms: number }[]
}

export async function measureAudit(options: {
  url: string
  entries?: number
  rounds?: number
  progress(text: string): void
}): Promise<AuditResult> {
  const { url, entries = 500_000, rounds = 1000, progress } = options
  // Half a million rows go in with one statement.
  const database = openDatabase({ url, max: 1, log: createLog('warn'), statementTimeoutMs: 600_000 })
  try {
    progress('filling the trail')
    await fill(database, entries)
    progress('changes with an entry and without')
    const write = await writes(database, rounds)
    progress('searches')
    return { entries, write, searches: await searches(database) }
  } finally {
    await database.close()
  }
}

type Opened = ReturnType<typeof openDatabase>

async function fill({ query }: Opened, entries: number): Promise<void> {
  await query(
    `insert into companies (id, name) overriding system value select n, 'Company ' || n from generate_series(1, 1000) n`,
  )
  await query(`insert into users (id, company_id, name, email, email_folded) overriding system value
    select n, n, 'User ' || n, 'u' || n || '@example.com', 'u' || n || '@example.com' from generate_series(1, 1000) n`)
  await query(`insert into apps (id, user_id, company_id, name) overriding system value
    select n, n, n, 'App ' || n from generate_series(1, 1000) n`)
  await query(
    'insert into accounts (id, app_id, remote_id) overriding system value select n, n, n from generate_series(1, 1000) n',
  )
  await query(
    `insert into audit_entries (at, kind, operation, what, outcome, caller, user_id, client_id, account_id, app_id, company_id,
       integration_id, record_type, record_id, address, request_id, mac, block)
     select now() - make_interval(secs => $1::int - n), 'change', 'updateAccount', 'Change an account', 'done', 'user', 1 + n % 1000,
       1 + n % 1000, 1 + n % 1000, 1 + n % 1000, 1 + n % 1000, 1 + n % 5000, 'account', (n % 5000)::text, '192.0.2.1',
       gen_random_uuid(), '\\x00', 1 + n / 500
     from generate_series(1, $1::int) n`,
    [entries],
  )
  await query('vacuum analyze')
}

async function writes({ db, transaction }: Opened, rounds: number): Promise<AuditResult['write']> {
  const trail = await openTrail({ db, keys: [{ id: 'bench', key: randomBytes(32) }] })
  const entry = {
    ...bareFacts,
    kind: 'change',
    operation: 'updateAccount',
    what: 'Change an account',
    caller: 'user',
    record_type: 'account',
    fields: ['name'],
    address: '192.0.2.1',
  } as const
  const change = async (n: number, isAudited: boolean) => {
    const id = 1 + (n % 1000)
    const begun = performance.now()
    await transaction(async (trx) => {
      await sql`update accounts set name = ${`Name ${n}`}, updated_at = now() where id = ${id}`.execute(trx)
      if (!isAudited) return
      const ids = { user_id: id, app_id: id, account_id: id, record_id: String(id), request_id: randomUUID() }
      await trail.append(trx, { ...entry, ...ids })
    })
    return performance.now() - begun
  }
  const times = { with: [] as number[], without: [] as number[], ratios: [] as number[] }
  for (let round = -50; round < rounds; round++) {
    const [audited, bare] = [await change(round + 50, true), await change(round + 550, false)]
    if (round < 0) continue
    times.with.push(audited)
    times.without.push(bare)
    times.ratios.push(audited / bare)
  }
  return { with: median(times.with), without: median(times.without), ratios: medians(times.ratios, 50) }
}

async function searches({ db, query }: Opened): Promise<AuditResult['searches']> {
  const [some] = await query<{ request_id: string }>('select request_id from audit_entries order by id limit 1')
  const asked: [string, AuditScope, AuditFilter][] = [
    ['the newest page of a company', { companyId: 7 }, {}],
    ['the newest page of everybody, for the operator', { all: true }, {}],
    ['what was done to one record', { companyId: 7 }, { record_type: 'account', record_id: '6' }],
    ['one request, for the operator', { all: true }, { request_id: some?.request_id }],
    ['one shop, for the operator', { all: true }, { integration_id: 7 }],
    ['what a program did, for the operator', { all: true }, { client_id: 7 }],
  ]
  const results: AuditResult['searches'] = []
  for (const [name, scope, filter] of asked) {
    const times: number[] = []
    for (let round = -5; round < 100; round++) {
      const begun = performance.now()
      const found = await readEntries(db, scope, { filter, after: null, limit: 51 })
      if (found.length === 0) throw new Error(`Nothing was found: ${name}`)
      if (round >= 0) times.push(performance.now() - begun)
    }
    results.push({ name, ms: median(times) })
  }
  return results
}
