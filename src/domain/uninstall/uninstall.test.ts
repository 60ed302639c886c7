import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { makeApp } from '../../../test/support/identity.ts'
import { incomingOrder } from '../../../test/support/orders.ts'
import { said } from '../../../test/support/said.ts'
import type { ConnectorWebhooks, RegisteredWebhook } from '../../commerce/connector/webhooks.ts'
import { sandbox } from '../../connectors/sandbox/index.ts'
import { totalBucket } from '../../runtime/db/lists/row-counters.ts'
import { takeIds } from '../../runtime/db/take-ids.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { deleteIntegration, uninstallIntegration } from '../integrations/uninstall-integration.ts'
import { uninstallAll } from '../integrations/uninstall-store.ts'
import { newestLogs } from '../logs/log-store.ts'
import { upsertOrders } from '../orders/order-upsert-store.ts'
import { insertRun, takeRun } from '../runs/run-store.ts'
import { openShop } from '../shop/open-remote.ts'
import { purgeIntegrations } from './purge-integrations.ts'
import { beginPurge, purgeSome, toPurge } from './purge-store.ts'
import { cleanUpUninstalls } from './uninstall-cleanup.ts'

let tested: TestContext
let context: Context
let appId: number
/** What the shop received. */
let received: string[]
let removing: () => Promise<void>
/** What it holds, as it is listed. */
const held: RegisteredWebhook[] = []

const running = { attempt: 1, signal: new AbortController().signal }

beforeAll(async () => {
  tested = await createTestContext()
  const webhooks: ConnectorWebhooks = {
    topics: {},
    registration: {
      kind: 'api',
      list: async () => held,
      register: async () => [],
      async remove(_shop, remoteId) {
        received.push(remoteId)
        await removing()
      },
    },
    verify: () => false,
    read: () => ({ deliveryId: '', topic: null, changes: [], at: null }),
  }
  const auth = { ...sandbox.auth, remains: said('The key is still there.') }
  context = { ...tested.context, connectors: new Map([['sandbox', { ...sandbox, auth, webhooks }]]) }
  appId = await makeApp(context)
})
afterAll(() => tested.close())
beforeEach(async () => {
  await sql`delete from uninstall_cleanups`.execute(context.db)
  received = []
  held.splice(0)
  removing = async () => undefined
})

