import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { performErasure } from '../src/domain/customers/perform-erasure.ts'
import { openErasures } from '../src/domain/erasures/erasure-store.ts'
import { insertInbound } from '../src/domain/inbound/inbound-store.ts'
import { finishDeliveries } from '../src/domain/inbound/inbound-work-store.ts'
import { appendLogs } from '../src/domain/logs/log-store.ts'
import type { OperationKind } from '../src/domain/operations/operation.ts'
import { endAttempt, holdOperation } from '../src/domain/operations/operation-store.ts'
import type { SyncedOrder } from '../src/domain/orders/order.ts'
import { orderByRemoteId } from '../src/domain/orders/order-store.ts'
import { removeVanishedOrders, upsertOrders } from '../src/domain/orders/order-upsert-store.ts'
import { addHistory } from '../src/domain/orders/privacy/history-store.ts'
import { quarantine } from '../src/domain/sync/quarantine/quarantine-store.ts'
import { digest } from '../src/lib/secret.ts'
import { idempotencyKeys } from '../src/runtime/db/idempotency-keys.ts'
import { takeIds } from '../src/runtime/db/take-ids.ts'
import { destroyKey } from '../src/runtime/db/vault/vault.ts'
import { createLog } from '../src/runtime/log.ts'
import { makeIntegration } from './support/gateway.ts'
import { incomingOrder } from './support/orders.ts'
import { said } from './support/said.ts'
import { makeSiblingAccount, makeTenant, startTestServer, type TestServer, type TestTenant } from './support/server.ts'
import { clearTablesWith, tablesWith } from './support/tables-with.ts'

/** One customer in two shops of a merchant, in every place that may name a customer, and in a shop of another merchant. */

let server: TestServer
let tenant: TestTenant
let other: TestTenant
const written: string[] = []
beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk))
      done()
    },
  })
  server = await startTestServer({ log: createLog('trace', sink) })
  tenant = await makeTenant(server.context)
  other = await makeSiblingAccount(server.context, tenant)
})
afterAll(() => server.close())

const connect = async ({ appId, accountId }: TestTenant) =>
  await makeIntegration(server.context, { appId, accountId }, { type: 'sandbox' })

async function store(id: number, ...orders: SyncedOrder[]): Promise<void> {
  const ids = await takeIds(server.context.db, 'orders', orders.length)
  await server.context.transaction((trx) => upsertOrders(trx, id, { ids, orders }))
}

/** Somebody whose every trait has the word in it, but for the phone number. */
const personOf = (word: string, phone: string): Partial<SyncedOrder> => {
  const address = { name: `${word} Featherstone`, line1: `${word} lane 17`, city: 'Gent', zip: '9000', country: 'BE' }
  return {
    customer: {
      remote_id: `c-${word}`,
      email: `${word}@example.com`,
      first_name: word,
      last_name: 'Featherstone',
      phone,
    },
    billing_address: address,
    shipping_address: address,
    note: `${word} rings twice`,
    remote_payload: JSON.stringify({ buyer: word }),
  }
}

async function operate(id: number, kind: OperationKind, input: object, end?: Parameters<typeof endAttempt>[3]) {
  const { db } = server.context
  const planned = { kind, key: randomUUID(), input, once: false }
  const held = await holdOperation(db, id, planned, 'me')
  if (!held) expect.fail()
  if (end) await endAttempt(db, id, held, end)
  else
    await sql`update operations set lease_until = null, holder = null where integration_id = ${id} and id = ${held.id}`.execute(
      db,
    )
}

async function tell(
  id: number,
  message: { body: string; kind?: string; remoteId?: string; waits?: true },
): Promise<number> {
  const { db, reader, transaction } = server.context
  const delivery_id = randomUUID()
  const about = { kind: message.kind ?? null, remote_id: message.remoteId ?? null }
  const rest = { topic: null, verified: true, headers: {}, query: {}, body: Buffer.from(message.body) }
  await insertInbound(reader, [{ integration_id: id, delivery_id, ...about, ...rest }])
  const { rows } = await sql<{ id: number }>`
    select id from shop_messages where integration_id = ${id} and delivery_id = ${delivery_id}`.execute(db)
  const [row] = rows
  if (!row) expect.fail()
  if (!message.waits) await transaction((trx) => finishDeliveries(trx, id, [{ id: row.id, outcome: 'ignored' }]))
  return row.id
}

