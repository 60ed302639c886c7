import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../test/support/connector-shop.ts'
import { openImitation } from '../../../test/support/imitation.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { testCredentials } from '../../domain/install/install-integration.ts'
import { auth } from './auth.ts'
import { amazon } from './index.ts'
import type { Credentials, Settings } from './settings.ts'

const facts: { shop: string; settings: Settings } = { shop: 'a2standseller1', settings: { marketplace: 'UK' } }
const client = { application_id: 'amzn1.sp.solution.us', client_id: 'us', client_secret: 'ours' }
const callbackUrl = 'https://entrepot.example/back'
const kept = { access_token: 'old', refresh_token: 'Atzr|right' }

const scripted = (answers: Partial<RemoteAnswer>[], credentials: Credentials = kept) =>
  scriptedShop<Settings, Credentials>(amazon, { facts, credentials }, answers)

const given = {
  headers: { date: 'Sun, 15 Nov 2026 08:00:00 GMT' },
  body: { access_token: 'new', refresh_token: 'Atzr|right', expires_in: 3600 },
}

describe('the way in', () => {
  test('leads to Seller Central of the marketplace', () => {
    const trip = { ...facts, client, state: 's', callbackUrl, scopes: [], codeChallenge: null }
    const address = new URL(auth.authorizeUrl(trip))
    expect(address.origin + address.pathname).toBe('https://sellercentral-europe.amazon.com/apps/authorize/consent')
    expect(Object.fromEntries(address.searchParams)).toEqual({
      application_id: 'amzn1.sp.solution.us',
      state: 's',
      redirect_uri: callbackUrl,
    })
    const draft = auth.authorizeUrl({ ...trip, settings: { marketplace: 'JP' }, client: { ...client, draft: true } })
    expect(draft).toMatch(/^https:\/\/sellercentral\.amazon\.co\.jp\/.*&version=beta$/)
  })

  test('is taken back from the seller who was meant alone', () => {
    expect(auth.codeName).toBe('spapi_oauth_code')
    expect(auth.verifyReturn?.({ selling_partner_id: 'A2STANDSELLER1' }, client, facts)).toBe(true)
    expect(auth.verifyReturn?.({ selling_partner_id: 'A2OTHER' }, client, facts)).toBe(false)
    expect(auth.verifyReturn?.({}, client, facts)).toBe(false)
  })

  test('ends with tokens of an hour, and the seller as Amazon writes it', async () => {
    const { shop, asked } = scripted([given])
    const query = { spapi_oauth_code: 'good', selling_partner_id: 'A2STANDSELLER1', state: 's' }
    const trip = { ...facts, client, query, callbackUrl, codeVerifier: null, remote: shop.remote }
    expect(await auth.exchange(trip)).toEqual({
      credentials: { access_token: 'new', refresh_token: 'Atzr|right' },
      expiresAt: '2026-11-15T09:00:00.000000Z',
      consentEndsAt: '2027-11-15T08:00:00.000000Z',
      settings: { seller_id: 'A2STANDSELLER1' },
    })
    expect(asked[0]?.url).toBe('https://api.amazon.com/auth/o2/token')
    expect(asked[0]?.request.headers).not.toHaveProperty('x-amz-access-token')
    expect(Object.fromEntries(new URLSearchParams(String(asked[0]?.request.body)))).toEqual({
      grant_type: 'authorization_code',
      code: 'good',
      redirect_uri: callbackUrl,
      client_id: 'us',
      client_secret: 'ours',
    })
  })
})

describe('new tokens', () => {
  test('come for the refresh token, which stays', async () => {
    const { shop } = scripted([{ ...given, body: { access_token: 'new', expires_in: 3600 } }])
    expect((await auth.refresh?.(shop, client))?.credentials).toEqual({
      access_token: 'new',
      refresh_token: 'Atzr|right',
    })
  })

  test('are refused for good, or not now', async () => {
    const gone = { status: 400, body: { error: 'invalid_grant', error_description: 'The grant is revoked.' } }
    await expect(auth.refresh?.(scripted([gone]).shop, client)).rejects.toMatchObject({
      kind: 'upstream_refused',
      message: 'The grant is revoked.',
      errors: { credentials: ['The grant is revoked.'] },
    })
    for (const body of ['<html>', { error: 'server_error' }]) {
      await expect(auth.refresh?.(scripted([{ status: 400, body }]).shop, client)).rejects.toMatchObject({
        kind: 'upstream_retryable',
      })
    }
  })
})

describe('a private app', () => {
  const { simulator, transport, facts: shopFacts } = openImitation(amazon)
  const typed = simulator.install.credentials ?? {}
  const checkAccess = (fields: Record<string, string>) => testCredentials({ transport }, amazon, shopFacts, fields)

  test('is let in with the refresh token of its seller', async () => {
    const opened = await checkAccess(typed)
    expect(opened).toEqual({
      credentials: { ...typed, access_token: expect.stringMatching(/^Atza\|/) },
      expiresAt: expect.stringMatching(/^\d{4}-.*000000Z$/),
      granted: null,
      settings: shopFacts.settings,
    })
    const own = { client_id: String(typed['client_id']), client_secret: String(typed['client_secret']) }
    expect(auth.ownClient?.({ ...kept, ...own })).toEqual(own)
    expect(auth.ownClient?.(kept)).toBeNull()
  })

  test('is refused at the field that is wrong', async () => {
    await expect(checkAccess({ ...typed, refresh_token: 'Atzr|wrong' })).rejects.toMatchObject({
      errors: { 'credentials.refresh_token': ['The request has an invalid grant parameter'] },
    })
    const { shop } = scripted([{ status: 400, body: { error: 'invalid_client' } }], {
      refresh_token: 'r',
      client_id: 'us',
      client_secret: 'bad',
    })
    const failure = await auth.typed?.open?.(shop).catch((error: unknown) => error)
    expect(Object.keys((failure as { errors: object }).errors)).toEqual([
      'credentials.client_id',
      'credentials.client_secret',
    ])
  })
})

describe('proof', () => {
  const tried = (settings: Partial<Settings>, seller_id?: string) =>
    auth.checkAccess(
      openImitation<Settings, Credentials>(amazon, { settings: { ...settings, ...(seller_id ? { seller_id } : {}) } })
        .shop,
    )

  test('is that the seller sells there, and is the one named', async () => {
    await tried({})
    await expect(tried({ marketplace: 'FR' })).rejects.toMatchObject({
      errors: { 'settings.marketplace': [expect.any(String)] },
    })
    await expect(tried({ more_marketplaces: ['FR'] })).rejects.toMatchObject({
      errors: { 'settings.more_marketplaces': ['The seller does not sell on all of these marketplaces.'] },
    })
    await expect(tried({ more_marketplaces: ['US'] })).rejects.toMatchObject({
      errors: { 'settings.more_marketplaces': ['All marketplaces must be of the same region.'] },
    })
    await expect(tried({}, 'A1SOMEONEELSE')).rejects.toMatchObject({ kind: 'upstream_refused' })
  })
})
