import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeIntegration } from '../support/gateway.ts'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'

/** A list that is longer than anybody counts, by a filter that has no counter. */

let server: TestServer
let tenant: TestTenant
let base: string
const rows = 10_030

beforeAll(async () => {
  server = await startTestServer()
  tenant = await makeTenant(server.context)
  const { integration } = await makeIntegration(server.context, { appId: tenant.appId })
  await sql`insert into orders (integration_id, remote_id, number, status, currency, total, items, payment_status)
    select ${integration.id}, n::text, n::text, 'PENDING', 'EUR', 1, '[]', case when n <= ${rows}::int then 'Paid' else 'Pending' end
    from generate_series(1, ${rows + 5}::int) n`.execute(server.context.db)
  base = `/api/2.0/app/orders?integration_id=${integration.id}`
})
afterAll(() => server.close())

interface List {
  data: { number: string }[]
  links: { next: string | null; last: string }
  meta: { total: number; last_page: number; total_exact?: false }
}

const list = async (query: string): Promise<List> => {
  const { status, json } = await server.call('GET', `${base}${query}`, { token: tenant.appToken })
  expect(status).toBe(200)
  return json as unknown as List
}

test('a filter over more than ten thousand rows says at least how many there are, and the last page how many', async () => {
  const { meta, links, data } = await list('&payment_status=paid&per_page=100')
  expect(data).toHaveLength(100)
  expect(meta).toMatchObject({ current_page: 1, total: 10_001, last_page: 101, total_exact: false })
  expect(links.next).toContain('page=2')
  const near = await list('&payment_status=paid&per_page=100&page=100')
  expect(near.meta).toMatchObject({ total: 10_001, last_page: 101, total_exact: false })
  const last = await list('&payment_status=paid&per_page=100&page=101')
  expect(last.data.map(({ number }) => number)).toEqual(Array.from({ length: 30 }, (_, n) => String(10_001 + n)))
  expect(last.links.next).toBeNull()
  expect(last.meta).toEqual({
    ...{ current_page: 101, from: 10_001, last_page: 101, per_page: 100, to: 10_030, total: rows },
  })
})

test('a filter over fewer is counted to the end, and says nothing else', async () => {
  const { meta } = await list('&payment_status=pending')
  expect(meta).toEqual({ current_page: 1, from: 1, last_page: 1, per_page: 15, to: 5, total: 5 })
})
