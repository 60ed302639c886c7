import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Agent, request } from 'undici'
import { makeIntegration } from '../test/support/gateway.ts'
import { askToken, makeClient } from '../test/support/identity.ts'
import type { Query } from '../test/support/many-shops.ts'
import { openProgram, type Settings, unlimited } from '../test/support/program.ts'
import { makeTenant } from '../test/support/server.ts'
import { fillOrders } from './orders-list.ts'
import { type Child, startEntrepot } from './support/child.ts'
import { load } from './support/load.ts'

/**
 * How many lists another tenant gets while one goes through a very long list, page by page, with ten clients at once: each asks for the next page as
 * soon as it has the last, and waits as long as it is told where there are too many.
 */
export interface BesidePaging {
  /** The other's lists a second beside that against alone, of each round. */
  ratios: number[]
  alone: number[]
  beside: number[]
  /** Rows a second that the ten clients have read. */
  rows: number[]
}

interface Options {
  databaseUrl: string
  orders: number
  rounds: number
  progress(text: string): void
}

const clients = 10
const perPage = 100
/** Of the other tenant, who has ten thousand orders. */
const connections = 8

/** At the limits that everybody has, and at none. */
export async function measureBesidePaging(
  options: Options,
): Promise<{ limited: BesidePaging; unlimited: BesidePaging }> {
  const keys = `k1:${randomBytes(32).toString('base64')}`
  const settings = (limits: Settings): Settings => ({
    ...unlimited,
    ...limits,
    DATABASE_URL: options.databaseUrl,
    ENTREPOT_MASTER_KEYS: keys,
    PUBLIC_URL: 'https://entrepot.test',
  })
  const world = await prepare(settings({}), options)
  // Those who page are clients, the other is an account: its own allowance is not what is looked at.
  const { RATE_LIMIT_CLIENT: _, ...others } = settings({})
  // A whole minute each, over which an allowance goes.
  const limited = await measure(await startEntrepot(others), world, { ...options, seconds: 60 })
  const free = await measure(await startEntrepot(settings({})), world, { ...options, seconds: 15 })
  return { limited, unlimited: free }
}

interface World {
  /** The other's list. */
  path: string
  token: string
  walkers: { path: string; tokens: string[]; pages: number }
}

async function prepare(settings: Settings, { databaseUrl, orders, progress }: Options): Promise<World> {
  const { context, close } = await openProgram(settings)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const query: Query = async (text, values = []) => (await client.query(text, [...values])).rows
  try {
    const [one, other] = [await makeTenant(context), await makeTenant(context)]
    const shopOf = async ({ appId, accountId }: typeof one, rows: number) => {
      const { integration } = await makeIntegration(context, { appId, accountId })
      await fillOrders(query, {
        integrationId: integration.id,
        rows,
        progress: (n) => progress(`  ${n} orders are there`),
      })
      return integration.id
    }
    const [long, short] = [await shopOf(one, orders), await shopOf(other, 10_000)]
    await query('vacuum analyze orders, row_counters')
    const tokens: string[] = []
    while (tokens.length < clients) {
      const credentials = await makeClient(context, { app_id: one.appId })
      const { access_token: token } = await askToken(context, { grant_type: 'client_credentials', ...credentials })
      tokens.push(token)
    }
    return {
      path: `/api/2.0/webcomponent/orders?integration_id=${short}&page=300`,
      token: other.accountToken,
      walkers: {
        path: `/api/2.0/app/orders?integration_id=${long}&per_page=${perPage}`,
        tokens,
        pages: Math.floor(orders / perPage),
      },
    }
  } finally {
    await client.end()
    await close()
  }
}

async function measure(
  server: Child,
  { path, token, walkers }: World,
  { rounds, seconds, progress }: Options & { seconds: number },
): Promise<BesidePaging> {
  const result: BesidePaging = { ratios: [], alone: [], beside: [], rows: [] }
  const lists = { url: server.url + path, headers: { authorization: `Bearer ${token}` }, connections }
  try {
    await load({ ...lists, seconds: 3 })
    for (let round = 0; round < rounds; round++) {
      const alone = await load({ ...lists, seconds })
      const walk = startWalk(server.url, walkers)
      const beside = await load({ ...lists, seconds })
      const pages = await walk.stop()
      result.alone.push(alone.perSecond)
      result.beside.push(beside.perSecond)
      result.ratios.push(beside.perSecond / alone.perSecond)
      result.rows.push((pages * perPage) / seconds)
      progress(
        `  ${Math.round(beside.perSecond)}/s beside ${Math.round((pages * perPage) / seconds)} rows/s, ${Math.round(alone.perSecond)}/s alone, ` +
          `p99 ${beside.p99} ms against ${alone.p99} ms`,
      )
    }
    return result
  } finally {
    await server.stop()
  }
}

/** Each begins at a place of its own. */
function startWalk(url: string, { path, tokens, pages }: World['walkers']) {
  const stopped = new AbortController()
  const dispatcher = new Agent({ connections: clients })
  let read = 0
  const walks = tokens.map(async (token, n) => {
    for (let page = 1 + Math.floor((n * pages) / clients); !stopped.signal.aborted; ) {
      const answer = await request(`${url}${path}&page=${page}`, {
        dispatcher,
        headers: { authorization: `Bearer ${token}` },
      })
      await answer.body.dump({ limit: 10_000_000 })
      if (answer.statusCode === 200) {
        read++
        page = (page % pages) + 1
      } else if (answer.statusCode === 429) {
        const wait = Number(answer.headers['retry-after']) * 1000
        await sleep(wait, undefined, { signal: stopped.signal }).catch(() => undefined)
      } else throw new Error(`A page was answered with ${answer.statusCode}.`)
    }
  })
  const all = Promise.all(walks)
  all.catch(() => undefined)
  return {
    async stop(): Promise<number> {
      stopped.abort()
      await all
      await dispatcher.close()
      return read
    },
  }
}
