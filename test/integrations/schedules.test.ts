import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/server.ts'
import { data, errors, installed, type Merchant, makeMerchant, meta, rows } from './support.ts'

let server: TestServer
let merchant: Merchant
let other: Merchant
let integration_id: unknown
let foreign: unknown
beforeAll(async () => {
  server = await startTestServer()
  merchant = await makeMerchant(server)
  other = await makeMerchant(server)
  integration_id = (await installed(merchant))['id']
  const theirs = (await installed(other))['id']
  foreign = data(await other.asUser('POST', '/api/1.0/schedules', { ...plan, integration_id: theirs }))['id']
})
afterAll(() => server.close())

const plan = { resource: 'sync_orders', cron: '0 3 * * *' }
const v1 = (method: string, path: string, body?: unknown) => merchant.asUser(method, `/api/1.0${path}`, body)
const make = async (more: object = {}) => data(await v1('POST', '/schedules', { ...plan, integration_id, ...more }))
const count = async () => meta(await v1('GET', '/schedules'))['total']

describe('schedules of version 1.0', () => {
  test('one is made with its next appointment', async () => {
    const made = await v1('POST', '/schedules', {
      ...plan,
      integration_id,
      name: 'Nightly',
      timezone: 'Europe/Berlin',
      payload: { mode: 'full' },
      next_run_at: '2000-01-01T00:00:00Z',
    })
    expect(made.status).toBe(201)
    expect(data(made)).toMatchObject({
      integration_id,
      name: 'Nightly',
      timezone: 'Europe/Berlin',
      payload: { mode: 'full' },
      active: true,
      last_run_at: null,
      next_run_at: expect.stringMatching(/T0[12]:00:00\.000000Z$/),
    })
  })

  test('what is missing or wrong is named', async () => {
    expect(errors(await v1('POST', '/schedules', {}))).toEqual({
      integration_id: ['The integration id field is required.'],
      resource: ['The resource field is required.'],
      cron: ['The cron field is required.'],
    })
    expect(
      errors(await v1('POST', '/schedules', { integration_id, resource: 'nothing', cron: '* * * * * *' })),
    ).toEqual({ resource: ['The selected resource is invalid.'], cron: ['The cron field format is invalid.'] })
    expect(errors(await v1('POST', '/schedules', { ...plan, integration_id, timezone: 'Mars/Olympus' }))).toEqual({
      timezone: ['The timezone field must be a valid timezone.'],
    })
    expect(errors(await v1('POST', '/schedules', { ...plan, integration_id: 999_999 }))).toEqual({
      integration_id: ['The selected integration id is invalid.'],
    })
  })

  test('one is changed in part, rests, and is deleted once', async () => {
    const { id, next_run_at } = await make({ name: 'Before' })
    expect(data(await v1('PUT', `/schedules/${id}`, { name: 'After' }))).toMatchObject({ name: 'After', next_run_at })
    expect(data(await v1('PUT', `/schedules/${id}`, { active: false }))).toMatchObject({ next_run_at: null })
    expect(errors(await v1('PUT', `/schedules/${id}`, { cron: 'x' }))).toEqual({
      cron: ['The cron field format is invalid.'],
    })
    expect((await v1('DELETE', `/schedules/${id}`)).status).toBe(204)
    expect((await v1('DELETE', `/schedules/${id}`)).status).toBe(404)
    expect((await v1('GET', `/schedules/${id}`)).status).toBe(404)
  })

  test('one of somebody else is refused and not listed', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await v1(method, `/schedules/${foreign}`, method === 'PUT' ? {} : undefined)).status).toBe(403)
    }
    const listed = rows(await v1('GET', '/schedules?per_page=100'))
    expect(listed.some(({ id }) => id === foreign)).toBe(false)
    expect(rows(await v1('GET', '/schedules?resource=get_orders'))).toEqual([])
  })

  test('those of a deleted integration are gone', async () => {
    const { id: gone } = await installed(merchant)
    const { id } = await make({ integration_id: gone })
    await merchant.asApp('DELETE', `/integrations/${gone}`)
    expect((await v1('GET', `/schedules/${id}`)).status).toBe(404)
  })
})

