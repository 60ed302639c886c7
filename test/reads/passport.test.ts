import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { say } from '../../src/commerce/words/say.ts'
import type { Integration } from '../../src/domain/integrations/integration.ts'
import { quarantine } from '../../src/domain/sync/quarantine/quarantine-store.ts'
import { setAside } from '../../src/domain/sync/quarantine/why-set-aside.ts'
import { syncNow } from '../../src/domain/sync/sync-now.ts'
import { makeIntegration } from '../support/gateway.ts'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'

let server: TestServer
let tenant: TestTenant
let integration: Integration
let gatewayKey: string

beforeAll(async () => {
  server = await startTestServer()
  tenant = await makeTenant(server.context)
  ;({ integration, gatewayKey } = await makeIntegration(server.context, tenant, { orders: 12 }))
})
afterAll(() => server.close())

interface Step {
  at: string
  kind: string
  title: string
  status: string
  duration_ms: number | null
  details: Record<string, unknown>
  references: Record<string, number | null>
}
interface Passport {
  order: { id: number; remote_id: string; number: string; deleted_at: string | null }
  trace_id: string
  steps: Step[]
  others?: unknown[]
}

const gateway = (method: string, path: string, body?: unknown) =>
  server.call(method, `/api/1.0${path}`, { token: tenant.userToken, headers: { 'x-gateway-key': gatewayKey }, body })
const get = (path: string) => server.call('GET', `/api/2.0/app${path}`, { token: tenant.appToken })
const passportOf = async (path: string) => (await get(path)).json['data'] as Passport

