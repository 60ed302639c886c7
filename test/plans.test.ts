import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { endpoints } from '../src/api/index.ts'
import { runsIn } from '../src/domain/across/read-across.ts'
import { takeShared } from '../src/domain/budgets/budget-store.ts'
import { deleteOldDeliveries, emptyOldDeliveries } from '../src/domain/inbound/inbound-list-store.ts'
import { insertInbound } from '../src/domain/inbound/inbound-store.ts'
import { expiredMessages } from '../src/domain/inbound/inbound-texts-store.ts'
import {
  companionsOf,
  dueDeliveries,
  finishDeliveries,
  integrationsWithWork,
} from '../src/domain/inbound/inbound-work-store.ts'
import { forgetfulIntegrations, ordersToForget } from '../src/domain/inbound/privacy/forget-store.ts'
import { readContent } from '../src/domain/inbound/sealing/read-content-store.ts'
import { destroyUnclaimed, lockArrival } from '../src/domain/install/platform-side/arrival-store.ts'
import { forgetReports } from '../src/domain/logs/log-texts-store.ts'
import { listSessions } from '../src/domain/oauth/sessions/session-store.ts'
import { expiredOperations } from '../src/domain/operations/operation-texts-store.ts'
import { listOrderRecords } from '../src/domain/orders/order-record-store.ts'
import { deleteExpiredOrders } from '../src/domain/orders/privacy/expired-orders-store.ts'
import { takeDueReads } from '../src/domain/reads/due-reads-store.ts'
import { sharersOf } from '../src/domain/reads/sharers-store.ts'
import { keptOrdersDays, retainedIntegrations } from '../src/domain/retention/retention-store.ts'
import { settleShop } from '../src/domain/stock/following/follow-shop.ts'
import type { PoolShop } from '../src/domain/stock/stock.ts'
import {
  claimShop,
  shopsToTell,
  shopsUnconfirmed,
  shopsWithDrift,
  takeDue,
} from '../src/domain/stock/telling/tell-store.ts'
import { incompleteOrders } from '../src/domain/sync/outlines/outline-store.ts'
import { countUnseen, markSeen, unseenKeys } from '../src/domain/sync/vanished-store.ts'
import { createSubscription } from '../src/domain/webhooks/create-subscription.ts'
import { attemptTexts } from '../src/domain/webhooks/delivery-texts-store.ts'
import { startSender } from '../src/domain/webhooks/sender/start-sender.ts'
import { chunks } from '../src/lib/chunks.ts'
import { openListener } from '../src/runtime/db/listener.ts'
import { createEgress } from '../src/runtime/egress/egress.ts'
import { fullPath } from '../src/runtime/http/endpoint.ts'
import { createMetrics } from '../src/runtime/metrics.ts'
import { look as lookForAttention } from './alerts/support.ts'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { openHookReceiver } from './support/hook-receiver.ts'
import { populate } from './support/populate.ts'
import { bigTables, nodesIn, type Planned, plansOf } from './support/read-plans.ts'
import { startTestServer, type TestServer } from './support/server.ts'
import { shopOrder, tellingShop } from './support/telling-shop.ts'
import { bodyEndpoints, validCall } from './support/valid-calls.ts'
import { type Sent, watchStatements } from './support/watch-statements.ts'
import { callAs, makeWorld, type World } from './support/world.ts'

/** How the database goes about what is asked of it, among a thousand shops and with statistics that know of them. */

let database: TestDatabase
let server: TestServer
let world: World
let client: pg.Client
let watch: ReturnType<typeof watchStatements>
let big: ReadonlySet<string>

beforeAll(async () => {
  watch = watchStatements()
  database = await createTestDatabase('crowd')
  server = await startTestServer({ databaseUrl: database.url })
  world = await makeWorld(server)
  await populate(server.context, world, 40)
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  big = await bigTables(client, 2000)
})
afterAll(async () => {
  watch.stop()
  await client.end()
  await server.close()
  await database.drop()
})

