import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeIntegration } from '../support/gateway.ts'
import { makeTenant, startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let path: string
let ask: (path: string) => ReturnType<TestServer['call']>

beforeAll(async () => {
  server = await startTestServer()
  const tenant = await makeTenant(server.context)
  const { integration } = await makeIntegration(server.context, tenant)
  const headers = JSON.stringify({
    'content-type': 'application/json',
    'x-shopify-hmac-sha256': 'proof',
    'x-topic': 'a',
  })
  const { rows } = await sql<{ id: number }>`
    insert into shop_messages (integration_id, delivery_id, topic, headers, query, body)
    values (${integration.id}, 'd-1', 'orders/create', ${headers}::jsonb, '{"token":"t","shop":"s"}', '{"id":1001}')
    returning id`.execute(server.context.db)
  path = `/api/2.0/app/integrations/${integration.id}/deliveries/${rows[0]?.id}/content`
  ask = (asked) => server.call('GET', asked, { token: tenant.appToken })
})
afterAll(() => server.close())

test('a message of a shop can be read, but nothing that would prove its sender', async () => {
  const { status, json } = await ask(path)
  expect([status, json['data']]).toEqual([
    200,
    {
      headers: { 'content-type': 'application/json', 'x-shopify-hmac-sha256': '[redacted]', 'x-topic': 'a' },
      query: { token: '[redacted]', shop: 's' },
      body: '{"id":1001}',
      truncated: false,
    },
  ])
})

test('a message that is not there is 404', async () => {
  expect((await ask(path.replace(/\d+\/content$/, '999999/content'))).status).toBe(404)
})
