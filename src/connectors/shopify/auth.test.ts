import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../test/support/connector-shop.ts'
import type { ReadQuery } from '../../commerce/connector.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { auth } from './auth.ts'
import { shopify } from './index.ts'
import { orders } from './orders.ts'
import { readAnswer } from './read-answer.ts'
import type { Credentials, Settings } from './settings.ts'
import { webhooks } from './webhooks.ts'

const shop = 'coffee-stand.myshopify.com'
const facts = { shop, settings: {} }
const query: ReadQuery = { updatedSince: null, statuses: [], cursor: null, limit: 50 }

/** A shop that gives these answers, one after the other. */
const scripted = (...answers: Partial<RemoteAnswer>[]) =>
  scriptedShop<Settings, Credentials>(
    shopify,
    { facts, credentials: { access_token: 'old', refresh_token: 'once' } },
    answers,
  )

describe('the way in', () => {
  const client = { client_id: 'us', client_secret: 'hush' }

  test('leads to the shop, with everything that is wanted', () => {
    const callbackUrl = 'https://entrepot.example/back'
    const trip = { ...facts, client, state: 's', callbackUrl, scopes: ['a', 'b'], codeChallenge: null }
    expect(auth.authorizeUrl(trip)).toBe(
      `https://${shop}/admin/oauth/authorize?client_id=us&scope=a%2Cb&redirect_uri=https%3A%2F%2Fentrepot.example%2Fback&state=s`,
    )
  })

  test('is only taken back from the shop it led to, signed', () => {
    const genuine = {
      code: '0907a61c0c8d55e99db179b68161bc00',
      hmac: '700e2dadb827fcc8609e9d5ce208b2e9cdaab9df07390d2cbca10d7c328fc4bf',
      shop: 'some-shop.myshopify.com',
      state: '0.6784241404160823',
      timestamp: '1337178173',
    }
    const there = { shop: 'some-shop.myshopify.com', settings: {} }
    expect(auth.verifyReturn?.(genuine, client, there)).toBe(true)
    expect(auth.verifyReturn?.(genuine, client, facts)).toBe(false)
    expect(auth.verifyReturn?.({ ...genuine, code: 'other' }, client, there)).toBe(false)
    expect(auth.verifyReturn?.({ ...genuine, hmac: '' }, client, there)).toBe(false)
    expect(auth.verifyReturn?.(genuine, { ...client, client_secret: '' }, there)).toBe(false)
  })

  const tokens = {
    headers: { date: 'Sun, 15 Nov 2026 08:00:00 GMT' },
    body: { access_token: 'new', refresh_token: 'next', expires_in: 3600, scope: 'read_orders' },
  }
  const granted = {
    credentials: { access_token: 'new', refresh_token: 'next' },
    expiresAt: '2026-11-15T09:00:00.000000Z',
  }

  test('codes and refresh tokens become tokens that end', async () => {
    const { asked, shop: opened } = scripted(tokens, tokens)
    const { remote } = opened
    const trip = { ...facts, client, query: { code: 'c' }, callbackUrl: '', codeVerifier: null, remote }
    expect(await auth.exchange(trip)).toEqual(granted)
    expect(await auth.refresh?.(opened, client)).toEqual(granted)
    expect(asked.map(({ request }) => request.body)).toEqual([
      { ...client, code: 'c', expiring: '1' },
      { ...client, grant_type: 'refresh_token', refresh_token: 'once' },
    ])
    expect(asked[0]?.request.headers?.['x-shopify-access-token']).toBeUndefined()
  })

  test('a grant that is gone is distinguished from one that cannot be had now', async () => {
    const refresh = async (answer: Partial<RemoteAnswer>) =>
      await auth.refresh?.(scripted(answer).shop, client).catch((error: unknown) => error)
    expect(await refresh({ status: 400, body: { error: 'invalid_grant', error_description: 'Gone.' } })).toMatchObject({
      kind: 'upstream_refused',
      errors: { 'credentials.refresh_token': ['Gone.'] },
    })
    expect(await refresh({ status: 404, body: 'nothing' })).toMatchObject({ kind: 'upstream_retryable' })
    expect(await refresh({ status: 503 })).toMatchObject({ kind: 'upstream_retryable' })
  })

  test('typed tokens are kept as such, are not refreshed, and leave the app where it is', async () => {
    const kept = auth.typed?.keep({ access_token: 'shpat_1' }, facts)
    expect(kept).toEqual({ access_token: 'shpat_1', typed: true })
    expect(auth.refreshes?.(facts, kept ?? { access_token: '' })).toBe(false)
    expect(auth.refreshes?.(facts, { access_token: 'a', refresh_token: 'b' })).toBe(true)
    const { asked, shop: opened } = scripted()
    await auth.revoke?.({ ...opened, credentials: { access_token: 'a', typed: true } }, client)
    expect(asked).toEqual([])
    if (webhooks.registration.kind !== 'api') return
    const wanted = { url: 'https://entrepot.example', topics: ['order.created'] as const, secret: '' }
    expect(
      await webhooks.registration.register({ ...opened, credentials: { access_token: 'a', typed: true } }, wanted),
    ).toEqual([])
    expect(asked).toEqual([])
  })

  test('tokens of another shop are refused at their field, and scopes that are missing are listed', async () => {
    const installation = (myshopifyDomain: string, ...handles: string[]) => ({
      body: {
        data: {
          shop: { myshopifyDomain },
          currentAppInstallation: { accessScopes: handles.map((handle) => ({ handle })) },
        },
      },
    })
    await expect(auth.checkAccess(scripted(installation('other.myshopify.com')).shop)).rejects.toMatchObject({
      errors: { 'credentials.access_token': ['The access token belongs to another shop.'] },
    })
    const missing = await auth.checkRights?.(scripted(installation(shop, 'write_orders', 'read_products')).shop)
    expect(missing?.map(({ name }) => name)).toEqual([
      ...['write_products', 'read_inventory', 'write_inventory', 'read_locations', 'read_customers'],
      ...['read_fulfillments', 'read_merchant_managed_fulfillment_orders'],
      'write_merchant_managed_fulfillment_orders',
    ])
  })
})

describe('answers', () => {
  test('report what is left, what is over, and what has broken', () => {
    const of = (answer: Partial<RemoteAnswer>) =>
      readAnswer({ status: 200, headers: {}, body: null, ...answer }, { method: 'POST', path: '/' })
    expect(of({ status: 402 })).toEqual({ verdict: 'away', retryAfterSeconds: 3600 })
    expect(of({ body: { errors: [{ message: 'x', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] } })).toEqual({
      verdict: 'away',
    })
    expect(of({ body: { errors: [{ message: 'x', extensions: { code: 'THROTTLED' } }] } })).toEqual({
      verdict: 'throttled',
    })
    expect(of({ body: 'text' })).toEqual({})
  })

  test('that refuse say why in the platform’s words', async () => {
    const denied = {
      errors: [{ message: 'Access denied for customer field.', extensions: { code: 'ACCESS_DENIED' } }],
      data: {},
    }
    await expect(orders.list(scripted({ body: denied }).shop, query)).rejects.toMatchObject({
      kind: 'upstream_refused',
      message: expect.stringMatching(/protected customer data.*The shop says: "Access denied for customer field\."/),
    })
    await expect(
      orders.list(scripted({ status: 404, body: { errors: 'Not Found' } }).shop, query),
    ).rejects.toMatchObject({
      kind: 'upstream_refused',
      message: 'Not Found',
    })
    await expect(orders.list(scripted({ body: {} }).shop, query)).rejects.toMatchObject({ kind: 'upstream_retryable' })
  })
})
