import { afterAll, beforeAll, expect, test } from 'vitest'
import { runsIn } from '../../src/domain/across/read-across.ts'
import { takeShared } from '../../src/domain/budgets/budget-store.ts'
import { deleteOldDeliveries, emptyOldDeliveries } from '../../src/domain/inbound/inbound-list-store.ts'
import { insertInbound } from '../../src/domain/inbound/inbound-store.ts'
import { expiredMessages } from '../../src/domain/inbound/inbound-texts-store.ts'
import {
  companionsOf,
  dueDeliveries,
  finishDeliveries,
  integrationsWithWork,
} from '../../src/domain/inbound/inbound-work-store.ts'
import { forgetfulIntegrations, ordersToForget } from '../../src/domain/inbound/privacy/forget-store.ts'
import { readContent } from '../../src/domain/inbound/sealing/read-content-store.ts'
import { destroyUnclaimed, lockArrival } from '../../src/domain/install/platform-side/arrival-store.ts'
import { forgetReports } from '../../src/domain/logs/log-texts-store.ts'
import { listSessions } from '../../src/domain/oauth/sessions/session-store.ts'
import { expiredOperations } from '../../src/domain/operations/operation-texts-store.ts'
import { listOrderRecords } from '../../src/domain/orders/order-record-store.ts'
import { deleteExpiredOrders } from '../../src/domain/orders/privacy/expired-orders-store.ts'
import { takeDueReads } from '../../src/domain/reads/due-reads-store.ts'
import { sharersOf } from '../../src/domain/reads/sharers-store.ts'
import { keptOrdersDays, retainedIntegrations } from '../../src/domain/retention/retention-store.ts'
import { settleShop } from '../../src/domain/stock/following/follow-shop.ts'
import type { PoolShop } from '../../src/domain/stock/stock.ts'
import {
  claimShop,
  shopsToTell,
  shopsUnconfirmed,
  shopsWithDrift,
  takeDue,
} from '../../src/domain/stock/telling/tell-store.ts'
import { incompleteOrders } from '../../src/domain/sync/outlines/outline-store.ts'
import { countUnseen, markSeen, unseenKeys } from '../../src/domain/sync/vanished-store.ts'
import { attemptTexts } from '../../src/domain/webhooks/delivery-texts-store.ts'
import { chunks } from '../../src/lib/chunks.ts'
import { look as lookForAttention } from '../alerts/support.ts'
import { nodesIn, plansOf } from '../support/read-plans.ts'
import { openPlans, type Plans } from './support.ts'

/** How the database goes about what is done in turn and in the background, among a thousand shops and with statistics that know of them. */

let plans: Plans

beforeAll(async () => {
  plans = await openPlans()
  // On shards it takes most of a minute.
})
afterAll(() => plans.close())

test('shops that are due are found by when, not by a look at all of them', async () => {
  const taken = await plans.watch.during(async () => {
    await plans.server.context.transaction((trx) => takeDueReads(trx, 100, 'all'))
  })
  const asked = taken.sent.filter(({ text }) => text.includes('next_read_at'))
  expect(asked).toHaveLength(1)
  for (const { text, values } of asked) {
    const { rows } = await plans.client.query(`explain (format json) ${text}`, [...values])
    expect(JSON.stringify(rows)).toContain('integrations_due_reads')
  }
})

test('shops that share a limit are counted by their platform, not by a look at all shops', async () => {
  const { sent } = await plans.watch.during(() => sharersOf(plans.server.context.db, ['etsy']))
  expect(await plans.faultsIn(sent)).toEqual([])
  const [one] = sent.filter(({ text }) => text.includes('stock_shops'))
  const { rows } = await plans.client.query(`explain (format json) ${one?.text}`, [...(one?.values ?? [])])
  // Both begin with the platform.
  expect(JSON.stringify(rows)).toMatch(/integrations_(type|addressed)/)
})

test('orders whose buyers are to be forgotten are found by when they were placed', async () => {
  const { db } = plans.server.context
  const about = { days: 30, since: '2099-01-01T00:00:00Z', limit: 500 }
  const { sent } = await plans.watch.during(() => ordersToForget(db, plans.world.ids.integration, about))
  expect(await plans.faultsIn(sent)).toEqual([])
  const [one] = sent.filter(({ text }) => text.includes('order_history'))
  const { rows } = await plans.client.query(`explain (format json) ${one?.text}`, [...(one?.values ?? [])])
  expect(JSON.stringify(rows)).toContain('orders_placed')
})

