import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '../support/identity.ts'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'

/** A command line gets its token by a code that somebody approves in the console (RFC 8628). */

let server: TestServer
let tenant: TestTenant
beforeAll(async () => {
  server = await startTestServer()
  tenant = await makeTenant(server.context)
})
afterAll(() => server.close())

const client = { client_id: 'entrepot-cli' }
const grant = 'urn:ietf:params:oauth:grant-type:device_code'

async function begin(more: object = {}) {
  const { status, json } = await server.call('POST', '/oauth/device_authorization', { body: { ...client, ...more } })
  expect(status).toBe(200)
  return json as { device_code: string; user_code: string; verification_uri_complete: string; interval: number }
}
const ask = (deviceCode: string, more: object = {}) =>
  server.call('POST', '/oauth/token', { body: { grant_type: grant, device_code: deviceCode, ...client, ...more } })
/** As if the interval had passed. */
const pass = (seconds = 60) =>
  sql`update device_authorizations set asked_at = asked_at - make_interval(secs => ${seconds}::int)`.execute(
    server.context.db,
  )
const decide = (userCode: string, decision: string, token = tenant.userToken) =>
  server.call('POST', '/console/device/decide', { token, body: { user_code: userCode, decision } })
const look = (userCode: string, token = tenant.userToken) =>
  server.call('POST', '/console/device/look', { token, body: { user_code: userCode } })
const who = (token: string) => server.call('GET', '/api/1.0/users/information', { token })

describe('a program that asks', () => {
  test('waits until somebody approves it, and then has a token of that person', async () => {
    const { device_code: code, user_code: typed, verification_uri_complete: page, interval } = await begin()
    expect(typed).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    expect(page).toBe(`https://entrepot.test/console/device?code=${typed}`)
    expect(interval).toBe(5)
    expect((await ask(code)).json).toMatchObject({ error: 'authorization_pending' })
    expect((await look(typed.toLowerCase().replace('-', ' '))).json['data']).toMatchObject({
      client: 'Command line',
      scopes: ['*'],
      state: 'pending',
    })
    expect((await decide(typed, 'approve')).json['data']).toMatchObject({ state: 'approved' })
    const { status, json } = await ask(code)
    expect([status, json]).toMatchObject([200, { token_type: 'Bearer', expires_in: 90 * 86_400, scope: '*' }])
    expect(json).not.toHaveProperty('refresh_token')
    expect((await who(String(json['access_token']))).json['data']).toMatchObject({ id: tenant.userId })
    expect((await ask(code)).json).toMatchObject({ error: 'invalid_grant' })
  })

  test('too soon is told to slow down, each time by five seconds', async () => {
    const { device_code: code, user_code: typed } = await begin()
    await ask(code)
    expect((await ask(code)).json).toMatchObject({ error: 'slow_down' })
    await pass(6)
    expect((await ask(code)).json).toMatchObject({ error: 'slow_down' })
    await pass(30)
    expect((await ask(code)).json).toMatchObject({ error: 'authorization_pending' })
    await decide(typed, 'deny')
    expect((await ask(code)).json).toMatchObject({ error: 'access_denied' })
  })

  test('gets nothing after ten minutes, and its code is not good any more', async () => {
    const { device_code: code, user_code: typed } = await begin()
    await sql`update device_authorizations set expires_at = now() - interval '1 second'`.execute(server.context.db)
    expect((await ask(code)).json).toMatchObject({ error: 'expired_token' })
    expect((await look(typed)).status).toBe(422)
    expect((await decide(typed, 'approve')).status).toBe(422)
  })

  test('gets nothing if whoever approved it is locked out meanwhile', async () => {
    const user = await makeUser(server.context)
    const { json } = await server.call('POST', '/oauth/token', {
      body: {
        grant_type: 'password',
        ...tenant.passwordClient,
        username: user.email,
        password: 'correct horse battery',
      },
    })
    const { device_code: code, user_code: typed } = await begin()
    expect((await decide(typed, 'approve', String(json['access_token']))).status).toBe(200)
    await sql`update users set active = false where id = ${user.id}`.execute(server.context.db)
    expect((await ask(code)).json).toMatchObject({ error: 'access_denied' })
  })

  test('is refused under another name, with an unknown code, and with a scope that there is not', async () => {
    const unknown = await server.call('POST', '/oauth/device_authorization', { body: { client_id: '1' } })
    expect([unknown.status, unknown.json]).toMatchObject([401, { error: 'invalid_client' }])
    expect((await server.call('POST', '/oauth/device_authorization', { body: {} })).json).toMatchObject({
      error: 'invalid_request',
    })
    expect((await ask('no-such-code')).json).toMatchObject({ error: 'invalid_grant' })
    const { device_code: code } = await begin()
    expect((await ask(code, { client_id: tenant.appClient.client_id })).json).toMatchObject({ error: 'invalid_client' })
    const scoped = await server.call('POST', '/oauth/device_authorization', {
      body: { ...client, scope: 'everything' },
    })
    expect(scoped.json).toMatchObject({ error: 'invalid_scope' })
  })
})

