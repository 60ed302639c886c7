import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pruneInstalls } from '../../src/domain/install/prune-installs.ts'
import { readCredentials } from '../../src/domain/integrations/credentials-store.ts'
import { readIntegration } from '../../src/domain/integrations/integration-store.ts'
import { savePlatformClient } from '../../src/domain/services/platform-client-store.ts'
import type { Simulator } from '../../src/simulator/start.ts'
import { data, errors, type Merchant, makeMerchant } from '../integrations/support.ts'
import { open, type Page, press } from '../support/browser.ts'
import { freePort } from '../support/process.ts'
import { jobsOver } from '../support/runs-over.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { simulatedShops } from '../support/simulated.ts'

/** A merchant installs from the platform's own pages: nobody of ours has set out, so nobody is known until a code is shown. */

const ways = ['shopify', 'bigcommerce'] as const
type Way = (typeof ways)[number]

let server: TestServer
let publicUrl: string
let merchant: Merchant
let shop: Simulator
let client: { client_id: string; client_secret: string }
const services: Partial<Record<Way, number>> = {}
const simulated = simulatedShops()
beforeAll(async () => {
  const port = await freePort()
  publicUrl = `http://127.0.0.1:${port}`
  server = await startTestServer({ works: true, egressAllow: ['127.0.0.1'], egressRoutes: simulated.routes, publicUrl })
  await server.program.http?.listen('127.0.0.1', port)
  merchant = await makeMerchant(server)
  for (const type of ways) services[type] = await merchant.offer(type)
  await merchant.asUser('PUT', `/apps/${merchant.appId}`, {
    name: 'Harbour & Sons',
    return_urls: ['https://app.example/connected'],
  })
})
afterAll(() => server.close())
afterEach(() => simulated.close())

let seeds = 0
/** A shop, with the app's own registration at the platform. */
async function openShop(platform: Way): Promise<void> {
  shop = await simulated.open({ platform, orders: 3, products: 2, seed: `platform ${++seeds}` })
  client = shop.install.client as typeof client
  const own = platform === 'bigcommerce' ? { auth_callback_url: ownCallback() } : {}
  const path = `/apps/${merchant.appId}/services/${services[platform]}`
  expect((await merchant.asUser('PUT', path, { client: { ...client, ...own } })).status).toBe(200)
}

const ownCallback = () => `${publicUrl}/api/2.0/platforms/bigcommerce/${merchant.appId}/callback`
const follow = async (page: Page): Promise<Page> =>
  page.location?.startsWith(publicUrl) ? await follow(await openPage(page.location)) : page
