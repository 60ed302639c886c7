import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { saveCredentials } from '../../src/domain/integrations/credentials-store.ts'
import { integrationStatuses } from '../../src/domain/integrations/integration.ts'
import { readIntegration } from '../../src/domain/integrations/integration-store.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { data, errors, freshShop, installed, type Merchant, makeMerchant, meta, rows } from './support.ts'

let server: TestServer
let merchant: Merchant
let other: Merchant
beforeAll(async () => {
  server = await startTestServer()
  merchant = await makeMerchant(server)
  other = await makeMerchant(server)
})
afterAll(() => server.close())

const created = async (of: Merchant, more: object = {}) =>
  data(await of.asApp('POST', '/integrations', { name: 'Made', shop: freshShop(), type: 'sandbox', ...more }))

/** Past all rules, as runs would have left it. */
const put = (id: unknown, changes: Record<string, unknown>) =>
  server.context.db.updateTable('integrations').set(changes).where('id', '=', Number(id)).execute()

describe('creating one', () => {
  test('through either version it waits for its installation, with its data anchored', async () => {
    const v2 = await merchant.asApp('POST', '/integrations', {
      name: 'Two',
      shop: 'two.example.com',
      type: 'sandbox',
      remote_id: merchant.remoteId,
      app_id: other.appId,
      status: 'ACTIVE',
      mutable: false,
    })
    expect(v2.status).toBe(201)
    expect(data(v2)).toMatchObject({
      status: 'PENDING',
      status_reason: 'awaiting_installation',
      app_id: merchant.appId,
      account_id: merchant.accountId,
      mutable: true,
      integrationKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
      gateway_key: expect.any(String),
      description: null,
      settings: {},
    })
    const v1 = await merchant.asUser('POST', '/api/1.0/integrations', {
      name: 'One',
      shop: 'one.example.com',
      service_id: data(v2)['service_id'],
      app_id: merchant.appId,
    })
    expect([v1.status, data(v1)['app_id']]).toEqual([201, merchant.appId])
    const anchors = await server.context.reader.query('select from integration_state where integration_id = any($1)', [
      [data(v1)['id'], data(v2)['id']],
    ])
    expect(anchors.rows).toHaveLength(2)
    expect((await merchant.asApp('GET', `/integrations/${data(v1)['id']}`)).text).not.toContain('gateway_key')
  })

  test('what is missing or wrong is named', async () => {
    expect(errors(await merchant.asApp('POST', '/integrations', {}))).toEqual({
      name: ['The name field is required.'],
      shop: ['The shop field is required.'],
      type: ['The type field is required when service id is not present.'],
      service_id: ['The service id field is required when type is not present.'],
    })
    const wrong = await merchant.asApp('POST', '/integrations', {
      name: 'x',
      shop: 'https://10.0.0.1/',
      type: 'sandbox',
    })
    expect(errors(wrong)).toEqual({ shop: [expect.stringMatching(/^The shop field must be an address/)] })
    const unknown = await merchant.asUser('POST', '/api/1.0/integrations', { name: 'x', shop: 'x.example', type: 'no' })
    expect(errors(unknown)).toEqual({ type: ['The selected type is invalid.'] })
  })

  test('a service of another tenant cannot be chosen', async () => {
    const type = `private-${randomUUID().slice(0, 8)}`
    const service = data(await other.asUser('POST', '/api/1.0/services', { name: 'Private', type }))
    const body = { name: 'x', shop: 'x.example.com' }
    const byType = await merchant.asApp('POST', '/integrations', { ...body, type })
    expect(errors(byType)).toEqual({ type: ['The selected type is invalid.'] })
    const byId = await merchant.asUser('POST', '/api/1.0/integrations', { ...body, service_id: service['id'] })
    expect(errors(byId)).toEqual({ service_id: ['The selected service id is invalid.'] })
  })
})

