import { describe, expect, test } from 'vitest'
import { agree } from '../../../test/support/agree.ts'
import { scriptedShop } from '../../../test/support/connector-shop.ts'
import { openImitation } from '../../../test/support/imitation.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { shopWith } from '../../domain/shop/shop-remote.ts'
import { auth } from './auth.ts'
import { ebay } from './index.ts'
import { type Credentials, type Settings, shopNameOf } from './settings.ts'

const facts = { shop: 'ada-antiques.ebay.com', settings: {} }
const credentials = { access_token: 'token', refresh_token: 'again' }
const client = { client_id: 'Ada-PRD-1', client_secret: 'PRD-2', ru_name: 'Ada-Shop-abc' }

const scripted = (...answers: Partial<RemoteAnswer>[]) =>
  scriptedShop<Settings, Credentials>(ebay, { facts, credentials }, answers)

describe('the way in', () => {
  test('goes by the name of the address, not by the address', () => {
    const trip = { client, state: 's', callbackUrl: 'https://x.example/back', scopes: ['a', 'b'], codeChallenge: null }
    const url = new URL(auth.authorizeUrl({ ...facts, ...trip }))
    expect(url.origin + url.pathname).toBe('https://auth.ebay.com/oauth2/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'Ada-PRD-1',
      response_type: 'code',
      redirect_uri: 'Ada-Shop-abc',
      scope: 'a b',
      state: 's',
      prompt: 'login',
    })
    const sandbox = auth.authorizeUrl({ ...facts, settings: { environment: 'sandbox' }, ...trip })
    expect(new URL(sandbox).host).toBe('auth.sandbox.ebay.com')
  })

  test('ends with tokens; the one that lasts stays when the other is renewed', async () => {
    const headers = { date: 'Sun, 15 Nov 2026 06:00:00 GMT' }
    const first = { access_token: 'a1', refresh_token: 'r1', expires_in: 7200, refresh_token_expires_in: 47_304_000 }
    const { shop, asked } = scripted(
      { headers, body: first },
      { body: { username: 'Ada_Antiques', userId: 'u1' } },
      { headers, body: { access_token: 'a2', expires_in: 7200 } },
    )
    const trip = { ...facts, client, query: { code: 'v^1.1#i' }, callbackUrl: 'https://x.example', codeVerifier: null }
    expect(await auth.exchange({ ...trip, remote: shop.remote })).toEqual({
      credentials: { access_token: 'a1', refresh_token: 'r1' },
      expiresAt: '2026-11-15T08:00:00.000000Z',
      // Eighteen months later; and who the seller is, whatever the seller will be called.
      consentEndsAt: '2028-05-15T18:00:00.000000Z',
      settings: { user_id: 'u1' },
      identity: 'u1',
    })
    expect(asked[1]?.url).toBe('https://apiz.ebay.com/commerce/identity/v1/user/')
    expect(asked[1]?.request.headers?.['authorization']).toBe('Bearer a1')
    expect(asked[0]?.url).toBe('https://api.ebay.com/identity/v1/oauth2/token')
    expect(asked[0]?.request.headers?.['authorization']).toBe(
      `Basic ${Buffer.from('Ada-PRD-1:PRD-2').toString('base64')}`,
    )
    expect(Object.fromEntries(new URLSearchParams(String(asked[0]?.request.body)))).toEqual({
      grant_type: 'authorization_code',
      code: 'v^1.1#i',
      redirect_uri: 'Ada-Shop-abc',
    })
    expect((await auth.refresh?.(shop, client))?.credentials).toEqual({ access_token: 'a2', refresh_token: 'again' })
  })

  test('is walked to its end on eBay; its code works once, its tokens open the shop and are renewed', async () => {
    const { simulator, shop, transport, facts: there } = openImitation<Settings, Credentials>(ebay)
    const { client: ours } = simulator.install
    const ways = { callbackUrl: 'https://x.example', scopes: ['a'], codeChallenge: null, codeVerifier: null }
    const trip = { ...there, settings: {}, client: ours, state: 's', ...ways }
    const query = await agree(simulator, auth.authorizeUrl(trip))
    expect(query['state']).toBe('s')
    const exchanged = () => auth.exchange({ ...trip, query, remote: shop.remote })
    const { credentials: kept, expiresAt } = await exchanged()
    expect(Date.parse(expiresAt ?? '')).toBeGreaterThan(Date.now() + 7_000_000)
    await expect(ebay.auth.checkAccess(shopWith({ transport }, ebay, there, kept))).resolves.toBeUndefined()
    await expect(exchanged()).rejects.toMatchObject({
      errors: { credentials: ['the provided authorization grant code is invalid'] },
    })
    const renewed = await auth.refresh?.({ ...shop, credentials: kept }, ours)
    expect(renewed?.credentials).toEqual({ ...kept, access_token: expect.not.stringContaining(kept.access_token) })
  })

  test('is closed for a grant that is gone, and passes over what may pass', async () => {
    const gone = { status: 400, body: { error: 'invalid_grant', error_description: 'The refresh token has ended.' } }
    await expect(auth.refresh?.(scripted(gone).shop, client)).rejects.toMatchObject({
      kind: 'upstream_refused',
      errors: { credentials: ['The refresh token has ended.'] },
    })
    const odd = { status: 400, body: '<html>' }
    await expect(auth.refresh?.(scripted(odd).shop, client)).rejects.toMatchObject({ kind: 'upstream_retryable' })
  })

  test('is for the seller who was meant', async () => {
    await expect(auth.checkAccess(scripted({ body: { username: 'eve', userId: 'e1' } }).shop)).rejects.toMatchObject({
      errors: { credentials: ['The tokens belong to the eBay user eve.'] },
    })
    const renamed = {
      ...scripted({ body: { username: 'ada_renamed', userId: 'u1' } }).shop,
      settings: { user_id: 'u1' },
    }
    await expect(auth.checkAccess(renamed)).resolves.toBeUndefined()
    const another = {
      ...scripted({ body: { username: 'ada_antiques', userId: 'u2' } }).shop,
      settings: { user_id: 'u1' },
    }
    await expect(auth.checkAccess(another)).rejects.toMatchObject({ kind: 'upstream_refused' })
    const trip = { ...facts, client, query: { code: 'c' }, callbackUrl: 'https://x.example', codeVerifier: null }
    const tokens = { body: { access_token: 'a', refresh_token: 'r', expires_in: 7200 } }
    const { shop: foreign } = scripted(tokens, { body: { username: 'eve', userId: 'e1' } })
    await expect(auth.exchange({ ...trip, remote: foreign.remote })).rejects.toMatchObject({ kind: 'upstream_refused' })
    expect(['Ada_Antiques*', '_x_', '1a.b'].map(shopNameOf)).toEqual([
      'ada-antiques.ebay.com',
      'x.ebay.com',
      '1a-b.ebay.com',
    ])
    for (const name of ['Ada_Antiques*', '_x_', '1a.b']) expect(shopNameOf(name)).toMatch(ebay.shopPattern ?? /^$/)
  })
})
