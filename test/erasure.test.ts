import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Context } from '../src/domain/context.ts'
import { performErasure } from '../src/domain/customers/perform-erasure.ts'
import { openErasures } from '../src/domain/erasures/erasure-store.ts'
import { appendLog } from '../src/domain/logs/log-store.ts'
import type { OperationKind } from '../src/domain/operations/operation.ts'
import { endAttempt, holdOperation } from '../src/domain/operations/operation-store.ts'
import { orderByRemoteId } from '../src/domain/orders/order-store.ts'
import { deleteOrder } from '../src/domain/orders/privacy/delete-order-store.ts'
import { addHistory } from '../src/domain/orders/privacy/history-store.ts'
import { quarantine } from '../src/domain/sync/quarantine/quarantine-store.ts'
import { deleteUser } from '../src/domain/users/delete-user.ts'
import { operator } from '../src/domain/users/user.ts'
import { createTestContext, type TestContext } from './support/context.ts'
import { logIn, makeClient, makeCompany, makeUser } from './support/identity.ts'
import { said } from './support/said.ts'
import { clearTablesWith, tablesWith as tablesHolding } from './support/tables-with.ts'
import { shopOrder, type TellingShop, tellingShop } from './support/telling-shop.ts'

/** Who is erased is found nowhere: every column of every table is searched as text, and opened where it is sealed. */

let tested: TestContext
let context: Context
let shop: TellingShop
beforeAll(async () => {
  tested = await createTestContext('nobody')
  context = tested.context
})
afterAll(() => tested.close())
beforeEach(async () => {
  shop = await tellingShop(context)
})

const tablesWith = (word: string) => tablesHolding(context.db, word)

async function operate(kind: OperationKind, key: string, input: object, end: Parameters<typeof endAttempt>[3]) {
  const held = await holdOperation(context.db, shop.integration.id, { kind, key, input, once: false }, 'me')
  if (!held) expect.fail()
  await endAttempt(context.db, shop.integration.id, held, end)
}

const told = (word: string, second: number) => {
  const address = { name: word, street: `${word} street 1`, city: 'Gent', zip: '9000', country: 'BE' }
  const buyer = { id: 'b-1', email: `${word}@example.com`, first_name: word, last_name: 'Byron', phone: '+3212345678' }
  return shopOrder('1', second, { buyer, ship_to: address, bill_to: address, note: `${word} rings twice` })
}
const say = (word: string, second: number) =>
  shop.send(
    { 'x-wc-webhook-topic': 'order.updated', 'x-wc-webhook-delivery-id': randomUUID(), 'x-buyer': word },
    JSON.stringify(told(word, second)),
  )

/** An order, and everything that may be said of its buyer besides. */
async function buy(word: string): Promise<number> {
  const { db } = context
  const { id } = shop.integration
  await sql`insert into webhook_subscriptions (integration_id, event, url, secret, key_id)
    values (${id}, 'order.updated', 'https://app.example.com', '', '')`.execute(db)
  await say(word, 1)
  await shop.work()
  const order = await orderByRemoteId(db, id, '1')
  await addHistory(db, id, [{ order_id: order.id, status: order.status, source: 'api', note: `${word} called` }])
  await quarantine(db, { integrationId: id, kind: 'orders', runId: 0 }, [
    { key: '1', reason: 'Odd.', payload: JSON.stringify(told(word, 2)) },
  ])
  const customer = { email: `${word}@example.com` }
  const address = { line1: word }
  const remote = {
    remote_id: '1',
    customer,
    billing_address: address,
    shipping_address: address,
    note: word,
    raw: word,
  }
  const lines = [{ sku: 'A-1', attributes: [{ name: 'Engraving', value: word }] }]
  const draft = { reference: 'r', customer, billing_address: address, shipping_address: address, note: word }
  await operate('create_order', 'made', draft, { status: 'confirmed', result: { ...remote, lines } })
  await operate('create_order', 'refused', draft, { status: 'refused', error: `${word}@example.com is no address.` })
  await operate('annotate_order', 'n', { order_remote_id: '1', note: word }, { status: 'confirmed' })
  await operate('cancel_order', '1', { remoteId: '1', reason: word }, { status: 'refused', error: word })
  const records = [{ remote_id: '1', reason: `${word} is no number.` }]
  await appendLog(db, id, { level: 'warning', event: 'sync.quarantined', words: said('Odd.'), context: { records } })
  await appendLog(db, id, {
    level: 'error',
    event: 'sync.failed',
    words: said(`The shop refused ${word}@example.com.`),
  })
  expect(await tablesWith(word)).toEqual([
    'integration_logs',
    'operations',
    'order_history',
    'orders',
    'quarantine',
    'shop_messages',
  ])
  expect(await clearTablesWith(db, word)).toEqual(['integration_logs'])
  return order.id
}