describe('GET lists', () => {
  let lister: Merchant
  beforeAll(async () => {
    lister = await makeMerchant(server)
    for (const name of ['b', 'a', 'c']) {
      const { id } = await created(lister, { name, ...(name === 'b' ? {} : { remote_id: lister.remoteId }) })
      if (name === 'c') await put(id, { status: 'ACTIVE' })
    }
  })
  const names = async (query: string) =>
    rows(await lister.asApp('GET', `/integrations${query}`)).map(({ name }) => name)

  test('filter, sort and count what the app has', async () => {
    expect(await names('')).toEqual(['b', 'a', 'c'])
    expect(await names('?sort=name')).toEqual(['a', 'b', 'c'])
    expect(await names('?sort=-created_at')).toEqual(['c', 'a', 'b'])
    expect(await names('?status=ACTIVE')).toEqual(['c'])
    expect(await names('?status=ACTIVE,PENDING&type=sandbox&active=true')).toEqual(['b', 'a', 'c'])
    expect(await names(`?account_id=${lister.accountId}`)).toEqual(['a', 'c'])
    expect(await names('?service_id=999999')).toEqual([])
    expect(meta(await lister.asApp('GET', '/integrations?per_page=2'))).toMatchObject({ total: 3, last_page: 2 })
    expect((await lister.asApp('GET', '/integrations?sort=shop')).status).toBe(400)
  })

  test('an account sees its own, a user those of the apps, nobody those of others', async () => {
    const ofAccount = await lister.asAccount('GET', '/integrations?sort=name')
    expect(rows(ofAccount).map(({ name }) => name)).toEqual(['a', 'c'])
    const ofUser = await lister.asUser('GET', '/api/1.0/integrations')
    expect([rows(ofUser).length, meta(ofUser)['total']]).toEqual([3, 3])
    const ofApp = await lister.asUser('GET', `/apps/${lister.appId}/integrations?status=PENDING`)
    expect(meta(ofApp)['total']).toBe(2)
    expect((await lister.asUser('GET', `/apps/${other.appId}/integrations`)).status).toBe(403)
  })

  test('related records come along only when asked for', async () => {
    const [plain] = rows(await lister.asApp('GET', '/integrations?per_page=1'))
    expect(plain).not.toHaveProperty('service')
    const [full] = rows(
      await lister.asApp('GET', '/integrations?per_page=1&include=service,schedules,logs,account,app'),
    )
    expect(full).toMatchObject({
      service: { type: 'sandbox' },
      schedules: [],
      logs: [{ event: 'integration.created' }],
      account: null,
      app: { id: lister.appId },
    })
    // What a service is set up with is no business of a browser.
    const [seen] = rows(await merchant.asAccount('GET', '/integrations?per_page=1&include=service,app'))
    for (const one of [full, seen]) {
      expect(one?.['service']).not.toHaveProperty('settings')
      expect(one?.['service']).not.toHaveProperty('mutable')
      expect(one?.['app']).not.toHaveProperty('settings')
    }
    const all = rows(await lister.asApp('GET', '/integrations?include=logs,account'))
    expect(all).toHaveLength(3)
    for (const { logs, account_id: accountId, account } of all) {
      expect(logs).toHaveLength(1)
      expect((account as { id: number } | null)?.id ?? null).toBe(accountId)
    }
    expect((await lister.asApp('GET', '/integrations?include=credentials')).status).toBe(400)
  })
})