const openPage = async (url: string): Promise<Page> => {
  const response = await fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } })
  const location = response.headers.get('location')
  return { url, status: response.status, text: await response.text(), headers: response.headers, location }
}
const codeIn = ({ text }: Page) => /<p class="code">([\w-]+)<\/p>/.exec(text)?.[1] ?? ''

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const now = () => Math.floor(Date.now() / 1000)
const hash = () => /^store-(\w+)\./.exec(shop.install.shop)?.[1] ?? ''
function payload(changes: object = {}, secret = client.client_secret, alg = 'HS256'): string {
  const user = { id: 1, email: 'merchant@mail.example' }
  const times = { iat: now(), nbf: now(), exp: now() + 86_400 }
  const claims = { aud: client.client_id, iss: 'bc', ...times, sub: `stores/${hash()}`, user, owner: user, url: '/' }
  const signed = `${base64url({ typ: 'JWT', alg })}.${base64url({ ...claims, ...changes })}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}
const call = (what: string, jwt = payload()) =>
  openPage(`${publicUrl}/api/2.0/platforms/bigcommerce/${merchant.appId}/${what}?signed_payload_jwt=${jwt}`)

/** Shopify opens the app's address, signed. */
function appUrl(changes: Record<string, string> = {}, registration: string | number = merchant.appId): string {
  const query = { host: 'aGFyYm91cg', shop: shop.install.shop, timestamp: String(now()), ...changes }
  const message = Object.entries(query)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  const hmac = createHmac('sha256', client.client_secret).update(message).digest('hex')
  return `${publicUrl}/api/2.0/platforms/shopify/${registration}/open?${new URLSearchParams({ ...query, hmac })}`
}

/** What the platform's page does when the merchant presses its button. */
async function install(way: Way, callback = ownCallback()): Promise<Page> {
  if (way === 'shopify') {
    const { location } = await openPage(appUrl())
    return await follow(await press(await open(location ?? ''), 'allow'))
  }
  const query = new URLSearchParams({
    ...{ client_id: client.client_id, context: `stores/${hash()}`, scope: 'store_v2_orders', redirect_uri: callback },
  })
  const page = await open(`${shop.baseUrl}/_host/login.bigcommerce.com/oauth2/authorize?${query}`)
  const back = (await press(page, 'allow')).location ?? ''
  expect(new URL(back).searchParams.get('state')).toBeNull()
  return await openPage(back)
}

const claim = (code: string, body: object = {}) => merchant.asAccount('POST', '/arrivals/claim', { code, ...body })
const integrations = async () => {
  const { rows } = await sql<{ id: number; status: string; account_id: number | null }>`
    select id, status, account_id from integrations where shop = ${shop.install.shop} order by id`.execute(
    server.context.db,
  )
  return rows
}
const credentialsOf = async (id: number) => {
  const { db, keys } = server.context
  return (await readCredentials(db, keys, await readIntegration(db, id)))?.credentials
}

describe.each(ways)('installing %s from its own pages', (way) => {
  beforeEach(() => openShop(way))

  test('shows a code, which the merchant’s account claims once', async () => {
    const page = await install(way)
    expect(page.status).toBe(200)
    expect(page.headers.get('cache-control')).toBe('no-store')
    for (const part of [shop.install.shop, 'Harbour &#38; Sons']) expect(page.text).toContain(part)
    expect(page.text).toContain(`https://app.example/connected?claim_code=${codeIn(page)}`)
    expect(await integrations()).toEqual([])
    const claimed = data(await claim(codeIn(page).toLowerCase().replaceAll('-', ' ')))
    expect(claimed).toMatchObject({ status: 'ACTIVE', shop: shop.install.shop, account_id: merchant.accountId })
    expect(await claim(codeIn(page))).toMatchObject({ status: 422 })
    await jobsOver(server.context)
    const tested = await merchant.asApp('POST', `/integrations/${claimed['id']}/action`, {
      resource: 'test_connection',
    })
    expect(data(tested)).toEqual({ ok: true })
  })

  test('hands the shop to nobody else: not to another app, not without the code, not after its time', async () => {
    const page = await install(way)
    const code = codeIn(page)
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/)
    const stranger = await makeMerchant(server)
    await stranger.offer(way)
    for (const wrong of [
      await stranger.asAccount('POST', '/arrivals/claim', { code }),
      await claim('0000-0000-0000'),
    ]) {
      expect(errors(wrong)).toEqual({ code: ['The code is wrong, or has been used.'] })
    }
    const { rows } = await sql<{ held: string }>`select to_jsonb(a)::text as held from arrivals a`.execute(
      server.context.db,
    )
    expect(rows.map(({ held }) => held).join()).not.toContain(code)
    await sql`update arrivals set code_expires_at = now()`.execute(server.context.db)
    expect(errors(await claim(code))).toEqual({
      code: ['The code has expired: open the app in the shop for a new one.'],
    })
    const again = way === 'shopify' ? await openPage(appUrl()) : await call('open')
    expect(codeIn(again)).not.toBe(code)
    expect((await claim(code)).status).toBe(422)
    expect(data(await claim(codeIn(again)))).toMatchObject({ status: 'ACTIVE' })
  })

  test('of two who bring the same code one gets the shop', async () => {
    const code = codeIn(await install(way))
    const both = await Promise.all([claim(code), merchant.asApp('POST', '/arrivals/claim', { code })])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 422])
    expect(await integrations()).toHaveLength(1)
  })

  test('what nobody claims within an hour is destroyed, and whoever comes then is told', async () => {
    const code = codeIn(await install(way))
    await sql`update arrivals set expires_at = now() - interval '1 second'`.execute(server.context.db)
    await pruneInstalls.run(server.context, {}, { signal: new AbortController().signal, attempt: 1 })
    const { rows } = await sql`select sealed from arrivals where sealed is not null`.execute(server.context.db)
    expect(rows).toEqual([])
    expect(errors(await claim(code))['code']).toEqual([expect.stringContaining('its access was destroyed')])
    const opened = way === 'shopify' ? await openPage(appUrl()) : await call('open')
    expect(way === 'shopify' ? opened.location : opened.text).toContain('authorize')
  })

  test('an account that had left the shop takes up what it had', async () => {
    const first = data(await claim(codeIn(await install(way))))
    await merchant.asAccount('POST', `/integrations/${first['id']}/uninstall`)
    await jobsOver(server.context)
    const again = await install(way)
    expect((await integrations())[0]?.status).toBe('UNINSTALLED')
    expect(data(await claim(codeIn(again)))).toMatchObject({ id: first['id'], status: 'ACTIVE' })
  })

  test('an integration that somebody has begun for the shop gains nothing by it', async () => {
    const begun = data(await merchant.asApp('POST', `/${way}/install`, { name: 'Not theirs', shop: shop.install.shop }))
    expect(codeIn(await install(way))).not.toBe('')
    expect(await integrations()).toEqual([expect.objectContaining({ id: begun['id'], status: 'PENDING' })])
    expect(await credentialsOf(Number(begun['id']))).toBeUndefined()
  })

  test('a shop that lets the app in once more goes on with new credentials', async () => {
    const { id } = data(await claim(codeIn(await install(way))))
    await jobsOver(server.context)
    const before = await credentialsOf(Number(id))
    if (way === 'shopify') {
      // The app's address shows where it stands; only the grant itself is given anew.
      expect((await openPage(appUrl())).text).toContain('is connected to')
      return
    }
    const page = await install(way)
    expect(page.text).toContain('is connected to')
    expect(codeIn(page)).toBe('')
    expect(await credentialsOf(Number(id))).not.toEqual(before)
    expect(await integrations()).toEqual([expect.objectContaining({ id, status: 'ACTIVE' })])
    await jobsOver(server.context)
    const tested = await merchant.asApp('POST', `/integrations/${id}/action`, { resource: 'test_connection' })
    expect(data(tested)).toEqual({ ok: true })
  })
})