describe('the passport of an order', () => {
  let orderId: number
  let passport: Passport

  beforeAll(async () => {
    const { context } = server
    const hook = { event: 'order.created', url: 'https://receiver.example.com/hook' }
    expect((await gateway('POST', '/webhooks', hook)).status).toBe(201)
    await syncNow(context, integration, 'sync_orders')
    const { json } = await get(`/orders?integration_id=${integration.id}&status=PENDING`)
    const [order] = json['data'] as { id: number; remote_id: string }[]
    orderId = order?.id ?? 0
    await sql`insert into shop_messages (integration_id, delivery_id, topic, kind, remote_id, outcome, body, processed_at)
      values (${integration.id}, 'd1', 'orders/updated', 'order', ${order?.remote_id}, 'unchanged', '', now() + interval '1 second'),
        (${integration.id}, 'd2', 'orders/updated', 'order', 'another', 'unchanged', '', now())`.execute(context.db)
    await sql`insert into webhook_attempts (delivery_id, number, trigger, response_status, error, duration_ms, at)
      select d.id, n, 'schedule', case n when 1 then 500 else 200 end, case n when 1 then 'The endpoint answered 500.' end,
        12, now() + make_interval(secs => n)
      from webhook_deliveries d, generate_series(1, 2) n where d.subject = ${`order:${integration.id}:${orderId}`}`.execute(
      context.db,
    )
    await gateway('POST', '/orders/acknowledge', { orders: [orderId] })
    await gateway('POST', '/shipments', { order_id: orderId, tracking_number: 'T-9', carrier: 'DHL' })
    passport = await passportOf(`/orders/${orderId}/passport?integration_id=${integration.id}`)
  })

  test('holds every step there is, each of them once where it happens once', () => {
    const kinds = passport.steps.map(({ kind }) => kind)
    const counts = Object.fromEntries([...new Set(kinds)].map((kind) => [kind, kinds.filter((k) => k === kind).length]))
    expect(counts).toEqual({
      'order.placed': 1,
      'inbound.received': 1,
      'inbound.verified': 1,
      'inbound.processed': 1,
      'run.started': 1,
      'order.stored': 1,
      'order.changed': 1,
      'order.acknowledged': 1,
      'shipment.recorded': 1,
      'writeback.planned': 2,
      'writeback.sent': 2,
      'writeback.ended': 2,
      'webhook.queued': 1,
      'webhook.attempted': 2,
    })
  })

  test('goes through time in one direction, and says how long each step took', () => {
    const { steps } = passport
    const times = steps.map(({ at }) => at)
    expect(times).toEqual([...times].sort())
    expect(steps[0]?.duration_ms).toBeNull()
    const sum = steps.reduce((all, { duration_ms: ms }) => all + (ms ?? 0), 0)
    expect(sum).toBe(Date.parse(times.at(-1) ?? '') - Date.parse(times[0] ?? ''))
  })

  test('leads to the records behind the steps', async () => {
    const step = (kind: string) => passport.steps.find((each) => each.kind === kind)
    const runId = step('order.stored')?.references['run_id']
    expect(step('run.started')).toMatchObject({ references: { run_id: runId }, details: { resource: 'sync_orders' } })
    const run = await get(`/integrations/${integration.id}/runs/${runId}`)
    expect(run.json['data']).toMatchObject({ resource: 'sync_orders', status: 'completed' })
    expect(step('inbound.received')?.references['inbound_delivery_id']).toBeGreaterThan(0)
    expect(step('shipment.recorded')).toMatchObject({ details: { tracking_number: 'T-9' } })
    const attempts = passport.steps.filter(({ kind }) => kind === 'webhook.attempted')
    const answered = { code: 'attempt.answered', parameters: { status: 500 } }
    expect(attempts.map(({ status, details }) => [status, details['response_status'], details['reason']])).toEqual([
      ['failed', 500, answered],
      ['done', 200, null],
    ])
  })

  test('says nothing about the customer', async () => {
    const { json } = await get(`/orders/${orderId}?integration_id=${integration.id}`)
    const order = json['data'] as { customer: { email: string }; shipping_address: Record<string, string> | null }
    const text = JSON.stringify(passport)
    expect(order.customer.email).toMatch(/@/)
    expect(text).not.toContain(order.customer.email)
    for (const line of [order.shipping_address?.['name'], order.shipping_address?.['line1']]) {
      if (line) expect(text).not.toContain(line)
    }
  })

  test('is found by its number, with or without a sign before it', async () => {
    const bare = passport.order.number.replace(/^#/, '')
    for (const search of [bare, `%23${bare}`, `${bare}&integration_id=${integration.id}`]) {
      const found = await passportOf(`/passport?number=${search}`)
      expect([found.order.id, found.trace_id, found.others]).toEqual([orderId, passport.trace_id, []])
    }
  })

  test('names the others of the same number', async () => {
    const { integration: other } = await makeIntegration(server.context, tenant, { orders: 1 })
    await sql`insert into orders (integration_id, remote_id, number, status, currency, total)
      values (${other.id}, 'x', ${passport.order.number}, 'PENDING', 'EUR', 1)`.execute(server.context.db)
    const bare = passport.order.number.replace(/^#/, '')
    const found = await passportOf(`/passport?number=${bare}`)
    expect(found.order).toMatchObject({ integration_id: other.id })
    expect(found.others).toEqual([{ id: orderId, integration_id: integration.id }])
  })

  test('stays when the order was deleted', async () => {
    await gateway('DELETE', `/orders/${orderId}`)
    const gone = await passportOf(`/orders/${orderId}/passport?integration_id=${integration.id}`)
    expect(gone.order.deleted_at).not.toBeNull()
    expect((await get(`/orders/${orderId}?integration_id=${integration.id}`)).status).toBe(404)
  })
})

describe('an order that is not there', () => {
  test('is 404 with what is known: the last sync and how far the shop has been read', async () => {
    const answer = await get(`/passport?number=777&integration_id=${integration.id}`)
    expect([answer.status, answer.json]).toEqual([
      404,
      {
        message: 'Not found.',
        reason_code: 'not_in_shop',
        reason: expect.stringMatching(/^The shop had no such order when the last order sync completed, at \d/),
        integrations: [
          {
            integration_id: integration.id,
            name: integration.name,
            shop: integration.shop,
            status: 'ACTIVE',
            last_completed_sync: { run_id: expect.any(Number), finished_at: expect.any(String) },
            watermark: expect.any(String),
            set_aside: null,
          },
        ],
      },
    ])
  })

  test('that could not be stored is 404 with the reason', async () => {
    await sql`insert into quarantine (integration_id, kind, remote_id, run_id, reason, payload) values
      (${integration.id}, 'orders', 'gid-1', 1, 'The total is missing.', '{"id":"gid-1","name":"#778"}'),
      (${integration.id}, 'orders', 'gid-2', 1, 'Another reason.', '{"id":"gid-2","name":"#7781"}')`.execute(
      server.context.db,
    )
    const { status, json } = await get('/passport?number=778')
    expect([status, json['reason']]).toEqual([
      404,
      'The shop sent the order, but it was quarantined: The total is missing.',
    ])
    expect(json['integrations']).toContainEqual(
      // From before reasons had codes.
      expect.objectContaining({
        set_aside: expect.objectContaining({ remote_id: 'gid-1', code: null, parameters: null }),
      }),
    )
  })

  test('that could not be understood is 404 with what the reason follows from', async () => {
    const why = say('lacks_field', { name: 'currency' })
    const about = { integrationId: integration.id, kind: 'orders', runId: 1 } as const
    await quarantine(server.context.db, about, [setAside('gid-3', why, '{"id":"gid-3","name":"#779"}')])
    const { status, json } = await get('/passport?number=779')
    expect([status, json['reason']]).toEqual([
      404,
      'The shop sent the order, but it was quarantined: The shop\'s record has no "currency".',
    ])
    const { text: reason, code, parameters } = why
    expect(json['integrations']).toContainEqual(
      expect.objectContaining({ set_aside: expect.objectContaining({ remote_id: 'gid-3', reason, code, parameters }) }),
    )
  })

  test('of an integration that was never synced says so', async () => {
    const { integration: fresh } = await makeIntegration(server.context, tenant)
    const { json } = await get(`/passport?number=1&integration_id=${fresh.id}`)
    expect(json['reason']).toBe('No order sync has completed yet.')
  })

  test('is looked for in five hundred integrations at most', async () => {
    const crowded = await makeTenant(server.context)
    const ask = () => server.call('GET', '/api/2.0/app/passport?number=1', { token: crowded.appToken })
    expect((await ask()).json).toMatchObject({ reason: 'There is no integration to search.' })
    const make = async (count: number) => {
      for (let made = 0; made < count; made++) await makeIntegration(server.context, crowded)
    }
    await make(51)
    expect((await ask()).json).toMatchObject({ reason_code: 'not_received' })
    await make(450)
    const answer = await ask()
    expect([answer.status, answer.json['message']]).toEqual([422, 'The integration id field is required.'])
  })

  test('needs a number to be looked for', async () => {
    expect((await get(`/passport?integration_id=${integration.id}`)).status).toBe(422)
  })
})
