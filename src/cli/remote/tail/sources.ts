import type { Connection } from '../connect.ts'
import { failure } from '../failure.ts'
import type { AppClient } from '../library.ts'
import { type Line, logLine, messageLine, requestLine, runLine } from './line.ts'

export const sources = ['logs', 'runs', 'messages', 'requests'] as const
export type Source = (typeof sources)[number]

/** The newest lines of one source; `isNew` says which of them have not been shown. */
type Look = (isNew: (line: Line) => boolean) => Promise<Line[]>

interface Page {
  lines: Line[]
  next: string | null
}

const pageRows = 100
/** More than that between two looks is in the console. */
const maxPages = 20
/** Where every shop has to be asked by itself. */
const maxShops = 25

/**
 * A person is shown all shops of an app by one question. The app's own software has no list over all of them and asks shop by
 * shop; messages of shops it does not see.
 */
export async function looksAt(
  { token, user, appId, app }: Connection,
  { wanted, shop }: { wanted: readonly Source[] | null; shop: string | undefined },
): Promise<Look[]> {
  const isApp = token.kind === 'client'
  if (isApp && wanted?.includes('messages')) {
    throw failure('invalid', 'Messages of shops are shown to people. Sign in as one: entrepot login')
  }
  const client = await app()
  const chosen = wanted ?? (isApp ? (['logs', 'runs'] as const) : (['logs', 'runs', 'messages'] as const))
  const shops = isApp && chosen.some((source) => source !== 'requests') ? await shopsOf(client, shop) : []
  const path = isApp ? null : { appId: await appId() }
  const asked = { limit: pageRows, ...(shop === undefined ? {} : { integration_id: shop }) }
  return chosen.map((source): Look => {
    if (source === 'requests') {
      return paged(async (cursor) => {
        const { data, meta } = await client.call('get', '/api/2.0/app/requests', { query: { ...asked, ...cursor } })
        return { lines: data.map(requestLine), next: meta.next_cursor }
      })
    }
    if (path === null) return source === 'logs' ? logsOf(client, shops) : runsOf(client, shops)
    if (source === 'logs') {
      return paged(async (cursor) => {
        const query = { ...asked, ...cursor }
        const { data, meta } = await user.call('get', '/api/2.0/user/apps/{appId}/logs', { path, query })
        return { lines: data.map((row) => logLine(row.integration, row)), next: meta.next_cursor }
      })
    }
    if (source === 'messages') {
      return paged(async (cursor) => {
        const query = { ...asked, ...cursor }
        const { data, meta } = await user.call('get', '/api/2.0/user/apps/{appId}/messages', { path, query })
        return { lines: data.map((row) => messageLine(row.integration, row)), next: meta.next_cursor }
      })
    }
    const runs = (more: object) =>
      paged(async (cursor) => {
        const query = { ...asked, ...more, ...cursor }
        const { data, meta } = await user.call('get', '/api/2.0/user/apps/{appId}/runs', { path, query })
        return { lines: data.map((row) => runLine(row.integration, row)), next: meta.next_cursor }
      })
    const [newest, running] = [runs({}), runs({ status: 'running' })]
    // One that has run for long may stand far below the newest.
    return async (isNew) => [...(await newest(isNew)), ...(await running(isNew))]
  })
}

/** Newest first, page by page down to where everything has been shown. The first look is at one page. */
function paged(read: (cursor: { cursor?: string }) => Promise<Page>): Look {
  let isFirst = true
  return async (isNew) => {
    const lines: Line[] = []
    let cursor: string | null = null
    for (let page = 0; page < (isFirst ? 1 : maxPages); page++) {
      const { lines: some, next } = await read(cursor === null ? {} : { cursor })
      lines.push(...some)
      if (next === null || !some.some(isNew)) break
      cursor = next
    }
    isFirst = false
    return lines
  }
}

interface Shop {
  id: number
  name: string
}

async function shopsOf(client: AppClient, named: string | undefined): Promise<Shop[]> {
  if (named !== undefined) return [await client.integrations.get(named)]
  const shops = await client.integrations.list().take(maxShops + 1)
  if (shops.length > maxShops) {
    throw failure(
      'invalid',
      `The token of an app is shown at most ${maxShops} shops at a time. Name one with --shop ID, or sign in as a person: entrepot login`,
    )
  }
  return shops
}

const logsOf =
  (client: AppClient, shops: readonly Shop[]): Look =>
  async () => {
    const found = await Promise.all(
      shops.map(({ id }) =>
        client.call('get', '/api/2.0/app/integrations/{integration}', {
          path: { integration: id },
          query: { include: 'logs' },
        }),
      ),
    )
    return found.flatMap(({ data }) => (data.logs ?? []).map((entry) => logLine(data, entry)))
  }

const runsOf =
  (client: AppClient, shops: readonly Shop[]): Look =>
  async () => {
    const found = await Promise.all(
      shops.map(async (shop) =>
        (await client.integrations.runs(shop.id, { per_page: 20 }).take(20)).map((run) => runLine(shop, run)),
      ),
    )
    return found.flat()
  }
