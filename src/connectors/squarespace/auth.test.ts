import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../test/support/connector-shop.ts'
import { openImitation } from '../../../test/support/imitation.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { auth } from './auth.ts'
import { squarespace } from './index.ts'
import { budgets, readAnswer } from './read-answer.ts'
import type { Credentials, Settings } from './settings.ts'

const facts = { shop: 'ada-cups.squarespace.com', settings: {} }
const tokensKept = { access_token: 'token', refresh_token: 'again' }
const client = { client_id: 'us', client_secret: 'shh' }

const scripted = (credentials: object, ...answers: Partial<RemoteAnswer>[]) =>
  scriptedShop<Settings, Credentials>(squarespace, { facts, credentials: { ...credentials } }, answers)

const site = { id: '65a1f0c2b7d4000000000001', siteId: 'ada-cups', url: 'https://www.adacups.example' }

describe('the way in through the browser', () => {
  const callbackUrl = 'https://entrepot.example/back'

  test('asks for tokens that can be renewed', () => {
    const trip = { ...facts, client, state: 's', callbackUrl, scopes: auth.scopes, codeChallenge: null }
    const url = new URL(auth.authorizeUrl(trip))
    expect(url.origin + url.pathname).toBe('https://login.squarespace.com/api/1/login/oauth/provider/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'us',
      redirect_uri: callbackUrl,
      scope: 'website.orders,website.inventory,website.products',
      state: 's',
      access_type: 'offline',
    })
  })

  const date = 'Sun, 15 Nov 2026 06:00:00 GMT'
  const given = { access_token: 'new', refresh_token: 'next', token_type: 'bearer' }
  const tokens = { headers: { date }, body: { ...given, access_token_expires_at: '1794724500.5' } }
  const exchange = (...answers: Partial<RemoteAnswer>[]) => {
    const { asked, shop } = scripted(tokensKept, ...answers)
    const trip = { ...facts, client, query: { code: 'c' }, callbackUrl, codeVerifier: null }
    return { asked, done: auth.exchange({ ...trip, remote: shop.remote }) }
  }
  const kept = { access_token: 'new', refresh_token: 'next' }

  test('ends with tokens and the id of the site', async () => {
    const { asked, done } = exchange(tokens, { body: site })
    expect(await done).toEqual({ credentials: kept, expiresAt: '2026-11-15T06:35:00.000000Z', identity: site.id })
    expect(asked[0]?.url).toBe('https://login.squarespace.com/api/1/login/oauth/provider/tokens')
    expect(asked[0]?.request.headers).toMatchObject({ authorization: 'Basic dXM6c2ho' })
    expect(asked[0]?.request.body).toEqual({ grant_type: 'authorization_code', code: 'c', redirect_uri: callbackUrl })
    expect(asked[1]?.request.headers).toMatchObject({ authorization: 'Bearer new', 'user-agent': 'Entrepot' })
  })

  test.each([
    ['what it says', { ...given, expires_in: 600 }, '2026-11-15T06:10:00.000000Z'],
    [
      'until when it says, as a number',
      { ...given, access_token_expires_at: 1794724560 },
      '2026-11-15T06:36:00.000000Z',
    ],
    [
      'half an hour, where that is no second',
      { ...given, access_token_expires_at: 1794724560000 },
      '2026-11-15T06:30:00.000000Z',
    ],
    ['half an hour, where that is no time', { ...given, access_token_expires_at: 0 }, '2026-11-15T06:30:00.000000Z'],
    ['half an hour, where it says nothing', given, '2026-11-15T06:30:00.000000Z'],
    [
      'half an hour, where it says nonsense',
      { ...given, access_token_expires_at: 'soon' },
      '2026-11-15T06:30:00.000000Z',
    ],
  ])('tokens last for %s', async (_, body, expiresAt) => {
    expect(await exchange({ headers: { date }, body }, { body: site }).done).toMatchObject({ expiresAt })
  })

  test('is closed for another site than the one that was meant', async () => {
    await expect(exchange(tokens, { body: { ...site, siteId: 'eve-cups' } }).done).rejects.toMatchObject({
      errors: { credentials: ['They belong to another site: eve-cups.'] },
    })
  })

  test('is kept open with tokens that are good for one time', async () => {
    const { shop, asked } = scripted(tokensKept, tokens)
    expect((await auth.refresh?.(shop, client))?.credentials).toEqual(kept)
    expect(asked[0]?.request.body).toEqual({ grant_type: 'refresh_token', refresh_token: 'again' })
    const gone = { status: 400, body: { error: 'invalid_grant', error_description: 'The token has ended.' } }
    await expect(auth.refresh?.(scripted(tokensKept, gone).shop, client)).rejects.toMatchObject({
      errors: { credentials: ['The token has ended.'] },
    })
    const odd = { status: 404, body: 'No.' }
    await expect(auth.refresh?.(scripted(tokensKept, odd).shop, client)).rejects.toMatchObject({
      kind: 'upstream_retryable',
    })
    const forbidden = { status: 403, body: {} }
    await expect(auth.refresh?.(scripted(tokensKept, forbidden).shop, client)).rejects.toMatchObject({
      errors: { credentials: ['Squarespace rejected the authorization.'] },
    })
    expect(auth.refreshes?.(facts, tokensKept)).toBe(true)
    expect(auth.refreshes?.(facts, { api_key: 'k' })).toBe(false)
  })
})

