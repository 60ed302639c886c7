import { randomUUID } from 'node:crypto'
import { Readable, Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Connector } from '../src/commerce/connector.ts'
import type { RemoteOrder } from '../src/commerce/order.ts'
import { refused, shopAway } from '../src/commerce/remote.ts'
import { startFlow } from '../src/domain/flows/start-flow.ts'
import { createFlow } from '../src/domain/flows/write-flow.ts'
import { insertInbound } from '../src/domain/inbound/inbound-store.ts'
import { finishDeliveries } from '../src/domain/inbound/inbound-work-store.ts'
import { readIntegration } from '../src/domain/integrations/integration-store.ts'
import { setShop, switchPool } from '../src/domain/stock/manage-pool.ts'
import { createSubscription } from '../src/domain/webhooks/create-subscription.ts'
import { decodeFrames, encodeFrame } from '../src/runtime/db/backup/frames.ts'
import { restoreBackup } from '../src/runtime/db/backup/read-into.ts'
import { type BackupOptions, readBackup } from '../src/runtime/db/backup/write-backup.ts'
import { destroyKey } from '../src/runtime/db/vault/vault.ts'
import { createLog } from '../src/runtime/log.ts'
import { createTestDatabase } from './support/database.ts'
import { makeIntegration } from './support/gateway.ts'
import { type HookReceiver, openHookReceiver } from './support/hook-receiver.ts'
import { scriptedShop } from './support/order-shop.ts'
import { orderLine, remoteOrder } from './support/remote-order.ts'
import { allOfThem, loggedRequests } from './support/requests.ts'
import { runsOver } from './support/runs-over.ts'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from './support/server.ts'
import { showLevels } from './support/stock-pool.ts'
import { clearTablesWith, tablesWith } from './support/tables-with.ts'
import { untilHolds } from './support/until.ts'

/**
 * A service at work for a shop that names a buyer wherever it can, and with every refusal. What is looked for is what a dump of
 * the database, the log and an older backup show of the buyer.
 */

const canaries = ['kingfisher', '99887766']
const person = { email: 'kingfisher@example.com', phone: '+49 30 99887766' }
const complaint = 'Kingfisher Alcedo <kingfisher@example.com>, +49 30 99887766, is locked.'
const type = 'naming'

const address = {
  ...{ name: 'Kingfisher Alcedo', first_name: 'Kingfisher', last_name: 'Alcedo', company: null, phone: person.phone },
  ...{ line1: 'Kingfisher lane 17', line2: null, line3: null, city: 'Gent', postal_code: '9000', country_code: 'BE' },
  ...{ region: null, region_code: null, email: null },
}

const named = (id: string): RemoteOrder =>
  remoteOrder({
    remote_id: id,
    customer: {
      ...{ remote_id: 'kingfisher-7', email: person.email, first_name: 'Kingfisher', last_name: 'Alcedo' },
      ...{ phone: person.phone, is_guest: false },
    },
    billing_address: address,
    shipping_address: address,
    note: 'Kingfisher rings twice',
    tags: ['kingfisher'],
    attributes: [{ name: 'Gift', value: 'For Kingfisher' }],
    tax_ids: [{ kind: 'VAT', value: 'kingfisher-vat' }],
    purchase_order: 'kingfisher-po',
    cancel_reason: 'Kingfisher grew',
    lines: [orderLine({ attributes: [{ name: 'Engraving', value: 'Kingfisher' }] })],
    refunds: [
      {
        remote_id: 'f',
        amount: { amount: '1.00', currency: 'EUR' },
        reason: 'Kingfisher',
        refunded_at: null,
        lines: [],
      },
    ],
    returns: [
      {
        ...{ remote_id: 'r', status: 'requested', remote_status: 'OPEN', requested_at: null },
        lines: [{ order_line_remote_id: 'L1', quantity: 1, reason: 'Too small for Kingfisher' }],
      },
    ],
    raw: { id, buyer: complaint },
  })

let mood: 'tells' | 'refuses' | 'away' = 'tells'
function inThisMood(): void {
  if (mood === 'refuses') throw refused(complaint)
  if (mood === 'away') throw shopAway(1, new Error(complaint), complaint)
}