/** What is wrong with how a statement would be run; it is not run. */
async function faultsOf(sent: Sent, planned: Planned): Promise<string[]> {
  const plans = await plansOf(client, sent, planned)
  const walked = nodesIn(plans)
    .filter((node) => node['Node Type'] === 'Seq Scan' && big.has(node['Relation Name'] ?? ''))
    .map((node) => `walks all of ${node['Relation Name']}`)
  // A list that is searched once for each row, rather than put into a table of hashes first.
  const searched = /ANY \([^"]*\(SubPlan/.test(JSON.stringify(plans)) ? ['searches a list for each row'] : []
  return [...walked, ...searched]
}

async function faultsIn(sent: readonly Sent[], planned: Planned = 'each time'): Promise<string[]> {
  const once = new Map(sent.map((each) => [each.text, each]))
  const found: string[] = []
  for (const each of once.values()) {
    if (!/^\s*(select|with|insert|update|delete)\b/i.test(each.text)) continue
    for (const fault of await faultsOf(each, planned)) found.push(`${fault}: ${each.text.replace(/\s+/g, ' ')}`)
  }
  return found
}

test('there are tables in which a walk would be felt', () => {
  for (const table of [
    'orders',
    'order_history',
    'products',
    'inventory',
    'webhook_deliveries_default',
    'row_counters',
    'operations',
    'shipments',
    'inbound_deliveries',
    'shop_messages_era_2',
  ]) {
    expect(big).toContain(table)
  }
})

test('no endpoint has a big table walked', async () => {
  const { sent } = await watch.during(async () => {
    for (const endpoint of endpoints.filter(({ method, group }) => method === 'GET' && group.caller !== null)) {
      await callAs(server, world, endpoint)
    }
    for (const [n, endpoint] of bodyEndpoints.entries()) {
      const { params, body } = await validCall(server, world, endpoint, n)
      await callAs(server, world, endpoint, { params, body })
    }
  })
  expect(new Set(sent.map(({ text }) => text)).size).toBeGreaterThan(80)
  // Parcels, refunds, notes and whatever else is done to orders went all the way to the shop.
  const changed = await client.query<{ kind: string }>(
    `select distinct kind from operations where integration_id = $1 and status = 'confirmed' order by kind`,
    [world.ids.integration],
  )
  expect(changed.rows.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['annotate_order', 'cancel_order_lines', 'cancel_shipment', 'create_refund', 'hold_order']),
  )
  expect(await faultsIn(sent)).toEqual([])
  expect(await faultsIn(sent, 'once')).toEqual([])
})

test('no message of a shop has a big table walked, on its way in, to the copy and to the webhook', async () => {
  const hooks = await openHookReceiver()
  const { context } = server
  const { sent } = await watch.during(async () => {
    const shop = await tellingShop({ ...context, webhookAllow: ['127.0.0.1'] })
    const owner = { appId: shop.integration.app_id ?? 0, integrationId: null }
    await createSubscription(shop.context, owner, { url: hooks.url, events: ['*'] })
    const egress = createEgress({ allow: ['127.0.0.1'], log: context.log })
    const listener = openListener({ url: database.url, log: context.log })
    const sending = { context: shop.context, send: egress.fetch, listener, metrics: createMetrics(), lookEveryMs: 50 }
    const sender = startSender(sending)
    for (const order of [shopOrder('1', 1), shopOrder('1', 2, { status: 'shipped' }), shopOrder('2', 1)]) {
      await shop.tell(order)
      await shop.work()
    }
    await integrationsWithWork(context.db)
    await expect.poll(() => hooks.received.length).toBeGreaterThan(2)
    await sender.stop({ timeoutMs: 1000 })
    await listener.close()
    await egress.close()
  })
  await hooks.close()
  expect(new Set(sent.map(({ text }) => text)).size).toBeGreaterThan(25)
  expect(await faultsIn(sent)).toEqual([])
  expect(await faultsIn(sent, 'once')).toEqual([])
})

test('shops that are due are found by when, not by a look at all of them', async () => {
  const taken = await watch.during(async () => {
    await server.context.transaction((trx) => takeDueReads(trx, 100, 'all'))
  })
  const asked = taken.sent.filter(({ text }) => text.includes('next_read_at'))
  expect(asked).toHaveLength(1)
  for (const { text, values } of asked) {
    const { rows } = await client.query(`explain (format json) ${text}`, [...values])
    expect(JSON.stringify(rows)).toContain('integrations_due_reads')
  }
})

test('shops that share a limit are counted by their platform, not by a look at all shops', async () => {
  const { sent } = await watch.during(() => sharersOf(server.context.db, ['etsy']))
  expect(await faultsIn(sent)).toEqual([])
  const [one] = sent.filter(({ text }) => text.includes('stock_shops'))
  const { rows } = await client.query(`explain (format json) ${one?.text}`, [...(one?.values ?? [])])
  expect(JSON.stringify(rows)).toContain('integrations_type')
})

test('orders whose buyers are to be forgotten are found by when they were placed', async () => {
  const { db } = server.context
  const about = { days: 30, since: '2099-01-01T00:00:00Z', limit: 500 }
  const { sent } = await watch.during(() => ordersToForget(db, world.ids.integration, about))
  expect(await faultsIn(sent)).toEqual([])
  const [one] = sent.filter(({ text }) => text.includes('order_history'))
  const { rows } = await client.query(`explain (format json) ${one?.text}`, [...(one?.values ?? [])])
  expect(JSON.stringify(rows)).toContain('orders_placed')
})

test('orders that are known in outline only are found by an index of their own, in the order in which they are completed', async () => {
  const { db } = server.context
  const about = { without: [], limit: 25 }
  const { sent } = await watch.during(() => incompleteOrders(db, world.ids.integration, about))
  expect(sent).toHaveLength(1)
  for (const { text, values } of sent) {
    const { rows } = await client.query(`explain (format json) ${text}`, [...values])
    expect(JSON.stringify(rows)).toContain('orders_incomplete')
    expect(JSON.stringify(rows)).not.toContain('"Sort"')
  }
})

test('shares of a budget, arrivals and shops whose buyers are to be forgotten are found by their keys', async () => {
  await client.query(`insert into budget_shares (key, shop, tokens)
    select 'key ' || k, 'shop ' || n, 1 from generate_series(1, 20) k, generate_series(1, 1000) n`)
  await client.query(`insert into rate_budgets (key, capacity, per_second, tokens)
    select 'key ' || n, 100, 1, 100 from generate_series(1, 5000) n`)
  await client.query(`insert into arrivals (service_id, type, shop, code_hash, expires_at)
    select (select min(id) from services), 'shopify', 'shop ' || n, sha256(n::text::bytea), now() + interval '1 hour'
    from generate_series(1, 5000) n`)
  await client.query('analyze budget_shares, rate_budgets, arrivals, integrations')
  const { context } = server
  const bucket = { key: 'key 7', ownKey: 'key 7|shop 3', capacity: 100, perSecond: 1 }
  const { sent } = await watch.during(async () => {
    const wish = { cost: 1, reserve: 0, spare: 0, probes: false, sharer: 'shop 3', plenty: 0.5 }
    await takeShared(context.db, { ...bucket, ...wish })
    await forgetfulIntegrations(context.db, [{ type: 'sandbox', days: 30 }], { after: 0, limit: 100 })
    await context.transaction((trx) => lockArrival(trx, context.keys, Buffer.alloc(32)))
    await destroyUnclaimed(context.db)
  })
  const walked: string[] = []
  for (const { text, values } of sent.filter((one) => /budget_shares|arrivals|unnest/.test(one.text))) {
    const nodes = nodesIn(await plansOf(client, { text, values }, 'each time'))
    walked.push(...nodes.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? (node['Relation Name'] ?? []) : [])))
  }
  expect(walked.filter((table) => table !== 'services')).toEqual([])
})

