import type { Static, TObject } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyHandover, typedKeys } from '../../src/commerce/connector/auth.ts'
import { connector } from '../../src/commerce/connector.ts'
import { notTheShop, refused, shopAway } from '../../src/commerce/remote.ts'
import type { Shop } from '../../src/commerce/shop.ts'
import { syncCatalogue } from '../../src/domain/services/sync-catalogue.ts'
import { flag, object, optional, text } from '../../src/lib/validation/fields.ts'
import { bare } from '../support/bare-connector.ts'
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

const total = async () => meta(await merchant.asApp('GET', '/integrations'))['total']

describe('POST /api/2.0/app/{resource}/install', () => {
  test('keys that the shop takes make the integration ACTIVE at once', async () => {
    const shop = freshShop()
    const answer = await merchant.asApp('POST', '/sandbox/install', {
      name: 'Main',
      shop: shop.toUpperCase(),
      remote_id: merchant.remoteId,
      credentials: { api_key: 'good' },
      settings: { orders: 3, note: 'ours' },
    })
    expect(answer.status).toBe(201)
    expect(data(answer)).toMatchObject({
      name: 'Main',
      shop,
      type: 'sandbox',
      status: 'ACTIVE',
      status_reason: null,
      app_id: merchant.appId,
      account_id: merchant.accountId,
      settings: { orders: 3, note: 'ours' },
      authorization_url: null,
      gateway_key: expect.stringMatching(/^gw_\w{43}$/),
      installed_at: expect.stringMatching(/Z$/),
    })
    // The key of its gateway is random letters.
    expect(answer.text.replace(/gw_\w{43}/, '')).not.toContain('good')
  })

  test('refused keys are named and leave nothing behind', async () => {
    const before = await total()
    const body = { name: 'Main', shop: freshShop(), credentials: { api_key: 'bad-key' } }
    const answer = await merchant.asApp('POST', '/sandbox/install', body)
    expect(answer.status).toBe(422)
    expect(errors(answer)).toEqual({
      'credentials.api_key': ['The api key was rejected by the shop. The shop says: "The key is not valid."'],
    })
    expect(await total()).toBe(before)
  })

  test('without keys the integration waits for them', async () => {
    const answer = await merchant.asApp('POST', '/sandbox/install', { name: 'Later', shop: freshShop() })
    expect(data(answer)).toMatchObject({
      status: 'PENDING',
      status_reason: 'awaiting_credentials',
      account_id: null,
      authorization_url: null,
      installed_at: null,
    })
  })

  test('what is missing is named', async () => {
    const answer = await merchant.asApp('POST', '/sandbox/install', {})
    expect(answer.status).toBe(422)
    expect(errors(answer)).toEqual({
      name: ['The name field is required.'],
      shop: ['The shop field is required.'],
    })
  })

  test.each(['https://acme.example:8080', 'https://[::1]/', 'user@acme.example', '127.0.0.1', '0x7f.1', 'a b'])(
    '"%s" is no shop',
    async (shop) => {
      const answer = await merchant.asApp('POST', '/sandbox/install', { name: 'x', shop })
      expect(errors(answer)).toEqual({ shop: [expect.stringMatching(/^The shop field must be an address such as/)] })
    },
  )

  test.each(['https://www.acme.example/shop/', ' WWW.Acme.example ', 'http://www.acme.example/wp-admin/index.php?x=1'])(
    'any pasted address of a shop is understood by both versions: "%s"',
    async (shop) => {
      const byApp = await merchant.asApp('POST', '/sandbox/install', { name: 'x', shop })
      const byUser = await merchant.asUser('POST', '/api/1.0/sandbox/install', { name: 'x', shop })
      const created = await merchant.asUser('POST', '/api/1.0/integrations', { name: 'x', shop, type: 'sandbox' })
      for (const answer of [byApp, byUser, created]) expect(data(answer)).toMatchObject({ shop: 'www.acme.example' })
    },
  )

  test('what an address says beyond its host is the setting of services that have one; pages of the platform name shops', async () => {
    const create = async (body: object) => data(await merchant.asApp('POST', '/integrations', { name: 'x', ...body }))
    expect(await create({ type: 'woocommerce', shop: 'https://www.example.com/shop/' })).toMatchObject({
      shop: 'www.example.com',
      settings: { base_url: 'https://www.example.com/shop' },
    })
    const pages = [
      ['shopify', 'https://admin.shopify.com/store/acme-tea/orders?status=open', 'acme-tea.myshopify.com'],
      ['etsy', 'https://www.etsy.com/de/shop/AcmeTea?ref=1', 'acmetea.etsy.com'],
      [
        ...(['wix', 'https://manage.wix.com/dashboard/1A2B3C4D-5e6f-4a1b-8c2d-3e4f5a6b7c8d/home?x=1'] as const),
        '1a2b3c4d-5e6f-4a1b-8c2d-3e4f5a6b7c8d.wix.com',
      ],
      ['ebay', 'https://www.ebay.co.uk/usr/Acme_Tea', 'acme-tea.ebay.com'],
    ]
    for (const [type, page, shop] of pages) {
      expect(await create({ type, shop: page })).toMatchObject({ shop, settings: {} })
    }
    const seller = { shop: 'https://www.amazon.de/sp?ie=UTF8&seller=A1B2C3D4E5F6', settings: { marketplace: 'DE' } }
    expect(await create({ type: 'amazon', ...seller })).toMatchObject({ shop: 'a1b2c3d4e5f6' })
  })

  test('an address that was copied from a page of the shop leads to the shop above it', async () => {
    const asked: unknown[] = []
    const checkAccess = async ({ settings: { base_url: address } }: Shop) => {
      asked.push(address)
      if (address !== 'https://www.example.com/store') throw notTheShop(refused('Nothing here.'))
    }
    const type = 'below-a-path'
    const settings = object({ base_url: optional(text()) })
    server.add({ ...bare, type, settings, auth: typedKeys({ credentials: object({ key: text() }), checkAccess }) })
    await syncCatalogue(server.context)
    await merchant.offer(type)
    const install = (body: object) =>
      merchant.asApp('POST', `/${type}/install`, { name: 'x', credentials: { key: 'k' }, ...body })
    const page = 'https://www.example.com/store/tea/green?size=2'
    expect(data(await install({ shop: page }))['settings']).toEqual({ base_url: 'https://www.example.com/store' })
    expect(asked.splice(0)).toEqual([
      'https://www.example.com/store/tea/green',
      'https://www.example.com/store/tea',
      'https://www.example.com/store',
    ])
    const given = { base_url: 'https://www.example.com/store/tea' }
    expect(errors(await install({ shop: 'www.example.com', settings: given }))).toEqual({
      shop: ['There is no Bare at this address.'],
    })
    expect(asked).toHaveLength(1)
  })

  test('a browser is sent to the shop above the page too, asked as the site there wants to be', async () => {
    const shopAt = 'https://www.example.com/store'
    const asked: unknown[] = []
    const type = 'hands-keys-over'
    const settings = object({ base_url: optional(text()), plain: optional(flag()) })
    const auth = keyHandover<Static<typeof settings>, TObject>({
      credentials: object({ key: text() }),
      checkAccess: async () => {},
      authorizeUrl: ({ settings: { base_url: address } }) => `${address}/agree`,
      readHandover: () => null,
      readReturn: () => null,
      find: async ({ settings: given }) => {
        asked.push(given.base_url)
        if (given.base_url === 'https://away.example/tea') throw shopAway(30)
        if (given.base_url !== shopAt) throw notTheShop(refused('Nothing here.'))
        return { ...given, plain: true }
      },
    })
    server.add(connector({ ...bare, type, settings, auth }))
    await syncCatalogue(server.context)
    await merchant.offer(type)
    const install = (shop: string) => merchant.asApp('POST', `/${type}/install`, { name: 'x', shop })
    expect(data(await install(`${shopAt}/tea/green`))).toMatchObject({ settings: { base_url: shopAt, plain: true } })
    expect(asked.splice(0)).toEqual([`${shopAt}/tea/green`, `${shopAt}/tea`, shopAt])
    expect(errors(await install('https://other.example/tea'))).toEqual({ shop: ['There is no Bare at this address.'] })
    // Who is away for now may be back by the time the merchant looks.
    const away = 'https://away.example/tea'
    expect(data(await install(away))).toMatchObject({ status: 'PENDING', settings: { base_url: away } })
  })

  test('a shop that the account has connected already is named, and may be connected again all the same', async () => {
    const shop = freshShop()
    const body = { name: 'x', remote_id: merchant.remoteId, credentials: { api_key: 'good' } }
    const first = data(await merchant.asApp('POST', '/sandbox/install', { ...body, shop }))
    const pasted = `https://${shop.toUpperCase()}/wp-admin/`
    const second = data(await merchant.asApp('POST', '/sandbox/install', { ...body, shop: pasted }))
    expect([first['same_shop_as'], second['same_shop_as']]).toEqual([[], [first['id']]])
    const v1 = await merchant.asUser('POST', '/api/1.0/sandbox/install', { ...body, shop, app_id: merchant.appId })
    expect(data(v1)['same_shop_as']).toEqual([first['id'], second['id']])
    const found = await merchant.asAccount(
      'GET',
      `/integrations?type=sandbox&sort=id&shop=${encodeURIComponent(pasted)}`,
    )
    expect(rows(found).map(({ id }) => id)).toEqual([first['id'], second['id'], data(v1)['id']])
    const { id } = first
    await merchant.asAccount('POST', `/integrations/${id}/uninstall`)
    const third = data(await merchant.asApp('POST', '/sandbox/install', { ...body, shop }))
    expect(third['same_shop_as']).toEqual([second['id'], data(v1)['id']])
    const others = data(await other.asApp('POST', '/sandbox/install', { ...body, shop, remote_id: other.remoteId }))
    expect(others['same_shop_as']).toEqual([])
  })

  test('settings are checked by the service', async () => {
    const body = { name: 'x', shop: freshShop(), settings: { orders: 'many' } }
    const answer = await merchant.asApp('POST', '/sandbox/install', body)
    expect(errors(answer)).toEqual({ 'settings.orders': ['The settings.orders field must be an integer.'] })
  })

  test('keys of a service that nobody has described are refused, and not dropped', async () => {
    const service = { name: 'Own', type: 'own-without-connector' }
    const { json } = await merchant.asUser('POST', '/api/1.0/services', service)
    await merchant.asUser('POST', `/apps/${merchant.appId}/services`, {
      service_id: (json['data'] as { id: number }).id,
    })
    const body = { name: 'x', shop: freshShop(), credentials: { api_key: 'k' } }
    const answer = await merchant.asApp('POST', `/${service.type}/install`, body)
    expect(errors(answer)).toEqual({ credentials: ['The credentials field is prohibited.'] })
  })

  test('missing keys of given credentials are named', async () => {
    const answer = await merchant.asApp('POST', '/sandbox/install', { name: 'x', shop: freshShop(), credentials: {} })
    expect(errors(answer)).toEqual({ 'credentials.api_key': ['The credentials.api key field is required.'] })
  })

  test('an unknown service is not found, one that the app does not offer is refused', async () => {
    const body = { name: 'x', shop: freshShop() }
    expect((await merchant.asApp('POST', '/nothing/install', body)).status).toBe(404)
    expect((await merchant.asApp('POST', '/1/install', body)).status).toBe(404)
    const own = { name: 'Own', type: `own-${Date.now()}` }
    await merchant.asUser('POST', '/api/1.0/services', own)
    // What somebody has described is known by its name to those who offer it; what comes with us, to all.
    expect((await merchant.asApp('POST', `/${own.type}/install`, body)).status).toBe(404)
    expect((await merchant.asApp('POST', '/walmart/install', body)).status).toBe(403)
  })

  test('an account of another app is not one to install for', async () => {
    const body = { name: 'x', shop: freshShop() }
    const byName = await merchant.asApp('POST', '/sandbox/install', { ...body, remote_id: other.remoteId })
    expect(errors(byName)).toEqual({ remote_id: ['The selected remote id is invalid.'] })
    const byId = await merchant.asApp('POST', '/sandbox/install', { ...body, account_id: other.accountId })
    expect(errors(byId)).toEqual({ account_id: ['The selected account id is invalid.'] })
  })

  test('a browser is sent back only where the app has said, letter by letter', async () => {
    await merchant.asUser('PUT', `/apps/${merchant.appId}`, { return_urls: ['https://app.example/done'] })
    const body = (return_url: string) => ({ name: 'x', shop: freshShop(), return_url })
    const ok = await merchant.asApp('POST', '/sandbox/install', body('https://app.example/done'))
    expect(ok.status).toBe(201)
    for (const url of ['https://app.example/done/', 'https://app.example/done?x=1', 'https://evil.example/done']) {
      const answer = await merchant.asApp('POST', '/sandbox/install', body(url))
      expect(errors(answer)).toEqual({ return_url: ['The selected return url is invalid.'] })
    }
  })
})