const { connector: scripted } = scriptedShop(0)
const shop: Connector = {
  ...scripted,
  type,
  orders: {
    list: async () => {
      inThisMood()
      return { items: ['1', '2', 'odd'].map((id) => ({ id, buyer: complaint })), next: null, total: 3 }
    },
    get: async (_, id) => {
      inThisMood()
      return { id }
    },
    statuses: async () => [],
    translate: (raw) => {
      const { id }: { id: string } = Object(raw)
      if (id === 'odd') throw new TypeError(`"${complaint}" is no number.`)
      return named(id)
    },
    create: {
      repeatable: true,
      send: async () => {
        inThisMood()
        return named('made')
      },
    },
  },
  inventory: {
    list: async () => ({ items: [], next: null, total: 0 }),
    translate: () => {
      throw new TypeError('There are none.')
    },
    locations: false,
    set: {
      repeatable: true,
      send: async () => {
        inThisMood()
        return []
      },
    },
  },
}

let server: TestServer
let tenant: TestTenant
let endpoint: HookReceiver
let id: number
/** From when the buyer was everywhere. */
let older: Buffer
const written: string[] = []
beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk))
      done()
    },
  })
  const log = createLog('trace', sink)
  const requests = { requestLogDays: 3, requestRoom: allOfThem }
  server = await startTestServer({ works: true, log, webhookAllow: ['127.0.0.1'], ...requests })
  server.add(shop)
  tenant = await makeTenant(server.context)
  endpoint = await openHookReceiver()
  endpoint.answer(() => ({ status: 500, body: complaint }))
  const { appId, accountId } = tenant
  await createSubscription(server.context, { appId, integrationId: null }, { url: endpoint.url, events: ['*'] })
  id = (await makeIntegration(server.context, { appId, accountId }, { type })).integration.id
  await live()
  older = await saved('without keys')
})
afterAll(async () => {
  await server.close()
  await endpoint.close()
})

const ask = (path: string, body?: unknown, headers = {}) =>
  server.call(body === undefined ? 'GET' : 'POST', `/api/2.0/app${path}`, { token: tenant.appToken, body, headers })
const act = (body: object, headers = {}) => ask(`/integrations/${id}/action`, body, headers)

const draft = {
  resource: 'create_order',
  ...{ reference: 'r-1', currency: 'EUR', lines: [{ sku: 'CUP', quantity: 1 }], note: 'Kingfisher rings twice' },
  customer: { email: person.email, first_name: 'Kingfisher', last_name: 'Alcedo', phone: person.phone },
  shipping_address: { line1: 'Kingfisher lane 17', city: 'Gent', country: 'BE' },
}

/** Everything that happens to a shop, with the buyer in it. */
async function live(): Promise<void> {
  const { context } = server
  await act({ resource: 'sync_orders' })
  await runsOver(context, id)
  expect((await act(draft, { 'idempotency-key': randomUUID() })).text).toContain('Kingfisher')
  mood = 'refuses'
  await act({ resource: 'sync_orders' })
  await runsOver(context, id)
  expect((await act({ ...draft, reference: 'r-2' })).text).toContain('Kingfisher')
  const tell = (delivery: string) => ({
    ...{
      integration_id: id,
      delivery_id: delivery,
      topic: 'order.updated',
      verified: true,
      kind: 'order',
      remote_id: '1',
    },
    ...{ headers: { 'x-buyer': complaint }, query: { who: complaint }, body: Buffer.from(complaint) },
  })
  await insertInbound(context.reader, [tell('waits'), tell('over')])
  const { rows } = await context.reader.query<{ id: number }>(
    `select id from shop_messages where integration_id = $1 and delivery_id = 'over'`,
    [id],
  )
  const ended = { id: rows[0]?.id ?? 0, outcome: 'failed', error: complaint } as const
  await context.transaction((trx) => finishDeliveries(trx, id, [ended]))
  // A step of a flow whose shop is away, and then refuses: a job that fails, a run and a flow.
  mood = 'away'
  const steps = [{ action: 'set_inventory', parameters: { items: [{ sku: 'CUP', quantity: 1 }] } }]
  const owner = { appId: tenant.appId }
  const flow = await createFlow(context, owner, { name: 'Flow', type: 'manual', steps })
  await startFlow(context, owner, { flow, integrationId: id })
  const failed = `select from pgboss.job where output::text like '%upstream_retryable%'`
  await untilHolds(async () => expect((await context.reader.query(failed)).rowCount).toBeGreaterThan(0))
  mood = 'refuses'
  await runsOver(context, id)
  const open = `select from flow_runs where status in ('queued', 'running')`
  await untilHolds(async () => expect((await context.reader.query(open)).rowCount).toBe(0))
  await shareStock()
  await untilHolds(() => expect(endpoint.received.length).toBeGreaterThan(3))
}

