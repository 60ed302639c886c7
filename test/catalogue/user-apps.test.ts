import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'

let server: TestServer
let ours: TestTenant
let theirs: TestTenant

beforeAll(async () => {
  server = await startTestServer()
  ours = await makeTenant(server.context)
  theirs = await makeTenant(server.context)
})
afterAll(() => server.close())

const user = async (method: string, path: string, body?: unknown, tenant = ours) =>
  await server.call(method, `/api/2.0/user${path}`, { token: tenant.userToken, body })
const data = (answer: { json: Record<string, unknown> }) => answer.json['data'] as Record<string, unknown>
const sandbox = async () => {
  const service = await server.call('GET', '/api/1.0/services/sandbox', { token: ours.userToken })
  return Number(data(service)['id'])
}

describe('/api/2.0/user/apps', () => {
  test('are made, read, changed and removed', async () => {
    const made = await user('POST', '/apps', { name: ' Orders ', url: 'https://orders.example', mutable: false, id: 1 })
    expect(made.status).toBe(201)
    expect(data(made)).toMatchObject({
      name: 'Orders',
      description: null,
      url: 'https://orders.example',
      logo: null,
      active: true,
      mutable: true,
      user_id: ours.userId,
      company_id: ours.companyId,
      return_urls: [],
    })
    const path = `/apps/${data(made)['id']}`
    expect(data(await user('PUT', path, { description: 'x' }))).toMatchObject({ name: 'Orders', description: 'x' })
    expect(data(await user('GET', path))).toMatchObject({ description: 'x' })
    expect((await user('DELETE', path)).status).toBe(204)
    expect((await user('GET', path)).status).toBe(404)
    expect((await user('DELETE', path)).status).toBe(404)
  })

  test('say what is wrong with a body', async () => {
    const answer = await user('POST', '/apps', { url: 'nowhere', active: 'perhaps', return_urls: ['x'] })
    expect(answer.status).toBe(422)
    expect(answer.json).toEqual({
      message: 'The name field is required. (and 3 more errors)',
      errors: {
        name: ['The name field is required.'],
        url: ['The url field must be a valid URL.'],
        active: ['The active field must be true or false.'],
        'return_urls.0': ['The return_urls.0 field must be a valid URL.'],
      },
    })
  })

  test('of others are refused, unknown ones not found', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await user(method, `/apps/${theirs.appId}`, method === 'PUT' ? {} : undefined)).status).toBe(403)
      expect((await user(method, '/apps/999999')).status).toBe(404)
      expect((await user(method, '/apps/abc')).status).toBe(404)
    }
  })

  test('are listed with filter, sort and related records', async () => {
    await user('POST', '/apps', { name: 'Zebra', active: false })
    const list = await user('GET', '/apps?active=false&sort=-name&include=services,integrations')
    expect(list.status).toBe(200)
    expect(list.json['data']).toMatchObject([{ name: 'Zebra', services: [], integrations: [] }])
    const unknown = await user('GET', '/apps?include=secrets')
    expect(unknown.status).toBe(400)
    const foreign = await user('GET', '/apps?per_page=100')
    const ids = (foreign.json['data'] as { id: number }[]).map((app) => app.id)
    expect(ids).not.toContain(theirs.appId)
  })

  test('that are switched off, or removed, have no valid tokens any more', async () => {
    const tenant = await makeTenant(server.context)
    const works = async () => [
      (await server.call('GET', '/api/2.0/app/accounts', { token: tenant.appToken })).status,
      (await server.call('GET', '/api/2.0/webcomponent/app', { token: tenant.accountToken })).status,
    ]
    const path = `/apps/${tenant.appId}`
    expect(await works()).toEqual([200, 200])
    await user('PUT', path, { active: false }, tenant)
    await expect.poll(works).toEqual([401, 401])
    await user('PUT', path, { active: true }, tenant)
    await expect.poll(works).toEqual([200, 200])
    await user('DELETE', path, undefined, tenant)
    await expect.poll(works).toEqual([401, 401])
  })
})

test('what goes with an app: its integrations', async () => {
  const tenant = await makeTenant(server.context)
  const asApp = async (method: string, path: string, body?: unknown) =>
    await server.call(method, `/api/2.0/app${path}`, { token: tenant.appToken, body })
  await user('POST', `/apps/${tenant.appId}/services`, { service_id: await sandbox() }, tenant)
  const install = await asApp('POST', '/sandbox/install', {
    shop: 'a.example',
    name: 'A',
    account_id: tenant.accountId,
  })
  const id = Number(data(install)['id'])
  await server.call('DELETE', `/api/1.0/accounts/${tenant.accountId}`, { token: tenant.userToken })
  expect(data(await asApp('GET', `/integrations/${id}`))).toMatchObject({ status: 'UNINSTALLED' })
  await user('DELETE', `/apps/${tenant.appId}`, undefined, tenant)
  const rows = await server.context.db
    .selectFrom('integrations')
    .select(['status', 'deleted_at'])
    .where('id', '=', id)
    .execute()
  expect(rows).toEqual([{ status: 'UNINSTALLED', deleted_at: expect.any(String) }])
})