describe('whoever decides', () => {
  test('does so once', async () => {
    const { user_code: typed } = await begin()
    const answers = await Promise.all([decide(typed, 'approve'), decide(typed, 'deny'), decide(typed, 'approve')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
  })

  test('gives away no more than they have', async () => {
    const body = {
      grant_type: 'password',
      ...tenant.passwordClient,
      username: tenant.email,
      password: 'correct horse battery',
    }
    const narrow = await server.call('POST', '/oauth/token', {
      body: { ...body, scope: 'user:session-update user:app-read' },
    })
    const token = String(narrow.json['access_token'])
    const all = await begin()
    expect((await decide(all.user_code, 'approve', token)).json).toMatchObject({ error: 'invalid_scope' })
    const less = await begin({ scope: 'user:app-read' })
    expect((await decide(less.user_code, 'approve', token)).status).toBe(200)
    const { json } = await ask(less.device_code)
    expect(json).toMatchObject({ scope: 'user:app-read' })
    const granted = String(json['access_token'])
    expect((await server.call('GET', '/api/2.0/user/apps', { token: granted })).status).toBe(200)
    expect((await server.call('GET', '/api/2.0/user/clients', { token: granted })).status).toBe(403)
  })

  test('who tries codes out is stopped after ten', async () => {
    const guesser = await makeTenant(server.context)
    for (let n = 0; n < 10; n++) expect((await look('BBBB-BBBB', guesser.userToken)).status).toBe(422)
    const { user_code: typed } = await begin()
    expect((await look(typed, guesser.userToken)).status).toBe(429)
    expect((await look(typed)).status).toBe(200)
  })
})

test('waiting leaves nothing in the audit trail; being let in and being refused do', async () => {
  const one = await makeTenant(server.context)
  const { device_code: code, user_code: typed } = await begin()
  const entries = async () =>
    (
      await sql<{ operation: string; detail: string; outcome: string }>`
        select operation, detail, outcome from audit_entries where user_id = ${one.userId} order by id`.execute(
        server.context.db,
      )
    ).rows
  await ask(code)
  await pass()
  await ask(code)
  await decide(typed, 'approve', one.userToken)
  await pass()
  await ask(code)
  const found = (await entries()).map(({ detail, outcome }) => `${detail} ${outcome}`)
  expect(found.filter((entry) => entry.startsWith('approve'))).toEqual(['approve done'])
  expect(found.filter((entry) => entry.startsWith(grant))).toEqual([`${grant} done`])
})

test('a command line ends its token without a secret, and nobody else’s', async () => {
  const { device_code: code, user_code: typed } = await begin()
  await decide(typed, 'approve')
  const token = String((await ask(code)).json['access_token'])
  const revoke = (body: object) => server.call('POST', '/oauth/revoke', { body: { ...client, ...body } })
  expect((await revoke({ token: tenant.userToken })).status).toBe(200)
  expect((await who(tenant.userToken)).status).toBe(200)
  expect((await revoke({ token })).status).toBe(200)
  expect((await who(token)).status).toBe(401)
})

describe('a person with a token speaks for one of their apps', () => {
  const asApp = (token: string, app: number | string) =>
    server.call('GET', '/api/2.0/app/integrations', { token, headers: { 'x-entrepot-app': String(app) } })

  test('with no more rights than they have there', async () => {
    expect((await asApp(tenant.userToken, tenant.appId)).status).toBe(200)
    const stranger = await makeTenant(server.context)
    expect((await asApp(stranger.userToken, tenant.appId)).status).toBe(404)
    const little = await makeTenant(server.context, { permissions: ['read-user'] })
    expect((await asApp(little.userToken, little.appId)).status).toBe(403)
    expect((await asApp(tenant.userToken, 'abc')).status).toBe(404)
    expect((await server.call('GET', '/api/2.0/app/integrations', { token: tenant.userToken })).status).toBe(401)
  })

  test('with no more scopes than the token has', async () => {
    const body = {
      grant_type: 'password',
      ...tenant.passwordClient,
      username: tenant.email,
      password: 'correct horse battery',
    }
    const narrow = await server.call('POST', '/oauth/token', { body: { ...body, scope: 'user:app-read' } })
    expect((await asApp(String(narrow.json['access_token']), tenant.appId)).status).toBe(403)
    const reading = await server.call('POST', '/oauth/token', { body: { ...body, scope: 'app:integration-read' } })
    expect((await asApp(String(reading.json['access_token']), tenant.appId)).status).toBe(200)
  })

  test('and a client stays what it is, whatever it names', async () => {
    const other = await makeTenant(server.context)
    const { status, json } = await asApp(tenant.appToken, other.appId)
    expect([status, json['data']]).toEqual([200, []])
  })
})