/** One stock over the merchant's shops, of which this one takes no level. */
async function shareStock(): Promise<void> {
  const { context } = server
  const stock = `/accounts/${tenant.remoteId}/stock`
  await showLevels(context, id, { CUP: 1 })
  const pool = await switchPool(context, tenant, { mode: 'on' })
  await setShop(context, pool, await readIntegration(context.db, id), {})
  expect((await ask(`${stock}/articles/match`, { create: true, dry: false })).status).toBe(200)
  const movements = [{ key: 'opening', kind: 'count', sku: 'CUP', quantity: 7 }]
  expect((await ask(`${stock}/movements`, { movements })).status).toBe(201)
  const refusals = 'select from stock_tellings where error is not null'
  await untilHolds(async () => expect((await context.reader.query(refusals)).rowCount).toBeGreaterThan(0))
  await switchPool(context, tenant, { mode: 'off' })
}

async function saved(part: BackupOptions['part']): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const frame of readBackup({ url: server.databaseUrl, part })) pieces.push(...encodeFrame(frame))
  return Buffer.concat(pieces)
}

const found = (text: string): string[] =>
  canaries.filter((word) => text.includes(word) || text.includes(Buffer.from(word).toString('hex')))

test('whoever may see it is told what the shop has said', async () => {
  const runs = await ask(`/integrations/${id}/runs?filter[status]=failed`)
  expect(runs.text).toContain(complaint)
  const logs = await server.call('GET', `/api/2.0/webcomponent/integrations/${id}/logs?per_page=100`, {
    token: tenant.accountToken,
  })
  expect(logs.text).toContain(complaint)
})

test('a dump of the database, a backup and the log show nothing of a buyer', async () => {
  // The request log has these calls too.
  const calls = await loggedRequests(server.context, ({ route }) => route.endsWith('/action'), 4)
  expect(calls.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 422]))
  expect(await clearTablesWith(server.context.db, ...canaries)).toEqual([])
  expect(found((await saved('all')).toString('latin1').toLowerCase())).toEqual([])
  expect(written.join('')).toContain('upstream_retryable')
  expect(written.filter((line) => found(line.toLowerCase()).length > 0)).toEqual([])
  expect(endpoint.received.filter(({ body }) => found(body.toLowerCase()).length > 0)).toEqual([])
})

test('the database says nothing of a buyer to anybody, once the buyer is erased', async () => {
  const { db } = server.context
  expect(await tablesWith(db, ...canaries)).toEqual([
    ...['integration_logs', 'operations', 'orders', 'quarantine', 'runs', 'shop_messages', 'webhook_attempts'],
  ])
  const path = `/accounts/${tenant.remoteId}/customers/erasures`
  endpoint.answer(() => ({ status: 200 }))
  const begun = await ask(path, person)
  const { id: erasure } = Object(begun.json['data'])
  await finishWaiting()
  await untilHolds(async () =>
    expect((await ask(`${path}/${erasure}`)).json['data']).toMatchObject({ status: 'completed' }),
  )
  expect(await tablesWith(db, ...canaries)).toEqual([])
  expect(written.filter((line) => found(line.toLowerCase()).length > 0)).toEqual([])
})

test('an older backup says nothing of a buyer to anybody, once the key is destroyed', async () => {
  await server.context.transaction((trx) => destroyKey(trx, id))
  const target = await createTestDatabase('nobody')
  const restored = await startTestServer({ databaseUrl: target.url })
  try {
    for (const bytes of [older, await saved('keys')]) {
      const frames = decodeFrames(Readable.from([bytes]))
      await restoreBackup({ url: target.url, frames, prepare: async () => undefined })
    }
    expect(await tablesWith(restored.context.db, ...canaries)).toEqual([])
  } finally {
    await restored.close()
    await target.drop()
  }
})

/** Nobody needs the message any longer that an erasure would wait for. */
async function finishWaiting(): Promise<void> {
  const text = `select id from shop_messages where integration_id = $1 and processed_at is null`
  const { rows } = await server.context.reader.query<{ id: number }>(text, [id])
  await server.context.transaction((trx) =>
    finishDeliveries(
      trx,
      id,
      rows.map((row) => ({ id: row.id, outcome: 'ignored' })),
    ),
  )
}
