import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../test/support/connector-shop.ts'
import { openImitation } from '../../../test/support/imitation.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { bucketOf } from '../../domain/budgets/budget.ts'
import { auth } from './auth.ts'
import { etsy } from './index.ts'
import { readAnswer } from './read-answer.ts'
import type { Credentials, Settings } from './settings.ts'

const facts = { shop: 'adacups.etsy.com', settings: { shop_id: 42 } }
const credentials = { access_token: '7.token', refresh_token: '7.again', api_key: 'us:shh' }
const client = { client_id: 'us', client_secret: 'shh' }

const scripted = (...answers: Partial<RemoteAnswer>[]) =>
  scriptedShop<Settings, Credentials>(etsy, { facts, credentials }, answers)

describe('the way in', () => {
  const callbackUrl = 'https://entrepot.example/back'

  test('carries a challenge', () => {
    const trip = { ...facts, client, state: 's', callbackUrl, scopes: ['shops_r', 'listings_r'], codeChallenge: 'cc' }
    const url = new URL(auth.authorizeUrl(trip))
    expect(url.origin + url.pathname).toBe('https://www.etsy.com/oauth/connect')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'us',
      redirect_uri: callbackUrl,
      scope: 'shops_r listings_r',
      state: 's',
      code_challenge: 'cc',
      code_challenge_method: 'S256',
    })
    expect(auth.pkce).toBe(true)
  })

  const tokens = {
    headers: { date: 'Sun, 15 Nov 2026 06:00:00 GMT' },
    body: { access_token: '7.new', refresh_token: '7.next', token_type: 'Bearer', expires_in: 3600 },
  }
  const exchange = (...answers: Partial<RemoteAnswer>[]) => {
    const { asked, shop } = scripted(...answers)
    const trip = { shop: facts.shop, settings: {}, client, query: { code: 'c' }, callbackUrl, codeVerifier: 'v' }
    return { asked, done: auth.exchange({ ...trip, remote: shop.remote }) }
  }
  const kept = { access_token: '7.new', refresh_token: '7.next', api_key: 'us:shh' }

  test('ends with tokens and the number of the shop', async () => {
    const { asked, done } = exchange(tokens, { body: { user_id: 7, shop_id: 42 } })
    expect(await done).toEqual({
      credentials: kept,
      expiresAt: '2026-11-15T07:00:00.000000Z',
      settings: { shop_id: 42 },
      identity: '42',
    })
    expect(asked[0]?.url).toBe('https://api.etsy.com/v3/public/oauth/token')
    expect(Object.fromEntries(new URLSearchParams(String(asked[0]?.request.body)))).toEqual({
      grant_type: 'authorization_code',
      client_id: 'us',
      redirect_uri: callbackUrl,
      code: 'c',
      code_verifier: 'v',
    })
    expect(asked[0]?.request.headers).not.toHaveProperty('authorization')
  })

  test('is closed for people without shop, and for tokens of somebody else', async () => {
    await expect(exchange(tokens, { body: { user_id: 7 } }).done).rejects.toMatchObject({
      message: 'This account has no shop.',
    })
    await expect(exchange(tokens, { body: { user_id: 8, shop_id: 42 } }).done).rejects.toMatchObject({
      message: 'The tokens are of somebody else.',
    })
  })

  test('is kept open with tokens that are good for one time', async () => {
    const { shop, asked } = scripted(tokens)
    expect((await auth.refresh?.(shop, client))?.credentials).toEqual(kept)
    expect(String(asked[0]?.request.body)).toBe('grant_type=refresh_token&refresh_token=7.again&client_id=us')
    const gone = { status: 400, body: { error: 'invalid_grant', error_description: 'The token has ended.' } }
    await expect(auth.refresh?.(scripted(gone).shop, client)).rejects.toMatchObject({
      errors: { credentials: ['The token has ended.'] },
    })
    const odd = { status: 404, body: 'No.' }
    await expect(auth.refresh?.(scripted(odd).shop, client)).rejects.toMatchObject({ kind: 'upstream_retryable' })
  })

  test('leads to the shop that was meant', async () => {
    await expect(
      auth.checkAccess(scripted({ body: { shop_id: 43, shop_name: 'EveCups' } }).shop),
    ).rejects.toMatchObject({
      errors: { credentials: ['The tokens belong to the shop EveCups.'] },
    })
    const secretless = { status: 403, body: { error: 'Shared secret is required in x-api-key header.' } }
    await expect(auth.checkAccess(scripted(secretless).shop)).rejects.toMatchObject({
      errors: { credentials: ['Shared secret is required in x-api-key header.'] },
    })
    const { shop, asked, credentials: own } = openImitation<Settings, Credentials>(etsy)
    await auth.checkAccess(shop)
    const expected = { authorization: `Bearer ${own['access_token']}`, 'x-api-key': own['api_key'] }
    expect(asked[0]?.request.headers).toMatchObject(expected)
  })
})

describe('answers', () => {
  const budgetAfter = (second: string, today: string) =>
    readAnswer({
      status: 200,
      body: null,
      headers: {
        'x-limit-per-second': '10',
        'x-remaining-this-second': second,
        'x-limit-per-day': '10000',
        'x-remaining-today': today,
      },
    })

  test('are counted for all shops of an app together', () => {
    const bucket = (shop: string, application: string | null) => bucketOf(etsy, { shop, application })
    expect(bucket('ada', 'key').key).toBe(bucket('eve', 'key').key)
    expect(bucket('ada', 'key').key).not.toBe(bucket('ada', 'another').key)
    expect(bucket('ada', 'key').sharer).toBe('ada')
  })

  test('report what is left of the second, and of the day', () => {
    const second = { name: 'default', remaining: 4, capacity: 10, perSecond: 10 }
    expect(budgetAfter('4', '9000')).toEqual({ budget: { ...second, perDay: 10_000, dayLeft: 9000 } })
    expect(budgetAfter('4', 'many')).toEqual({ budget: second })
    expect(budgetAfter('9', '100').budget?.perSecond).toBeCloseTo(10_000 / 86_400, 6)
    expect(readAnswer({ status: 200, headers: {}, body: null })).toEqual({})
  })
})
