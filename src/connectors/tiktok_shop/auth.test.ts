import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { agree } from '../../../test/support/agree.ts'
import { scriptedShop } from '../../../test/support/connector-shop.ts'
import { inMemory, openImitation } from '../../../test/support/imitation.ts'
import { isCredentialsRefusal, type RemoteAnswer } from '../../commerce/remote.ts'
import { remoteFor } from '../../domain/shop/shop-remote.ts'
import { openSimulator } from '../../simulator/simulator.ts'
import { auth, signed } from './auth.ts'
import { tiktokShop } from './index.ts'
import { readAnswer } from './read-answer.ts'
import type { Credentials, Settings } from './settings.ts'

const facts = {
  shop: 'gblcabcd12',
  settings: { shop_cipher: 'ROW_cipher', shop_id: '7494000000000000001', region: 'GB' },
}
const app = { app_key: 'key1', app_secret: 'secret1' }
const credentials = { ...app, access_token: 'ROW_old', refresh_token: 'ROW_again' }
const client = { ...app, service_id: '7400000000000000001' }
const callbackUrl = 'https://entrepot.example/back'

const scripted = (...answers: Partial<RemoteAnswer>[]) =>
  scriptedShop<Settings, Credentials>(tiktokShop, { facts, credentials }, answers)

const headers = { date: 'Mon, 16 Nov 2026 06:00:00 GMT' }
const envelope = (data: object) => ({ code: 0, message: 'Success', data, request_id: 'r' })
const refusal = (code: number, message: string, status = 200) => ({ status, body: { code, message, data: null } })
const tokens = (more: object = {}) => ({
  headers,
  body: envelope({
    ...{ access_token: 'ROW_new', access_token_expire_in: 1_795_000_000, refresh_token: 'ROW_next' },
    ...{ refresh_token_expire_in: 1_826_000_000, granted_scopes: ['seller.order.info'], ...more },
  }),
})
const shops = (...codes: readonly string[]) => ({
  body: envelope({
    shops: codes.map((code, n) => ({
      id: `749400000000000000${n + 1}`,
      code,
      cipher: `ROW_${code}`,
      region: code.slice(0, 2),
    })),
  }),
})

