import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../src/domain/apps/create-app.ts'
import { createClient } from '../src/domain/oauth/clients/create-client.ts'
import { issueToken } from '../src/domain/oauth/issue-token.ts'
import { deleteUser } from '../src/domain/users/delete-user.ts'
import { updateUser } from '../src/domain/users/update-user.ts'
import { operator } from '../src/domain/users/user.ts'
import { makeColleague, makeSession, type Standing } from './support/colleague.ts'
import { faultOf, makeApp, makeCompany } from './support/identity.ts'
import { startTestServer, type TestServer } from './support/server.ts'
import { makeWorld, type World } from './support/world.ts'

/** How people come into a company, what they are in it, and what is left of them when they go. */

let server: TestServer
/** Another process beside it, which remembers callers of its own. */
let other: TestServer
let world: World
let owner: Awaited<ReturnType<typeof join>>
beforeAll(async () => {
  server = await startTestServer()
  other = await startTestServer({ databaseUrl: server.databaseUrl })
  world = await makeWorld(server)
  owner = await join({ role: 'owner' })
})
afterAll(async () => {
  await other.close()
  await server.close()
})

const join = (standing: Standing) => makeColleague(server.context, world.tenant, standing)
const call = (token: string, method: string, path: string, body?: object) =>
  server.call(method, path, { token, ...(body && { body }) })
const dataOf = (answer: { json: Record<string, unknown> }) => answer.json['data'] as Record<string, unknown>
const listOf = (answer: { json: Record<string, unknown> }) => answer.json['data'] as Record<string, unknown>[]

describe('who leaves', () => {
  /** An app, a client, a webhook and a gateway key, all made by somebody who can do everything. */
  async function maker() {
    const { context } = server
    const { userId, token } = await join({ role: 'admin' })
    const tenant = { userId, companyId: world.tenant.companyId, admin: false }
    const app = await createApp(context, tenant, { name: 'Left behind' })
    const { client, secret } = await createClient(context, tenant, { name: 'Left', app_id: app.id })
    const webhook = await call(token, 'POST', `/api/2.0/user/apps/${app.id}/webhooks`, {
      url: 'https://hooks.example.com/left',
      events: ['*'],
    })
    const path = `/api/2.0/user/apps/${world.tenant.appId}/integrations/${world.ids.integration}/gateway-key`
    expect([webhook.status, (await call(token, 'POST', path)).status]).toEqual([201, 201])
    const grant = { grant_type: 'client_credentials', client_id: client.id, client_secret: secret ?? '' }
    const getToken = () => issueToken(context, { body: grant, basic: null, address: '203.0.113.7' })
    return { userId, token, app, client, getToken, webhook: dataOf(webhook)['id'] }
  }

  const ways = {
    'for another company': async (id: number) => {
      const company_id = await makeCompany(server.context)
      await updateUser(server.context, operator, { id, changes: { company_id } })
    },
    'for good': (id: number) => deleteUser(server.context, operator, id),
  }

  test.each(Object.entries(ways))('%s loses what they made at once, on every process', async (_, leave) => {
    const { userId, token, app, getToken } = await maker()
    const appToken = (await getToken()).access_token
    const seen = async (at: TestServer) => [
      (await at.call('GET', `/api/2.0/user/apps/${app.id}`, { token })).status,
      (await at.call('GET', '/api/2.0/app/integrations', { token: appToken })).status,
    ]
    expect([await seen(server), await seen(other)]).toEqual([
      [200, 200],
      [200, 200],
    ])
    await leave(userId)
    for (const at of [server, other]) {
      await expect.poll(async () => (await seen(at)).every((status) => status === 401 || status === 403)).toBe(true)
    }
    const hook = { url: 'https://hooks.example.com/x', events: ['*'] }
    expect((await call(token, 'POST', `/api/2.0/user/apps/${app.id}/webhooks`, hook)).status).not.toBe(201)
    expect((await faultOf(getToken())).kind).toBe('oauth')
  })

  test('is seen by those who stay in what they made, who revoke it', async () => {
    const { userId, client, webhook, getToken } = await maker()
    const list = async (query = '') => listOf(await call(owner.token, 'GET', `/api/2.0/user/left-behind${query}`))
    expect((await list()).filter((one) => one['user_id'] === userId)).toEqual([])
    await ways['for another company'](userId)
    const left = (await list()).filter((one) => one['user_id'] === userId)
    expect(left).toMatchObject([
      { kind: 'client', id: client.id, gone: true },
      { kind: 'gateway_key', integration_id: world.ids.integration, gone: true },
      { kind: 'webhook', id: webhook, gone: true },
    ])
    const revoked = await call(owner.token, 'POST', '/api/2.0/user/left-behind/revoke', { user_id: userId })
    expect([revoked.status, listOf(revoked).length]).toEqual([200, 3])
    expect(await list(`?user_id=${userId}`)).toEqual([])
    expect((await faultOf(getToken())).kind).toBe('oauth')
  })

  test('leaves clients that somebody who stays may take over, with a new secret', async () => {
    const { userId, client, getToken } = await maker()
    await ways['for good'](userId)
    const body = { user_id: userId }
    const taken = listOf(await call(owner.token, 'POST', '/api/2.0/user/left-behind/take-over', body))
    const secret = String(taken.find((one) => one['kind'] === 'client')?.['secret'])
    expect((await faultOf(getToken())).kind).toBe('oauth')
    const grant = { grant_type: 'client_credentials', client_id: client.id, client_secret: secret }
    const { access_token: token } = await issueToken(server.context, {
      body: grant,
      basic: null,
      address: '203.0.113.7',
    })
    expect((await call(token, 'GET', '/api/2.0/app/integrations')).status).toBe(200)
  })

  test('of another company is nobody’s business here', async () => {
    const foreign = await makeWorld(server)
    const stranger = await makeColleague(server.context, foreign.tenant, { role: 'owner' })
    const { userId } = await maker()
    await ways['for good'](userId)
    for (const query of ['', `?user_id=${userId}`]) {
      expect(listOf(await call(stranger.token, 'GET', `/api/2.0/user/left-behind${query}`))).toEqual([])
    }
  })
})