test('orders that are known in outline only are found by an index of their own, in the order in which they are completed', async () => {
  const { db } = plans.server.context
  const about = { without: [], limit: 25 }
  const { sent } = await plans.watch.during(() => incompleteOrders(db, plans.world.ids.integration, about))
  expect(sent).toHaveLength(1)
  for (const { text, values } of sent) {
    const { rows } = await plans.client.query(`explain (format json) ${text}`, [...values])
    expect(JSON.stringify(rows)).toContain('orders_incomplete')
    expect(JSON.stringify(rows)).not.toContain('"Sort"')
  }
})

test('shares of a budget, arrivals and shops whose buyers are to be forgotten are found by their keys', async () => {
  await plans.client.query(`insert into budget_shares (key, shop, tokens)
    select 'key ' || k, 'shop ' || n, 1 from generate_series(1, 20) k, generate_series(1, 1000) n`)
  await plans.client.query(`insert into rate_budgets (key, capacity, per_second, tokens)
    select 'key ' || n, 100, 1, 100 from generate_series(1, 5000) n`)
  await plans.client.query(`insert into arrivals (service_id, type, shop, code_hash, expires_at)
    select (select min(id) from services), 'shopify', 'shop ' || n, sha256(n::text::bytea), now() + interval '1 hour'
    from generate_series(1, 5000) n`)
  await plans.client.query('analyze budget_shares, rate_budgets, arrivals, integrations')
  const { context } = plans.server
  const bucket = { key: 'key 7', ownKey: 'key 7|shop 3', capacity: 100, perSecond: 1 }
  const { sent } = await plans.watch.during(async () => {
    const wish = { cost: 1, reserve: 0, spare: 0, probes: false, sharer: 'shop 3', plenty: 0.5 }
    await takeShared(context.db, { ...bucket, ...wish })
    await forgetfulIntegrations(context.db, [{ type: 'sandbox', days: 30 }], { after: 0, limit: 100 })
    await context.transaction((trx) => lockArrival(trx, context.keys, Buffer.alloc(32)))
    await destroyUnclaimed(context.db)
  })
  const walked: string[] = []
  for (const { text, values } of sent.filter((one) => /budget_shares|arrivals|unnest/.test(one.text))) {
    const nodes = nodesIn(await plansOf(plans.client, { text, values }, 'each time'))
    walked.push(...nodes.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? (node['Relation Name'] ?? []) : [])))
  }
  expect(walked.filter((table) => table !== 'services')).toEqual([])
})

test('what a whole pass has not come across is found without a walk for each row', async () => {
  const { db } = plans.server.context
  const integrationId = plans.world.ids.integration
  const seen = Array.from({ length: 20_000 }, (_, n) => `seen-${n}`)
  for (const page of chunks(seen, 1000)) await markSeen(db, { integrationId, kind: 'orders', runId: 1 }, page)
  const ask = async () => {
    const pass = { run: 1, since: null, startedAt: '2099-01-01T00:00:00Z' }
    await countUnseen(plans.server.context, integrationId, { kind: 'orders', pass })
    await unseenKeys(plans.server.context, integrationId, { kind: 'orders', pass, after: null, limit: 100 })
  }
  const fresh = await plans.watch.during(ask)
  expect(await plans.faultsIn(fresh.sent)).toEqual([])
  await plans.client.query('analyze sync_seen')
  // Little memory, as where the plans.server is somebody else's: a list that does not fit would be searched row by row.
  await plans.client.query(`set work_mem = '64kB'`)
  expect(await plans.faultsIn(fresh.sent)).toEqual([])
  await plans.client.query('reset work_mem')
})

test('runs that did something are listed without a walk over those that found nothing', async () => {
  const { context } = plans.server
  const id = plans.world.ids.integration
  await plans.client.query(
    `insert into runs (integration_id, resource, status, automatic, quiet, created_at, finished_at)
    select $1, 'sync_orders', 'completed', true, true, now() - make_interval(mins => n), now() from generate_series(1, 20000) n`,
    [id],
  )
  await plans.client.query('analyze runs')
  const asked = { integrationId: id, cursor: null, limit: 25, filter: { found: 'something' } }
  const { sent } = await plans.watch.during(() => runsIn(context, plans.world.ids.app, asked))
  const listing = sent.filter(({ text }) => text.includes('not quiet'))
  expect(listing).toHaveLength(1)
  const planned = await Promise.all(listing.map((one) => plansOf(plans.client, one, 'each time')))
  expect(JSON.stringify(planned)).toContain('"runs_loud"')
})