/** The customer in every place of one shop. */
async function spread(id: number, word: string, phone: string): Promise<void> {
  const { db, transaction } = server.context
  const person = personOf(word, phone)
  await store(id, incomingOrder('1', person), incomingOrder('2', person), incomingOrder('3'))
  await transaction((trx) => removeVanishedOrders(trx, id, ['2']))
  const order = await orderByRemoteId(db, id, '1')
  await addHistory(db, id, [{ order_id: order.id, status: order.status, source: 'api', note: `${word} called` }])
  await quarantine(db, { integrationId: id, kind: 'orders', runId: 0 }, [
    { key: 'odd', reason: `${word}@example.com is odd.`, payload: JSON.stringify({ mail: `${word}@example.com` }) },
  ])
  await tell(id, { body: JSON.stringify({ id: '1', who: `${word}` }), kind: 'order', remoteId: '1' })
  await tell(id, { body: `{"customer":{"email":"${word}\\u0040example.com"}}` })
  await tell(id, { body: `email=${encodeURIComponent(`${word}@example.com`)}&x=1` })
  await tell(id, { body: `<phone>${phone.replaceAll(' ', '-')}</phone><who>${word}</who>` })
  await operate(id, 'create_order', { customer: { email: `${word}@example.com` } })
  await operate(id, 'create_order', { customer: { name: `${word} Featherstone` } }, { status: 'refused', error: word })
  await operate(id, 'annotate_order', { order_remote_id: '1', note: word }, { status: 'confirmed', result: { word } })
  await sql`insert into runs (integration_id, resource, status, input, result, error)
    values (${id}, 'x', 'failed', ${JSON.stringify({ email: `${word}@example.com` })}, ${JSON.stringify({ word })}, ${word})`.execute(
    db,
  )
  await appendLogs(db, id, [
    { level: 'info', event: 'x', words: said(`Wrote to ${word}@example.com.`) },
    { level: 'warning', event: 'x', words: said(`No room for ${word.toUpperCase()}  Featherstone!`) },
    { level: 'error', event: 'x', words: said(`The shop refused: ${word} lane 17, Gent.`) },
    { level: 'error', event: 'x', words: said(`${phone} (${word}) does not answer.`), context: { word } },
  ])
}

const asApp = (account: TestTenant) => `/api/2.0/app/accounts/${account.remoteId}/customers`
const ask = (path: string, body?: unknown, headers = {}) =>
  server.call(body === undefined ? 'GET' : 'POST', path, { token: tenant.appToken, body, headers })

const running = { signal: new AbortController().signal, attempt: 1 }
async function work(): Promise<void> {
  for (const erasureId of await openErasures(server.context.db, { after: 0, limit: 100 })) {
    await performErasure.run(server.context, { erasureId }, running)
  }
}

async function erase(path: string, body: object) {
  const begun = await ask(`${path}/erasures`, body)
  expect(begun.status, begun.text).toBe(202)
  const { id } = begun.json['data'] as { id: number }
  await work()
  return (await ask(`${path}/erasures/${id}`)).json['data'] as Record<string, unknown>
}

