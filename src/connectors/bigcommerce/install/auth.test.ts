import { describe, expect, test } from 'vitest'
import { agree } from '../../../../test/support/agree.ts'
import { scriptedShop } from '../../../../test/support/connector-shop.ts'
import { openImitation } from '../../../../test/support/imitation.ts'
import type { RemoteAnswer } from '../../../commerce/remote.ts'
import { shopWith } from '../../../domain/shop/shop-remote.ts'
import { bigcommerce } from '../index.ts'
import { orders } from '../orders.ts'
import { readAnswer } from '../read-answer.ts'
import type { Credentials, Settings } from '../settings.ts'
import { auth } from './auth.ts'

const facts = { shop: 'store-abc123.mybigcommerce.com', settings: {} }
const client = { client_id: 'us', client_secret: 'shh', account_uuid: 'acc' }

const scripted = (...answers: Partial<RemoteAnswer>[]) =>
  scriptedShop<Settings, Credentials>(bigcommerce, { facts, credentials: { access_token: 'token' } }, answers)

describe('the way in', () => {
  const callbackUrl = 'https://entrepot.example/back'

  test('leads to the store that is meant', () => {
    const trip = { ...facts, client, state: 's', callbackUrl, scopes: ['a', 'b'], codeChallenge: null }
    const address = new URL(auth.authorizeUrl(trip))
    expect(address.origin + address.pathname).toBe('https://login.bigcommerce.com/oauth2/authorize')
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: 'us',
      redirect_uri: callbackUrl,
      response_type: 'code',
      scope: 'a b',
      context: 'stores/abc123',
      state: 's',
      account_uuid: 'acc',
    })
  })

  test('is not taken back from another store', () => {
    expect(auth.verifyReturn?.({ code: 'c', context: 'stores/abc123' }, client, facts)).toBe(true)
    expect(auth.verifyReturn?.({ code: 'c', context: 'stores/other' }, client, facts)).toBe(false)
    expect(auth.verifyReturn?.({ code: 'c' }, client, facts)).toBe(false)
  })

  const exchange = (answer: Partial<RemoteAnswer>) => {
    const { asked, shop } = scripted(answer)
    const query = { code: 'c', scope: 'a', context: 'stores/abc123' }
    const trip = { ...facts, client, query, callbackUrl, codeVerifier: null, remote: shop.remote }
    return { asked, done: auth.exchange(trip) }
  }

  test('ends with a token that does not end, for this store alone', async () => {
    const { asked, done } = exchange({ body: { access_token: 'new', context: 'stores/abc123' } })
    expect(await done).toEqual({ credentials: { access_token: 'new' }, expiresAt: null })
    expect(asked[0]).toMatchObject({
      url: 'https://login.bigcommerce.com/oauth2/token',
      request: { body: { code: 'c', scope: 'a', context: 'stores/abc123', redirect_uri: callbackUrl } },
    })
    expect(asked[0]?.request.headers?.['x-auth-token']).toBeUndefined()
    await expect(exchange({ body: { access_token: 'new', context: 'stores/other' } }).done).rejects.toMatchObject({
      message: 'The tokens belong to another shop.',
    })
    await expect(exchange({ status: 400, body: { error: 'invalid_grant' } }).done).rejects.toMatchObject({
      kind: 'upstream_refused',
    })
    await expect(exchange({ status: 404, body: 'nothing' }).done).rejects.toMatchObject({ kind: 'upstream_retryable' })
  })

  test('is walked to its end on the platform, and its code works once', async () => {
    const { simulator, shop, transport, facts: there } = openImitation<Settings, Credentials>(bigcommerce)
    const { client: ours } = simulator.install
    const trip = { ...there, settings: {}, client: ours, state: 's', callbackUrl, scopes: ['a'], codeChallenge: null }
    const query = await agree(simulator, auth.authorizeUrl(trip))
    expect(query['state']).toBe('s')
    expect(auth.verifyReturn?.(query, ours, there)).toBe(true)
    const exchanged = () => auth.exchange({ ...trip, query, codeVerifier: null, remote: shop.remote })
    const { credentials } = await exchanged()
    expect(simulator.world.ledger.doubles()).toEqual([])
    expect(credentials.access_token).not.toBe(shop.credentials.access_token)
    const next = shopWith({ transport }, bigcommerce, there, credentials)
    await expect(bigcommerce.auth.checkAccess(next)).resolves.toBeUndefined()
    await expect(exchanged()).rejects.toMatchObject({ message: 'Invalid authorization code.' })
  })

  test('typed tokens are kept as such; those of another store are refused at their field', async () => {
    expect(auth.typed?.keep({ access_token: 't' }, facts)).toEqual({ access_token: 't', typed: true })
    await expect(auth.checkAccess(scripted({ body: { id: 'other' } }).shop)).rejects.toMatchObject({
      errors: { 'credentials.access_token': ['The access token belongs to another shop.'] },
    })
    await expect(auth.checkAccess(scripted({ status: 404, body: '' }).shop)).rejects.toMatchObject({
      errors: { 'credentials.access_token': ['The shop rejected the access token.'] },
    })
  })

  test('stores are named by the address that is made from their hash', () => {
    expect(bigcommerce.shopPattern?.test('store-abc123.mybigcommerce.com')).toBe(true)
    for (const other of [
      'abc123',
      'pans.mybigcommerce.com',
      'store-abc.mybigcommerce.com.evil.example',
      'store-a/b.mybigcommerce.com',
    ]) {
      expect(bigcommerce.shopPattern?.test(other)).toBe(false)
    }
  })
})

describe('answers', () => {
  const limits = (left: number) => ({
    'x-rate-limit-time-window-ms': '30000',
    'x-rate-limit-time-reset-ms': '14200',
    'x-rate-limit-requests-quota': '450',
    'x-rate-limit-requests-left': String(left),
  })

  test('report what is left of the window, and when the next one begins', () => {
    const budget = { name: 'default', remaining: 12, capacity: 450, perSecond: 15 }
    expect(readAnswer({ status: 200, headers: limits(12), body: null }, { path: '/v2/orders' })).toEqual({ budget })
    expect(readAnswer({ status: 429, headers: limits(0), body: null }, { path: '/v2/orders' })).toEqual({
      budget: { ...budget, remaining: 0 },
      verdict: 'throttled',
      retryAfterSeconds: 14.2,
    })
    expect(readAnswer({ status: 429, headers: {}, body: null }, { path: '/v2/orders' })).toEqual({})
  })

  test.each([
    [[{ status: 400, message: 'The field "status_id" is invalid.' }], 'The field "status_id" is invalid.'],
    [{ status: 422, title: 'Wrong.', errors: { 'items.0': 'Too many.' } }, 'Wrong. Too many.'],
    ['<html>', 'The shop rejected the request.'],
  ])('that refuse say why in the platform’s words: %j', async (body, message) => {
    const query = { updatedSince: null, statuses: [], cursor: null, limit: 5 }
    await expect(orders.list(scripted({ status: 400, body }).shop, query)).rejects.toMatchObject({
      kind: 'upstream_refused',
      message,
    })
  })
})