describe('the way in by a key', () => {
  test('leads to the site that was meant, by its name, its id or its own address', async () => {
    const check = (body: object) => auth.checkAccess(scripted({ api_key: 'k' }, { body }).shop)
    await check(site)
    await check({ ...site, siteId: 'Ada-Cups' })
    await check({ id: 'ada-cups', siteId: null })
    await check({ id: site.id, siteId: 'x', url: 'https://ada-cups.squarespace.com' })
    const other = 'They belong to another site: eve-cups.'
    await expect(check({ ...site, siteId: 'eve-cups' })).rejects.toMatchObject({
      errors: { 'credentials.api_key': [other] },
    })
  })

  test('says what is wrong with the key, and not of a site that is away that its key is wrong', async () => {
    const check = (status: number, body: object) => auth.checkAccess(scripted({ api_key: 'k' }, { status, body }).shop)
    const expired = { type: 'WEBSITE_EXPIRED', subtype: null, message: 'The website is expired.' }
    await expect(check(402, expired)).rejects.toMatchObject({
      errors: { 'credentials.api_key': [expect.stringContaining('plan of this site has expired')] },
    })
    await expect(check(401, { type: 'AUTHORIZATION_ERROR', message: 'No.' })).rejects.toMatchObject({
      errors: { 'credentials.api_key': expect.anything() },
    })
    for (const status of [400, 404, 499])
      await expect(check(status, {})).rejects.toMatchObject({
        errors: { 'credentials.api_key': ['Squarespace rejected the key.'] },
      })
    for (const status of [302, 500, 503])
      await expect(check(status, {})).rejects.toMatchObject({ kind: 'upstream_retryable' })
    // Nobody typed tokens.
    const other = scripted(tokensKept, { status: 404, body: {} })
    await expect(auth.checkAccess(other.shop)).rejects.toMatchObject({
      errors: { credentials: ['Squarespace rejected the key.'] },
    })
  })

  test('keeps nothing but the key', () => {
    expect(auth.typed?.keep({ api_key: 'k' }, facts)).toEqual({ api_key: 'k' })
    expect([auth.pkce, auth.remains?.text]).toEqual([false, expect.stringContaining('Developer API Keys')])
  })

  test('rights are asked after without changing anything', async () => {
    const { shop, simulator, asked } = openImitation<Settings, Credentials>(squarespace)
    expect(await auth.checkRights?.(shop)).toEqual([])
    const nobody = '0'.repeat(24)
    expect(asked.map(({ request: { method, path } }) => `${method} ${path}`)).toEqual([
      'GET /1.0/commerce/orders',
      `POST /1.0/commerce/orders/${nobody}/fulfillments`,
      `GET /1.0/commerce/inventory/${nobody}`,
      'POST /1.0/commerce/inventory/adjustments',
      'GET /v2/commerce/products',
      `POST /v2/commerce/products/${nobody}/variants/${nobody}`,
    ])
    const never = { modifiedAfter: '2000-01-01T00:00:00.000Z', modifiedBefore: '2000-01-02T00:00:00.000Z' }
    expect([asked[0]?.request.query, asked[4]?.request.query]).toEqual([never, never])
    expect(asked[3]?.request.headers).toHaveProperty('idempotency-key', 'entrepot-rights')
    expect(simulator.ledger().filter((one) => one.kind === 'effect')).toEqual([])
    for (const { request } of asked) expect(request.headers).toHaveProperty('user-agent')
  })
})

describe('answers', () => {
  const read = (status: number, body: unknown, headers = {}) =>
    readAnswer({ status, body, headers }, { method: 'POST', path: '/1.0/commerce/orders/1/fulfillments' })

  test('that turn us away name no time: it is a minute', () => {
    expect(read(429, {})).toEqual({ verdict: 'throttled', retryAfterSeconds: 60 })
    expect(read(429, {}, { 'retry-after': '7' })).toEqual({})
  })

  test.each([
    ['GET', '/1.0/commerce/orders', 'Orders (Read Only)'],
    ['GET', '/1.0/commerce/inventory', 'Inventory (Read Only)'],
    ['POST', '/1.0/commerce/inventory/adjustments', 'Inventory (Read and Write)'],
    ['GET', '/v2/commerce/products/1,2', 'Products (Read Only)'],
    ['GET', '/1.0/profiles', 'a permission'],
  ] as const)('%s %s needs %s', (method, path, name) => {
    const body = { type: 'AUTHORIZATION_ERROR', subtype: null, message: 'No.' }
    const { missingRight } = readAnswer({ status: 403, headers: {}, body }, { method, path })
    expect(missingRight).toEqual({ name, where: expect.stringContaining('Developer API Keys') })
  })

  test('are no more than three hundred in a minute', () => {
    const { capacity, perSecond } = budgets.default
    expect(capacity + perSecond * 60).toBe(300)
  })

  test('that miss a permission name it; others that forbid something do not', () => {
    const body = { type: 'AUTHORIZATION_ERROR', subtype: 'MISSING_SCOPE', message: 'No.' }
    expect(read(403, body)).toMatchObject({ missingRight: { name: 'Orders (Read and Write)' } })
    expect(read(403, { ...body, subtype: 'FORBIDDEN_RESOURCE' })).toEqual({})
    expect(read(403, { message: 'No.' })).toEqual({})
    expect(read(200, body)).toEqual({})
  })
})
