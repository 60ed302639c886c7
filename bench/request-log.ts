import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { askToken, makeApp, makeClient } from '../test/support/identity.ts'
import { openProgram, type Settings, unlimited } from '../test/support/program.ts'
import { startEntrepot } from './support/child.ts'
import { measureRatio, type RatioResult } from './support/ratio.ts'

/**
 * `GET /api/2.0/app/accounts` with the request log on, beside the same with it off: two servers that know nothing of each other, each
 * with a database of its own, asked in turns. Here `bare` is the one without it.
 */
export async function measureRequestLog(options: {
  databaseUrls: { on: string; off: string }
  rounds: number
  seconds: number
  connections: number
  accounts?: number
  progress(text: string): void
}): Promise<RatioResult & { logged: number }> {
  const { databaseUrls, seconds, connections, accounts = 10_000 } = options
  const settingsOf = (databaseUrl: string, days: number) => ({
    DATABASE_URL: databaseUrl,
    ENTREPOT_MASTER_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    PUBLIC_URL: 'https://entrepot.test',
    REQUEST_LOG_DAYS: String(days),
    ...unlimited,
  })
  const settings = { on: settingsOf(databaseUrls.on, 3), off: settingsOf(databaseUrls.off, 0) }
  const [tokenOn, tokenOff] = [await prepare(settings.on, accounts), await prepare(settings.off, accounts)]
  const [on, off] = [await startEntrepot(settings.on), await startEntrepot(settings.off)]
  const wayTo = (url: string, token: string) => ({
    url: `${url}/api/2.0/app/accounts`,
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    connections,
    seconds,
  })
  let result: RatioResult
  try {
    result = await measureRatio({ bare: wayTo(off.url, tokenOff), ours: wayTo(on.url, tokenOn) }, options)
  } finally {
    await Promise.all([on.stop(), off.stop()])
  }
  const [logged, silent] = [await countLogged(settings.on), await countLogged(settings.off)]
  if (logged === 0 || silent > 0) throw new Error('The log is not on where it should be, or not off.')
  return { ...result, logged }
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

async function countLogged(settings: Settings): Promise<number> {
  const { context, close } = await openProgram(settings)
  try {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from api_requests`.execute(context.db)
    return rows[0]?.n ?? 0
  } finally {
    await close()
  }
}
