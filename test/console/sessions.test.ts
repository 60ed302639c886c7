import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLastUse } from '../../src/domain/oauth/sessions/last-use.ts'
import type { User } from '../../src/domain/users/user.ts'
import { createLog } from '../../src/runtime/log.ts'
import { makeColleague } from '../support/colleague.ts'
import { askToken, type Credentials, logIn, makeClient, makeUser, password } from '../support/identity.ts'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'

/** Where somebody is signed in, and how that ends. */

let server: TestServer
/** Another process beside it, which remembers callers of its own. */
let other: TestServer
let client: Credentials
let tenant: TestTenant
beforeAll(async () => {
  server = await startTestServer({ trustProxy: ['127.0.0.1'] })
  other = await startTestServer({ databaseUrl: server.databaseUrl, trustProxy: ['127.0.0.1'] })
  client = await makeClient(server.context, { name: 'Till', grant_types: ['password', 'refresh_token'] })
  tenant = await makeTenant(server.context)
})
afterAll(async () => {
  await other.close()
  await server.close()
})

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'
const ours = { 'x-entrepot-console': '1', 'user-agent': firefox, 'x-forwarded-for': '198.51.100.7' }
type Headers = Record<string, string>

async function signIn({ email }: User): Promise<Headers> {
  const { headers } = await server.call('POST', '/console/session', { body: { email, password }, headers: ours })
  return { ...ours, cookie: String(headers['set-cookie']).split(';')[0] ?? '' }
}

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}`, 'user-agent': 'till/3' })
const call = (method: string, path: string, headers: Headers, at = server) =>
  at.call(method, `/api/2.0/user${path}`, { headers })
const list = async (headers: Headers) =>
  (await call('GET', '/sessions', headers)).json['data'] as Record<string, unknown>[]
const isIn = async (headers: Headers, at: TestServer) => (await call('GET', '/sessions', headers, at)).status === 200
const inBoth = async (headers: Headers) => [await isIn(headers, server), await isIn(headers, other)]
const outSoon = (headers: Headers) => expect.poll(() => inBoth(headers)).toEqual([false, false])

describe('the list', () => {
  test('has the sessions and tokens of the user, with client, browser and address, and nobody else’s', async () => {
    const user = await makeUser(server.context)
    const here = await signIn(user)
    const { access_token: token, refresh_token } = await logIn(server.context, client, user)
    await logIn(server.context, client, await makeUser(server.context))
    const session = {
      kind: 'console',
      current: true,
      client: null,
      address: '198.51.100.7',
      browser: 'Firefox on Linux',
      last_used_at: expect.any(String),
    }
    const ofTill = { kind: 'token', current: false, client: 'Till', client_id: client.client_id, last_used_at: null }
    expect(await list(here)).toHaveLength(2)
    expect(await list(here)).toEqual(
      expect.arrayContaining([expect.objectContaining(session), expect.objectContaining(ofTill)]),
    )
    // What a token is exchanged for is the same log-in.
    const refresh = { grant_type: 'refresh_token', ...client, refresh_token }
    const { access_token: fresh } = await askToken(server.context, refresh)
    const again = await list(bearer(fresh))
    expect(again.map(({ kind, current }) => [kind, current]).sort()).toEqual([
      ['console', false],
      ['token', true],
    ])
    expect(JSON.stringify(again)).not.toContain(token)
  })

  test('says when and from where a token was last used', async () => {
    const user = await makeUser(server.context)
    const { access_token: token } = await logIn(server.context, client, user)
    await list({ ...bearer(token), 'x-forwarded-for': '198.51.100.8' })
    const used = () => list(bearer(token))
    await expect
      .poll(async () => (await used())[0])
      .toMatchObject({ last_used_at: expect.any(String), address: '198.51.100.8', browser: 'till' })
  })
})

test('a use is written once in five minutes, whichever process saw it, and not after the end', async () => {
  const { db } = server.context
  const user = await makeUser(server.context)
  const { access_token: token } = await logIn(server.context, client, user)
  const read = async () => {
    const { rows } = await sql<{ id: number; address: string | null; xmin: string }>`
      select id, address, xmin::text from access_tokens where user_id = ${user.id}`.execute(db)
    return rows[0]
  }
  const id = (await read())?.id ?? 0
  let now = 0
  const make = () => createLastUse({ db, log: createLog('silent'), now: () => now })
  const [one, two] = [make(), make()]
  const note = async (at: typeof one, address: string) => {
    at.note(id, { address, agent: 'x'.repeat(10_000) })
    await at.flush()
    return await read()
  }
  const first = await note(one, '203.0.113.1')
  expect(first?.address).toBe('203.0.113.1')
  now = 299_000
  expect(await note(one, '203.0.113.2')).toEqual(first)
  expect(await note(two, '203.0.113.3')).toEqual(first)
  await sql`update access_tokens set last_used_at = now() - interval '5 minutes' where id = ${id}`.execute(db)
  now = 300_000
  expect((await note(one, '203.0.113.4'))?.address).toBe('203.0.113.4')
  expect((await call('DELETE', `/sessions/token-${id}`, bearer(token))).status).toBe(204)
  expect((await read())?.address).toBeNull()
  now = 900_000
  await sql`update access_tokens set last_used_at = now() - interval '5 minutes' where id = ${id}`.execute(db)
  expect((await note(one, '203.0.113.5'))?.address).toBeNull()
  await Promise.all([one.close(), two.close()])
})

describe('the end', () => {
  test('of one comes at once in every process, with what would renew it', async () => {
    const user = await makeUser(server.context)
    const [here, elsewhere] = [await signIn(user), await signIn(user)]
    const { access_token: token, refresh_token } = await logIn(server.context, client, user)
    expect(await inBoth(elsewhere)).toEqual([true, true])
    expect(await inBoth(bearer(token))).toEqual([true, true])
    for (const { id, current } of await list(here)) {
      if (!current) expect((await call('DELETE', `/sessions/${id}`, here)).status).toBe(204)
    }
    await outSoon(elsewhere)
    await outSoon(bearer(token))
    expect(await inBoth(here)).toEqual([true, true])
    const refresh = { grant_type: 'refresh_token', ...client, refresh_token }
    await expect(askToken(server.context, refresh)).rejects.toMatchObject({ kind: 'oauth' })
  })

  test('of all others leaves the one that asked', async () => {
    const user = await makeUser(server.context)
    const [here, elsewhere] = [await signIn(user), await signIn(user)]
    const { access_token: token } = await logIn(server.context, client, user)
    expect(await inBoth(elsewhere)).toEqual([true, true])
    expect((await call('DELETE', '/sessions/others', here)).status).toBe(204)
    await outSoon(elsewhere)
    await outSoon(bearer(token))
    expect(await list(here)).toHaveLength(1)
  })

  test('of somebody else’s is refused, and of none is not found', async () => {
    const [user, stranger] = [await makeUser(server.context), await makeUser(server.context)]
    const [here, foreign] = [await signIn(user), await signIn(stranger)]
    const [theirs] = await list(foreign)
    expect((await call('DELETE', `/sessions/${theirs?.['id']}`, here)).status).toBe(403)
    for (const id of ['console-999999999', 'token-999999999', 'token-x', '7']) {
      expect((await call('DELETE', `/sessions/${id}`, here)).status).toBe(404)
    }
    expect(await isIn(foreign, server)).toBe(true)
  })

  test('of everything that a colleague has is for those who manage users, and not of who may more', async () => {
    const { context } = server
    const join = (role: 'owner' | 'admin' | 'operator') => makeColleague(context, tenant, { role })
    const [owner, admin, operator] = [await join('owner'), await join('admin'), await join('operator')]
    const end = async (token: string, userId: number) =>
      (await call('DELETE', `/users/${userId}/sessions`, bearer(token))).status
    expect(await end(operator.token, admin.userId)).toBe(403)
    expect(await end(admin.token, owner.userId)).toBe(403)
    expect(await inBoth(bearer(operator.token))).toEqual([true, true])
    expect(await end(admin.token, operator.userId)).toBe(204)
    await outSoon(bearer(operator.token))
  })
})