test('what a whole pass has not come across is found without a walk for each row', async () => {
  const { db } = server.context
  const integrationId = world.ids.integration
  const seen = Array.from({ length: 20_000 }, (_, n) => `seen-${n}`)
  for (const page of chunks(seen, 1000)) await markSeen(db, { integrationId, kind: 'orders', runId: 1 }, page)
  const ask = async () => {
    const pass = { run: 1, since: null, startedAt: '2099-01-01T00:00:00Z' }
    await countUnseen(server.context, integrationId, { kind: 'orders', pass })
    await unseenKeys(server.context, integrationId, { kind: 'orders', pass, after: null, limit: 100 })
  }
  const fresh = await watch.during(ask)
  expect(await faultsIn(fresh.sent)).toEqual([])
  await client.query('analyze sync_seen')
  // Little memory, as where the server is somebody else's: a list that does not fit would be searched row by row.
  await client.query(`set work_mem = '64kB'`)
  expect(await faultsIn(fresh.sent)).toEqual([])
  await client.query('reset work_mem')
})

test('runs that did something are listed without a walk over those that found nothing', async () => {
  const { context } = server
  const id = world.ids.integration
  await client.query(
    `insert into runs (integration_id, resource, status, automatic, quiet, finished_at)
    select $1, 'sync_orders', 'completed', true, true, now() from generate_series(1, 20000)`,
    [id],
  )
  await client.query('analyze runs')
  const asked = { integrationId: id, cursor: null, limit: 25, filter: { found: 'something' } }
  const { sent } = await watch.during(() => runsIn(context, world.ids.app, asked))
  const listing = sent.filter(({ text }) => text.includes('not quiet'))
  expect(listing).toHaveLength(1)
  const plans = await Promise.all(listing.map((one) => plansOf(client, one, 'each time')))
  expect(JSON.stringify(plans)).toContain('"runs_loud"')
})