describe('a role for one app', () => {
  test('opens that app and no other, and nothing of the company', async () => {
    const { context } = server
    const second = await makeApp(context, { user_id: world.tenant.userId, company_id: world.tenant.companyId })
    const { token, userId } = await join({ appRoles: { [world.tenant.appId]: 'admin' } })
    const get = async (path: string) => (await call(token, 'GET', path)).status
    expect(await get(`/api/2.0/user/apps/${world.tenant.appId}/integrations`)).toBe(200)
    expect(await get(`/api/2.0/user/apps/${second}`)).toBe(403)
    expect(await get('/api/2.0/user/users')).toBe(403)
    expect(await get('/api/2.0/user/clients')).toBe(403)
    expect(listOf(await call(token, 'GET', '/api/2.0/user/apps')).map(({ id }) => id)).toEqual([world.tenant.appId])
    const accounts = listOf(await call(token, 'GET', '/api/1.0/accounts'))
    expect(new Set(accounts.map((account) => account['app_id']))).toEqual(new Set([world.tenant.appId]))
    const unclaimed = { name: 'Mine', shop: 'mine.example.com', type: 'sandbox' }
    expect((await call(token, 'POST', '/api/1.0/integrations', unclaimed)).status).toBe(422)
    const service = { name: 'Mine', type: 'mine-alone' }
    expect((await call(token, 'POST', '/api/1.0/services', service)).status).toBe(403)
    const cookie = await makeSession(context, userId)
    const as = async (app: number) =>
      (
        await server.call('GET', '/api/2.0/app/integrations', {
          headers: { cookie, 'x-entrepot-console': '1', 'x-entrepot-app': String(app) },
        })
      ).status
    expect([await as(world.tenant.appId), await as(second)]).toEqual([200, 403])
  })

  test('counts in the place of the one in the company', async () => {
    const second = await makeApp(server.context, { company_id: world.tenant.companyId })
    const { token } = await join({ role: 'operator', appRoles: { [second]: 'support' } })
    const flow = { name: 'Mine', type: 'manual', steps: [{ action: 'sync_orders' }] }
    const make = async (app: number) => (await call(token, 'POST', `/api/2.0/user/apps/${app}/flows`, flow)).status
    expect([await make(world.tenant.appId), await make(second)]).toEqual([201, 403])
    expect((await call(token, 'GET', `/api/2.0/user/apps/${second}/flows`)).status).toBe(200)
    const { token: barred } = await join({ role: 'operator', appRoles: { [second]: 'billing' } })
    const seen = listOf(await call(barred, 'GET', '/api/2.0/user/apps?per_page=100')).map(({ id }) => id)
    expect([seen.includes(second), seen.includes(world.tenant.appId)]).toEqual([false, true])
  })
})

