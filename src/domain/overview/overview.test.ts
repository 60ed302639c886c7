import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { makeApp } from '../../../test/support/identity.ts'
import { orderInput } from '../../../test/support/orders.ts'
import { openWebhookLab, type WebhookLab } from '../../../test/support/webhook-lab.ts'
import type { Integration } from '../integrations/integration.ts'
import { createOrder } from '../orders/create-order.ts'
import { insertRun } from '../runs/run-store.ts'
import { createSubscription } from '../webhooks/create-subscription.ts'
import { stepsOf } from './figures-store.ts'
import { readOverview } from './read-overview.ts'

/** Two apps with the same going on, in other numbers. */
let lab: WebhookLab
let other: { appId: number; integration: Integration }
beforeAll(async () => {
  lab = await openWebhookLab()
  const appId = await makeApp(lab.context)
  other = { appId, integration: (await makeIntegration(lab.context, { appId })).integration }
  const input = { url: 'http://127.0.0.1:9/hook', events: ['order.created'] }
  for (const owner of [lab.appId, appId]) {
    await createSubscription(lab.context, { appId: owner, integrationId: null }, input)
  }
  for (const [integration, times] of [
    [lab.integration, 2],
    [other.integration, 3],
  ] as const) {
    for (let n = 0; n < times; n++) {
      await createOrder(lab.context, integration, orderInput())
      await insertRun(lab.context.db, integration.id, { resource: 'sync_orders', input: {} })
    }
  }
})
afterAll(() => lab.close())

const today = { range: '24h', timeZone: 'UTC' } as const
const sum = (counts: readonly { n: number }[]) => counts.reduce((total, { n }) => total + n, 0)

test('an app sees what is its own', async () => {
  for (const [appId, integration, times] of [
    [lab.appId, lab.integration, 2],
    [other.appId, other.integration, 3],
  ] as const) {
    const seen = await readOverview(lab.context, appId, today)
    expect(sum(seen.integrations)).toBe(1)
    expect([seen.received, sum(seen.runs), seen.waiting]).toEqual([times, times, times])
    expect(new Set(seen.recentRuns.map((run) => run.integration_id))).toEqual(new Set([integration.id]))
    expect(seen.recentRuns).toHaveLength(times)
    expect(seen.recentRuns[0]?.integration).toBe(integration.name)
  }
})

test.each([
  {
    what: 'days, of which one has 23 hours',
    range: { unit: 'day', timeZone: 'Europe/Berlin', from: '2026-03-27T22:30:00Z', to: '2026-03-30T21:30:00Z' },
    steps: ['2026-03-26T23:00Z', '2026-03-27T23:00Z', '2026-03-28T23:00Z', '2026-03-29T22:00Z'],
  },
  {
    what: 'days, of which one has 25 hours',
    range: { unit: 'day', timeZone: 'Europe/Berlin', from: '2026-10-24T21:30:00Z', to: '2026-10-26T22:30:00Z' },
    steps: ['2026-10-23T22:00Z', '2026-10-24T22:00Z', '2026-10-25T23:00Z'],
  },
  {
    what: 'hours, of which one has 30 minutes',
    range: { unit: 'hour', timeZone: 'Australia/Lord_Howe', from: '2026-10-03T14:20:00Z', to: '2026-10-03T17:10:00Z' },
    steps: ['2026-10-03T13:30Z', '2026-10-03T14:30Z', '2026-10-03T15:00Z', '2026-10-03T16:00Z', '2026-10-03T17:00Z'],
  },
] as const)('no step is left out: $what', async ({ range, steps }) => {
  const found = await stepsOf(lab.context.db, { name: '30d', ...range })
  const times = (texts: readonly string[]) => texts.map((text) => new Date(text).toISOString())
  expect(times(found)).toEqual(times(steps))
})