describe('installation from a component', () => {
  test('starts without keys, ends with them, and can be undone and done again', async () => {
    const started = data(
      await merchant.asAccount('POST', '/service/sandbox/install', { name: 'Mine', shop: freshShop() }),
    )
    expect(started).toMatchObject({ status: 'PENDING', account_id: merchant.accountId, app_id: merchant.appId })
    const path = `/integrations/${started['id']}`
    const refused = await merchant.asAccount('POST', `${path}/install`, { credentials: { api_key: 'bad' } })
    expect(refused.status).toBe(422)
    expect(errors(await merchant.asAccount('POST', `${path}/install`, {}))).toEqual({
      'credentials.api_key': ['The credentials.api key field is required.'],
    })
    expect(data(await merchant.asAccount('GET', path))['status']).toBe('PENDING')

    const completed = await merchant.asAccount('POST', `${path}/install`, { credentials: { api_key: 'good' } })
    expect([completed.status, data(completed)['status']]).toEqual([200, 'ACTIVE'])

    const uninstalled = await merchant.asAccount('POST', `${path}/uninstall`)
    expect([uninstalled.status, data(uninstalled)['status']]).toEqual([200, 'UNINSTALLED'])
    expect((await merchant.asAccount('POST', `${path}/uninstall`)).status).toBe(200)
    const { rows: left } = await server.context.reader.query('select from credentials where integration_id = $1', [
      started['id'],
    ])
    expect(left).toHaveLength(0)

    const again = await merchant.asAccount('POST', `${path}/install`, { credentials: { api_key: 'good' } })
    expect(data(again)['status']).toBe('ACTIVE')
  })

  test('an integration of another account is refused', async () => {
    const theirs = await installed(other)
    const path = `/integrations/${theirs['id']}`
    for (const action of ['install', 'uninstall', 'event', 'actions']) {
      expect((await merchant.asAccount('POST', `${path}/${action}`, {})).status).toBe(403)
    }
  })

  test('keys are sealed for their place, and readable nowhere', async () => {
    const mine = await installed(merchant)
    const { rows } = await server.context.reader.query<{ sealed: Buffer; key_id: string }>(
      'select sealed, key_id from credentials where integration_id = $1',
      [mine['id']],
    )
    expect(rows).toMatchObject([{ key_id: 'test' }])
    expect(rows[0]?.sealed.includes('good')).toBe(false)
  })
})