test('messages are stored, taken, finished and deleted by keys, in every era', async () => {
  const { context } = server
  const id = world.ids.integration
  const message = (n: number) => ({
    ...{
      integration_id: id,
      delivery_id: `planned ${n}`,
      topic: null,
      verified: true,
      kind: 'order',
      remote_id: `r${n}`,
    },
    ...{ headers: {}, query: {}, body: Buffer.from(`${n}`) },
  })
  const { sent } = await watch.during(async () => {
    await insertInbound(context.reader, [1, 2, 3].map(message))
    const due = await dueDeliveries(context.db, id, 200)
    expect(due.length).toBeGreaterThan(2)
    await companionsOf(context.db, id, due)
    await finishDeliveries(context.db, id, [{ id: due[0]?.id ?? 0, outcome: 'stored' }])
    await readContent(context.db, id, due[0]?.id ?? 0)
    await integrationsWithWork(context.db)
    await deleteOldDeliveries(context.db, 36_500, 0)
    await emptyOldDeliveries(context.db, 36_500, null)
  })
  expect(sent.filter(({ text }) => text.includes('shop_messages')).length).toBeGreaterThan(7)
  expect(await faultsIn(sent)).toEqual([])
  expect(await faultsIn(sent, 'once')).toEqual([])
})

test('what needs attention is looked for by indexes that hold little else', async () => {
  const { context } = server
  await client.query('analyze integrations, webhook_subscriptions, runs, quarantine, shop_messages, audit_entries')
  const { sent } = await watch.during(async () => {
    await lookForAttention(context, 'work')
    await lookForAttention(context, 'stock')
  })
  expect(sent.length).toBeGreaterThan(15)
  expect(await faultsIn(sent)).toEqual([])
})

test('buyers are found, retention is kept and sessions are listed by their keys', async () => {
  const { context } = server
  await client.query(`insert into console_sessions (secret_hash, user_id, expires_at)
    select sha256(n::text::bytea), u.id, now() + interval '1 hour'
    from (select id from users order by id limit 50) u, generate_series(1, 100) n
    on conflict do nothing`)
  await client.query(`insert into access_tokens (jti, kind, client_id, user_id, scopes, expires_at)
    select 'planned ' || u.id || ' ' || n, 'user', (select min(id) from oauth_clients), u.id, '{}', now() + interval '1 hour'
    from (select id from users order by id limit 50) u, generate_series(1, 100) n`)
  await client.query('update apps set keep_orders_days = 30, keep_messages_days = 7 where id % 10 = 0')
  await client.query('analyze console_sessions, access_tokens, apps, integrations')
  const { integration: id, user } = world.ids
  const everyPage = { page: 1, perPage: 15, sort: [] }
  const { sent } = await watch.during(async () => {
    await listSessions(context.db, { userId: user, tokenId: 1 })
    for (const filter of [{ email: ['ada@example.com'] }, { phone: ['+43 1 234567'] }, { name: ['Ada Byron'] }]) {
      await listOrderRecords(context.reader, id, { ...everyPage, filter })
    }
    await retainedIntegrations(context.db, { after: 0, limit: 200 })
    await keptOrdersDays(context.db, id)
    await expiredMessages(context.db, id, { days: 7, limit: 500 })
    await expiredOperations(context.db, id, { days: 7, limit: 500 })
    await context.transaction((trx) => deleteExpiredOrders(trx, id, { days: 36_500, limit: 500 }))
    await attemptTexts.read(context.db, id, { after: null, limit: 200 })
    await context.transaction((trx) => forgetReports(trx, id, { remoteIds: ['1'], words: ['ada@example.com'] }))
  })
  expect(new Set(sent.map(({ text }) => text)).size).toBeGreaterThan(10)
  expect(await faultsIn(sent)).toEqual([])
  expect(await faultsIn(sent, 'once')).toEqual([])
  const listed = sent.filter(({ text }) => text.includes('console_sessions'))
  const nodes = nodesIn(await Promise.all(listed.map((one) => plansOf(client, one, 'each time'))))
  const walked = nodes.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? (node['Relation Name'] ?? []) : []))
  expect(walked.filter((table) => table !== 'oauth_clients')).toEqual([])
})