/** Connected, with two webhooks of its own, one of which the shop has switched off. */
async function connect(given: { appId: number; shop?: string } = { appId }): Promise<Integration> {
  const { appId: owner, ...shop } = given
  const { integration } = await makeIntegration(context, { appId: owner }, shop)
  const url = `https://entrepot.test/api/1.0/webhook_callback/sandbox/0/${integration.shop}?integration=${integration.id}`
  await sql`insert into shop_webhooks (integration_id, address, sealed, key_id, next_check_at)
    values (${integration.id}, ${url}, ${Buffer.alloc(0)}, ${context.keys[0].id}, now())`.execute(context.db)
  for (const active of [true, false]) {
    held.push({ remoteId: `${integration.id} ${active ? 'on' : 'off'}`, topic: 'orders', url, active })
  }
  return integration
}
const both = ({ id }: Integration) => [`${id} on`, `${id} off`]
const count = async (table: string, { id }: Integration) => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${sql.table(table)} where integration_id = ${id}`.execute(context.db)
  return rows[0]?.n
}
const bid = () => cleanUpUninstalls.run(context, {}, running)
const eventsOf = async ({ id }: Integration) =>
  (
    await context.db.selectFrom('integration_logs').selectAll().where('integration_id', '=', id).orderBy('id').execute()
  ).map(({ event, level }) => `${event} ${level}`)

test('credentials are gone at once, and nothing opens the shop', async () => {
  const integration = await connect()
  expect(await uninstallIntegration(context, integration.id)).toMatchObject({ status: 'UNINSTALLED' })
  expect(await count('credentials', integration)).toBe(0)
  await expect(openShop(context, integration)).rejects.toThrow('credentials')
})

test('runs are over, and whoever works on one has lost its fence', async () => {
  const integration = await connect()
  const [first, second] = await Promise.all(
    ['sync_orders', 'sync_products'].map((resource) => insertRun(context.db, integration.id, { resource, input: {} })),
  )
  const taken = await context.transaction((trx) => takeRun(trx, integration.id, first?.id ?? 0))
  await uninstallIntegration(context, integration.id)
  const state = await context.db
    .selectFrom('integration_state')
    .select('fence')
    .where('integration_id', '=', integration.id)
    .executeTakeFirstOrThrow()
  expect(state.fence).toBeGreaterThan(taken?.claim.fence ?? 0)
  const runs = await context.db.selectFrom('runs').selectAll().where('integration_id', '=', integration.id).execute()
  expect(runs.map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
  expect(await context.transaction((trx) => takeRun(trx, integration.id, second?.id ?? 0))).toBeNull()
})

test('our webhooks are removed from the shop, those of others stay, and nothing is left to do it again', async () => {
  const integration = await connect()
  held.push({ remoteId: 'theirs', topic: 'orders', url: 'https://elsewhere.test/hook', active: true })
  await uninstallIntegration(context, integration.id)
  expect(await count('uninstall_cleanups', integration)).toBe(1)
  await Promise.all([bid(), bid()])
  expect(received).toEqual(both(integration))
  expect(await count('uninstall_cleanups', integration)).toBe(0)
  expect(await eventsOf(integration)).toEqual(['integration.uninstalled info', 'integration.farewell info'])
  const [log] = await newestLogs(context.db, [integration.id], 1)
  expect(log?.message).toBe('2 webhooks were removed from the shop. The key is still there.')
})

test('after five seconds the shop hears nothing more', async () => {
  const integration = await connect()
  await uninstallIntegration(context, integration.id)
  await sql`update uninstall_cleanups set expires_at = now()`.execute(context.db)
  await bid()
  expect([received, await count('uninstall_cleanups', integration)]).toEqual([[], 0])
  expect(await eventsOf(integration)).toContain('integration.farewell warning')
})

test('a shop that does not answer is not waited for', async () => {
  const integration = await connect()
  await uninstallIntegration(context, integration.id)
  await sql`update uninstall_cleanups set expires_at = now() + interval '200 milliseconds'`.execute(context.db)
  removing = () => new Promise(() => undefined)
  await bid()
  expect(await eventsOf(integration)).toContain('integration.farewell warning')
})

test.each(['one.example.com', 'www.one.example.com'])(
  'the webhooks of another integration of the shop stay, connected as %s',
  async (shop) => {
    const integration = await connect({ appId, shop: 'one.example.com' })
    await connect({ appId, shop })
    await uninstallIntegration(context, integration.id)
    await bid()
    expect(received).toEqual(both(integration))
  },
)

test('an address that somebody else uses as well keeps its webhooks', async () => {
  const [integration, other] = [await connect(), await connect()]
  await sql`update shop_webhooks w set address = o.address from shop_webhooks o
    where w.integration_id = ${integration.id} and o.integration_id = ${other.id}`.execute(context.db)
  await uninstallIntegration(context, integration.id)
  await bid()
  expect(received).toEqual([])
})

test('with its owner all of it goes', async () => {
  const gone = await makeApp(context)
  const integration = await connect({ appId: gone })
  await context.transaction((trx) => uninstallAll(trx, { app_id: gone }, { remove: true }))
  expect([await count('credentials', integration), await count('uninstall_cleanups', integration)]).toEqual([0, 1])
  await bid()
  expect(received).toEqual(both(integration))
})

const addOrder = ({ id }: Integration) =>
  sql`insert into orders (integration_id, remote_id, number, status, currency, total)
    select ${id}, 'o' || n, n::text, 'PENDING', 'EUR', 1 from generate_series(1, 3) n`.execute(context.db)
const age = ({ id }: Integration) =>
  sql`update integrations set uninstalled_at = now() - interval '31 days' where id = ${id}`.execute(context.db)

test('a shop that never let us in is not said goodbye to', async () => {
  const { integration } = await makeIntegration(context, { appId }, { status: 'PENDING' })
  await uninstallIntegration(context, integration.id)
  expect([await count('credentials', integration), await count('uninstall_cleanups', integration)]).toEqual([0, 0])
})

test('what is connected again before it is removed stays, and what is left of it after a part is counted right', async () => {
  const integration = await connect()
  const orders = Array.from({ length: 1001 }, (_, n) => incomingOrder(`o${n}`))
  const ids = await takeIds(context.db, 'orders', orders.length)
  await context.transaction((trx) => upsertOrders(trx, integration.id, { ids, orders }))
  const begin = () => context.transaction((trx) => beginPurge(trx, integration.id))
  expect(await begin()).toBe(false)
  await uninstallIntegration(context, integration.id)
  expect(await begin()).toBe(false)
  await age(integration)
  expect(await toPurge(context.db, { limit: 10 })).toContain(integration.id)
  expect(await begin()).toBe(true)
  expect(await context.transaction((trx) => purgeSome(trx, integration.id))).toBe(true)
  await sql`update integrations set status = 'ACTIVE' where id = ${integration.id}`.execute(context.db)
  await purgeIntegrations.run(context, {}, running)
  const { rows } = await sql<{ kind: string; n: number }>`
    select kind, n from row_counters where integration_id = ${integration.id} and bucket = ${totalBucket} order by kind`.execute(
    context.db,
  )
  expect([await count('orders', integration), rows]).toEqual([
    1,
    ['orders', 'orders:PENDING', 'orders:open'].map((kind) => ({ kind, n: 1 })),
  ])
})

test('however many are overdue, one run leaves none, and one that cannot be purged keeps no other', async () => {
  const all = await Promise.all(Array.from({ length: 65 }, () => connect()))
  for (const integration of all) {
    await addOrder(integration)
    await uninstallIntegration(context, integration.id)
    await age(integration)
  }
  const [stuck] = all
  let refused = 0
  const transaction: Context['transaction'] = (work) =>
    context.transaction(async (trx) => {
      const result = await work(trx)
      const { rows } =
        await sql`select from integrations where id = ${stuck?.id ?? 0} and purged_at is not null`.execute(trx)
      if (rows.length > 0 && refused++ === 0) throw new Error('The disk is full.')
      return result
    })
  await expect(purgeIntegrations.run({ ...context, transaction }, {}, running)).rejects.toThrow(`${stuck?.id}`)
  expect(await toPurge(context.db, { limit: 100 })).toEqual([stuck?.id])
  await purgeIntegrations.run(context, {}, running)
  expect(await toPurge(context.db, { limit: 100 })).toEqual([])
  expect(await Promise.all(all.map((integration) => count('orders', integration)))).toEqual(all.map(() => 0))
})

test('nothing of what was there is left in any table of shops', async () => {
  const [integration, neighbour] = [await connect(), await connect()]
  for (const { id } of [integration, neighbour]) {
    await sql`insert into products (integration_id, remote_id, sku, name, price, currency) values (${id}, 'p', 'A', 'A', 1, 'EUR')`.execute(
      context.db,
    )
    await sql`insert into inventory (integration_id, sku, location, quantity) values (${id}, 'A', '', 1)`.execute(
      context.db,
    )
    await sql`insert into quarantine (integration_id, kind, remote_id, run_id, reason, payload)
      values (${id}, 'orders', '1', 0, 'Odd.', 'Ada')`.execute(context.db)
    await sql`insert into shop_messages (integration_id, delivery_id, verified, body)
      values (${id}, 'm', true, 'Ada')`.execute(context.db)
  }
  for (const one of [integration, neighbour]) await addOrder(one)
  await uninstallIntegration(context, integration.id)
  await age(integration)
  await purgeIntegrations.run(context, {}, running)
  for (const table of ['orders', 'products', 'inventory', 'quarantine', 'shop_messages'] as const) {
    expect([table, await count(table, integration)]).toEqual([table, 0])
    expect([table, ((await count(table, neighbour)) ?? 0) > 0]).toEqual([table, true])
  }
})

test('what the shop gave us is removed a month later, not before', async () => {
  const [left, deleted, lately] = [await connect(), await connect(), await connect()]
  for (const integration of [left, deleted, lately]) await addOrder(integration)
  await uninstallIntegration(context, left.id)
  await uninstallIntegration(context, lately.id)
  await deleteIntegration(context, deleted.id)
  await age(left)
  await age(deleted)
  await purgeIntegrations.run(context, {}, running)
  const kept = await Promise.all([left, deleted, lately].map((integration) => count('orders', integration)))
  expect(kept).toEqual([0, 0, 3])
  expect(await count('integration_state', left)).toBe(1)
  expect(await count('integration_state', deleted)).toBe(0)
  expect((await readIntegration(context.db, left.id)).status).toBe('UNINSTALLED')
})
