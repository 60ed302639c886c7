import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateUser } from '../../src/domain/users/update-user.ts'
import { operator, type User } from '../../src/domain/users/user.ts'
import { makeAccount, makeApp, makeUser, password } from '../support/identity.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let admin: User

beforeAll(async () => {
  server = await startTestServer()
  admin = await makeUser(server.context, { roles: ['admin'] })
})
afterAll(() => server.close())

const ours = { 'x-entrepot-console': '1' }

const signIn = (email: string, secret = password, headers: Record<string, string> = ours) =>
  server.call('POST', '/console/session', { body: { email, password: secret }, headers })

async function cookieOf(email: string): Promise<string> {
  const { headers } = await signIn(email)
  return String(headers['set-cookie']).split(';')[0] ?? ''
}

const get = (path: string, headers: Record<string, string>) => server.call('GET', path, { headers })

describe('signing in to the console', () => {
  test('sets a cookie that scripts and other sites do not get', async () => {
    const answer = await signIn(admin.email)
    expect(answer.status).toBe(204)
    expect(answer.headers['set-cookie']).toMatch(
      /^entrepot_session=[A-Za-z0-9]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/,
    )
  })

  test('is refused with words at the field, whatever is wrong', async () => {
    for (const [email, secret] of [
      [admin.email, 'wrong'],
      ['nobody@example.com', password],
    ] as const) {
      const { status, json } = await signIn(email, secret)
      expect([status, json['errors']]).toEqual([422, { email: ['These credentials do not match our records.'] }])
    }
  })

  test('takes the header that no form can send', async () => {
    expect((await signIn(admin.email, password, {})).status).toBe(403)
  })
})

describe('a session', () => {
  test('opens the API for users, only together with the header', async () => {
    const cookie = await cookieOf(admin.email)
    expect((await get('/console/session', { cookie, ...ours })).json['data']).toMatchObject({ email: admin.email })
    expect((await get('/api/2.0/user/apps', { cookie, ...ours })).status).toBe(200)
    expect((await get('/api/2.0/user/apps', { cookie })).status).toBe(401)
    expect((await get('/api/2.0/user/apps', { cookie: 'entrepot_session=wrong', ...ours })).status).toBe(401)
  })

  test('speaks for an app of the user, and for no other', async () => {
    const user = await makeUser(server.context, { permissions: ['read-integration'] })
    const cookie = await cookieOf(user.email)
    const [own, foreign] = [
      await makeApp(server.context, { user_id: user.id }),
      await makeApp(server.context, { user_id: admin.id }),
    ]
    const as = (app: number | string, path = '/integrations') =>
      get(`/api/2.0/app${path}`, { cookie, ...ours, 'x-entrepot-app': String(app) })
    expect((await as(own)).status).toBe(200)
    for (const app of [foreign, 999_999]) {
      const { status, json } = await as(app)
      expect([status, json]).toEqual([404, { message: 'This app does not exist, or you have no access to it.' }])
    }
    expect([(await as('x')).status, (await as('1.2')).status]).toEqual([401, 404])
    // Reading is all that this user may do.
    const install = await server.call('POST', '/api/2.0/app/accounts', {
      headers: { cookie, ...ours, 'x-entrepot-app': String(own) },
      body: { remote_id: 'a' },
    })
    expect(install.status).toBe(403)
  })

  test('speaks for an account of that app, with no more rights than the user has', async () => {
    const user = await makeUser(server.context, { permissions: ['read-integration'] })
    const cookie = await cookieOf(user.email)
    const app = await makeApp(server.context, { user_id: user.id })
    const [account, foreign] = [
      await makeAccount(server.context, app, 'merchant'),
      await makeAccount(server.context, await makeApp(server.context, { user_id: admin.id }), 'foreign'),
    ]
    const as = (id: number) => ({ cookie, ...ours, 'x-entrepot-app': String(app), 'x-entrepot-account': String(id) })
    expect((await get('/api/2.0/webcomponent/integrations', as(account))).status).toBe(200)
    expect((await get('/api/2.0/webcomponent/integrations', as(foreign))).status).toBe(404)
    const path = '/api/2.0/webcomponent/service/sandbox/install'
    expect((await server.call('POST', path, { headers: as(account), body: {} })).status).toBe(403)
  })

  test('makes no tokens: those belong to clients', async () => {
    const cookie = await cookieOf(admin.email)
    const app = await makeApp(server.context, { user_id: admin.id })
    await makeAccount(server.context, app, 'someone')
    const headers = { cookie, ...ours, 'x-entrepot-app': String(app) }
    const answer = await server.call('POST', '/api/2.0/app/intent/someone', { headers, body: { scopes: ['*'] } })
    expect(answer.status).toBe(403)
  })

  test('ends with signing out', async () => {
    const cookie = await cookieOf(admin.email)
    const out = await server.call('DELETE', '/console/session', { headers: { cookie, ...ours } })
    expect([out.status, out.headers['set-cookie']]).toEqual([204, expect.stringContaining('Max-Age=0')])
    await expect.poll(async () => (await get('/console/session', { cookie, ...ours })).status).toBe(401)
  })

  test('ends by itself after its time, and is nobody’s without an active user or app', async () => {
    const user = await makeUser(server.context, { permissions: ['read-integration'] })
    const app = await makeApp(server.context, { user_id: user.id })
    // Each is looked at for the first time after that: nothing of it is remembered.
    const status = async (change: (cookie: string) => Promise<unknown>, headers: Record<string, string> = {}) => {
      const cookie = await cookieOf(user.email)
      await change(cookie)
      return (await get('/api/2.0/app/integrations', { cookie, ...ours, 'x-entrepot-app': String(app), ...headers }))
        .status
    }
    const { db } = server.context
    expect(await status(async () => undefined)).toBe(200)
    const late = { expires_at: '2020-01-01T00:00:00Z' }
    expect(
      await status(() => db.updateTable('console_sessions').set(late).where('user_id', '=', user.id).execute()),
    ).toBe(401)
    expect(await status(() => db.updateTable('apps').set({ active: false }).where('id', '=', app).execute())).toBe(404)
    expect(await status(() => db.updateTable('apps').set({ active: true }).where('id', '=', app).execute())).toBe(200)
    expect(await status(() => db.updateTable('users').set({ active: false }).where('id', '=', user.id).execute())).toBe(
      401,
    )
  })

  test('ends, also as an app, when the user is switched off or gets another password', async () => {
    for (const changes of [{ active: false }, { password: 'another correct horse' }]) {
      const user = await makeUser(server.context, { permissions: ['read-integration'] })
      const cookie = await cookieOf(user.email)
      const app = await makeApp(server.context, { user_id: user.id })
      const asApp = () => get('/api/2.0/app/integrations', { cookie, ...ours, 'x-entrepot-app': String(app) })
      expect((await asApp()).status).toBe(200)
      await updateUser(server.context, operator, { id: user.id, changes })
      await expect.poll(async () => (await asApp()).status).toBe(401)
      expect((await get('/console/session', { cookie, ...ours })).status).toBe(401)
    }
  })
})