describe('the way in', () => {
  test.each([
    [{}, 'https://services.tiktokshop.com/open/authorize'],
    [{ market: 'elsewhere' }, 'https://services.tiktokshop.com/open/authorize'],
    [{ market: 'us' }, 'https://services.us.tiktokshop.com/open/authorize'],
  ] as const)('of sellers with %j leads to %s', (settings, page) => {
    const trip = { shop: facts.shop, settings, client, state: 's', callbackUrl, scopes: [], codeChallenge: null }
    const url = new URL(auth.authorizeUrl(trip))
    expect([url.origin + url.pathname, Object.fromEntries(url.searchParams)]).toEqual([
      page,
      { service_id: client.service_id, state: 's' },
    ])
  })

  const exchange = (...answers: Partial<RemoteAnswer>[]) => {
    const { asked, shop } = scripted(...answers)
    const trip = { shop: facts.shop, settings: {}, client, query: { code: 'c' }, callbackUrl, codeVerifier: null }
    return { asked, done: auth.exchange({ ...trip, remote: shop.remote }) }
  }

  test('ends with tokens, and with the one of the seller’s shops that was meant', async () => {
    const { asked, done } = exchange(tokens(), shops('USLC99', 'GBLCABCD12'))
    expect(await done).toEqual({
      credentials: { ...app, access_token: 'ROW_new', refresh_token: 'ROW_next' },
      expiresAt: '2026-11-18T11:06:40.000000Z',
      consentEndsAt: '2027-11-12T06:13:20.000000Z',
      scopes: ['seller.order.info'],
      settings: { shop_cipher: 'ROW_GBLCABCD12', shop_id: '7494000000000000002', region: 'GB' },
      identity: '7494000000000000002',
    })
    expect(asked[0]).toMatchObject({
      url: 'https://auth.tiktok-shops.com/api/v2/token/get',
      request: { method: 'GET', query: { ...app, auth_code: 'c', grant_type: 'authorized_code' } },
    })
    // By the clock of the platform, and of no shop yet.
    const { sign, ...query } = asked[1]?.request.query ?? {}
    expect(query).toEqual({ app_key: 'key1', timestamp: '1794808800' })
    expect(asked[1]?.request.headers).toMatchObject({ 'x-tts-access-token': 'ROW_new' })
    const base = 'secret1/authorization/202309/shopsapp_keykey1timestamp1794808800secret1'
    expect(sign).toBe(createHmac('sha256', 'secret1').update(base).digest('hex'))
  })

  test('is closed for other shops, and for sellers without any', async () => {
    await expect(exchange(tokens(), shops('USLC99', 'FRLC77')).done).rejects.toMatchObject({
      message: 'The tokens belong to the shop USLC99, FRLC77.',
    })
    await expect(exchange(tokens(), shops()).done).rejects.toMatchObject({ message: 'This account has no shop.' })
  })

  test('is open for a century where the app is the seller’s own', async () => {
    const { done } = exchange(tokens({ refresh_token_expire_in: 4_903_858_076 }), shops('GBLCABCD12'))
    expect((await done).consentEndsAt).toBeNull()
  })

  test('waits where TikTok Shop does not say what time it is', async () => {
    await expect(exchange({ ...tokens(), headers: {} }).done).rejects.toMatchObject({ kind: 'upstream_retryable' })
  })

  test('leads through the pages of the platform', async () => {
    const simulator = openSimulator({ platform: 'tiktok_shop', orders: 3, products: 2 })
    const { shop, client: us } = simulator.install
    const trip = { shop, settings: {}, client: us, callbackUrl }
    const query = await agree(simulator, auth.authorizeUrl({ ...trip, state: 's', scopes: [], codeChallenge: null }))
    expect(query).toMatchObject({ state: 's', app_key: us['app_key'], shop_region: 'US' })
    const remote = remoteFor({ transport: inMemory(simulator) }, tiktokShop, { shop, settings: {} }, null)
    const back = { ...trip, query, codeVerifier: null, remote }
    expect(await auth.exchange(back)).toMatchObject({ settings: simulator.install.settings })
    // A code is good for one time.
    expect(isCredentialsRefusal(await auth.exchange(back).catch((error: unknown) => error))).toBe(true)
  })
})

describe('tokens', () => {
  test('are renewed, and what they are renewed with as well', async () => {
    const { asked, shop } = scripted(tokens())
    expect(await auth.refresh?.(shop, client)).toMatchObject({
      credentials: { ...app, access_token: 'ROW_new', refresh_token: 'ROW_next' },
    })
    expect(asked[0]).toMatchObject({
      url: 'https://auth.tiktok-shops.com/api/v2/token/refresh',
      request: { query: { ...app, refresh_token: 'ROW_again', grant_type: 'refresh_token' } },
    })
    expect(asked[0]?.request.headers ?? {}).not.toHaveProperty('x-tts-access-token')
  })

  test.each([
    [36_004_005, 'refresh_token is invalid or expired', true],
    [36_004_003, 'app_key or app_secret is invalid', true],
    [36_004_999, 'The system is busy', false],
  ])('that are refused with %i are gone, unless it may pass', async (code, message, isGone) => {
    const { shop } = scripted(refusal(code, message))
    const failure = await auth.refresh?.(shop, client).catch((error: unknown) => error)
    expect(isCredentialsRefusal(failure)).toBe(isGone)
    if (!isGone) expect(failure).toMatchObject({ kind: 'upstream_retryable' })
  })

  test('of an app of the seller’s own come of what was typed, and stay with its keys', async () => {
    const { simulator, shop } = openImitation<Settings, Credentials>(tiktokShop)
    const { access_token: _, ...typed } = simulator.keep()
    const kept = auth.typed?.keep(typed, shop)
    if (!kept) throw new Error('Nothing can be typed.')
    expect(Object.keys(kept).sort()).toEqual(['app_key', 'app_secret', 'refresh_token', 'typed'])
    const opened = await auth.typed?.open?.({ ...shop, settings: {}, credentials: kept })
    expect(opened).toMatchObject({
      settings: simulator.install.settings,
      credentials: { app_key: kept.app_key, typed: true, access_token: expect.stringMatching(/^ROW_a/) },
    })
    expect(auth.ownClient?.(kept)).toEqual({ app_key: kept.app_key, app_secret: kept.app_secret })
    expect(auth.ownClient?.(credentials)).toBeNull()
    const wrong = { ...kept, refresh_token: 'ROW_r0' }
    await expect(auth.typed?.open?.({ ...shop, credentials: wrong })).rejects.toMatchObject({
      errors: { 'credentials.refresh_token': ['refresh_token is invalid or expired'] },
    })
  })

  test('belong to the shop that was connected', async () => {
    await expect(auth.checkAccess(scripted(shops('GBLCABCD12')).shop)).resolves.toBeUndefined()
    const { shop } = scripted(shops())
    await expect(auth.checkAccess(shop)).rejects.toMatchObject({ message: 'This account has no shop.' })
  })
})

