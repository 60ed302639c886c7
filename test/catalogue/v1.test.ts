import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'

let server: TestServer
let ours: TestTenant
let theirs: TestTenant
let admin: TestTenant

beforeAll(async () => {
  server = await startTestServer()
  ours = await makeTenant(server.context)
  theirs = await makeTenant(server.context)
  admin = await makeTenant(server.context, { roles: ['admin'] })
})
afterAll(() => server.close())

const v1 = async (method: string, path: string, body?: unknown, tenant = ours) =>
  await server.call(method, `/api/1.0${path}`, { token: tenant.userToken, body })
const data = (answer: { json: Record<string, unknown> }) => answer.json['data'] as Record<string, unknown>
const ids = (answer: { json: Record<string, unknown> }) => (answer.json['data'] as { id: number }[]).map(({ id }) => id)

describe('apps', () => {
  test('are the same records as in version 2.0', async () => {
    const made = await v1('POST', '/apps', { name: 'Both' })
    expect(made.status).toBe(201)
    const path = `/apps/${data(made)['id']}`
    const other = await server.call('GET', `/api/2.0/user${path}`, { token: ours.userToken })
    expect(other.json).toEqual(made.json)
    expect(data(await v1('PUT', path, { name: 'Changed' }))).toMatchObject({ name: 'Changed' })
    expect((await v1('GET', path, undefined, theirs)).status).toBe(403)
    expect((await v1('DELETE', path)).status).toBe(204)
    expect((await v1('GET', path)).status).toBe(404)
    expect(ids(await v1('GET', '/apps'))).toContain(ours.appId)
  })
})

describe('accounts', () => {
  test('belong to the apps of the caller', async () => {
    const made = await v1('POST', '/accounts', { app_id: ours.appId, remote_id: 'v1' })
    expect(made.status).toBe(201)
    const path = `/accounts/${data(made)['id']}`
    expect((await v1('GET', path, undefined, theirs)).status).toBe(403)
    expect((await v1('PUT', path, { name: 'x' }, theirs)).status).toBe(403)
    expect((await v1('DELETE', path, undefined, theirs)).status).toBe(403)
    expect(ids(await v1('GET', '/accounts'))).toContain(data(made)['id'])
    expect(ids(await v1('GET', '/accounts', undefined, theirs))).not.toContain(data(made)['id'])
    expect(data(await v1('PUT', path, { name: 'New' }))).toMatchObject({ name: 'New', remote_id: 'v1' })
    expect((await v1('DELETE', path)).status).toBe(204)
    expect((await v1('DELETE', path)).status).toBe(404)
    const seen = await server.call('GET', '/api/2.0/app/accounts/v1', { token: ours.appToken })
    expect(seen.status).toBe(404)
  })

  test('are not made in apps of others', async () => {
    const answer = await v1('POST', '/accounts', { app_id: theirs.appId, remote_id: 'x' })
    expect(answer.json['errors']).toEqual({ app_id: ['The selected app id is invalid.'] })
    expect((await v1('POST', '/accounts', {})).json['errors']).toEqual({
      app_id: ['The app id field is required.'],
      remote_id: ['The remote id field is required.'],
    })
  })

  test('take their tokens along', async () => {
    const tenant = await makeTenant(server.context)
    const works = async () =>
      (await server.call('GET', '/api/2.0/webcomponent/app', { token: tenant.accountToken })).status
    expect(await works()).toBe(200)
    await v1('DELETE', `/accounts/${tenant.accountId}`, undefined, tenant)
    await expect.poll(works).toBe(401)
  })
})

describe('services', () => {
  test('of a tenant are shown to the tenant', async () => {
    const made = await v1('POST', '/services', { type: 'our-own', name: 'Our own', auth_type: 'basic' })
    expect(made.status).toBe(201)
    expect(data(made)).toMatchObject({
      type: 'our-own',
      auth_type: 'basic',
      user_id: ours.userId,
      company_id: ours.companyId,
      mutable: true,
      capabilities: { actions: [] },
      settings: {},
    })
    const path = `/services/${data(made)['id']}`
    expect((await v1('GET', path, undefined, theirs)).status).toBe(403)
    expect((await v1('PUT', path, { name: 'x' }, theirs)).status).toBe(403)
    expect((await v1('DELETE', path, undefined, theirs)).status).toBe(403)
    expect(ids(await v1('GET', '/services?per_page=100', undefined, theirs))).not.toContain(data(made)['id'])
    expect(ids(await v1('GET', '/services?per_page=100', undefined, admin))).toContain(data(made)['id'])
    expect(data(await v1('PUT', path, { name: 'Ours', type: 'other' }))).toMatchObject({
      name: 'Ours',
      type: 'our-own',
    })
    const again = { type: 'our-own', name: 'x' }
    expect((await v1('POST', '/services', again)).json['errors']).toEqual({
      type: ['The type has already been taken.'],
    })
    expect((await v1('GET', '/services/our-own', undefined, theirs)).status).toBe(404)
    expect((await v1('POST', '/services', again, theirs)).status).toBe(201)
    expect((await v1('DELETE', path)).status).toBe(204)
    expect((await v1('GET', path)).status).toBe(404)
  })

  test('that come with us are changed by admins only', async () => {
    expect((await v1('PUT', '/services/sandbox', { name: 'x' })).status).toBe(403)
    expect((await v1('DELETE', '/services/sandbox')).status).toBe(403)
    expect((await v1('POST', '/services/sandbox/logo')).status).toBe(403)
    const changed = await v1('PUT', '/services/sandbox', { settings: { note: 1 } }, admin)
    expect(data(changed)).toMatchObject({ settings: { note: 1 } })
  })

  test('say what is wrong with a body', async () => {
    const answer = await v1('POST', '/services', { type: '123', auth_type: 'magic' })
    expect(answer.json['errors']).toEqual({
      type: ['The type field format is invalid.'],
      name: ['The name field is required.'],
      auth_type: ['The selected auth type is invalid.'],
    })
  })

  test('need the permissions of the specification', async () => {
    const reader = await makeTenant(server.context, { permissions: ['read-integration'] })
    const nobody = await makeTenant(server.context, { permissions: [] })
    expect((await v1('GET', '/services', undefined, nobody)).status).toBe(403)
    expect((await v1('GET', '/services/logos', undefined, nobody)).status).toBe(403)
    expect((await v1('GET', '/services/logos', undefined, reader)).status).toBe(200)
    expect((await v1('POST', '/services', {}, reader)).status).toBe(403)
    expect((await v1('PUT', '/services/1', {}, reader)).status).toBe(403)
    expect((await v1('DELETE', '/services/1', undefined, reader)).status).toBe(403)
  })
})
