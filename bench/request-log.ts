import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ApiRequest } from '../src/domain/requests/api-request.ts'
import { addMinutes, insertRequests } from '../src/domain/requests/request-store.ts'
import type { Db } from '../src/runtime/db/connection.ts'
import { askToken, makeApp, makeClient } from '../test/support/identity.ts'
import { openProgram, type Settings, unlimited } from '../test/support/program.ts'
import { startEntrepot } from './support/child.ts'
import { between, openMeters } from './support/cost.ts'
import type { CpuProfile } from './support/flame.ts'
import { load } from './support/load.ts'
import { measureRatio } from './support/ratio.ts'

export interface RequestLogResult {
  /** What all else takes of the processor time of requests, while the log is on. */
  without: number[]
  /** Milliseconds of a request, and of the log's part in it: before it is answered or kept, and when it is written. */
  request: number[]
  kept: number[]
  written: number[]
  /** On against off, by the clock. */
  byClock: number[]
  logged: number
}

const list = '/api/2.0/app/accounts'
/** The log is written once a second. */
const flushMs = 1200

/**
 * `GET /api/2.0/app/accounts` with the request log on, beside the same with it off, by the clock. And what the log is seen to take of the
 * processor time of a request: what a profile finds in the log's own files and below, and what the same entries take when they are written
 * once more by themselves. That is less than the clock says.
 */
export async function measureRequestLog(options: {
  databaseUrls: { on: string; off: string }
  rounds: number
  seconds: number
  connections: number
  accounts?: number
  progress(text: string): void
}): Promise<RequestLogResult> {
  const { databaseUrls, rounds, seconds, connections, accounts = 10_000, progress } = options
  const settingsOf = (databaseUrl: string, days: number) => ({
    DATABASE_URL: databaseUrl,
    ENTREPOT_MASTER_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    PUBLIC_URL: 'https://entrepot.test',
    REQUEST_LOG_DAYS: String(days),
    ...unlimited,
  })
  const settings = { on: settingsOf(databaseUrls.on, 3), off: settingsOf(databaseUrls.off, 0) }
  const [tokenOn, tokenOff] = [await prepare(settings.on, accounts), await prepare(settings.off, accounts)]
  const wayTo = (url: string, token: string) => ({
    url: `${url}${list}`,
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    connections,
    seconds,
  })
  const result: RequestLogResult = { without: [], request: [], kept: [], written: [], byClock: [], logged: 0 }
  const { context, close } = await openProgram(settings.on)
  try {
    for (let round = 1; round <= 3; round++) {
      const part = await measurePart({ settings: settings.on, db: context.db, wayTo: (url) => wayTo(url, tokenOn) })
      const share = (part.kept + part.written) / part.request
      result.without.push(1 - share)
      result.request.push(part.request)
      result.kept.push(part.kept)
      result.written.push(part.written)
      progress(
        `${round} of 3: of ${part.request.toFixed(3)} ms a request ${(part.kept * 1000).toFixed(1)} µs to keep it ` +
          `and ${(part.written * 1000).toFixed(1)} µs to write it: ${(share * 100).toFixed(2)} %`,
      )
    }
    const [on, off] = [await startEntrepot(settings.on), await startEntrepot(settings.off)]
    try {
      const ways = { bare: wayTo(off.url, tokenOff), ours: wayTo(on.url, tokenOn) }
      result.byClock = (await measureRatio(ways, { rounds, progress })).perSecond
    } finally {
      await Promise.all([on.stop(), off.stop()])
    }
    result.logged = await countLogged(context.db)
  } finally {
    await close()
  }
  if (result.logged === 0) throw new Error('The log is not on.')
  return result
}

