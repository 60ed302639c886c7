import { afterAll, beforeAll, expect, test } from 'vitest'
import { assertRoomForAccount, assertRoomForIntegration } from '../src/domain/quota-store.ts'
import { sampleQuotas } from '../src/domain/quotas/sample-quotas.ts'
import { startTestServer, type TestServer } from './support/server.ts'
import { watchStatements } from './support/watch-statements.ts'
import { makeWorld, type World } from './support/world.ts'

/** What a tenant may have of something, and that the next tenant has as much. */

const quotas = {
  ...{ apps: 4, clients: 6, accounts: 5, integrations: 6, schedules: 6 },
  ...{ flows: 4, webhooks: 4, channels: 5, views: 3 },
}
let server: TestServer
let one: World
let other: World
beforeAll(async () => {
  server = await startTestServer({ quotas })
  one = await makeWorld(server)
  other = await makeWorld(server)
})
afterAll(() => server.close())

type Make = (world: World, n: number) => ReturnType<TestServer['call']>

const asUser =
  (path: (world: World) => string, body: (world: World, n: number) => unknown): Make =>
  (world, n) =>
    server.call('POST', path(world), { token: world.tenant.userToken, body: body(world, n) })
const asApp =
  (path: string, body: (n: number) => unknown): Make =>
  (world, n) =>
    server.call('POST', path, { token: world.tenant.appToken, body: body(n) })

const makes: [keyof typeof quotas, string, Make][] = [
  [
    'apps',
    'name',
    asUser(
      () => '/api/2.0/user/apps',
      (_, n) => ({ name: `App ${n}` }),
    ),
  ],
  [
    'clients',
    'name',
    asUser(
      () => '/api/2.0/user/clients',
      (_, n) => ({ name: `Client ${n}` }),
    ),
  ],
  ['accounts', 'remote_id', asApp('/api/2.0/app/accounts', (n) => ({ remote_id: `merchant-${n}`, name: 'M' }))],
  [
    'integrations',
    'shop',
    asApp('/api/2.0/app/sandbox/install', (n) => ({ name: `Shop ${n}`, shop: `shop-${n}.example.com` })),
  ],
  [
    'channels',
    'address',
    asUser(
      ({ ids }) => `/api/2.0/user/apps/${ids.app}/alert-channels`,
      (_, n) => ({ type: 'pagerduty', name: `Pager ${n}`, address: `routing-key-${n}` }),
    ),
  ],
  [
    'views',
    'name',
    asUser(
      ({ ids }) => `/api/2.0/user/apps/${ids.app}/views`,
      (_, n) => ({ list: 'orders', name: `View ${n}`, filters: [] }),
    ),
  ],
  [
    'schedules',
    'integration_id',
    asUser(
      () => '/api/1.0/schedules',
      ({ ids }) => ({ integration_id: ids.integration, resource: 'sync_orders', cron: '0 4 * * *' }),
    ),
  ],
  [
    'flows',
    'name',
    asUser(
      ({ tenant }) => `/api/2.0/user/apps/${tenant.appId}/flows`,
      (_, n) => ({ name: `Flow ${n}`, type: 'manual', steps: [{ action: 'sync_orders' }] }),
    ),
  ],
  [
    'webhooks',
    'url',
    asUser(
      ({ tenant }) => `/api/2.0/user/apps/${tenant.appId}/webhooks`,
      (_, n) => ({ url: `https://hooks.example.com/${n}`, events: ['order.created'] }),
    ),
  ],
]

test.each(makes)('%s', async (quota, field, make) => {
  let answer = await make(one, 0)
  expect(answer.status).toBe(201)
  for (let n = 1; answer.status < 300 && n <= quotas[quota]; n++) answer = await make(one, n)
  const words = `At most ${quotas[quota]} ${quota} are allowed.`
  expect([answer.status, answer.json['errors']]).toEqual([422, { [field]: [words] }])
  expect((await make(other, 0)).status).toBe(201)
  const { text } = await server.call('GET', '/metrics')
  expect(text).toMatch(new RegExp(`entrepot_quota_refusals_total\\{quota="${quota}"\\} [1-9]`))
})

test('accounts and integrations of an app are not counted one by one: their lists keep count', async () => {
  const { context } = server
  const { appId } = one.tenant
  const watch = watchStatements()
  const { statements } = await watch.during(async () => {
    await assertRoomForAccount(context.db, undefined, { appId })
    await assertRoomForIntegration(context.db, undefined, { app_id: appId, user_id: null, company_id: null })
  })
  watch.stop()
  expect(statements.map((text) => text.includes('list_counters'))).toEqual([true, true])
})

test('the metrics say how near whoever has most of something is to its limit', async () => {
  await sampleQuotas.run(server.context, {}, { signal: new AbortController().signal, attempt: 1 })
  const { text } = await server.call('GET', '/metrics')
  const figure = (name: string, quota: string) =>
    Number(new RegExp(`^entrepot_quota_${name}\\{quota="${quota}"\\} (\\d+)$`, 'm').exec(text)?.[1])
  for (const [quota, limit] of Object.entries(quotas)) {
    expect([quota, figure('limit', quota)]).toEqual([quota, limit])
    expect([quota, figure('used', quota)]).toEqual([quota, limit])
    expect(figure('total', quota)).toBeGreaterThan(limit)
  }
  expect(figure('limit', 'answer_bytes')).toBe(256 * 1024 * 1024)
  expect(figure('used', 'answer_bytes')).toBeGreaterThanOrEqual(0)
})