test('a customer whom the platform wants erased is in no table, whatever the shop says later', async () => {
  await buy('zebrafinch')
  const subject = { customer: { remoteId: null, email: 'ZebraFinch@example.com', phone: null }, orderRemoteIds: [] }
  await appendLog(context.db, shop.integration.id, {
    level: 'info',
    event: 'x',
    words: said('Zebrafinch Byron called.'),
  })
  await shop.tellPrivacy('privacy.customer_redact', subject)
  await shop.work()
  const [erasureId = 0] = await openErasures(context.db, { after: 0, limit: 1 })
  const running = { signal: new AbortController().signal, attempt: 1 }
  await performErasure.run(context, { erasureId }, running)
  expect(await openErasures(context.db, { after: 0, limit: 1 })).toEqual([])
  expect(await tablesWith('zebrafinch')).toEqual([])
  await say('zebrafinch', 5)
  await shop.work()
  expect(await tablesWith('zebrafinch')).toEqual([])
  const order = await orderByRemoteId(context.db, shop.integration.id, '1')
  expect(order).toMatchObject({ customer: { redacted: true }, total: '10.00', items: [{ sku: 'A-1' }] })
})

test('the buyer of an order that is deleted is in no table, and no sync brings the order back', async () => {
  const id = await buy('goldcrest')
  await context.transaction((trx) => deleteOrder(trx, shop.integration.id, id))
  expect(await tablesWith('goldcrest')).toEqual([])
  await say('goldcrest', 5)
  await shop.work()
  expect(await tablesWith('goldcrest')).toEqual([])
  await expect(orderByRemoteId(context.db, shop.integration.id, '1')).rejects.toMatchObject({ kind: 'not_found' })
})

test('an operation that is still under way keeps what it needs', async () => {
  const order = await buy('waxwing')
  const input = { order_remote_id: '1', note: 'waxwing' }
  await operate('annotate_order', 'open', input, { status: 'unknown', error: 'No answer.' })
  await context.transaction((trx) => deleteOrder(trx, shop.integration.id, order))
  expect(await tablesWith('waxwing')).toEqual(['operations'])
})

test('a user who is deleted is in no table, and every token has ended', async () => {
  const company = await makeCompany(context)
  const user = await makeUser(context, { company_id: company, name: 'Nuthatch', email: 'nuthatch@example.com' })
  const { db } = context
  await sql`insert into invitations (company_id, email, role, token_hash, expires_at, user_id)
    values (${company}, 'nuthatch@example.com', 'support', 'n', now(), ${user.id})`.execute(db)
  await sql`insert into console_sessions (secret_hash, user_id, expires_at)
    values ('n', ${user.id}, now() + interval '1 hour')`.execute(db)
  await logIn(context, await makeClient(context, { grant_types: ['password', 'refresh_token'] }), user)
  expect(await tablesWith('nuthatch')).toEqual(['invitations', 'users'])
  await deleteUser(context, operator, user.id)
  expect(await tablesWith('nuthatch')).toEqual([])
  const { rows } = await sql<object>`
    select name, email, password_hash, active from users where id = ${user.id}`.execute(db)
  expect(rows).toEqual([
    { name: 'Deleted user', email: `deleted-${user.id}@invalid`, password_hash: null, active: false },
  ])
  const { rows: left } = await sql<object>`
    select id from access_tokens where user_id = ${user.id} and revoked_at is null
    union all select id from refresh_tokens where user_id = ${user.id} and revoked_at is null
    union all select id from console_sessions where user_id = ${user.id}`.execute(db)
  expect(left).toEqual([])
})