describe('one of them', () => {
  test('is changed in part, and what the server owns stays', async () => {
    const { id } = await created(merchant, { description: 'old' })
    const changed = await merchant.asApp('PUT', `/integrations/${id}`, {
      name: 'New',
      settings: { orders: 4, extra: true },
      shop: 'other.example.com',
      status: 'ACTIVE',
      app_id: other.appId,
    })
    expect(changed.status).toBe(200)
    expect(data(changed)).toMatchObject({
      name: 'New',
      description: 'old',
      settings: { orders: 4, extra: true },
      status: 'PENDING',
      app_id: merchant.appId,
    })
    const wrong = await merchant.asApp('PUT', `/integrations/${id}`, { settings: { orders: -1 } })
    expect(errors(wrong)).toEqual({ 'settings.orders': ['The settings.orders field must be at least 0.'] })
  })

  test('is gone after it was deleted, with its keys', async () => {
    const { id } = await installed(merchant)
    expect((await merchant.asApp('DELETE', `/integrations/${id}`)).status).toBe(204)
    expect((await merchant.asApp('DELETE', `/integrations/${id}`)).status).toBe(404)
    expect((await merchant.asUser('GET', `/api/1.0/integrations/${id}`)).status).toBe(404)
    const { rows: kept } = await server.context.reader.query(
      'select from credentials where integration_id = $1 union all select from gateway_keys where integration_id = $1',
      [id],
    )
    expect(kept).toHaveLength(0)
  })

  test('that must not be changed is refused, not hidden', async () => {
    const { id } = await installed(merchant)
    await put(id, { mutable: false })
    expect((await merchant.asApp('PUT', `/integrations/${id}`, { name: 'x' })).status).toBe(403)
    expect((await merchant.asApp('DELETE', `/integrations/${id}`)).status).toBe(403)
    expect((await merchant.asUser('DELETE', `/api/1.0/integrations/${id}`)).status).toBe(403)
    expect((await merchant.asAccount('PUT', `/integrations/${id}`, { name: 'x' })).status).toBe(403)
    expect((await merchant.asApp('GET', `/integrations/${id}`)).status).toBe(200)
  })

  test('of somebody else is 403, one that is not there 404', async () => {
    const { id } = await installed(other)
    for (const [path, as] of [
      [`/integrations/${id}`, merchant.asApp],
      [`/api/1.0/integrations/${id}`, merchant.asUser],
      [`/integrations/${id}`, merchant.asAccount],
    ] as const) {
      expect((await as('GET', path)).status).toBe(403)
      expect((await as('PUT', path, { name: 'x' })).status).toBe(403)
      expect((await as('GET', path.replace(String(id), '999999999'))).status).toBe(404)
      expect((await as('GET', path.replace(String(id), 'abc'))).status).toBe(404)
    }
    const below = await merchant.asUser('GET', `/apps/${merchant.appId}/integrations/${id}`)
    expect(below.status).toBe(404)
  })
})

describe('PATCH /api/2.0/app/integrations/{integrationKey}/status', () => {
  const legal = [
    'PENDING ACTIVE',
    'PENDING UNINSTALLED',
    'ACTIVE INACTIVE',
    'ACTIVE UNINSTALLED',
    'INACTIVE ACTIVE',
    'INACTIVE UNINSTALLED',
    'ERROR ACTIVE',
    'ERROR INACTIVE',
    'ERROR UNINSTALLED',
    'UNINSTALLED PENDING',
  ]

  test('exactly the moves of the table are made', async () => {
    const { id, integrationKey } = await created(merchant)
    const { db, keys } = server.context
    const owner = await readIntegration(db, Number(id))
    for (const from of integrationStatuses) {
      for (const to of integrationStatuses) {
        await put(id, { status: from })
        // Without keys nothing becomes active.
        await saveCredentials(db, keys, owner, { credentials: { api_key: 'key' }, expiresAt: null })
        const answer = await merchant.asApp('PATCH', `/integrations/${integrationKey}/status`, { status: to })
        const allowed = from === to || legal.includes(`${from} ${to}`)
        expect([from, to, answer.status]).toEqual([from, to, allowed ? 200 : 422])
        if (allowed) expect(data(answer)['status']).toBe(to)
        else expect(errors(answer)).toEqual({ status: ['The selected status is invalid.'] })
      }
    }
  })

  test('the id names it too, an unknown status or key does not', async () => {
    const { id } = await installed(merchant)
    const moved = await merchant.asApp('PATCH', `/integrations/${id}/status`, { status: 'INACTIVE' })
    expect(data(moved)).toMatchObject({ status: 'INACTIVE', status_reason: 'paused' })
    for (const status of ['active', 'GONE', 5]) {
      expect((await merchant.asApp('PATCH', `/integrations/${id}/status`, { status })).status).toBe(422)
    }
    expect(errors(await merchant.asApp('PATCH', `/integrations/${id}/status`, {}))).toEqual({
      status: ['The status field is required.'],
    })
    expect((await merchant.asApp('PATCH', `/integrations/${randomUUID()}/status`, { status: 'ACTIVE' })).status).toBe(
      404,
    )
    expect((await merchant.asApp('PATCH', '/integrations/nothing/status', { status: 'ACTIVE' })).status).toBe(404)
    expect((await other.asApp('PATCH', `/integrations/${id}/status`, { status: 'ACTIVE' })).status).toBe(403)
  })
})