test('an app without anything sees nothing', async () => {
  expect(await readOverview(lab.context, await makeApp(lab.context), today)).toEqual({
    range: expect.objectContaining({ name: '24h', unit: 'hour' }),
    steps: expect.arrayContaining([expect.any(String)]),
    attention: [],
    attentionCount: 0,
    integrations: [],
    placed: [],
    received: 0,
    runs: [],
    recentRuns: [],
    deliveries: [],
    givenUp: 0,
    waiting: 0,
    held: 0,
    failedMessages: 0,
    budgets: [],
  })
})

test('a time zone that only one of Node and PostgreSQL knows is refused, and not a fault of ours', async () => {
  const asked = readOverview(lab.context, lab.appId, { range: '24h', timeZone: '+01:00' })
  await expect(asked).rejects.toMatchObject({ kind: 'invalid' })
})

describe('over more shops than one statement is about', () => {
  const shops = 4100
  let appId: number
  let first: number

  beforeAll(async () => {
    appId = await makeApp(lab.context)
    first = (await makeIntegration(lab.context, { appId })).integration.id
    const { db } = lab.context
    // The same shop many times over: what is counted is rows of each.
    await sql`
      insert into integrations (app_id, service_id, name, type, shop, status)
      select app_id, service_id, name || n, type, n || '.example.com', case when n % 1000 = 0 then 'ERROR' else 'ACTIVE' end
      from integrations, generate_series(2, ${shops}) n where id = ${first}`.execute(db)
    await sql`
      insert into integration_state (integration_id, app_id)
      select id, app_id from integrations where app_id = ${appId} and id <> ${first}`.execute(db)
    // Ten orders in each: of a tenth of the shops placed in the last hour, of the others from one to 41 days ago.
    await sql`
      insert into orders (integration_id, remote_id, status, currency, total, placed_at, ship_by)
      select id, 'r' || n, 'PENDING', 'EUR', 1,
        now() - case when id % 10 = 0 then interval '30 minutes' else make_interval(days => 1 + (id % 41)::int, mins => n) end,
        case when id % 500 = 0 and n = 1 then now() + interval '2 hours' end
      from integrations, generate_series(1, 10) n where app_id = ${appId}`.execute(db)
    await sql`
      insert into runs (integration_id, resource, status, created_at, waits, quiet)
      select id, 'sync_orders', case when id % 3 = 0 then 'failed' else 'completed' end,
        now() - make_interval(hours => (id % 200)::int), 0, id % 7 = 1
      from integrations where app_id = ${appId}`.execute(db)
    await sql`
      insert into shop_messages (integration_id, delivery_id, body, outcome, processed_at)
      select id, 'd', '', case when id % 1000 = 0 then 'failed' else 'stored' end, now()
      from integrations where app_id = ${appId}`.execute(db)
    await sql`
      insert into webhook_subscriptions (app_id, url, secret, key_id, events, disabled_at, disabled_reason)
      values (${appId}, 'https://a.example.com', '', 'k', '{order.created}', null, null),
        (${appId}, 'https://b.example.com', '', 'k', '{order.created}', now(), 'gone')`.execute(db)
    await sql`
      with e as (insert into webhook_events (app_id, type, subject, data) values (${appId}, 'order.created', 's', '{}') returning id)
      insert into webhook_deliveries (webhook_id, event_id, type, subject, state, delivered_at, created_at, updated_at)
      select w.id, e.id, 'order.created', 's' || n,
        case when w.disabled_at is not null then 'held' when n % 10 = 0 then 'failed' when n % 10 = 1 then 'pending' else 'delivered' end,
        case when w.disabled_at is null and n % 10 > 1 then now() - make_interval(mins => n) end,
        now() - make_interval(mins => n + 1), now() - make_interval(mins => n)
      from e, webhook_subscriptions w, generate_series(1, 3000) n where w.app_id = ${appId}`.execute(db)
  })

  const count = async (text: ReturnType<typeof sql<{ n: number }>>) =>
    (await text.execute(lab.context.db)).rows[0]?.n ?? -1

  test.each([
    ['1h', '1 hour'],
    ['24h', '24 hours'],
    ['7d', '7 days'],
    ['30d', '30 days'],
  ] as const)('every figure of %s is what a query over all rows says', async (range, interval) => {
    const seen = await readOverview(lab.context, appId, { range, timeZone: 'Asia/Kolkata' })
    const since = sql`${seen.range.to}::timestamptz - ${interval}::interval`
    const own = sql`(select id from integrations where app_id = ${appId} and deleted_at is null)`
    const hooks = sql`(select id from webhook_subscriptions where app_id = ${appId})`
    const said = {
      integrations: sum(seen.integrations),
      broken: sum(seen.integrations.filter(({ status }) => status === 'ERROR')),
      placed: sum(seen.placed),
      runs: sum(seen.runs),
      failedRuns: sum(seen.runs.filter(({ status }) => status === 'failed')),
      delivered: sum(seen.deliveries),
      givenUp: seen.givenUp,
      waiting: seen.waiting,
      held: seen.held,
      failedMessages: seen.failedMessages,
    }
    expect(said).toEqual({
      integrations: shops,
      broken: await count(
        sql`select count(*)::int as n from integrations where app_id = ${appId} and status = 'ERROR'`,
      ),
      placed: await count(
        sql`select count(*)::int as n from orders where integration_id in ${own} and placed_at >= ${since}`,
      ),
      runs: await count(
        sql`select count(*)::int as n from runs where integration_id in ${own} and created_at >= ${since} and not quiet`,
      ),
      failedRuns: await count(
        sql`select count(*)::int as n from runs where integration_id in ${own} and created_at >= ${since} and status = 'failed' and not quiet`,
      ),
      delivered: await count(
        sql`select count(*)::int as n from webhook_deliveries where webhook_id in ${hooks} and delivered_at >= ${since}`,
      ),
      givenUp: await count(
        sql`select count(*)::int as n from webhook_deliveries where webhook_id in ${hooks} and state = 'failed' and updated_at >= ${since}`,
      ),
      waiting: 300,
      held: 3000,
      failedMessages: await count(
        sql`select count(*)::int as n from shop_messages where integration_id in ${own} and outcome = 'failed'`,
      ),
    })
    expect(said.placed).toBeGreaterThan(4000)
    expect(said.failedMessages).toBeGreaterThan(0)
  })

  test('days and hours begin in the time zone that was asked for', async () => {
    const seen = await readOverview(lab.context, appId, { range: '30d', timeZone: 'Asia/Kolkata' })
    expect(seen.placed.length).toBeGreaterThan(25)
    for (const { at } of seen.placed) expect(new Date(at).toISOString()).toMatch(/T18:30:00.000Z$/)
    expect(seen.steps).toHaveLength(31)
    expect(seen.steps).toEqual(expect.arrayContaining(seen.placed.map(({ at }) => at)))
  })

  test('what needs somebody comes worst first, with its shop, and once for each', async () => {
    const { attention, attentionCount } = await readOverview(lab.context, appId, today)
    expect(attentionCount).toBeGreaterThanOrEqual(attention.length)
    expect(attention.length).toBeLessThanOrEqual(100)
    const kinds = [...new Set(attention.map(({ kind }) => kind))]
    expect(kinds).toEqual([
      'integration_error',
      'webhook_disabled',
      'orders_due',
      'run_failed',
      'deliveries_late',
      'messages_failed',
    ])
    expect(attention.find(({ kind }) => kind === 'webhook_disabled')).toMatchObject({
      webhook: { url: 'https://b.example.com' },
      count: 3000,
      reason: 'gone',
    })
    const errors = attention.filter(({ kind }) => kind === 'integration_error')
    expect(errors.map(({ integration }) => integration?.shop).sort()).toEqual(
      ['1000', '2000', '3000', '4000'].map((n) => `${n}.example.com`),
    )
    const failed = attention.filter(({ kind }) => kind === 'run_failed').map(({ integration }) => integration?.id)
    expect(new Set(failed).size).toBe(failed.length)
  })
})
