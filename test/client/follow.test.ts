import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Change, createClient, type EntrepotClient, type Order } from '../../packages/client/src/index.ts'
import type { Integration } from '../../src/domain/integrations/integration.ts'
import { createOrder } from '../../src/domain/orders/create-order.ts'
import { drawLots } from '../support/chance.ts'
import { makeIntegration } from '../support/gateway.ts'
import { orderInput } from '../support/orders.ts'
import { makeTenant, startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let client: EntrepotClient
let appId: number
beforeAll(async () => {
  server = await startTestServer()
  const tenant = await makeTenant(server.context)
  appId = tenant.appId
  const { client_id: clientId, client_secret: clientSecret } = tenant.appClient
  client = createClient({ baseUrl: await server.listen(), auth: { clientId, clientSecret } })
})
afterAll(() => server.close())

async function shopWith(orders: number): Promise<Integration> {
  const { integration } = await makeIntegration(server.context, { appId })
  for (let n = 1; n <= orders; n++) await createOrder(server.context, integration, orderInput({ number: `${n}` }))
  // The feed shows what is certain to be complete, which may be a moment ago.
  await expect.poll(async () => (await read(integration, null)).length).toBe(orders)
  return integration
}

/** All that has changed so far, from a cursor on. */
async function read(integration: Integration, cursor: string | null, most = Number.POSITIVE_INFINITY) {
  const changes: Change<Order>[] = []
  for await (const change of client.orders.follow({ integration_id: integration.id, cursor, once: true })) {
    changes.push(change)
    if (changes.length >= most) break
  }
  return changes
}

test('whoever stops after any change goes on with the next one, and sees none twice', async () => {
  const shop = await shopWith(12)
  const seen: string[] = []
  let cursor: string | null = null
  for (;;) {
    const [change] = await read(shop, cursor, 1)
    if (!change) break
    seen.push(change.record.number ?? '')
    cursor = change.cursor
  }
  expect(seen).toEqual(Array.from({ length: 12 }, (_, n) => `${n + 1}`))
})

test('a change of a record that was seen comes, also when others of its page were not seen yet', async () => {
  const shop = await shopWith(4)
  const [first] = await read(shop, null, 1)
  if (!first) throw new Error('There is nothing.')
  await server.context.db
    .updateTable('orders')
    .set({ status: 'ACKNOWLEDGED', updated_at: new Date(Date.now() + 1).toISOString() })
    .where('integration_id', '=', shop.id)
    .where('id', '=', first.record.id)
    .execute()
  await expect.poll(async () => (await read(shop, first.cursor)).length).toBe(4)
  const rest = await read(shop, first.cursor)
  expect(rest.map(({ record }) => `${record.number} ${record.status}`)).toEqual([
    '2 PENDING',
    '3 PENDING',
    '4 PENDING',
    '1 ACKNOWLEDGED',
  ])
})

test('a place for the cursor is written to when the next change is asked for', async () => {
  const shop = await shopWith(3)
  const saved: string[] = []
  const store = { load: () => saved.at(-1) ?? null, save: (cursor: string) => void saved.push(cursor) }
  const numbers: (string | null)[] = []
  for (let turn = 0; turn < 2; turn++) {
    for await (const { record } of client.orders.follow({ integration_id: shop.id, cursor: store, once: true })) {
      numbers.push(record.number)
      if (turn === 0 && numbers.length === 2) break
    }
  }
  // The second was not asked beyond in the first turn: it comes again.
  expect(numbers).toEqual(['1', '2', '2', '3'])
})

test('a text that is no cursor is refused', async () => {
  const following = client.orders.follow({ integration_id: 1, cursor: 'yesterday' })
  await expect(following.next()).rejects.toThrow('no cursor')
})

test('a follower that is killed again and again beside writers misses nothing and repeats nothing', async () => {
  const shop = await shopWith(0)
  const lots = drawLots('a follower beside writers')
  const total = 120
  const writing = Promise.all(
    Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; n < total / 4; n++) {
        await createOrder(server.context, shop, orderInput({ number: `${writer}-${n}` }))
      }
    }),
  )
  const seen: string[] = []
  let cursor: string | null = null
  while (seen.length < total) {
    const most = 1 + lots.below(30)
    let taken = 0
    const following = client.orders.follow({ integration_id: shop.id, cursor, once: true })
    for await (const change of following) {
      // As one transaction of whoever follows would: what was made of it, and where it stands.
      seen.push(`${change.record.number}`)
      cursor = change.cursor
      if (++taken >= most) break
    }
  }
  await writing
  expect(new Set(seen).size).toBe(total)
  expect(seen).toHaveLength(total)
})
