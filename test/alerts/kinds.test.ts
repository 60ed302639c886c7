import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AttentionKind, attentionKinds } from '../../src/domain/attention/attention.ts'
import { upsertOrders } from '../../src/domain/orders/order-upsert-store.ts'
import { takeIds } from '../../src/runtime/db/take-ids.ts'
import { makeColleague } from '../support/colleague.ts'
import { makeIntegration } from '../support/gateway.ts'
import { incomingOrder } from '../support/orders.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { type AlertedTenant, look, makeAlerted, makeShops } from './support.ts'

/** Every kind there is: found by its cause, gone with it, and by the rules of the app. Nobody looks but the test. */

let server: TestServer
let tenant: AlertedTenant
let stranger: AlertedTenant
beforeAll(async () => {
  server = await startTestServer()
  tenant = await makeAlerted(server)
  stranger = await makeAlerted(server)
  await makeShops(server.context, stranger, 1)
})
afterAll(() => server.close())

const run = async (text: ReturnType<typeof sql>) => void (await text.execute(server.context.db))

const openKinds = async (of = tenant): Promise<string[]> => {
  const { json } = await of.ask('GET', '/alerts?filter[open]=1&per_page=100')
  return (json['data'] as { kind: string }[]).map(({ kind }) => kind).sort()
}

const lookAll = async () => {
  await look(server.context, 'work')
  await look(server.context, 'stock')
}

const shop = async (type = 'sandbox') =>
  (await makeIntegration(server.context, { appId: tenant.appId }, { type })).integration.id

const setShop = async (changes: ReturnType<typeof sql>, type?: string) => {
  const id = await shop(type)
  await run(sql`update integrations set ${changes} where id = ${id}`)
  return () => run(sql`update integrations set deleted_at = now() where id = ${id}`)
}

const insertRuns = async (...statuses: readonly string[]) => {
  const id = await shop()
  for (const status of statuses) {
    await run(sql`insert into runs (integration_id, resource, status, waits, finished_at)
      values (${id}, 'sync_orders', ${status}, ${status === 'running' ? 2 : 0}, now())`)
  }
  return () => run(sql`delete from runs where integration_id = ${id}`)
}

const insertMessage = async (columns: { outcome: string | null; ago: string }) => {
  const id = await shop()
  await run(sql`insert into shop_messages (integration_id, delivery_id, body, outcome, received_at, processed_at)
    values (${id}, 'm', '', ${columns.outcome}, now() - ${columns.ago}::interval,
      case when ${columns.outcome}::text is not null then now() end)`)
  return () => run(sql`delete from shop_messages where integration_id = ${id}`)
}

const insertWebhook = async (columns: ReturnType<typeof sql>, waiting = false) => {
  const made = await tenant.ask('POST', '/webhooks', { url: 'https://hooks.example.com/kinds', events: ['run.failed'] })
  const { id } = made.json['data'] as { id: number }
  await run(sql`update webhook_subscriptions set ${columns} where id = ${id}`)
  if (waiting) {
    await run(sql`
      with e as (insert into webhook_events (app_id, type, subject, data) values (${tenant.appId}, 'run.failed', 's', '{}') returning id)
      insert into webhook_deliveries (webhook_id, event_id, type, subject, state, created_at, due_at)
      select ${id}, id, 'run.failed', 's', 'pending', now() - interval '10 minutes', now() - interval '10 minutes' from e`)
  }
  return () => run(sql`update webhook_subscriptions set deleted_at = now() where id = ${id}`)
}

