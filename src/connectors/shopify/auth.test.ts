import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../test/support/connector-shop.ts'
import { openShopify } from '../../../test/support/shopify-shop.ts'
import type { ReadQuery } from '../../commerce/connector/reads.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { auth } from './auth.ts'
import { shopify } from './index.ts'
import { orders } from './orders.ts'
import { readAnswer } from './read-answer.ts'
import type { Credentials, Settings } from './settings.ts'
import { toOrder } from './translate-order.ts'
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
    scopes: ['read_orders'],
  }

  test('old orders are asked for where the operator says so, and expected where they were granted', () => {
    const trip = { ...facts, state: 's', callbackUrl: '', scopes: ['read_orders'], codeChallenge: null }
    const asked = (us: Record<string, unknown>) =>
      new URL(auth.authorizeUrl({ ...trip, client: us })).searchParams.get('scope')
    expect(auth.scopes).not.toContain('read_all_orders')
    expect([asked(client), asked({ ...client, all_orders: true })]).toEqual([
      'read_orders',
      'read_orders,read_all_orders',
    ])
    const days = (granted: string[] | null) => shopify.orders?.horizon?.({ ...facts, granted })
    expect([days(['read_orders']), days(null), days(['read_orders', 'read_all_orders'])]).toEqual([59, 59, null])
  })

  test('what fulfilment services hold is asked for, and missed by nobody who may not see it', async () => {
    const own = ['read_third_party_fulfillment_orders', 'write_third_party_fulfillment_orders']
    expect(auth.scopes).toEqual(expect.arrayContaining(own))
    const handles = auth.scopes.filter((scope) => !own.includes(scope)).map((handle) => ({ handle }))
    const body = { data: { shop: { myshopifyDomain: shop }, currentAppInstallation: { accessScopes: handles } } }
    expect(await auth.checkRights?.(scripted({ body }).shop)).toEqual([])
  })

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

  test('an app of the merchant’s own is opened by its secret, again each day, and its messages are verified', async () => {
    const { simulator, shop: opened } = openShopify()
    const own = simulator.install.client ?? {}
    const kept = auth.typed?.keep(own, facts) ?? {}
    expect(kept).toEqual({ client_id: own['client_id'], client_secret: own['client_secret'], typed: true })
    const granted = await auth.typed?.open?.({ ...opened, credentials: kept })
    expect(granted).toMatchObject({
      credentials: { ...kept, access_token: expect.stringMatching(/^shpat_/) },
      expiresAt: expect.any(String),
      scopes: expect.arrayContaining(['write_orders']),
    })
    const tokens = granted?.credentials ?? {}
    expect(auth.refreshes?.(facts, tokens)).toBe(true)
    expect(auth.ownClient?.(tokens)).toEqual({ client_id: own['client_id'], client_secret: own['client_secret'] })
    const again = await auth.refresh?.({ ...opened, credentials: tokens }, {})
    expect(again?.credentials.access_token).not.toBe(tokens.access_token)
    if (webhooks.registration.kind !== 'api') return
    const wanted = { url: 'https://entrepot.example', topics: ['order.created'] as const, secret: '' }
    const made = await webhooks.registration.register({ ...opened, credentials: tokens }, wanted)
    expect(made).toMatchObject([{ topic: 'ORDERS_CREATE' }])
    expect(webhooks.registration.ownSecret?.(tokens)).toBe(own['client_secret'])
    const signature = createHmac('sha256', String(own['client_secret'])).update('{}').digest('base64')
    const message = {
      method: 'POST',
      headers: { 'x-shopify-hmac-sha256': signature },
      query: {},
      raw: Buffer.from('{}'),
    }
    const verify = (registration: string[]) => webhooks.verify(message, { registration, client: {} })
    expect([verify([String(own['client_secret'])]), verify(['']), verify([])]).toEqual([true, false, false])
  })

  test('a shop of others is not opened by the secret of one’s own app, and says so', async () => {
    const open = (answer: Partial<RemoteAnswer>) => {
      const { shop: opened } = scripted(answer)
      return auth.typed?.open?.({ ...opened, credentials: { ...client, typed: true } })
    }
    const page = '<h1>Oauth error shop_not_permitted: Client credentials cannot be performed on this shop.</h1>'
    await expect(open({ status: 400, body: page })).rejects.toMatchObject({
      errors: { 'credentials.client_id': [expect.stringMatching(/performed on this shop\. .*one organisation/)] },
    })
    await expect(open({ status: 400, body: { error: 'invalid_client' } })).rejects.toMatchObject({
      errors: { 'credentials.client_secret': ['invalid_client'] },
    })
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
    const path = ['orders', 'nodes', 0, 'customer']
    const lost = { errors: denied.errors.map((error) => ({ ...error, path })), data: { orders: null } }
    await expect(orders.list(scripted({ body: lost }).shop, query)).rejects.toMatchObject({ kind: 'upstream_refused' })
    await expect(
      orders.list(scripted({ status: 404, body: { errors: 'Not Found' } }).shop, query),
    ).rejects.toMatchObject({
      kind: 'upstream_refused',
      message: 'Not Found',
    })
    await expect(orders.list(scripted({ body: {} }).shop, query)).rejects.toMatchObject({ kind: 'upstream_retryable' })
  })

  test('that leave out what we may not see are taken without it', async () => {
    const scopes =
      'write_orders,read_all_orders,write_products,write_inventory,read_locations,read_merchant_managed_fulfillment_orders'
    const { shop: opened, asked } = openShopify({ variant: { scopes } })
    const { items } = await orders.list(opened, query)
    expect(items).toHaveLength(50)
    expect(toOrder(items[0])).toMatchObject({ customer: { remote_id: null, email: expect.any(String) } })
    const answer = {
      status: 200,
      headers: {},
      body: {
        data: { order: { customer: null } },
        errors: [
          {
            message: 'Access denied for customer field.',
            path: ['order', 'customer'],
            extensions: { code: 'ACCESS_DENIED', requiredAccess: '`read_customers` access scope.' },
          },
        ],
      },
    }
    expect(asked[0] && readAnswer(answer, asked[0].request)).toMatchObject({ withheld: { name: 'read_customers' } })
  })
})
