import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertView } from '../../src/domain/saved-views/saved-view-store.ts'
import { holdRow } from '../../src/runtime/db/rows/hold-row.ts'
import { data, errors, type Merchant, makeMerchant, rows } from '../integrations/support.ts'
import { logIn, makeUser } from '../support/identity.ts'
import { justBefore, waitingForLocks } from '../support/just-before.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

/** Views of lists: a person's own, wherever the person signs in. */

let server: TestServer
let merchant: Merchant
let views: string

beforeAll(async () => {
  server = await startTestServer()
  merchant = await makeMerchant(server)
  views = `/apps/${merchant.appId}/views`
})
afterAll(() => server.close())

const packed = { list: 'orders', name: 'To be packed', filters: [{ name: 'status', value: 'PENDING' }] }

test('a view is kept, changed and deleted', async () => {
  const made = data(await merchant.asUser('POST', views, { ...packed, columns: ['Number', 'Total'] }))
  expect(made).toMatchObject({ ...packed, columns: ['Number', 'Total'] })
  const path = `${views}/${made['id']}`
  const changed = data(await merchant.asUser('PUT', path, { name: 'Today', columns: null }))
  expect(changed).toMatchObject({ ...packed, name: 'Today', columns: null })
  expect(rows(await merchant.asUser('GET', `${views}?filter[list]=orders`))).toEqual([changed])
  expect(rows(await merchant.asUser('GET', `${views}?filter[list]=runs`))).toEqual([])
  expect((await merchant.asUser('DELETE', path)).status).toBe(204)
  expect(rows(await merchant.asUser('GET', views))).toEqual([])
})

test('a view may be of columns alone, and lose its filters', async () => {
  const made = data(
    await merchant.asUser('POST', views, { list: 'runs', name: 'Short', columns: ['Status'], filters: [] }),
  )
  expect(made).toMatchObject({ filters: [], columns: ['Status'] })
  const path = `${views}/${made['id']}`
  await merchant.asUser('PUT', path, { filters: packed.filters })
  expect(data(await merchant.asUser('PUT', path, { filters: [] }))).toMatchObject({ filters: [], columns: ['Status'] })
  expect((await merchant.asUser('DELETE', path)).status).toBe(204)
})

test('a name stands for one view of a list', async () => {
  data(await merchant.asUser('POST', views, packed))
  expect(errors(await merchant.asUser('POST', views, packed))).toEqual({ name: ['The name has already been taken.'] })
  const other = data(await merchant.asUser('POST', views, { ...packed, name: 'Other' }))
  const again = await merchant.asUser('PUT', `${views}/${other['id']}`, { name: packed.name })
  expect(errors(again)).toEqual({ name: ['The name has already been taken.'] })
  expect((await merchant.asUser('POST', views, { ...packed, list: 'runs' })).status).toBe(201)
})

test.each([
  ['a list that is none', { list: 'nothing' }],
  ['a filter that is no name', { filters: [{ name: 'x y', value: '1' }] }],
  ['too many filters', { filters: Array.from({ length: 21 }, () => packed.filters[0]) }],
  ['a column twice', { columns: ['Total', 'Total'] }],
  ['no name', { name: ' ' }],
])('%s is refused', async (_, wrong) => {
  expect((await merchant.asUser('POST', views, { ...packed, name: 'Wrong', ...wrong })).status).toBe(422)
})

describe('two changes at the same moment', () => {
  /** Both have been let in when the first of them may begin. */
  const together = async (...calls: (() => ReturnType<Merchant['asUser']>)[]) => {
    const { context } = server
    const { asked } = await context.transaction(async (trx) => {
      await holdRow(trx, 'users', merchant.userId)
      const asked = Promise.all(calls.map((call) => call()))
      await until(async () => (await waitingForLocks(context)) === calls.length)
      return { asked }
    })
    return await asked
  }

  test('undo nothing of each other', async () => {
    const path = `${views}/${data(await merchant.asUser('POST', views, { ...packed, name: 'Both' }))['id']}`
    const changes = [{ name: 'Renamed' }, { columns: ['Total'] }, { filters: [] }]
    const answers = await together(...changes.map((change) => () => merchant.asUser('PUT', path, change)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(rows(await merchant.asUser('GET', `${views}?filter[list]=orders`))).toContainEqual(
      expect.objectContaining({ name: 'Renamed', columns: ['Total'], filters: [] }),
    )
  })

  test('do not both get a name, be one of them new', async () => {
    const path = `${views}/${data(await merchant.asUser('POST', views, { ...packed, name: 'Second' }))['id']}`
    const viewer = { userId: merchant.userId, appId: merchant.appId }
    const [made, renamed] = await justBefore(
      server.context,
      (held) => held.transaction((trx) => insertView(trx, viewer, { ...packed, name: 'Wanted', columns: null })),
      () => merchant.asUser('PUT', path, { name: 'Wanted' }),
    )
    expect(made).toMatchObject({ status: 'fulfilled', value: { name: 'Wanted' } })
    expect(renamed.status === 'fulfilled' && errors(renamed.value)).toEqual({
      name: ['The name has already been taken.'],
    })
  })
})

test('a colleague neither sees nor changes it, and it goes with its owner', async () => {
  const { id: userId, email } = await makeUser(server.context, {
    company_id: merchant.companyId,
    permissions: ['read-integration'],
  })
  const { access_token: token } = await logIn(server.context, merchant.passwordClient, { email })
  const url = `/api/2.0/user${views}`
  const own = data(await server.call('POST', url, { token, body: { ...packed, name: 'Mine' } }))
  expect((await merchant.asUser('PUT', `${views}/${own['id']}`, { name: 'Yours' })).status).toBe(403)
  expect((await merchant.asUser('DELETE', `${views}/${own['id']}`)).status).toBe(403)
  expect(rows(await merchant.asUser('GET', views)).map(({ name }) => name)).not.toContain('Mine')
  expect((await merchant.asUser('DELETE', `/api/1.0/users/${userId}`)).status).toBe(204)
  const { rows: left } = await server.context.reader.query('select from saved_views where user_id = $1', [userId])
  expect(left).toEqual([])
})
