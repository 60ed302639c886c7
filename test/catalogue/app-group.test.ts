import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { webcomponentScopes } from '../../src/domain/scopes.ts'
import { attach } from '../../src/domain/services/app-service-store.ts'
import { readService } from '../../src/domain/services/service-store.ts'
import { askToken, makeAccount, makeClient } from '../support/identity.ts'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'

let server: TestServer
let ours: TestTenant
let theirs: TestTenant
let sandboxId: number

beforeAll(async () => {
  server = await startTestServer()
  ours = await makeTenant(server.context)
  theirs = await makeTenant(server.context)
  sandboxId = (await readService(server.context.db, 'sandbox')).id
  await attach(server.context.db, { appId: ours.appId }, { service_id: sandboxId, settings: { hidden: true } })
})
afterAll(() => server.close())

const app = async (method: string, path: string, body?: unknown, token = ours.appToken) =>
  await server.call(method, `/api/2.0/app${path}`, { token, body })
const web = async (path: string, token = ours.accountToken) =>
  await server.call('GET', `/api/2.0/webcomponent${path}`, { token })
const data = (answer: { json: Record<string, unknown> }) => answer.json['data'] as Record<string, unknown>

describe('accounts', () => {
  test('are made, read by the name of the app, changed by id', async () => {
    const made = await app('POST', '/accounts', { remote_id: 'shop/ä 1', email: 'a@example.com' })
    expect(made.status).toBe(201)
    expect(data(made)).toMatchObject({
      app_id: ours.appId,
      remote_id: 'shop/ä 1',
      name: null,
      email: 'a@example.com',
      company_id: ours.companyId,
      active: true,
      settings: {},
    })
    const found = await app('GET', `/accounts/${encodeURIComponent('shop/ä 1')}`)
    expect(data(found)).toEqual(data(made))
    const changed = await app('PUT', `/accounts/${data(made)['id']}`, { name: 'New', settings: { a: [1] }, app_id: 1 })
    expect(data(changed)).toMatchObject({ name: 'New', settings: { a: [1] }, app_id: ours.appId })
    expect((await app('GET', '/accounts?remote_id=nobody')).json['data']).toEqual([])
  })

  test('have names that are unique in the app', async () => {
    const taken = { remote_id: ['The remote id has already been taken.'] }
    expect((await app('POST', '/accounts', { remote_id: ours.remoteId })).json['errors']).toEqual(taken)
    const other = await makeAccount(server.context, ours.appId, 'other')
    expect((await app('PUT', `/accounts/${other}`, { remote_id: ours.remoteId })).json['errors']).toEqual(taken)
    expect((await app('POST', '/accounts', { remote_id: '' })).json['errors']).toEqual({
      remote_id: ['The remote id field is required.'],
    })
  })

  test('of another app are not found by name and refused by id', async () => {
    expect((await app('GET', `/accounts/${theirs.remoteId}`)).status).toBe(404)
    expect((await app('PUT', `/accounts/${theirs.accountId}`, { name: 'x' })).status).toBe(403)
    expect((await app('PUT', '/accounts/999999', {})).status).toBe(404)
    expect((await app('PUT', `/accounts/${ours.remoteId}`, {})).status).toBe(404)
  })

  test('that are switched off have no valid tokens any more', async () => {
    const tenant = await makeTenant(server.context)
    const works = async () => (await web('/app', tenant.accountToken)).status
    expect(await works()).toBe(200)
    await app('PUT', `/accounts/${tenant.accountId}`, { active: false }, tenant.appToken)
    await expect.poll(works).toBe(401)
  })
})

test('accounts and apps come with their integrations', async () => {
  const install = await app('POST', '/sandbox/install', {
    shop: 'shop.example',
    name: 'Shop',
    account_id: ours.accountId,
  })
  expect(install.status).toBe(201)
  const integration = { id: data(install)['id'], account_id: ours.accountId, shop: 'shop.example' }
  const list = await app('GET', `/accounts?remote_id=${ours.remoteId}&include=integrations`)
  expect(list.json['data']).toMatchObject([{ id: ours.accountId, integrations: [integration] }])
  expect(data(await app('GET', `/accounts/${ours.remoteId}?include=integrations`))).toMatchObject({
    integrations: [integration],
  })
  expect(data(await app('GET', `/accounts/${ours.remoteId}`))).not.toHaveProperty('integrations')
  const path = `/api/2.0/user/apps/${ours.appId}?include=services,integrations`
  const own = await server.call('GET', path, { token: ours.userToken })
  expect(own.json['data']).toMatchObject({ services: [{ id: sandboxId }], integrations: [integration] })
})

