import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { askToken, makeApp, makeClient } from '../test/support/identity.ts'
import { openProgram, type Settings, unlimited } from '../test/support/program.ts'
import { startFile } from './support/child.ts'
import { measureRatio, type RatioResult } from './support/ratio.ts'

/**
 * `GET /api/2.0/app/accounts` with the request log on, beside the same with it off (here `bare`). Both servers live in one process, so that what a
 * compiler makes of the code, which differs from one start to the next, is the same for both; each has a database of its own. Every
 * process is a new start, with the databases exchanged.
 */
export async function measureRequestLog(options: {
  databaseUrls: readonly [string, string]
  rounds: number
  seconds: number
  connections: number
  accounts?: number
  progress(text: string): void
}): Promise<RatioResult & { logged: number }> {
  const { databaseUrls, seconds, connections, rounds, progress, accounts = 10_000 } = options
  const keys = `k1:${randomBytes(32).toString('base64')}`
  const settingsOf = (databaseUrl: string, days: number) => ({
    DATABASE_URL: databaseUrl,
    ENTREPOT_MASTER_KEYS: keys,
    PUBLIC_URL: 'https://entrepot.test',
    REQUEST_LOG_DAYS: String(days),
    ...unlimited,
  })
  const [one, other] = databaseUrls
  const tokens = new Map<string, string>()
  for (const url of databaseUrls) tokens.set(url, await prepare(settingsOf(url, 0), accounts))
  const all: RatioResult & { logged: number } = { bare: [], ours: [], perSecond: [], p99: [], logged: 0 }
  for (let start = 0; start < starts; start++) {
    const [on, off] = start % 2 === 0 ? [one, other] : [other, one]
    const silent = await countLogged(settingsOf(off, 0))
    const settings = [settingsOf(on, 3), settingsOf(off, 0)]
    const isOnFirst = start % 4 < 2
    const child = await startFile(servers, { settings: isOnFirst ? settings : settings.toReversed() })
    const addresses = child.url.split(' ')
    const [onUrl, offUrl] = isOnFirst ? addresses : addresses.toReversed()
    const wayTo = (url = '', database: string) => ({
      url: `${url}/api/2.0/app/accounts`,
      headers: { authorization: `Bearer ${tokens.get(database)}`, accept: 'application/json' },
      connections,
      seconds,
    })
    try {
      const ways = { bare: wayTo(offUrl, off), ours: wayTo(onUrl, on) }
      const result = await measureRatio(ways, { rounds: Math.ceil(rounds / starts), progress })
      for (const name of ['bare', 'ours'] as const) all[name].push(...result[name])
      for (const name of ['perSecond', 'p99'] as const) all[name].push(...result[name])
    } finally {
      await child.stop()
    }
    if ((await countLogged(settingsOf(off, 0))) > silent) throw new Error('The log is not off where it should be.')
  }
  for (const url of databaseUrls) all.logged += await countLogged(settingsOf(url, 0))
  if (all.logged === 0) throw new Error('The log is not on where it should be.')
  return all
}

const servers = new URL('./request-log-servers.ts', import.meta.url)
const starts = 4

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