const order = async (type: string, more: Parameters<typeof incomingOrder>[1]) => {
  const id = await shop(type)
  const ids = await takeIds(server.context.db, 'orders', 1)
  await server.context.transaction((trx) => upsertOrders(trx, id, { ids, orders: [incomingOrder('due', more)] }))
  return {
    id,
    gone: () => run(sql`update orders set deleted_at = now() where integration_id = ${id}`),
  }
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

const audited = (values: { kind: string; operation: string; outcome: string }, count: number, userId: number) =>
  run(sql`
    insert into audit_entries (at, kind, operation, what, outcome, caller, user_id, company_id, mac)
    select now(), ${values.kind}, ${values.operation}, 'w', ${values.outcome}, 'user', ${userId}, ${tenant.companyId}, ''
    from generate_series(1, ${count}::int)`)

/** Makes the cause; what ends it, where something but time does. */
const causes: Record<AttentionKind, () => Promise<(() => Promise<void>) | null>> = {
  integration_error: () => setShop(sql`status = 'ERROR'`),
  installation_unfinished: () => setShop(sql`status = 'PENDING', created_at = now() - interval '2 days'`),
  messages_missing: () => setShop(sql`messages = 'not_arriving', messages_since = now()`),
  consent_ends: () => setShop(sql`consent_ends_at = now() + interval '3 days'`),
  orders_missing: () => setShop(sql`completeness = '{"missing": 4}', compared_at = now()`),
  not_compared: () => setShop(sql`completeness = '{"missing": 0}', compared_at = now() - interval '4 days'`),
  shop_unavailable: () => insertRuns('running'),
  run_failed: () => insertRuns('completed', 'failed', 'failed'),
  messages_failed: () => insertMessage({ outcome: 'failed', ago: '1 minute' }),
  messages_waiting: () => insertMessage({ outcome: null, ago: '10 minutes' }),
  records_quarantined: async () => {
    const id = await shop()
    await run(
      sql`insert into quarantine (integration_id, kind, remote_id, run_id, reason) values (${id}, 'orders', '1', 1, 'r')`,
    )
    return () => run(sql`delete from quarantine where integration_id = ${id}`)
  },
  orders_due: async () => {
    const { id, gone } = await order('sandbox', {})
    await run(
      sql`update orders set ship_by = now() + interval '2 hours', status = 'PENDING' where integration_id = ${id}`,
    )
    return gone
  },
  acknowledgements_due: async () =>
    (await order('walmart', { placed_at: minutesAgo(3 * 60 + 30), remote_status: 'Created' })).gone,
  webhook_disabled: () => insertWebhook(sql`disabled_at = now(), disabled_reason = 'gone'`),
  webhook_failing: () => insertWebhook(sql`failing_since = now() - interval '1 hour'`),
  deliveries_late: () => insertWebhook(sql`active = true`, true),
  sign_in_failures: async () => {
    await audited({ kind: 'sign_in', operation: 'post_console_session', outcome: 'refused' }, 10, tenant.userId)
    return null
  },
  second_factor_removed: async () => {
    const operation = 'post_2_0_user_second_factor_remove'
    await audited({ kind: 'change', operation, outcome: 'done' }, 1, tenant.userId)
    return null
  },
  admin_added: async () => {
    await makeColleague(server.context, tenant, { role: 'admin' })
    return null
  },
}

test('every kind is opened by its cause, once, for the app that it is of and no other', async () => {
  const ends: ((() => Promise<void>) | null)[] = []
  for (const kind of attentionKinds) ends.push(await causes[kind]())
  await lookAll()
  expect(await openKinds()).toEqual([...attentionKinds].sort())
  await lookAll()
  expect(await openKinds()).toEqual([...attentionKinds].sort())
  expect(await openKinds(stranger)).toEqual([])
  const overview = (await tenant.ask('GET', '/overview')).json['data'] as { attention: { kind: string }[] }
  expect([...new Set(overview.attention.map(({ kind }) => kind))].sort()).toEqual([...attentionKinds].sort())

  for (const end of ends) await end?.()
  await lookAll()
  expect(await openKinds()).toEqual(['admin_added', 'second_factor_removed', 'sign_in_failures'])
})

describe('a rule', () => {
  const change = (kind: string, body: object) => tenant.ask('PUT', `/alert-rules/${kind}`, body)

  test('says from how many on, how bad and for which shops something counts, in the overview as well', async () => {
    const end = await insertRuns('failed', 'failed')
    await lookAll()
    expect(await openKinds()).toContain('run_failed')
    expect((await change('run_failed', { minimum: 3 })).json['data']).toMatchObject({ minimum: 3, active: true })
    await lookAll()
    expect(await openKinds()).not.toContain('run_failed')
    const overview = await tenant.ask('GET', '/overview')
    expect(overview.text).not.toContain('"run_failed"')
    await change('run_failed', { minimum: 2, severity: 'info' })
    await lookAll()
    const { json } = await tenant.ask('GET', '/alerts?filter[open]=1&filter[kind]=run_failed')
    expect(json['data']).toMatchObject([
      { severity: 'info', count: 2, summary: '2 runs in a row failed: see its log.' },
    ])
    await change('run_failed', { integration_ids: [await shop()] })
    await lookAll()
    expect(await openKinds()).not.toContain('run_failed')
    await end()
  })

  test('counts only what there is to count, and names only shops of the app', async () => {
    expect((await change('webhook_disabled', { minimum: 3 })).json['errors']).toHaveProperty('minimum')
    expect((await change('orders_due', { minutes: 3 })).json['errors']).toHaveProperty('minutes')
    const [foreign = 0] = await makeShops(server.context, stranger, 1)
    const refused = await change('run_failed', { integration_ids: [foreign] })
    expect(refused.json['errors']).toHaveProperty(['integration_ids.0'])
    expect((await change('unheard_of', {})).status).toBe(404)
  })
})