describe('/api/2.0/user/apps/{appId}/services', () => {
  test('are attached, changed, detached', async () => {
    const service_id = await sandbox()
    const base = `/apps/${ours.appId}/services`
    expect((await user('POST', base, {})).json['errors']).toEqual({ service_id: ['The service id field is required.'] })
    const made = await user('POST', base, { service_id, settings: { a: 1 } })
    expect(made.status).toBe(201)
    expect(data(made)).toMatchObject({
      id: service_id,
      type: 'sandbox',
      app_id: ours.appId,
      active: true,
      settings: { a: 1 },
      capabilities: { actions: expect.arrayContaining(['get_orders', 'sync_orders']) },
      settings_schema: { type: 'object' },
    })
    const again = await user('POST', base, { service_id })
    expect(again.json['errors']).toEqual({ service_id: ['The service id has already been taken.'] })
    expect(data(await user('PUT', `${base}/${service_id}`, { active: false }))).toMatchObject({
      active: false,
      settings: { a: 1 },
    })
    expect((await user('GET', `${base}?active=false`)).json['meta']).toMatchObject({ total: 1 })
    expect((await user('DELETE', `${base}/${service_id}`)).status).toBe(204)
    expect((await user('DELETE', `${base}/${service_id}`)).status).toBe(404)
    expect((await user('GET', base, undefined, theirs)).status).toBe(403)
  })

  test('are synchronised as an exact set', async () => {
    const service_id = await sandbox()
    const path = `/apps/${ours.appId}/services-sync`
    const sync = async (services: unknown) => await user('PUT', path, { services })
    const first = await sync([service_id])
    expect(first.status).toBe(200)
    expect(first.json).toEqual({ data: [expect.objectContaining({ id: service_id, active: true })] })
    expect((await sync([{ id: service_id, active: false, settings: { b: 2 } }])).json['data']).toMatchObject([
      { id: service_id, active: false, settings: { b: 2 } },
    ])
    expect((await sync([String(service_id)])).json['data']).toMatchObject([{ active: false, settings: { b: 2 } }])
    expect((await sync([])).json).toEqual({ data: [] })
    expect((await sync([999_999])).json['errors']).toEqual({ 'services.0': ['The selected services.0 is invalid.'] })
    expect((await sync([{ active: true }])).json['errors']).toEqual({
      'services.0.id': ['The services.0.id field is required.'],
    })
    expect((await user('PUT', path, {})).json['errors']).toEqual({ services: ['The services field is required.'] })
    expect((await sync('all')).status).toBe(422)
  })

  test('a client is taken only where the platform knows one', async () => {
    const service_id = await sandbox()
    const answer = await user('POST', `/apps/${ours.appId}/services`, { service_id, client: { client_id: 'x' } })
    expect(answer.json['errors']).toEqual({ client: ['The client field is prohibited.'] })
  })
})

describe('/api/2.0/user/apps/{appId}/flows', () => {
  const flow = { name: 'On demand', type: 'manual', steps: [{ action: 'sync_orders' }] }

  test('are made, read, changed and removed', async () => {
    const base = `/apps/${ours.appId}/flows`
    const made = await user('POST', base, flow)
    expect(made.status).toBe(201)
    expect(data(made)).toMatchObject({
      app_id: ours.appId,
      service_id: null,
      type: 'manual',
      trigger: {},
      steps: [{ action: 'sync_orders', parameters: {} }],
      active: true,
    })
    const path = `${base}/${data(made)['id']}`
    expect(data(await user('PUT', path, { active: false }))).toMatchObject({ name: 'On demand', active: false })
    expect((await user('GET', base)).json['meta']).toMatchObject({ total: 1 })
    expect((await user('GET', path, undefined, theirs)).status).toBe(403)
    expect((await user('GET', `/apps/${theirs.appId}/flows/${data(made)['id']}`, undefined, theirs)).status).toBe(404)
    expect((await user('DELETE', path)).status).toBe(204)
    expect((await user('GET', path)).status).toBe(404)
  })

  test('say what is wrong with a body', async () => {
    const answer = await user('POST', `/apps/${ours.appId}/flows`, { type: 'sometimes', steps: [] })
    expect(answer.json['errors']).toEqual({
      name: ['The name field is required.'],
      type: ['The selected type is invalid.'],
      steps: ['The steps field is required.'],
    })
  })
})