test('messages are stored, taken, finished and deleted by keys, in every era', async () => {
  const { context } = plans.server
  const id = plans.world.ids.integration
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
  const { sent } = await plans.watch.during(async () => {
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
  // On shards, what is asked of nodes by themselves is among the values.
  expect(sent.filter((one) => JSON.stringify(one).includes('shop_messages')).length).toBeGreaterThan(7)
  expect(await plans.faultsIn(sent)).toEqual([])
  expect(await plans.faultsIn(sent, 'once')).toEqual([])
})

test('what needs attention is looked for by indexes that hold little else', async () => {
  const { context } = plans.server
  await plans.client.query(
    'analyze integrations, webhook_subscriptions, runs, quarantine, shop_messages, audit_entries',
  )
  const { sent } = await plans.watch.during(async () => {
    await lookForAttention(context, 'work')
    await lookForAttention(context, 'stock')
  })
  expect(sent.length).toBeGreaterThan(15)
  expect(await plans.faultsIn(sent)).toEqual([])
})

test('buyers are found, retention is kept and sessions are listed by their keys', async () => {
  const { context } = plans.server
  await plans.client.query(`insert into console_sessions (secret_hash, user_id, expires_at)
    select sha256((u.id || ' ' || n)::bytea), u.id, now() + interval '1 hour'
    from (select id from users order by id limit 50) u, generate_series(1, 100) n`)
  await plans.client.query(`insert into access_tokens (jti, kind, client_id, user_id, scopes, expires_at)
    select 'planned ' || u.id || ' ' || n, 'user', (select min(id) from oauth_clients), u.id, '{}', now() + interval '1 hour'
    from (select id from users order by id limit 50) u, generate_series(1, 100) n`)
  await plans.client.query('update apps set keep_orders_days = 30, keep_messages_days = 7 where id % 10 = 0')
  await plans.client.query('analyze console_sessions, access_tokens, apps, integrations')
  const { integration: id, user } = plans.world.ids
  const everyPage = { page: 1, perPage: 15, sort: [] }
  const { sent } = await plans.watch.during(async () => {
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
  expect(await plans.faultsIn(sent)).toEqual([])
  expect(await plans.faultsIn(sent, 'once')).toEqual([])
  const listed = sent.filter(({ text }) => text.includes('console_sessions'))
  const nodes = nodesIn(await Promise.all(listed.map((one) => plansOf(plans.client, one, 'each time'))))
  const walked = nodes.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? (node['Relation Name'] ?? []) : []))
  expect(walked.filter((table) => table !== 'oauth_clients')).toEqual([])
})

test('shops that share a stock are found by what is to be done in them, among a thousand pools', async () => {
  const { context } = plans.server
  await plans.client.query(`
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
  await plans.client.query('analyze stock_pools, stock_shops, stock_links, stock_articles')
  const [one] = (await plans.client.query<PoolShop>('select * from stock_shops limit 1')).rows
  if (!one) throw new Error('There is no shop in a pool.')
  const { sent } = await plans.watch.during(async () => {
    expect((await shopsToTell(context.db, 1000)).length).toBeGreaterThan(10)
    expect((await shopsWithDrift(context.db, 1000)).length).toBeGreaterThan(10)
    expect((await shopsUnconfirmed(context.db, 1000)).length).toBeGreaterThan(10)
    await claimShop(context.db, one.integration_id, 'plans')
    await context.transaction((trx) => takeDue(trx, one.integration_id, 'plans', 100))
    await settleShop(context, one.integration_id)
  })
  const { rows } = await plans.client.query<{ n: string }>('select count(*) as n from stock_links')
  expect(Number(rows[0]?.n)).toBeGreaterThan(20_000)
  for (const planned of ['each time', 'once'] as const) {
    const found = await Promise.all(
      sent
        .filter(({ text }) => text.includes('stock_links'))
        .map((statement) => plansOf(plans.client, statement, planned)),
    )
    const walked = nodesIn(found)
    expect(
      walked.filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'stock_links'),
    ).toEqual([])
  }
})