describe('giving roles', () => {
  const assign = (token: string, id: number, body: object) =>
    call(token, 'PUT', `/api/2.0/user/users/${id}/roles`, body)

  test('takes effect at once, and nobody gives more than they have', async () => {
    const { userId, token } = await join({})
    const admin = await join({ role: 'admin' })
    expect((await call(token, 'GET', '/api/2.0/user/apps')).status).toBe(403)
    expect(dataOf(await assign(admin.token, userId, { company_role: 'support' }))['company_role']).toBe('support')
    expect((await call(token, 'GET', '/api/2.0/user/apps')).status).toBe(200)
    const refused = await assign(admin.token, userId, { company_role: 'owner' })
    expect(refused.json['errors']).toEqual({ company_role: ['The selected company role is invalid.'] })
    expect((await assign(admin.token, owner.userId, { company_role: 'billing' })).status).toBe(403)
    expect((await assign(token, admin.userId, { company_role: 'billing' })).status).toBe(403)
  })

  test('for apps of others is refused at the field', async () => {
    const foreign = await makeApp(server.context, { company_id: await makeCompany(server.context) })
    const { userId } = await join({})
    const { json } = await assign(owner.token, userId, { app_roles: [{ app_id: foreign, role: 'support' }] })
    expect(json['errors']).toEqual({ 'app_roles.0.app_id': ['The selected app_roles.0.app_id is invalid.'] })
  })

  test('leaves a company its last owner', async () => {
    const tenant = { companyId: await makeCompany(server.context), passwordClient: world.tenant.passwordClient }
    const last = await makeColleague(server.context, tenant, { role: 'owner' })
    const step = () => assign(last.token, last.userId, { company_role: 'admin' })
    expect((await step()).json['errors']).toEqual({ company_role: ['The last owner of the company must stay one.'] })
    expect((await call(last.token, 'DELETE', `/api/1.0/users/${last.userId}`)).status).toBe(422)
    await makeColleague(server.context, tenant, { role: 'owner' })
    expect((await step()).status).toBe(200)
  })
})

describe('an invitation', () => {
  const invite = (token: string, body: object) => call(token, 'POST', '/api/2.0/user/invitations', body)
  const secretOf = (answer: { json: Record<string, unknown> }) => String(dataOf(answer)['url']).split('#')[1] ?? ''
  const accept = (token: string, password = 'a long password') =>
    server.call('POST', '/console/invitation/accept', { body: { token, name: 'Grace', password } })
  const fresh = () => `${crypto.randomUUID()}@example.com`

  test('is a link that is shown once, and makes one user with its role', async () => {
    const email = fresh()
    const made = await invite(owner.token, { email, role: 'operator' })
    const secret = secretOf(made)
    expect([made.status, secret]).toEqual([201, expect.stringMatching(/^[A-Za-z0-9]{43}$/)])
    const listed = await call(owner.token, 'GET', '/api/2.0/user/invitations?per_page=100')
    expect(listed.text).toContain(email)
    expect(listed.text).not.toContain(secret)
    const open = await server.call('POST', '/console/invitation', { body: { token: secret } })
    expect(dataOf(open)).toEqual({ company: expect.any(String), email, role: 'operator' })
    const answers = await Promise.all([accept(secret), accept(secret), accept(secret)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404, 404])
    const users = listOf(await call(owner.token, 'GET', `/api/2.0/user/users?email=${email}`))
    expect(users).toMatchObject([
      {
        email,
        company_role: 'operator',
        company_id: world.tenant.companyId,
        permissions: expect.arrayContaining(['read-order']),
      },
    ])
  })

  test('for one app gives the role there', async () => {
    const email = fresh()
    await accept(secretOf(await invite(owner.token, { email, role: 'support', app_id: world.tenant.appId })))
    const users = listOf(await call(owner.token, 'GET', `/api/2.0/user/users?email=${email}`))
    expect(users).toMatchObject([
      { company_role: null, permissions: [], app_roles: [{ app_id: world.tenant.appId, role: 'support' }] },
    ])
  })

  test('that is withdrawn, has run out, or comes from somebody who left is none', async () => {
    const withdrawn = await invite(owner.token, { email: fresh(), role: 'support' })
    const id = dataOf(withdrawn)['id']
    expect((await call(owner.token, 'DELETE', `/api/2.0/user/invitations/${id}`)).status).toBe(204)
    expect((await accept(secretOf(withdrawn))).status).toBe(404)
    const late = await invite(owner.token, { email: fresh(), role: 'support' })
    const past = { expires_at: '2026-01-01T00:00:00Z' }
    const { db } = server.context
    await db
      .updateTable('invitations')
      .set(past)
      .where('id', '=', Number(dataOf(late)['id']))
      .execute()
    expect((await accept(secretOf(late))).status).toBe(404)
    const leaver = await join({ role: 'admin' })
    const orphan = await invite(leaver.token, { email: fresh(), role: 'support' })
    await deleteUser(server.context, operator, leaver.userId)
    expect((await accept(secretOf(orphan))).status).toBe(404)
  })

  test('gives no more than whoever invites has', async () => {
    const admin = await join({ role: 'admin' })
    const { json } = await invite(admin.token, { email: fresh(), role: 'owner' })
    expect(json['errors']).toEqual({ role: ['The selected role is invalid.'] })
    const support = await join({ role: 'support' })
    expect((await invite(support.token, { email: fresh(), role: 'billing' })).status).toBe(403)
  })
})