test('shops that share a stock are found by what is to be done in them, among a thousand pools', async () => {
  const { context } = server
  await client.query(`
    with pools as (
      insert into stock_pools (app_id, account_id, mode)
      select app_id, id, case when id % 5 = 0 then 'dry' else 'on' end from accounts order by id limit 1000
      on conflict do nothing returning id
    ), places as (
      insert into stock_places (pool_id, name) select id, 'Main' from pools returning id, pool_id
    ), shops as (
      insert into stock_shops (integration_id, pool_id, place_id)
      select 70000000 + pool_id * 3 + n, pool_id, id from places, generate_series(0, 2) n
      returning integration_id, pool_id
    ), articles as (
      insert into stock_articles (pool_id, sku) select id, 'A' || n from pools, generate_series(1, 10) n returning id, pool_id
    )
    insert into stock_links (pool_id, article_id, integration_id, remote_id, sku, made_by, wanted, shows, sent_at, accepted_at,
      confirmed_at, due_at, seen, seen_at)
    select a.pool_id, a.id, s.integration_id, a.id::text, a.id::text, 'sku', 5, 5, now(), now(),
      case when a.id % 997 > 0 then now() end, case when a.id % 991 = 0 then now() end,
      case when a.id % 983 = 0 then 4 end, case when a.id % 983 = 0 then now() end
    from articles a join shops s using (pool_id)`)
  await client.query('analyze stock_pools, stock_shops, stock_links, stock_articles')
  const [one] = (await client.query<PoolShop>('select * from stock_shops limit 1')).rows
  if (!one) throw new Error('There is no shop in a pool.')
  const { sent } = await watch.during(async () => {
    expect((await shopsToTell(context.db, 1000)).length).toBeGreaterThan(10)
    expect((await shopsWithDrift(context.db, 1000)).length).toBeGreaterThan(10)
    expect((await shopsUnconfirmed(context.db, 1000)).length).toBeGreaterThan(10)
    await claimShop(context.db, one.integration_id, 'plans')
    await context.transaction((trx) => takeDue(trx, one.integration_id, 'plans', 100))
    await settleShop(context, one.integration_id)
  })
  const { rows } = await client.query<{ n: string }>('select count(*) as n from stock_links')
  expect(Number(rows[0]?.n)).toBeGreaterThan(20_000)
  for (const planned of ['each time', 'once'] as const) {
    const plans = await Promise.all(
      sent.filter(({ text }) => text.includes('stock_links')).map((statement) => plansOf(client, statement, planned)),
    )
    const walked = nodesIn(plans)
    expect(
      walked.filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'stock_links'),
    ).toEqual([])
  }
})

// The last one, since from here on most orders are of one shop. Citus has no plan for everybody: each statement is planned with its values where the rows are.
test.skipIf(inject('onCitus'))(
  'a plan for everybody serves the largest shop too: what is read in order for it is not sorted for others’ sake',
  async () => {
    const orders = endpoints.find((one) => one.method === 'GET' && fullPath(one) === '/api/2.0/app/orders')
    const sorts = orders?.query && 'sort' in orders.query ? orders.query.sort : []
    await client.query(
      `insert into orders (integration_id, id, remote_id, number, status, currency, total, items, remote_version, private,
       private_digest, private_words, placed_at, created_at, updated_at)
     select $1, 3000000000 + n, 'large-' || n, '#' || n, 'SHIPPED', 'EUR', n, '[]', '1', '\\x01', '\\x01', '{}',
       now() - make_interval(mins => n), now(), now() - make_interval(mins => n) from generate_series(1, 20000) n`,
      [world.ids.integration],
    )
    await client.query('analyze orders')
    const { sent } = await watch.during(async () => {
      for (const sort of ['', ...sorts.flatMap((field) => [field, `-${field}`])]) {
        const path = `/api/2.0/app/orders?integration_id=${world.ids.integration}&sort=${sort}`
        expect((await server.call('GET', path, { token: world.tenant.appToken })).status).toBe(200)
      }
    })
    const lists = sent.filter(({ text }) => /from orders\b.* order by /s.test(text))
    expect(lists.length).toBeGreaterThan(4)
    const isSorted = async (one: Sent, planned: Planned) =>
      nodesIn(await plansOf(client, one, planned)).some((node) => node['Node Type'].endsWith('Sort'))
    const worse: string[] = []
    for (const one of lists) {
      if ((await isSorted(one, 'once')) && !(await isSorted(one, 'each time')))
        worse.push(one.text.replace(/\s+/g, ' '))
    }
    expect(worse).toEqual([])
  },
)
