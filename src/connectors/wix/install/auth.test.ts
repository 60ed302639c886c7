import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../../test/support/connector-shop.ts'
import { openImitation } from '../../../../test/support/imitation.ts'
import { isCredentialsRefusal, type RemoteAnswer } from '../../../commerce/remote.ts'
import { wix } from '../index.ts'
import { readAnswer } from '../read-answer.ts'
import { type Credentials, type Settings, shopOfPage, shopPattern } from '../settings.ts'
import { auth } from './auth.ts'

const site = '1a2b3c4d-5e6f-4a1b-8c2d-3e4f5a6b7c8d'
const facts = { shop: `${site}.wix.com`, settings: { instance_id: 'instance' } }
const client = { client_id: 'us', client_secret: 'shh' }
const credentials = { access_token: 'token', instance_id: 'instance' }
const scripted = (...answers: Partial<RemoteAnswer>[]) =>
  scriptedShop<Settings, Credentials>(wix, { facts, credentials }, answers)

describe('a site', () => {
  test.each([
    [`https://manage.wix.com/dashboard/${site}/home`, facts.shop],
    [`https://manage.wix.com/dashboard/${site.toUpperCase()}`, facts.shop],
    [`https://manage.wix.com/dashboard/${site}x/home`, null],
    [`https://manage.wix.example/dashboard/${site}/home`, null],
    ['https://manage.wix.com/account/sites', null],
  ])('of the page %s is %s', (page, shop) => {
    expect(shopOfPage(new URL(page))).toBe(shop)
  })

  test('is named by its id and nothing else', () => {
    expect(shopPattern.test(facts.shop)).toBe(true)
    for (const other of ['acme.wix.com', `${site}.wix.com.example`, `x${site}.wix.com`, site])
      expect(shopPattern.test(other)).toBe(false)
  })
})