describe('a signature', () => {
  const kept = { ...credentials, access_token: 'ROW_t' }
  const at = { path: '/event/202309/webhooks', seconds: 1_794_808_800 }

  test('is over path, sorted query and body, between two secrets', () => {
    const body = { address: 'https://entrepot.example/in?a=1', event_type: 'PACKAGE_UPDATE' }
    const request = signed({ method: 'PUT', path: at.path, query: { shop_cipher: 'ROW_c', b: null }, body }, kept, at)
    const text = JSON.stringify(body)
    const base = `secret1${at.path}app_keykey1shop_cipherROW_ctimestamp1794808800${text}secret1`
    expect(request.query).toEqual({
      ...{ app_key: 'key1', shop_cipher: 'ROW_c', timestamp: '1794808800' },
      sign: createHmac('sha256', 'secret1').update(base).digest('hex'),
    })
    // What leaves is what was signed, byte by byte.
    expect(request.body).toBe(text)
    expect(request.headers).toEqual({ 'content-type': 'application/json', 'x-tts-access-token': 'ROW_t' })
  })

  test('leaves out what others have signed, and takes a list as one text', () => {
    const query = { ids: ['1', '2'], sign: 'theirs', access_token: 'theirs' }
    const made = signed({ method: 'GET', path: '/order', query }, kept, { ...at, path: '/order' }).query ?? {}
    expect([made['ids'], made['access_token']]).toEqual(['1,2', undefined])
    const base = 'secret1/orderapp_keykey1ids1,2timestamp1794808800secret1'
    expect(made['sign']).toBe(createHmac('sha256', 'secret1').update(base).digest('hex'))
  })

  test('with another secret is refused by the platform', async () => {
    const { shop } = openImitation<Settings, Credentials>(tiktokShop, { credentials: { app_secret: 'another' } })
    expect(isCredentialsRefusal(await auth.checkAccess(shop).catch((error: unknown) => error))).toBe(true)
  })
})

test.each([
  [105_002, 'Expired credentials.', 401, { verdict: 'unauthorized' }],
  [105_002, 'Expired credentials.', 200, { verdict: 'unauthorized' }],
  [36_009_004, "The 'access_token' is invalid.", 200, { verdict: 'unauthorized' }],
  [36_009_004, 'page_size is invalid.', 200, {}],
  [36_009_002, 'Too many requests.', 200, { verdict: 'throttled' }],
  [36_009_003, 'Internal error.', 200, { verdict: 'away' }],
  [
    105_005,
    'Access denied.',
    401,
    { missingRight: { name: 'seller.order.info', where: expect.stringMatching(/Manage API/) } },
  ],
  [0, 'Success', 200, {}],
])('the code %i (%s) with status %i', (code, message, status, reading) => {
  const answer = { status, headers: {}, body: { code, message } }
  expect(readAnswer(answer, { method: 'GET', path: '/order/202309/orders' })).toEqual(reading)
})
