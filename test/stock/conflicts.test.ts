import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Integration } from '../../src/domain/integrations/integration.ts'
import { upsertSyncedLevels } from '../../src/domain/levels/inventory-store.ts'
import { data, errors, type Merchant, makeMerchant, meta, rows } from '../integrations/support.ts'
import { makeIntegration } from '../support/gateway.ts'
import { askToken, makeClient } from '../support/identity.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

/** What could not be linked: listed over the API page by page, for those who may see it, until somebody has decided. */
let server: TestServer
let merchant: Merchant
let stranger: Merchant
let shop: Integration
const path = () => `/accounts/${encodeURIComponent(merchant.remoteId)}/stock`
const list = async (query = '') => await merchant.asApp('GET', `${path()}/conflicts${query}`)

beforeAll(async () => {
  server = await startTestServer()
  ;[merchant, stranger] = [await makeMerchant(server), await makeMerchant(server)]
  const { appId, accountId } = merchant
  shop = (await makeIntegration(server.context, { appId, accountId })).integration
  const level = (sku: string, id: string, location = '') => ({
    ...{ sku, remote_id: id, location, quantity: 3, remote_version: null },
  })
  const twice = Array.from({ length: 30 }, (_, n) => [level(`TWIN-${n}`, `a${n}`), level(`TWIN-${n}`, `b${n}`)])
  await server.context.transaction((trx) =>
    upsertSyncedLevels(trx, shop.id, [
      ...twice.flat(),
      ...[level('LAMP', 'lamp', 'north'), level('LAMP', 'lamp', 'south'), level('CUP', 'cup')],
    ]),
  )
  data(await merchant.asApp('PUT', path(), {}))
  data(await merchant.asApp('PUT', `${path()}/shops/${shop.id}`, {}))
  const skus = [...Array.from({ length: 30 }, (_, n) => `TWIN-${n}`), 'LAMP', 'CUP']
  data(await merchant.asApp('POST', `${path()}/articles/import`, { csv: ['sku', ...skus].join('\n') }))
})
afterAll(() => server.close())

const articleOf = async (sku: string) =>
  Number(rows(await merchant.asApp('GET', `${path()}/articles?filter[sku]=${sku}`))[0]?.['id'])

describe('the list', () => {
  test('says what is in doubt, where, and between which variants and articles', async () => {
    const [lamp] = rows(await list('?filter[reason]=several_locations'))
    expect(lamp).toEqual({
      ...{ reason: 'several_locations', integration_id: shop.id, sku: 'LAMP', barcode: null },
      ...{ variant_remote_ids: ['lamp'], article_ids: [await articleOf('LAMP')], locations: ['north', 'south'] },
      message: 'The shop stocks it at several locations: the rule of the shop has to name one.',
    })
    const found = rows(await list('?filter[reason]=same_sku_twice&per_page=1'))
    expect(found).toMatchObject([{ sku: 'TWIN-0', variant_remote_ids: ['a0', 'b0'], locations: [] }])
  })

  test('comes page by page, each once', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`?per_page=10&page=${page}`)))
    expect(pages.map((page) => rows(page).length)).toEqual([10, 10, 10, 1])
    expect(meta(pages[0] ?? (await list()))).toMatchObject({ total: 31, last_page: 4 })
    expect(new Set(pages.flatMap(rows).map(({ sku }) => sku)).size).toBe(31)
  })

  test('is of one shop, where one is named, and of none that is not in the pool', async () => {
    expect(meta(await list(`?filter[integration_id]=${shop.id}`))).toMatchObject({ total: 31 })
    expect(meta(await list(`?filter[integration_id]=${shop.id + 1000}`))).toMatchObject({ total: 0 })
    expect((await list('?filter[sku]=LAMP')).status).toBe(400)
  })

  test('changes nothing', async () => {
    expect((await merchant.asApp('GET', `${path()}/articles/${await articleOf('CUP')}`)).json).toMatchObject({
      data: { links: [] },
    })
  })
})

describe('who may see it', () => {
  test('nobody of another app or merchant', async () => {
    expect((await stranger.asApp('GET', `${path()}/conflicts`)).status).toBe(404)
    expect((await stranger.asAccount('GET', '/stock/conflicts')).status).toBe(404)
    expect(meta(await merchant.asAccount('GET', '/stock/conflicts'))).toMatchObject({ total: 31 })
  })

  test('nobody without the scope, nor without a token', async () => {
    const client = await makeClient(server.context, { app_id: merchant.appId, scopes: ['app:integration-action'] })
    const { access_token: token } = await askToken(server.context, { grant_type: 'client_credentials', ...client })
    expect((await server.call('GET', `/api/2.0/app${path()}/conflicts`, { token })).status).toBe(403)
    expect((await server.call('GET', `/api/2.0/app${path()}/conflicts`)).status).toBe(401)
  })
})

describe('a conflict goes away', () => {
  const skusLeft = async () => rows(await list('?per_page=100')).map(({ sku }) => sku)
  const link = async (sku: string, body: Record<string, unknown>) =>
    await merchant.asApp('POST', `${path()}/articles/${await articleOf(sku)}/links`, {
      ...{ integration_id: shop.id, sku, ...body },
    })

  test('once it is linked by hand; the other variant of the same SKU is then not meant', async () => {
    expect(errors(await link('TWIN-0', {}))).toHaveProperty('variant_remote_id')
    data(await link('TWIN-0', { variant_remote_id: 'b0' }))
    expect(await skusLeft()).not.toContain('TWIN-0')
    expect(await skusLeft()).toContain('TWIN-1')
  })

  test('or by a file, and where a location is named', async () => {
    const csv = `sku,integration_id,variant_remote_id\nTWIN-1,${shop.id},a1`
    expect(data(await merchant.asApp('POST', `${path()}/articles/import`, { csv }))).toMatchObject({ links: 1 })
    expect(errors(await link('LAMP', {}))).toHaveProperty('location')
    data(await link('LAMP', { location: 'south' }))
    const left = await skusLeft()
    expect(left).not.toContain('TWIN-1')
    expect(left).not.toContain('LAMP')
  })

  test('and comes back with the link’s end', async () => {
    const article = await articleOf('TWIN-1')
    const { links } = data(await merchant.asApp('GET', `${path()}/articles/${article}`))
    const [{ id } = { id: 0 }] = links as { id: number }[]
    expect((await merchant.asApp('DELETE', `${path()}/articles/${article}/links/${id}`)).status).toBe(204)
    expect(await skusLeft()).toContain('TWIN-1')
  })
})
