import type { Simulator } from '../../src/simulator/start.ts'

/** Clients as simple as they can be: what each dialect needs to be read and written at all. */
export interface Read {
  id: string
  updatedAt: string
  total: string
}

export type Asked = (
  path: string,
  init?: { method?: string; body?: unknown; headers?: Record<string, string> },
) => Promise<Response>

export interface Client {
  /** A request with the credentials on it. */
  ask: Asked
  orders(since?: string): Promise<readonly Read[]>
}

export const clientOf = (simulator: Simulator): Client =>
  ({ shopify: shopifyClient, woo: wooClient, market: marketClient })[simulator.dialect](simulator)

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at, not trusted
export type Json = any

const asker =
  (simulator: Simulator, headersOf: () => Promise<Record<string, string>>): Asked =>
  async (path, { method = 'GET', body, headers = {} } = {}) =>
    fetch(simulator.baseUrl + path, {
      method,
      headers: { 'content-type': 'application/json', ...(await headersOf()), ...headers },
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })

export const graphqlPath = '/admin/api/2026-10/graphql.json'

export const graphql = async (ask: Asked, query: string, variables: Record<string, unknown> = {}): Promise<Json> =>
  (await ask(graphqlPath, { method: 'POST', body: { query, variables } })).json()

const ordersQuery = `query Orders($after: String, $query: String) {
  orders(first: 100, after: $after, query: $query, sortKey: UPDATED_AT) {
    pageInfo { hasNextPage endCursor }
    nodes { ...Told }
  }
}
fragment Told on Order { id updatedAt totalPriceSet { shopMoney { amount } } }`

function shopifyClient(simulator: Simulator): Client {
  const ask = asker(simulator, async () => ({
    'x-shopify-access-token': String(simulator.credentials['access_token']),
  }))
  return {
    ask,
    async orders(since) {
      const read: Read[] = []
      let after: string | null = null
      do {
        const query: string | null = since ? `updated_at:>='${since}'` : null
        const { data }: Json = await graphql(ask, ordersQuery, { after, query })
        for (const { id, updatedAt, totalPriceSet } of data.orders.nodes) {
          read.push({ id, updatedAt, total: totalPriceSet.shopMoney.amount })
        }
        after = data.orders.pageInfo.hasNextPage ? data.orders.pageInfo.endCursor : null
      } while (after !== null)
      return read
    },
  }
}

function wooClient(simulator: Simulator): Client {
  const { consumer_key, consumer_secret } = simulator.credentials
  const basic = Buffer.from(`${consumer_key}:${consumer_secret}`).toString('base64')
  const ask = asker(simulator, async () => ({ authorization: `Basic ${basic}` }))
  return {
    ask,
    async orders(since) {
      const read: Read[] = []
      for (let page = 1; ; page++) {
        const query = new URLSearchParams({ orderby: 'modified', order: 'asc', per_page: '100', page: String(page) })
        if (since) query.set('modified_after', since)
        const answer = await ask(`/wp-json/wc/v3/orders?${query}`)
        for (const { id, date_modified_gmt, total } of (await answer.json()) as Json) {
          read.push({ id: String(id), updatedAt: date_modified_gmt, total })
        }
        if (page >= Number(answer.headers.get('x-wp-totalpages'))) return read
      }
    },
  }
}

async function marketToken(simulator: Simulator): Promise<string> {
  const { client_id, client_secret } = simulator.credentials
  const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`
  const body = new URLSearchParams({ grant_type: 'client_credentials' })
  const answer = await fetch(`${simulator.baseUrl}/v1/token`, { method: 'POST', headers: { authorization }, body })
  const { access_token }: Json = await answer.json()
  return access_token
}

function marketClient(simulator: Simulator): Client {
  let token: string | null = null
  const ask = asker(simulator, async () => {
    token ??= await marketToken(simulator)
    return { authorization: `Bearer ${token}` }
  })
  return {
    ask,
    async orders(since = '1970-01-01T00:00:00Z') {
      const read: Read[] = []
      let query: string | null = `lastUpdatedAfter=${since}&limit=100`
      while (query !== null) {
        const { orders, nextToken }: Json = await (await ask(`/v1/orders?${query}`)).json()
        for (const { orderId, lastUpdatedAt, charges } of orders) {
          const { value, scale } = charges.total
          read.push({ id: orderId, updatedAt: lastUpdatedAt, total: (value / 10 ** scale).toFixed(scale) })
        }
        query = nextToken === null ? null : `nextToken=${nextToken}`
      }
      return read
    },
  }
}