describe('the way in', () => {
  const callbackUrl = 'https://entrepot.example/back'

  test('leads to the installer', () => {
    const url = new URL(
      auth.authorizeUrl({ ...facts, client, state: 's', callbackUrl, scopes: [], codeChallenge: null }),
    )
    expect(url.origin + url.pathname).toBe('https://www.wix.com/installer/install')
    expect(Object.fromEntries(url.searchParams)).toEqual({ appId: 'us', redirectUrl: callbackUrl, state: 's' })
  })

  const opened = { body: { access_token: 'short', refresh_token: 'unused' } }
  const about = { body: { instance: { instanceId: 'theirs' }, site: {} } }
  const date = { date: 'Sun, 15 Nov 2026 06:00:00 GMT' }
  const granted = { headers: date, body: { access_token: 'long', token_type: 'Bearer', expires_in: 14_400 } }
  const exchange = (...answers: Partial<RemoteAnswer>[]) => {
    const { asked, shop } = scripted(...answers)
    // The address says whatever whoever typed it likes.
    const query = { code: 'c', instanceId: 'somebody-else’s' }
    const trip = { shop: facts.shop, settings: {}, client, query, callbackUrl, codeVerifier: null }
    return { asked, done: auth.exchange({ ...trip, remote: shop.remote }) }
  }

  test('ends with a token of the installation that the code opens, and not of the one that the address names', async () => {
    const { asked, done } = exchange(opened, about, granted, { body: { siteId: site, instanceId: 'theirs' } })
    expect(await done).toEqual({
      credentials: { access_token: 'long', instance_id: 'theirs' },
      expiresAt: '2026-11-15T10:00:00.000000Z',
      settings: { instance_id: 'theirs' },
      identity: 'theirs',
    })
    const own = { client_id: 'us', client_secret: 'shh' }
    expect(
      asked.map(({ url, request }) => [new URL(url).pathname, request.body ?? request.headers?.['authorization']]),
    ).toEqual([
      ['/oauth/access', { ...own, grant_type: 'authorization_code', code: 'c' }],
      ['/apps/v1/instance', 'short'],
      ['/oauth2/token', { ...own, grant_type: 'client_credentials', instance_id: 'theirs' }],
      ['/oauth2/token-info', { token: 'long' }],
    ])
  })

  test('is closed for another site than the one that was named, and for a code that is none', async () => {
    const other = { body: { siteId: '00000000-0000-4000-8000-000000000000' } }
    await expect(exchange(opened, about, granted, other).done).rejects.toMatchObject({
      message: expect.stringContaining('another site'),
    })
    const wrong = { status: 400, body: { error: 'invalid_grant', error_description: 'The code is used up.' } }
    await expect(exchange(wrong).done).rejects.toMatchObject({ errors: { credentials: ['The code is used up.'] } })
    await expect(exchange({ status: 404, body: 'No.' }).done).rejects.toMatchObject({ kind: 'upstream_retryable' })
    const failure = await exchange(opened, { status: 400, body: {} }).done.catch((error: unknown) => error)
    expect(isCredentialsRefusal(failure)).toBe(true)
  })

  test('is kept open by naming the installation again; keys do not end', async () => {
    const { shop, asked } = scripted(granted)
    expect(await auth.refresh?.(shop, client)).toEqual({
      ...{ credentials: { access_token: 'long', instance_id: 'instance' }, expiresAt: '2026-11-15T10:00:00.000000Z' },
    })
    expect(asked[0]?.request).toMatchObject({ body: { instance_id: 'instance', grant_type: 'client_credentials' } })
    expect(asked[0]?.request.headers ?? {}).not.toHaveProperty('authorization')
    // Settings are open to their owners, and do not count here.
    const bare = { ...shop, credentials: { access_token: 'token' }, settings: { instance_id: 'somebody-else’s' } }
    await expect(auth.refresh?.(bare, client)).rejects.toMatchObject({ errors: { credentials: [expect.any(String)] } })
    expect(auth.refreshes?.(facts, { access_token: 'x' })).toBe(true)
    expect(auth.refreshes?.(facts, { access_token: 'x', typed: true })).toBe(false)
  })

  test('with a key names the site in every request; a token does not, and neither has a word before it', async () => {
    const { shop, asked } = openImitation<Settings, Credentials>(wix)
    await auth.checkAccess(shop)
    expect(asked[0]?.request.headers).toEqual({ authorization: shop.credentials.access_token })
    const keyed = openImitation<Settings, Credentials>(wix)
    const key = String(keyed.simulator.install.credentials?.['api_key'])
    const kept = auth.typed?.keep({ api_key: key }, keyed.shop)
    expect(kept).toEqual({ access_token: key, typed: true })
    const request = wix.remote.authenticate({ method: 'GET', path: '/' }, { ...kept }, keyed.facts, {
      ...{ url: '', seconds: 0, nonce: '' },
    })
    expect(request.headers).toEqual({ authorization: key, 'wix-site-id': keyed.facts.shop.replace('.wix.com', '') })
  })

  test('is closed for sites that sell nothing, and for sites that are none', async () => {
    const empty = scripted({ body: { catalogVersion: 'STORES_NOT_INSTALLED' } })
    await expect(auth.checkAccess(empty.shop)).rejects.toMatchObject({
      errors: { credentials: [expect.stringContaining('no Wix Stores')] },
    })
    const unknown = scripted({ status: 404, body: { message: 'Site not found' } })
    await expect(auth.checkAccess(unknown.shop)).rejects.toMatchObject({ errors: { credentials: ['Site not found'] } })
    await expect(auth.checkAccess(scripted({ body: { catalogVersion: 'V1_CATALOG' } }).shop)).resolves.toBeUndefined()
  })
})

describe('answers', () => {
  const read = (path: string, message: string) => readAnswer({ status: 403, headers: {}, body: { message } }, { path })

  test.each([
    ['/ecom/v1/orders/search', 'Forbidden', 'the permission for orders'],
    ['/ecom/v1/fulfillments/list-by-ids', 'Forbidden', 'the permission for order fulfillments'],
    ['/ecom/v1/order-billing/refund-payments', 'Forbidden', 'the permission for order payments'],
    ['/stores/v3/bulk/inventory-items/update', 'Forbidden', 'the permission for inventory'],
    ['/stores/v3/products/query', 'Unauthorized to perform STORES.PRODUCT_READ on site x', 'STORES.PRODUCT_READ'],
  ])('403 of %s (%s) misses %s', (path, message, name) => {
    expect(read(path, message)).toEqual({ missingRight: { name, where: expect.stringContaining('Permissions') } })
  })

  test('of any other kind say nothing beyond their status', () => {
    for (const status of [200, 401, 404, 409, 429])
      expect(readAnswer({ status, headers: {}, body: {} }, { path: '/ecom/v1/orders' })).toEqual({})
  })
})
