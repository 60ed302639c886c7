import { afterAll, beforeAll, expect, test } from 'vitest'
import { newEvent } from '../../src/domain/events/event.ts'
import { emitEvents, subscribedTypes } from '../../src/domain/events/event-store.ts'
import { createOrder } from '../../src/domain/orders/create-order.ts'
import { makeIntegration } from '../support/gateway.ts'
import { orderInput } from '../support/orders.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { makeWorld, type World } from '../support/world.ts'

/** A webhook of an app that is told of some of its shops. */

let server: TestServer
let world: World
let foreign: World
beforeAll(async () => {
  server = await startTestServer({ webhookAllow: ['127.0.0.1'] })
  world = await makeWorld(server)
  foreign = await makeWorld(server)
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, `/api/2.0/user/apps/${world.tenant.appId}/webhooks${path}`, {
    token: world.tenant.userToken,
    ...(body === undefined ? {} : { body }),
  })

const plain = { url: 'http://127.0.0.1:9/hook', events: ['order.created'] }

const told = async (webhook: number): Promise<number[]> => {
  const { rows } = await server.context.reader.query<{ integration_id: number }>(
    `select e.integration_id from webhook_deliveries d join webhook_events e on e.id = d.event_id
     where d.webhook_id = $1 order by d.id`,
    [webhook],
  )
  return rows.map(({ integration_id: id }) => id)
}

test('is told of these and of no others; one that names none is told of all', async () => {
  const { context } = server
  const { appId, accountId } = world.tenant
  const shops = [
    (await makeIntegration(context, { appId, accountId })).integration,
    (await makeIntegration(context, { appId, accountId })).integration,
  ] as const
  const some = await call('POST', '', { ...plain, integration_ids: [shops[0].id] })
  expect(some.status).toBe(201)
  const all = await call('POST', '', plain)
  const [one, other] = [some, all].map(({ json }) => Object(json['data']))
  expect([one.integration_ids, other.integration_ids]).toEqual([[shops[0].id], null])
  for (const shop of shops) await createOrder(context, shop, orderInput())
  expect(await told(one.id)).toEqual([shops[0].id])
  expect(await told(other.id)).toEqual(shops.map(({ id }) => id))
  // Another one, then all of them.
  await call('PUT', `/${one.id}`, { integration_ids: [shops[1].id] })
  await createOrder(context, shops[1], orderInput())
  await call('PUT', `/${one.id}`, { active: true })
  await call('PUT', `/${one.id}`, { integration_ids: null })
  await createOrder(context, shops[0], orderInput())
  expect(await told(one.id)).toEqual([shops[0].id, shops[1].id, shops[0].id])
})

test('is told of what concerns no shop', async () => {
  const { json } = await call('POST', '', { ...plain, events: ['*'], integration_ids: [world.ids.integration] })
  const { id } = Object(json['data'])
  const data = { id: 999_999, url: 'https://a.test', reason: 'gone', disabled_at: new Date().toISOString() }
  const event = newEvent(
    'webhook.disabled',
    { appId: world.tenant.appId },
    { subject: 'webhook:999999', data: data as never },
  )
  await server.context.transaction((trx) => emitEvents(trx, [event]))
  expect(await told(id)).toEqual([null])
})

test('costs shops nothing that it does not listen to: their events are not even put together', async () => {
  const { context } = server
  const alone = await makeWorld(server)
  const { integration } = await makeIntegration(context, { appId: alone.tenant.appId })
  await context.db
    .updateTable('webhook_subscriptions')
    .set({ integration_ids: [alone.ids.integration] })
    .where('app_id', '=', alone.tenant.appId)
    .execute()
  const types = (id: number) => subscribedTypes(context.db, id, ['order.updated'])
  expect([...(await types(integration.id))]).toEqual([])
  expect([...(await types(alone.ids.integration))]).toEqual(['order.updated'])
})

test.each([
  ['of somebody else', () => [foreign.ids.integration]],
  ['that is not there', () => [999_999_999]],
])('refuses a shop %s at its field', async (_, shops) => {
  const own = world.ids.integration
  for (const [method, path] of [
    ['POST', ''],
    ['PUT', `/${world.ids.appWebhook}`],
  ] as const) {
    const answer = await call(method, path, { ...plain, integration_ids: [own, ...shops()] })
    expect([answer.status, Object.keys(Object(answer.json['errors']))]).toEqual([422, ['integration_ids.1']])
  }
})

test.each([[[]], [[1, 1]], ['all'], [['x']], [Array.from({ length: 101 }, (_, n) => n + 1)]])(
  'refuses %j',
  async (shops) => expect((await call('POST', '', { ...plain, integration_ids: shops })).status).toBe(422),
)