test('a customer is in no table and no line of the log after being erased, in all shops of the merchant and in no other', async () => {
  const shops = [await connect(tenant), await connect(tenant)]
  for (const { integration } of shops) await spread(integration.id, 'kestrel', '+49 30 99887766')
  const elsewhere = await connect(other)
  await store(elsewhere.integration.id, incomingOrder('1', personOf('kestrel', '+49 30 99887766')))
  const [shop] = shops
  const answers = idempotencyKeys(server.context.reader, server.context.keys)
  const request = { caller: `account:${tenant.accountId}`, keyHash: digest('once'), fingerprint: digest('same') }
  const claimed = await answers.claim(request, randomUUID())
  if (claimed.kind !== 'ours') expect.fail()
  const kept = { customer: { first_name: 'kestrel', last_name: 'Featherstone' } }
  const body = Buffer.from(JSON.stringify(kept)).toString('base64')
  await answers.keep(claimed.hold, { status: 201, headers: {}, body })
  await answered(shop?.integration.id ?? 0, 'kestrel')

  const path = asApp(tenant)
  const found = await ask(`${path}/find`, { email: 'Kestrel@Example.com' })
  const ids = shops.map(({ integration }) => integration.id)
  expect(found.json['data']).toMatchObject({
    orders: 4,
    shops: [
      { integration_id: ids[0], orders: 2 },
      { integration_id: ids[1], orders: 2, newest: [{}, { customer: { email: 'kestrel@example.com' } }] },
    ],
  })
  const file = await ask(`${path}/export`, { phone: '0049 30 99887766' })
  expect(file.headers['content-type']).toMatch(/ndjson/)
  const all = file.text.trim().split('\n')
  const lines = all.filter((line) => 'order' in JSON.parse(line))
  expect(lines).toHaveLength(4)
  const mentions = all.flatMap((line) => JSON.parse(line).mention ?? [])
  expect(new Set(mentions.map(({ table }) => table))).toEqual(
    new Set(['inbound_deliveries', 'operations', 'integration_logs']),
  )
  expect(mentions.every(({ text }) => /kestrel/i.test(text))).toBe(true)
  const byName = await ask(`${path}/export`, { name: 'kestrel featherstone' })
  expect(
    byName.text
      .trim()
      .split('\n')
      .filter((line) => 'mention' in JSON.parse(line)),
  ).toEqual([])
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    order: {
      customer: { first_name: 'kestrel' },
      raw: { buyer: 'kestrel' },
      history: [{}, { note: 'kestrel called' }],
    },
  })

  const done = await erase(path, { email: 'kestrel@example.com', phone: '+49 30 99887766' })
  expect(done).toMatchObject({
    ...{ status: 'completed', waiting: 0, named_by: ['email', 'phone'], requested_by: 'app' },
    touched: { orders: 4 },
  })
  expect(Object.keys(Object(done['touched'])).sort()).toEqual([
    ...['idempotency_keys', 'inbound_deliveries', 'integration_logs', 'operations', 'orders', 'quarantine', 'runs'],
  ])
  expect((await ask(`${path}/find`, { name: 'kestrel' })).json['data']).toEqual({ orders: 0, shops: [] })
  expect(await clearTablesWith(server.context.db, 'kestrel', '99887766')).toEqual([])
  // The order of the other merchant.
  expect(await tablesWith(server.context.db, 'kestrel', '99887766')).toEqual(['orders'])
  const { rows: trail } = await sql<object>`
    select kind, fields from audit_entries where operation like '%customers%' order by id limit 4`.execute(
    server.context.db,
  )
  expect(trail).toEqual([
    { kind: 'personal_data', fields: ['email'] },
    { kind: 'export', fields: ['phone'] },
    { kind: 'export', fields: ['name'] },
    { kind: 'change', fields: ['email', 'phone'] },
  ])
  expect(written.filter((line) => /kestrel|99887766/i.test(line))).toEqual([])
  const theirs = await ask(`${asApp(other)}/find`, { email: 'kestrel@example.com' })
  expect(theirs.json['data']).toMatchObject({ orders: 1 })
  // Done once, and nobody knows the answer any longer.
  expect(await answers.claim(request, randomUUID())).toEqual({ kind: 'lost' })
})

/** What an endpoint of the app has answered to the event of an order. */
async function answered(id: number, word: string): Promise<void> {
  const { db } = server.context
  const order = await orderByRemoteId(db, id, '1')
  await sql`
    with hook as (
      insert into webhook_subscriptions (integration_id, event, url, secret, key_id)
      values (${id}, 'order.updated', 'https://app.example.com', '', '') returning id),
    event as (
      insert into webhook_events (integration_id, type, subject, data)
      values (${id}, 'order.updated', ${`order:${id}:${order.id}`}, '{}') returning id),
    delivery as (
      insert into webhook_deliveries (webhook_id, event_id, type, subject, state, error)
      select hook.id, event.id, 'order.updated', '', 'failed', ${word} from hook, event returning id)
    insert into webhook_attempts (delivery_id, number, trigger, response_status, response_body, duration_ms, at)
    select id, 1, 'schedule', 200, ${`Thank you, ${word}`}, 1, now() from delivery`.execute(db)
}

