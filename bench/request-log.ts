import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { askToken, makeApp, makeClient } from '../test/support/identity.ts'
import { openProgram, type Settings, unlimited } from '../test/support/program.ts'
import { startFile } from './support/child.ts'
import { between, openMeters } from './support/cost.ts'
import { load } from './support/load.ts'
import { median } from './support/statistics.ts'

export interface RequestLogResult {
  /** Requests for the same processor time, on against off, round by round. */
  ratios: number[]
  /** Those that have it off against each other: what such a measurement can tell at all. */
  control: number[]
  byClock: number[]
  /** Milliseconds of a request. */
  on: number[]
  off: number[]
  logged: number
}

/**
 * `GET /api/2.0/app/accounts` with the request log on, beside the same with it off. The servers stand in one process, each with a database
 * of its own, and are asked in turns; what is compared is the processor time of that process and of PostgreSQL, from the first request
 * until the log of the last one is written. By the clock alone, on a machine that is shared with others, the same server is up to a third
 * slower or faster than itself.
 */
export async function measureRequestLog(options: {
  databaseUrls: readonly [on: string, off: string, control: string]
  rounds: number
  seconds: number
  connections: number
  accounts?: number
  progress(text: string): void
}): Promise<RequestLogResult> {
  const { databaseUrls, rounds, seconds, connections, accounts = 10_000, progress } = options
  const all = databaseUrls.map((databaseUrl, place) => ({
    DATABASE_URL: databaseUrl,
    ENTREPOT_MASTER_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    PUBLIC_URL: 'https://entrepot.test',
    REQUEST_LOG_DAYS: place === 0 ? '3' : '0',
    ...unlimited,
  }))
  const tokens: string[] = []
  for (const settings of all) tokens.push(await prepare(settings, accounts))
  const databases = await Promise.all(databaseUrls.map(connect))
  const child = await startFile(new URL('request-log-server.ts', import.meta.url), all)
  const result: RequestLogResult = { ratios: [], control: [], byClock: [], on: [], off: [], logged: 0 }
  try {
    const meters = await Promise.all(
      // Each database may be in a PostgreSQL of its own.
      databases.map((database) => openMeters({ api: child.pid, worker: child.pid }, queryOf(database))),
    )
    const measure = async (place: number) => {
      const read = meters[place]
      if (!read) throw new Error('There is nothing at this place.')
      const before = await read()
      const { perSecond } = await load({
        url: `${child.url.split(' ')[place]}/api/2.0/app/accounts`,
        headers: { authorization: `Bearer ${tokens[place]}`, accept: 'application/json' },
        connections,
        seconds,
      })
      // The log is written once a second.
      await delay(1200)
      const { api, postgres } = between(before, await read(), { records: perSecond * seconds })
      return { perSecond, ms: api + postgres }
    }
    for (const place of [0, 1, 2]) await measure(place)
    for (let round = 1; round <= rounds; round++) {
      const places = [0, 1, 2].map((place) => (place + round) % 3)
      const measured = new Map<number, Awaited<ReturnType<typeof measure>>>()
      for (const place of round % 2 === 1 ? places : places.reverse()) measured.set(place, await measure(place))
      const [on, off, control] = [0, 1, 2].map((place) => measured.get(place) ?? { perSecond: 0, ms: 0 })
      if (!on || !off || !control) continue
      result.on.push(on.ms)
      result.off.push((off.ms + control.ms) / 2)
      // Both that have it off are the same: together they are the steadier measure.
      result.ratios.push((off.ms + control.ms) / 2 / on.ms)
      result.control.push(off.ms / control.ms)
      result.byClock.push(on.perSecond / off.perSecond)
      progress(
        `round ${round} of ${rounds}: ${on.ms.toFixed(3)} ms against ${((off.ms + control.ms) / 2).toFixed(3)} ms, ` +
          `ratio ${result.ratios.at(-1)?.toFixed(3)} (median ${median(result.ratios).toFixed(3)}), ` +
          `off against off ${(off.ms / control.ms).toFixed(3)}`,
      )
    }
  } finally {
    await child.stop()
    await Promise.all(databases.map((database) => database.end()))
  }
  const [logged = 0, ...silent] = await Promise.all(all.map(countLogged))
  if (logged === 0 || silent.some((calls) => calls > 0))
    throw new Error('The log is not on where it should be, or not off.')
  return { ...result, logged }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  return client
}

const queryOf =
  (client: pg.Client) =>
  async <Row extends object>(text: string): Promise<Row[]> =>
    (await client.query<Row>(text)).rows

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

async function countLogged(settings: Settings): Promise<number> {
  const { context, close } = await openProgram(settings)
  try {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from api_requests`.execute(context.db)
    return rows[0]?.n ?? 0
  } finally {
    await close()
  }
}