describe('the registration of the service', () => {
  test('holds shops for the apps that use it, and for none that has its own', async () => {
    shop = await simulated.open({ platform: 'bigcommerce', orders: 2, products: 1, seed: `platform ${++seeds}` })
    client = shop.install.client as typeof client
    const { db, keys } = server.context
    await savePlatformClient(db, keys, { serviceId: services.bigcommerce ?? 0, appId: null }, client)
    await merchant.asUser('PUT', `/apps/${merchant.appId}/services/${services.bigcommerce}`, {
      client: { client_id: 'another', client_secret: 'of the app' },
    })
    const page = await install('bigcommerce', `${publicUrl}/api/1.0/app_callback/bigcommerce`)
    expect(page.text).toContain('the software that you use it with')
    expect((await claim(codeIn(page))).status).toBe(422)
    const user = await makeMerchant(server)
    await user.offer('bigcommerce')
    expect(data(await user.asAccount('POST', '/arrivals/claim', { code: codeIn(page) }))).toMatchObject({
      status: 'ACTIVE',
      account_id: user.accountId,
    })
  })
})

describe('what BigCommerce’s control panel sends', () => {
  beforeEach(() => openShop('bigcommerce'))

  test('is believed only with its signature, for this app, in its time', async () => {
    const wrong = [
      payload({}, 'another secret'),
      payload({}, client.client_secret, 'none'),
      payload({ aud: 'another app' }),
      payload({ iss: 'somebody' }),
      payload({ exp: now() - 1 }),
      payload({ nbf: now() + 3600 }),
      payload({ iat: now() + 3600 }),
      payload({ sub: 'stores/../x' }),
      `${payload().split('.').slice(0, 2).join('.')}.`,
      '',
    ]
    for (const what of ['open', 'uninstall', 'remove-user']) {
      for (const jwt of wrong) expect([what, jwt, (await call(what, jwt)).status]).toEqual([what, jwt, 401])
    }
    expect((await call('remove-user')).status).toBe(200)
    const page = await call('open')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain('frame-ancestors https://*.mybigcommerce.com')
    expect(page.headers.get('x-frame-options')).toBeNull()
    expect((await openPage(`${publicUrl}/api/2.0/platforms/bigcommerce/999999/open`)).status).toBe(404)
  })

  test('an old call shows no new code', async () => {
    const code = codeIn(await install('bigcommerce'))
    const old = await call('open', payload({ iat: now() - 3600, nbf: now() - 3600 }))
    expect([codeIn(old), old.text.includes('Connect it')]).toEqual(['', true])
    expect(data(await claim(code))).toMatchObject({ status: 'ACTIVE' })
  })

  test('an uninstallation counts once the store does not let us in any more', async () => {
    const { id } = data(await claim(codeIn(await install('bigcommerce'))))
    await jobsOver(server.context)
    // Anybody who opens the app has such a text in the browser.
    expect((await call('uninstall')).status).toBe(200)
    expect((await integrations())[0]).toMatchObject({ id, status: 'ACTIVE' })
    await fetch(`${shop.baseUrl}/_credentials`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ expire_all: true }),
    })
    await expect.poll(async () => (await integrations())[0]?.status).toBe('UNINSTALLED')
    expect(await credentialsOf(Number(id))).toBeUndefined()
  })
})

describe('Shopify’s address of the app', () => {
  beforeEach(() => openShop('shopify'))

  test('is opened by Shopify’s signature alone, while it is fresh', async () => {
    const opened = await openPage(appUrl())
    expect([opened.status, new URL(opened.location ?? '').pathname]).toEqual([302, expect.stringMatching(/authorize$/)])
    const stale = appUrl({ timestamp: String(now() - 600) })
    const changed = appUrl().replace(shop.install.shop, 'another.myshopify.com')
    const foreign = appUrl({ shop: 'evil.example.com' })
    for (const url of [stale, changed, foreign]) expect((await openPage(url)).status).toBe(401)
  })
})