describe('whatever the shop says after an erasure', () => {
  test('the orders stay without the customer, also those that could not be stored before; a new order is anybody’s', async () => {
    const { db, transaction } = server.context
    const { integration } = await connect(tenant)
    const { id } = integration
    const person = personOf('goshawk', '+49 40 11223344')
    await spread(id, 'goshawk', '+49 40 11223344')
    const waiting = await tell(id, { body: '{"email":"goshawk@example.com"}', waits: true })
    await erase(asApp(tenant), { customer_id: 'c-goshawk', integration_id: id, email: 'goshawk@example.com' })
    await transaction((trx) =>
      finishDeliveries(trx, id, [{ id: waiting, outcome: 'failed', error: 'goshawk is odd.' }]),
    )
    const later = { ...person, remote_version: '2' }
    await store(id, incomingOrder('1', later), incomingOrder('2', later), incomingOrder('odd', later))
    await tell(id, { body: 'goshawk', kind: 'order', remoteId: 'odd' })
    await quarantine(db, { integrationId: id, kind: 'orders', runId: 0 }, [
      { key: '1', reason: 'goshawk is odd.', payload: JSON.stringify(person) },
    ])
    expect(await tablesWith(db, 'goshawk', '11223344')).toEqual([])
    for (const remoteId of ['1', '2', 'odd']) {
      expect(await orderByRemoteId(db, id, remoteId)).toMatchObject({ customer: { redacted: true }, total: '10.00' })
    }
    // All of it is deleted, as when a shop has left, and comes again.
    await transaction(async (trx) => {
      await destroyKey(trx, id)
      await sql`delete from orders where integration_id = ${id}`.execute(trx)
    })
    await store(id, incomingOrder('1', later), incomingOrder('new', later))
    expect((await orderByRemoteId(db, id, '1')).customer).toEqual({ redacted: true })
    expect((await orderByRemoteId(db, id, 'new')).customer).toMatchObject({ email: 'goshawk@example.com' })
  })
})

test('an erasure goes on where a worker was stopped, and waits for what is being sent', async () => {
  const { context } = server
  const merchant = await makeSiblingAccount(context, tenant)
  const { integration } = await connect(merchant)
  await spread(integration.id, 'merlin', '+49 50 55667788')
  const planned = { kind: 'create_order', key: 'sent', input: { note: 'merlin@example.com' }, once: false } as const
  const held = await holdOperation(context.db, integration.id, planned, 'me')
  if (!held) expect.fail()
  const begun = await ask(`${asApp(merchant)}/erasures`, { email: 'merlin@example.com' })
  const { id: erasureId } = begun.json['data'] as { id: number }
  const path = `${asApp(merchant)}/erasures/${erasureId}`
  const stopped = { signal: AbortSignal.abort(), attempt: 1 }
  await expect(performErasure.run(context, { erasureId }, stopped)).rejects.toThrow(/abort/)
  const half = (await ask(path)).json['data']
  expect(half).toMatchObject({ status: 'running', touched: { orders: 2 } })
  expect(half).not.toHaveProperty('touched.integration_logs')
  await performErasure.run(context, { erasureId }, running)
  expect((await ask(path)).json['data']).toMatchObject({
    status: 'running',
    touched: { orders: 2, integration_logs: expect.any(Number) },
  })
  expect(await tablesWith(context.db, 'merlin', '55667788')).toEqual(['operations'])
  await endAttempt(context.db, integration.id, held, { status: 'refused', error: 'merlin is odd.' })
  await performErasure.run(context, { erasureId }, running)
  const done = (await ask(path)).json['data']
  expect(done).toMatchObject({ status: 'completed', waiting: 0 })
  expect(await tablesWith(context.db, 'merlin', '55667788')).toEqual([])
  await performErasure.run(context, { erasureId }, running)
  expect((await ask(path)).json['data']).toEqual(done)
  const { rows } = await sql<object>`
    select words, phrases from erasure_shops where erasure_id = ${erasureId} and integration_id = ${integration.id}`.execute(
    context.db,
  )
  expect(rows).toEqual([{ words: [], phrases: [] }])
})

test('a name finds and erases nobody; ids of customers need their shop; numbers need to be long enough', async () => {
  const path = asApp(tenant)
  const refused = async (call: string, body: object) => {
    const answer = await ask(`${path}/${call}`, body)
    return [answer.status, answer.json['message']]
  }
  const required = 'An e-mail address, a phone number or a customer id is required: a name is not enough.'
  expect(await refused('erasures', { name: 'Ada Byron' })).toEqual([422, required])
  expect(await refused('find', {})).toEqual([422, required])
  expect(await refused('find', { name: ' — ' })).toEqual([422, 'The name field must contain letters.'])
  expect(await refused('erasures', { phone: '00123' })).toEqual([422, 'The phone field must have at least 6 digits.'])
  expect((await refused('find', { customer_id: '7' }))[0]).toBe(422)
  const { integration } = await connect(other)
  expect((await refused('erasures', { customer_id: '7', integration_id: integration.id }))[0]).toBe(422)
})
