import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CuttingProxy, openCuttingProxy } from '../support/cutting-proxy.ts'
import { createTestDatabase } from '../support/database.ts'
import { makeUser, password } from '../support/identity.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { makeWorld, type World } from '../support/world.ts'

/** Whatever becomes of the answer, a request under one key is carried out once. */

let database: Awaited<ReturnType<typeof createTestDatabase>>
let proxy: CuttingProxy
let server: TestServer
let world: World

beforeAll(async () => {
  database = await createTestDatabase()
  proxy = await openCuttingProxy(database.url)
  server = await startTestServer({ databaseUrl: proxy.through(database.url) })
  world = await makeWorld(server)
})
afterAll(async () => {
  await server.close()
  await proxy.close()
  await database.drop()
})

const post = (path: string, body: unknown, key: string, token = world.tenant.userToken) =>
  server.call('POST', path, { token, body, headers: { 'idempotency-key': key } })

const count = async (table: string, where = sql`true`): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)} where ${where}`.execute(
    server.context.db,
  )
  return rows[0]?.n ?? 0
}

const lost = { message: expect.stringContaining('was carried out, at least in part, but its answer is lost') }

/** As after a minute in which nobody has said that they are at it. */
const letLocksEnd = () =>
  sql`update idempotency_keys set locked_until = now() - interval '1 second' where locked_until is not null`.execute(
    server.context.db,
  )

/** The answer can be written nowhere until this is undone. */
async function keepNothing(): Promise<() => Promise<void>> {
  const { db } = server.context
  await sql`create or replace function refuse_answers() returns trigger language plpgsql as $$
    begin raise exception 'no space left on device' using errcode = '53100'; end $$`.execute(db)
  await sql`create trigger refuse_answers before update of answer on idempotency_keys
    for each row when (new.answer is not null) execute function refuse_answers()`.execute(db)
  return async () => {
    await sql`drop trigger refuse_answers on idempotency_keys`.execute(db)
  }
}

describe('an answer to COMMIT that is lost', () => {
  const cases = [
    ['a test of a webhook', () => hooks(`${world.ids.appWebhook}/test`), {}, 'webhook_events'],
    ['a new app', () => '/api/2.0/user/apps', { name: 'Committed' }, 'apps'],
    ['a new webhook', () => hooks(''), { url: 'https://example.com/once', events: ['*'] }, 'webhook_subscriptions'],
  ] as const
  const hooks = (rest: string) => `/api/2.0/user/apps/${world.tenant.appId}/webhooks/${rest}`.replace(/\/$/, '')

  test.each(cases)('of %s is a 503, and the same key does nothing more', async (_, path, body, table) => {
    const [key, before, cuts] = [randomUUID(), await count(table), proxy.cuts()]
    proxy.cutNextCommit()
    expect((await post(path(), body, key)).status).toBe(503)
    expect([proxy.cuts() - cuts, await count(table)]).toEqual([1, before + 1])
    for (let n = 0; n < 3; n++) {
      const again = await post(path(), body, key)
      expect([again.status, again.json, again.headers['retry-after']]).toEqual([409, lost, undefined])
      await letLocksEnd()
    }
    expect(await count(table)).toBe(before + 1)
    expect((await post(path(), body, randomUUID())).status).toBeLessThan(300)
  })
})

describe('an answer that could not be kept', () => {
  test('is given once; after that the key says that it is lost, and nothing is done again', async () => {
    const [key, body] = [randomUUID(), { name: `Once ${randomUUID()}` }]
    const undo = await keepNothing()
    try {
      expect((await post('/api/2.0/user/apps', body, key)).status).toBe(201)
    } finally {
      await undo()
    }
    expect((await post('/api/2.0/user/apps', body, key)).status).toBe(409)
    await letLocksEnd()
    const again = await post('/api/2.0/user/apps', body, key)
    expect([again.status, again.json]).toEqual([409, lost])
    expect(await count('apps', sql`name = ${body.name}`)).toBe(1)
  })

  test('of a change in a shop is found again by the name of the work', async () => {
    const path = `/api/2.0/app/integrations/${world.ids.integration}/action`
    const body = { resource: 'create_order', currency: 'EUR', lines: [{ sku: 'A', quantity: 1, unit_price: '1.00' }] }
    const key = randomUUID()
    const undo = await keepNothing()
    const first = await post(path, body, key, world.tenant.appToken)
    await undo()
    await letLocksEnd()
    const again = await post(path, body, key, world.tenant.appToken)
    expect([first.status, again.status, again.json]).toEqual([200, 200, first.json])
    const other = await post(path, body, randomUUID(), world.tenant.appToken)
    expect(other.json).not.toEqual(first.json)
  })
})

test('whoever was taken for dead, and has lost the key, commits nothing', async () => {
  const [key, name] = [randomUUID(), `Late ${randomUUID()}`]
  const { db } = server.context
  // Somebody else takes the key at the very moment at which the work is about to commit.
  await sql`create or replace function take_key() returns trigger language plpgsql as $$
    begin update idempotency_keys set holder = gen_random_uuid() where holder is not null; return new; end $$`.execute(
    db,
  )
  await sql`create trigger take_key after insert on apps for each row execute function take_key()`.execute(db)
  const late = await post('/api/2.0/user/apps', { name }, key)
  await sql`drop trigger take_key on apps`.execute(db)
  expect([late.status, await count('apps', sql`name = ${name}`)]).toEqual([409, 0])
})

test('what only reads leaves nothing under its key', async () => {
  const before = await count('idempotency_keys')
  const path = `/api/2.0/app/integrations/${world.ids.integration}/action`
  const asked = { resource: 'get_orders' }
  expect((await post(path, asked, randomUUID(), world.tenant.appToken)).status).toBe(200)
  const events = `/api/2.0/webcomponent/integrations/${world.ids.integration}/event`
  const event = { event: 'orders.list', payload: {} }
  expect((await post(events, event, randomUUID(), world.tenant.accountToken)).status).toBe(200)
  expect(await count('idempotency_keys')).toBe(before)
})

test('in the console a key belongs to the user and to the app', async () => {
  const admin = await makeUser(server.context, { roles: ['admin'] })
  const signedIn = await server.call('POST', '/console/session', {
    body: { email: admin.email, password },
    headers: { 'x-entrepot-console': '1' },
  })
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? ''
  const key = randomUUID()
  const other = await server.call('POST', '/api/2.0/user/apps', {
    token: world.tenant.userToken,
    body: { name: 'Two' },
  })
  const otherId = (other.json['data'] as { id: number }).id
  const answers = []
  for (const appId of [world.tenant.appId, otherId]) {
    const headers = { cookie, 'x-entrepot-console': '1', 'x-entrepot-app': String(appId), 'idempotency-key': key }
    answers.push(
      await server.call('POST', '/api/2.0/app/accounts', { body: { remote_id: 'same', name: 'Ada' }, headers }),
    )
  }
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  expect(answers.map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, undefined])
  expect(answers.map(({ json }) => (json['data'] as { app_id: number }).app_id)).toEqual([world.tenant.appId, otherId])
})
