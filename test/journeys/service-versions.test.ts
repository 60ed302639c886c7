import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { data, errors, type Merchant, makeMerchant, meta, rows } from '../integrations/support.ts'
import { type OwnShop, ownOrders, ownService, startOwnShop } from '../support/own-shop.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

/** Every publication of a description is kept, can be compared and taken up again; shops go by what is published. */

let server: TestServer
let merchant: Merchant
let shop: OwnShop
beforeAll(async () => {
  server = await startTestServer({ works: true, egressAllow: ['127.0.0.1'] })
  merchant = await makeMerchant(server)
  shop = await startOwnShop()
})
afterAll(async () => {
  await server.close()
  await shop.close()
})

const definition = ownService({ kind: 'none' })
const noted = { ...definition, orders: { ...ownOrders, fields: { ...ownOrders.fields, note: 'state' } } }

let types = 0
async function publish(first: object = definition) {
  const type = `versioned-${++types}`
  const service = data(await merchant.asUser('POST', '/api/1.0/services', { type, name: 'Own', definition: first }))
  const path = `/services/${service['id']}/versions`
  return {
    type,
    service,
    list: async () => rows(await merchant.asUser('GET', path)),
    get: (number: number) => merchant.asUser('GET', `${path}/${number}`),
    restore: (number: number, by = merchant) => by.asUser('POST', `${path}/${number}/restore`),
    change: (changes: object) => merchant.asUser('PUT', `/api/1.0/services/${service['id']}`, changes),
  }
}

test('a version is kept for each change that is published, with who and when', async () => {
  const { list, get, change } = await publish()
  expect(await list()).toEqual([
    {
      ...{ number: 1, present: true, restored_from: null },
      published_by: { id: merchant.userId, name: expect.any(String) },
      published_at: expect.stringMatching(/^20\d\d-/),
    },
  ])
  // Neither the same once more, nor another name, nor what is refused is a version.
  await change({ definition })
  await change({ name: 'Another name' })
  expect((await change({ definition: { ...definition, colour: 'blue' } })).status).toBe(422)
  expect(await list()).toHaveLength(1)
  await change({ definition: noted })
  expect((await list()).map(({ number, present }) => [number, present])).toEqual([
    [2, true],
    [1, false],
  ])
  expect(data(await get(1))).toMatchObject({
    definition,
    differences: [{ at: 'definition.orders.fields.note', before: null, after: 'state' }],
  })
  expect(data(await get(2))).toMatchObject({ definition: noted, differences: [] })
  expect((await get(3)).status).toBe(404)
})

test('a version is taken up again as a new one, once, and shops go by it at once', async () => {
  const { type, service, list, get, restore, change } = await publish()
  await merchant.asUser('POST', `/apps/${merchant.appId}/services`, { service_id: service['id'] })
  const { id } = data(
    await merchant.asApp('POST', `/${type}/install`, {
      ...{ name: type, shop: `${type}.example`, remote_id: merchant.remoteId, settings: { base_url: shop.url } },
    }),
  )
  const note = async () => {
    const body = { resource: 'get_order', remote_id: '101' }
    return data(await merchant.asApp('POST', `/integrations/${id}/action`, body))['note']
  }
  expect(await note()).toBeNull()
  await change({ definition: noted })
  expect(await note()).toBe('ready')
  expect(data(await restore(1))).toMatchObject({ number: 3, present: true, restored_from: 1, definition })
  expect(await note()).toBeNull()
  expect(data(await restore(1))).toMatchObject({ number: 1, definition })
  expect((await list()).map(({ number, present }) => [number, present])).toEqual([
    [3, true],
    [2, false],
    [1, false],
  ])
  // A trial of a draft changes nothing that counts.
  await merchant.asUser('POST', '/services/try', { definition: noted, settings: { base_url: shop.url } })
  expect(await note()).toBeNull()
  expect(data(await get(3))).toMatchObject({ differences: [] })
})

test('where keys go does not change by going back either', async () => {
  const { type, service, restore, change, list } = await publish({ ...definition, auth: { kind: 'bearer' } })
  await change({ definition })
  await merchant.asUser('POST', `/apps/${merchant.appId}/services`, { service_id: service['id'] })
  data(
    await merchant.asApp('POST', `/${type}/install`, {
      ...{ name: type, shop: `${type}.example`, remote_id: merchant.remoteId, settings: { base_url: shop.url } },
    }),
  )
  expect(Object.keys(errors(await restore(1)))).toEqual(['definition.auth'])
  expect(await list()).toHaveLength(2)
})

test('a description that is taken away can be brought back, and one from before there were versions is kept', async () => {
  const { service, restore, change, list } = await publish()
  await change({ definition: null })
  expect((await list()).map(({ present }) => present)).toEqual([false])
  expect(data(await restore(1))).toMatchObject({ number: 2, present: true, restored_from: 1 })
  await sql`update services set definition = ${JSON.stringify(noted)}::jsonb where id = ${service['id']}`.execute(
    server.context.db,
  )
  expect((await list()).map(({ present }) => present)).toEqual([false, false])
  await change({ definition })
  expect((await list()).map(({ number, published_by: by }) => [number, by === null])).toEqual([
    [4, false],
    [3, true],
    [2, false],
    [1, false],
  ])
})

test('the newest hundred are kept', async () => {
  const { service, change, list } = await publish()
  await sql`insert into service_versions (service_id, number, definition)
    select ${service['id']}, n, '{}' from generate_series(2, 120) n`.execute(server.context.db)
  await change({ definition: noted })
  const answer = await merchant.asUser('GET', `/services/${service['id']}/versions?per_page=1`)
  expect(meta(answer)).toMatchObject({ total: 100 })
  expect((await list())[0]).toMatchObject({ number: 122 })
})

test('others see nothing of it, and nobody restores without the right', async () => {
  const { service, restore } = await publish()
  const stranger = await makeMerchant(server)
  for (const path of ['', '/1']) {
    expect((await stranger.asUser('GET', `/services/${service['id']}/versions${path}`)).status).toBe(403)
  }
  expect((await restore(1, stranger)).status).toBe(403)
})