describe('POST /api/1.0/{resource}/install', () => {
  test('a user installs for an app, or for nobody yet', async () => {
    const body = { name: 'v1', shop: freshShop(), credentials: { api_key: 'good' } }
    const unclaimed = data(await merchant.asUser('POST', '/api/1.0/sandbox/install', body))
    expect(unclaimed).toMatchObject({ status: 'ACTIVE', app_id: null, account_id: null })
    const owned = data(
      await merchant.asUser('POST', '/api/1.0/sandbox/install', {
        ...body,
        app_id: merchant.appId,
        remote_id: merchant.remoteId,
      }),
    )
    expect(owned).toMatchObject({ status: 'ACTIVE', app_id: merchant.appId, account_id: merchant.accountId })
    const foreign = await merchant.asUser('POST', '/api/1.0/sandbox/install', { ...body, app_id: other.appId })
    expect(errors(foreign)).toEqual({ app_id: ['The selected app id is invalid.'] })
    expect((await merchant.asUser('POST', '/api/1.0/nothing/install', body)).status).toBe(404)
  })

  test('an app that is named must offer the service', async () => {
    const app = data(await merchant.asUser('POST', '/apps', { name: 'Another' }))
    const body = { name: 'v1', shop: freshShop(), app_id: app['id'] }
    expect((await merchant.asUser('POST', '/api/1.0/sandbox/install', body)).status).toBe(403)
  })
})