/** Milliseconds for one request: all of it, and the log's part of it. */
async function measurePart(given: {
  settings: Settings
  db: Db
  wayTo(url: string): Parameters<typeof load>[0]
}): Promise<{ request: number; kept: number; written: number }> {
  const { settings, db } = given
  const folder = await mkdtemp(join(tmpdir(), 'entrepot-bench-profile-'))
  try {
    const server = await startEntrepot(settings, ['--cpu-prof', `--cpu-prof-dir=${folder}`])
    const way = given.wayTo(server.url)
    const query = async <Row extends object>(text: string) => (await sql.raw<Row>(text).execute(db)).rows
    let spent: { requests: number; api: number; postgres: number; ms: number }
    let entries: number
    try {
      await load(way)
      await delay(flushMs)
      const read = await openMeters({ api: server.pid, worker: server.pid }, query)
      const [before, loggedBefore] = [await read(), await countLogged(db)]
      const begun = performance.now()
      const { perSecond } = await load({ ...way, seconds: 5 * way.seconds })
      await delay(flushMs)
      const requests = perSecond * 5 * way.seconds
      spent = { requests, ...between(before, await read(), { records: 1 }), ms: performance.now() - begun }
      entries = (await countLogged(db)) - loggedBefore
    } finally {
      await server.stop()
    }
    const flushes = Math.ceil(spent.ms / 1000)
    const again = await writeAgain(db, { entries: Math.round(entries / flushes), query })
    return {
      request: (spent.api + spent.postgres) / spent.requests,
      kept: ((await partOfLog(folder, spent.ms)) * spent.api) / spent.requests,
      written: (again * flushes) / spent.requests,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const logFiles = /\/src\/(domain\/requests\/|api\/log-requests|lib\/validation\/redact|runtime\/http\/answered)/

/** Of the busy time of a process in its last so many milliseconds: what was spent in the log's files, or in what they called. */
async function partOfLog(folder: string, lastMs: number): Promise<number> {
  const profiles = await Promise.all(
    (await readdir(folder)).map(
      async (name): Promise<CpuProfile> => JSON.parse(await readFile(join(folder, name), 'utf8')),
    ),
  )
  // Threads of its own have profiles too; requests are answered by the one that was busiest.
  const longest = profiles.sort((a, b) => b.nodes.length - a.nodes.length)[0]
  if (!longest) throw new Error('There is no profile.')
  const { nodes, samples, timeDeltas } = longest
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]))
  const isOfLog = new Map<number, boolean>()
  const ofLog = (id: number): boolean => {
    const known = isOfLog.get(id)
    if (known !== undefined) return known
    const parent = parents.get(id)
    const found = logFiles.test(byId.get(id)?.url ?? '') || (parent !== undefined && ofLog(parent))
    isOfLog.set(id, found)
    return found
  }
  const from = timeDeltas.reduce((sum, delta) => sum + delta, 0) - lastMs * 1000
  let [at, busy, own] = [0, 0, 0]
  for (const [n, id] of samples.entries()) {
    const delta = timeDeltas[n] ?? 0
    at += delta
    if (at < from || byId.get(id)?.functionName === '(idle)') continue
    busy += delta
    if (ofLog(id)) own += delta
  }
  return own / busy
}

/** What it costs both sides to write so many entries, as one second of them is written. */
async function writeAgain(
  db: Db,
  { entries, query }: { entries: number; query: Parameters<typeof openMeters>[1] },
): Promise<number> {
  const { rows } = await sql<ApiRequest>`select * from api_requests order by at desc limit ${entries}`.execute(db)
  const [first] = rows
  if (!first) throw new Error('Nothing was logged.')
  const minute = {
    ...{ app_id: first.app_id, minute: new Date(0).toISOString(), caller: first.caller, client_id: 0 },
    ...{ calls: 1, failed: 0, limited: 0, left_out: 0, most: 1, allowed: 1 },
  }
  const write = async () => {
    await insertRequests(
      db,
      rows.map((row) => ({ ...row, id: randomUUID() })),
    )
    await addMinutes(db, [minute])
  }
  const times = 100
  await write()
  const read = await openMeters({ api: process.pid, worker: process.pid }, query)
  const before = await read()
  for (let n = 0; n < times; n++) await write()
  const { api, postgres } = between(before, await read(), { records: times })
  return api + postgres
}

async function prepare(settings: Settings, accounts: number): Promise<string> {
  const { context, close } = await openProgram(settings)
  try {
    const appId = await makeApp(context)
    const client = await makeClient(context, { app_id: appId })
    await sql`insert into accounts (app_id, remote_id, name)
      select ${appId}, 'account-' || n, 'Account ' || n from generate_series(1, ${accounts}::int) n`.execute(context.db)
    await sql`vacuum analyze`.execute(context.db)
    const { access_token: token } = await askToken(context, { grant_type: 'client_credentials', ...client })
    return token
  } finally {
    await close()
  }
}

async function countLogged(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from api_requests`.execute(db)
  return rows[0]?.n ?? 0
}