describe('POST /api/2.0/app/intent/{account}', () => {
  const intent = async (scopes: unknown, account = ours.remoteId) => await app('POST', `/intent/${account}`, { scopes })

  test('gives a token that is exchanged once', async () => {
    const made = await intent(['webcomponent:app-read'])
    expect(made.status).toBe(201)
    expect(data(made)).toMatchObject({
      scopes: ['webcomponent:app-read'],
      expires_in: 600,
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      account: { id: ours.accountId, remote_id: ours.remoteId },
    })
    const exchange = { grant_type: 'intent_token', intent_token: data(made)['token'] }
    const { access_token: token } = await askToken(server.context, exchange)
    expect((await web('/app', token)).status).toBe(200)
    expect((await web('/services', token)).status).toBe(403)
  })

  test('knows what all scopes are', async () => {
    for (const all of ['*', 'webcomponent:*']) {
      expect(data(await intent([all]))['scopes']).toEqual(webcomponentScopes)
    }
  })

  test('says which scopes it does not give', async () => {
    expect((await intent(['webcomponent:app-read', 'app:account-read'])).json['errors']).toEqual({
      'scopes.1': ['The selected scopes.1 is invalid.'],
    })
    expect((await intent([])).json['errors']).toEqual({ scopes: ['The scopes field is required.'] })
    expect((await intent('*')).json['errors']).toEqual({ scopes: ['The scopes field must be an array.'] })
  })

  test('finds accounts of the own app only', async () => {
    expect((await intent(['*'], theirs.remoteId)).status).toBe(404)
  })
})

describe('services', () => {
  test('of the app are found by id and by type', async () => {
    const list = await app('GET', '/services')
    expect(list.json['data']).toMatchObject([{ id: sandboxId, type: 'sandbox', settings: { hidden: true } }])
    expect(data(await app('GET', `/services/${sandboxId}`))).toEqual(data(await app('GET', '/services/sandbox')))
  })

  test('that the app does not offer are refused, unknown ones not found', async () => {
    expect((await app('GET', '/services', undefined, theirs.appToken)).json['data']).toEqual([])
    expect((await app('GET', '/services/sandbox', undefined, theirs.appToken)).status).toBe(403)
    for (const unknown of ['nothing', '999999', '0', '99999999999999999999', '%F0%9F%98%80']) {
      expect((await app('GET', `/services/${unknown}`)).status).toBe(404)
    }
  })

  test('are shown to browsers without their settings', async () => {
    const list = await web('/services')
    expect(list.json['data']).toMatchObject([{ id: sandboxId, credentials_schema: expect.anything() }])
    expect(list.text).not.toContain('hidden')
    expect(data(await web('/services-type/sandbox'))).toMatchObject({ id: sandboxId, type: 'sandbox' })
    expect((await web(`/services-type/${sandboxId}`)).status).toBe(404)
    expect((await web('/services-type/sandbox', theirs.accountToken)).status).toBe(403)
    expect(data(await web('/app'))).toMatchObject({ id: ours.appId, name: 'Order manager' })
  })
})

describe('flows', () => {
  test('of the catalogue come with the services of the app', async () => {
    const list = (await app('GET', '/flows?sort=name')).json['data'] as { id: number; name: string }[]
    expect(list.map((flow) => flow.name)).toContain('Import orders')
    expect(data(await app('GET', `/flows/${list[0]?.id}`))).toEqual(list[0])
    expect((await app('GET', `/flows/${list[0]?.id}`, undefined, theirs.appToken)).status).toBe(403)
    expect((await app('GET', '/flows/999999')).status).toBe(404)
  })
})

test('a client without an app is refused everywhere', async () => {
  const client = await makeClient(server.context)
  const { access_token: token } = await askToken(server.context, { grant_type: 'client_credentials', ...client })
  const calls = [
    ['GET', '/accounts'],
    ['GET', '/accounts/x'],
    ['POST', '/accounts'],
    ['PUT', '/accounts/1'],
    ['POST', '/intent/x'],
    ['GET', '/services'],
    ['GET', '/services/sandbox'],
    ['GET', '/flows'],
    ['GET', '/flows/1'],
  ] as const
  for (const [method, path] of calls) expect((await app(method, path, undefined, token)).status).toBe(403)
})