describe('/api/1.0/schedules-bulk', () => {
  const hundred = (more: (n: number) => object = () => ({})) =>
    Array.from({ length: 100 }, (_, n) => ({ ...plan, integration_id, ...more(n) }))

  test('a hundred are made, changed and deleted in one go each', async () => {
    const before = Number(await count())
    const made = await v1('POST', '/schedules-bulk', { schedules: hundred((n) => ({ name: `n${n}` })) })
    expect(made.status).toBe(201)
    expect(rows(made).map(({ name }) => name)).toEqual(Array.from({ length: 100 }, (_, n) => `n${n}`))
    const ids = rows(made).map(({ id }) => id)
    const changed = await v1('PUT', '/schedules-bulk', { schedules: ids.map((id) => ({ id, active: false })) })
    expect(changed.status).toBe(200)
    expect(rows(changed).every(({ active, next_run_at }) => active === false && next_run_at === null)).toBe(true)
    expect((await v1('DELETE', '/schedules-bulk', { ids })).status).toBe(204)
    expect(await count()).toBe(before)
  })

  test('more than a hundred, or none, are refused', async () => {
    const schedules = [...hundred(), { ...plan, integration_id }]
    expect(errors(await v1('POST', '/schedules-bulk', { schedules }))).toEqual({
      schedules: ['The schedules field must not have more than 100 items.'],
    })
    expect(errors(await v1('POST', '/schedules-bulk', { schedules: [] }))).toEqual({
      schedules: ['The schedules field is required.'],
    })
    expect(errors(await v1('DELETE', '/schedules-bulk'))).toEqual({ ids: ['The ids field is required.'] })
  })

  test('one that cannot be made stops all', async () => {
    const before = await count()
    const wrong = await v1('POST', '/schedules-bulk', {
      schedules: hundred((n) => (n === 42 ? { cron: 'never' } : n === 57 ? { resource: 'nothing' } : {})),
    })
    expect(errors(wrong)).toEqual({
      'schedules.42.cron': ['The schedules.42.cron field format is invalid.'],
      'schedules.57.resource': ['The selected schedules.57.resource is invalid.'],
    })
    const theirs = (await installed(other))['id']
    const stolen = await v1('POST', '/schedules-bulk', {
      schedules: hundred((n) => (n === 99 ? { integration_id: theirs } : {})),
    })
    expect(errors(stolen)).toEqual({
      'schedules.99.integration_id': ['The selected schedules.99.integration_id is invalid.'],
    })
    expect(await count()).toBe(before)
  })

  test('one foreign among a hundred: nothing is changed and nothing deleted', async () => {
    const ids = rows(await v1('POST', '/schedules-bulk', { schedules: hundred().slice(0, 99) })).map(({ id }) => id)
    const all = [...ids.slice(0, 50), foreign, ...ids.slice(50)]
    const changed = await v1('PUT', '/schedules-bulk', { schedules: all.map((id) => ({ id, name: 'taken' })) })
    expect(errors(changed)).toEqual({ 'schedules.50.id': ['The selected schedules.50.id is invalid.'] })
    const deleted = await v1('DELETE', '/schedules-bulk', { ids: all })
    expect(errors(deleted)).toEqual({ 'ids.50': ['The selected ids.50 is invalid.'] })
    const { rows: kept } = await server.context.reader.query(
      'select count(*) as n from schedules where id = any($1) and deleted_at is null and name is null',
      [all],
    )
    expect(kept).toEqual([{ n: 100 }])
  })

  test('the same one twice is refused', async () => {
    const { id } = await make()
    const changed = await v1('PUT', '/schedules-bulk', { schedules: [{ id }, { id }] })
    expect(Object.keys(errors(changed))).toEqual(['schedules.0.id', 'schedules.1.id'])
    expect(Object.keys(errors(await v1('DELETE', '/schedules-bulk', { ids: [id, id] })))).toEqual(['ids.0', 'ids.1'])
  })

  test('ids to delete may stand in the query', async () => {
    const [a, b, c] = [await make(), await make(), await make()].map(({ id }) => id)
    expect((await v1('DELETE', `/schedules-bulk?ids[]=${a}&ids[]=${b}`)).status).toBe(204)
    expect((await v1('DELETE', `/schedules-bulk?ids=${c}`)).status).toBe(204)
    expect((await v1('GET', `/schedules/${a}`)).status).toBe(404)
    expect((await v1('DELETE', `/schedules-bulk?ids=${c}`)).status).toBe(422)
  })
})

describe('schedules of a component', () => {
  test('are made, changed and deleted below their integration', async () => {
    const path = `/integrations/${integration_id}/schedule`
    const made = await merchant.asAccount('POST', path, plan)
    expect(made.status).toBe(201)
    const { id } = data(made)
    expect(data(await merchant.asAccount('PUT', `${path}/${id}`, { cron: '*/5 * * * *' }))['cron']).toBe('*/5 * * * *')
    expect((await merchant.asAccount('PUT', `${path}/${foreign}`, {})).status).toBe(404)
    expect((await merchant.asAccount('DELETE', `${path}/${foreign}`)).status).toBe(404)
    expect(errors(await merchant.asAccount('POST', path, { resource: 'x', cron: 'y' }))).toEqual({
      resource: ['The selected resource is invalid.'],
      cron: ['The cron field format is invalid.'],
    })
    expect((await merchant.asAccount('DELETE', `${path}/${id}`)).status).toBe(204)
    expect((await merchant.asAccount('DELETE', `${path}/${id}`)).status).toBe(404)
    expect((await other.asAccount('POST', path, plan)).status).toBe(403)
  })
})
