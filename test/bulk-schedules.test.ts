import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defaultQuotas } from '../src/domain/quota-store.ts'
import { changedRows, type Snapshot, snapshot } from './support/rows.ts'
import { startTestServer, type TestAnswer, type TestServer } from './support/server.ts'
import { makeWorld, type World } from './support/world.ts'

/** A hundred schedules at once: all of them or none. */

let server: TestServer
let own: World
let foreign: World
let ids: number[]
let before: Snapshot

beforeAll(async () => {
  server = await startTestServer({ quotas: { ...defaultQuotas, schedules: 10_000 } })
  foreign = await makeWorld(server)
  own = await makeWorld(server)
})
afterAll(() => server.close())

beforeEach(async () => {
  const made = await bulk('POST', { schedules: hundred(() => newSchedule()) })
  ids = (made.json['data'] as { id: number }[]).map(({ id }) => id)
  expect(ids).toHaveLength(100)
  before = await schedules()
})

const path = '/api/1.0/schedules-bulk'
const bulk = (method: string, body: unknown) => server.call(method, path, { token: own.tenant.userToken, body })
const hundred = <T>(make: (index: number) => T): T[] => Array.from({ length: 100 }, (_, index) => make(index))
const newSchedule = (more: object = {}) => ({
  integration_id: own.ids.integration,
  resource: 'sync_orders',
  cron: '0 * * * *',
  ...more,
})

const schedules = async (): Promise<Snapshot> => {
  const rows = (await snapshot(server.context.db)).get('schedules') ?? []
  return new Map([['schedules', rows]])
}

async function expectNothingApplied(answer: TestAnswer, field: string) {
  expect([answer.status, Object.keys(answer.json['errors'] as object)]).toEqual([422, [field]])
  const after = await schedules()
  expect(changedRows(before, after)).toEqual([])
  expect(after.get('schedules')?.length).toBe(before.get('schedules')?.length)
}

describe.each([0, 57, 99])('one of somebody else among a hundred, in place %i', (place) => {
  test('none is created', async () => {
    const body = { schedules: hundred((index) => newSchedule(index === place ? foreignIntegration() : {})) }
    await expectNothingApplied(await bulk('POST', body), `schedules.${place}.integration_id`)
  })

  test('none is updated', async () => {
    const body = { schedules: withForeign(place).map((id) => ({ id, name: 'changed', active: false })) }
    await expectNothingApplied(await bulk('PUT', body), `schedules.${place}.id`)
  })

  test('none is deleted', async () => {
    await expectNothingApplied(await bulk('DELETE', { ids: withForeign(place) }), `ids.${place}`)
  })

  test('none is deleted by query', async () => {
    const query = withForeign(place).join(',')
    const answer = await server.call('DELETE', `${path}?ids=${query}`, { token: own.tenant.userToken })
    await expectNothingApplied(answer, `ids.${place}`)
  })
})

const foreignIntegration = () => ({ integration_id: foreign.ids.integration })
const withForeign = (place: number) => ids.map((id, index) => (index === place ? foreign.ids.schedule : id))

describe('one that cannot be among a hundred', () => {
  test.each([
    ['with a time that never comes', { cron: '0 0 31 2 *' }, 'schedules.42.cron'],
    ['with an unknown action', { resource: 'nothing' }, 'schedules.42.resource'],
    ['in a time zone that is none', { timezone: 'Mars/Olympus' }, 'schedules.42.timezone'],
  ])('%s: none is created or updated', async (_, wrong, field) => {
    const created = hundred((index) => newSchedule(index === 42 ? wrong : {}))
    await expectNothingApplied(await bulk('POST', { schedules: created }), field)
    const updated = ids.map((id, index) => ({ id, name: 'changed', ...(index === 42 ? wrong : {}) }))
    await expectNothingApplied(await bulk('PUT', { schedules: updated }), field)
  })

  test('that is not there any longer: none is updated or deleted', async () => {
    const gone = ids[42] ?? 0
    await server.call('DELETE', `/api/1.0/schedules/${gone}`, { token: own.tenant.userToken })
    before = await schedules()
    const updated = ids.map((id) => ({ id, name: 'changed' }))
    await expectNothingApplied(await bulk('PUT', { schedules: updated }), 'schedules.42.id')
    await expectNothingApplied(await bulk('DELETE', { ids }), 'ids.42')
  })

  test('that stands twice: none is updated or deleted', async () => {
    const twice = ids.map((id, index) => (index === 42 ? (ids[41] ?? 0) : id))
    for (const answer of [
      await bulk('PUT', { schedules: twice.map((id) => ({ id, name: 'changed' })) }),
      await bulk('DELETE', { ids: twice }),
    ]) {
      expect(answer.status).toBe(422)
      expect(changedRows(before, await schedules())).toEqual([])
    }
  })
})

describe('a hundred of one’s own', () => {
  test('are updated together, then deleted together', async () => {
    const updated = await bulk('PUT', { schedules: ids.map((id) => ({ id, name: 'changed' })) })
    expect((updated.json['data'] as { name: string }[]).filter(({ name }) => name === 'changed')).toHaveLength(100)
    expect((await bulk('DELETE', { ids })).status).toBe(204)
    const left = await server.call('GET', `/api/1.0/schedules/${ids[7]}`, { token: own.tenant.userToken })
    expect(left.status).toBe(404)
  })

  test('are the most: one more is refused', async () => {
    const answer = await bulk('POST', { schedules: [...hundred(() => newSchedule()), newSchedule()] })
    await expectNothingApplied(answer, 'schedules')
  })
})
