import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openStand, scriptedShop } from '../../../test/support/connector-shop.ts'
import {
  hasSpecifications,
  noSpecifications,
  readSample,
  readSpecification,
} from '../../../test/support/vendor-specification.ts'
import { fieldsOf, recordsIn } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { moneyIn } from './amounts.ts'
import { auth } from './auth.ts'
import { etsy } from './index.ts'
import { inventory } from './inventory.ts'
import { orders } from './orders.ts'
import { products } from './products.ts'
import { readAnswer } from './read-answer.ts'
import type { Credentials, Settings } from './settings.ts'
import { shipments } from './shipments.ts'
import { makeStand } from './stand.ts'
import { money, productOf } from './stand-records.ts'
import { toOrder } from './translate-order.ts'
import { toProduct } from './translate-product.ts'
import { webhooks } from './webhooks.ts'

const facts = { shop: 'adacups.etsy.com', settings: { shop_id: 42 } }
const credentials = { access_token: '7.token', refresh_token: '7.again', api_key: 'us:shh' }
const client = { client_id: 'us', client_secret: 'shh' }

const scripted = (...answers: Partial<RemoteAnswer>[]) =>
  scriptedShop<Settings, Credentials>(etsy, { facts, credentials }, answers)
const opened = (stand = makeStand()) => openStand<Settings, Credentials>(etsy, stand)
const query = { updatedSince: null, statuses: [], cursor: null, limit: 20 }

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
    await expect(auth.prove(scripted({ body: { shop_name: 'EveCups' } }).shop)).rejects.toMatchObject({
      errors: { credentials: ['The tokens belong to the shop EveCups.'] },
    })
    const secretless = { status: 403, body: { error: 'Shared secret is required in x-api-key header.' } }
    await expect(auth.prove(scripted(secretless).shop)).rejects.toMatchObject({
      errors: { credentials: ['Shared secret is required in x-api-key header.'] },
    })
    const { shop, asked } = opened()
    await auth.prove(shop)
    expect(asked[0]?.request.headers).toMatchObject({ authorization: 'Bearer 7.right', 'x-api-key': 'us:shh' })
  })
})

describe('amounts', () => {
  test.each([
    [3000, 100, 'USD', '30.00'],
    [5, 100, 'EUR', '0.05'],
    [3325, 1, 'JPY', '3325'],
    [-250, 100, 'EUR', '-2.50'],
    [12_345, 1000, 'KWD', '12.345'],
  ])('%i / %i %s are %s', (amount, divisor, currency, told) => {
    const fields = { price: { amount, divisor, currency_code: currency } }
    expect(moneyIn(fields, 'price')).toEqual({ amount: told, currency })
  })

  test('that are divided by anything else are not guessed at', () => {
    expect(() => moneyIn({ price: { amount: 1, divisor: 3, currency_code: 'EUR' } }, 'price')).toThrow(TypeError)
  })
})

describe('orders', () => {
  test('of the official shape are understood', (context) => {
    if (!hasSpecifications) return context.skip(noSpecifications)
    const sample = fieldsOf(readSample('etsy/samples/synthetic.getShopReceipts.response.json'))
    expect(recordsIn(sample, 'results').map(toOrder)).toMatchObject([
      {
        remote_id: '1000000001',
        status: 'open',
        payment_status: 'paid',
        fulfillment_status: 'unfulfilled',
        subtotal: { amount: '25.00', currency: 'USD' },
        shipping_total: { amount: '5.00', currency: 'USD' },
        total: { amount: '30.00', currency: 'USD' },
        customer: { remote_id: '2002', email: 'ada@example.com' },
        shipping_address: { name: 'Ada Example', city: 'Portland', region: 'OR', country_code: 'US' },
        placed_at: '2025-10-02T10:00:00.000000Z',
        ship_by: '2025-10-05T10:00:00.000000Z',
        lines: [
          {
            sku: 'MUG-BLUE',
            product_remote_id: '4000000001',
            quantity: 2,
            unit_price: { amount: '12.50' },
            total: { amount: '25.00' },
          },
        ],
      },
    ])
  })

  const receipt = (change: object) => toOrder({ ...makeStand().books.receipts.get(9000), ...change })

  test.each([
    ['Paid', true, false, 'open', 'paid', 'unfulfilled'],
    ['paid', true, true, 'completed', 'paid', 'fulfilled'],
    ['Completed', true, true, 'completed', 'paid', 'fulfilled'],
    ['open', false, false, 'pending', 'pending', 'unfulfilled'],
    ['payment processing', false, false, 'pending', 'pending', 'unfulfilled'],
    ['Canceled', false, false, 'cancelled', 'voided', 'unfulfilled'],
    ['fully refunded', true, false, 'cancelled', 'refunded', 'unfulfilled'],
    ['partially refunded', true, true, 'completed', 'partially_refunded', 'fulfilled'],
  ])('that are %s (paid %s, sent %s) are %s, %s and %s', (status, is_paid, is_shipped, ours, paid, sent) => {
    expect(receipt({ status, is_paid, is_shipped })).toMatchObject({
      status: ours,
      payment_status: paid,
      fulfillment_status: sent,
      remote_status: status,
    })
  })

  test('of words that nobody knows are set aside', () => {
    expect(() => receipt({ status: 'lost at sea' })).toThrow('lost at sea')
  })

  test('add up: price less discount, sending and both taxes', () => {
    const [line] = recordsIn(makeStand().books.receipts.get(9000) ?? {}, 'transactions')
    const order = receipt({
      total_price: money(2500),
      subtotal: money(2250),
      discount_amt: money(250),
      total_tax_cost: money(110),
      total_vat_cost: money(90),
      grandtotal: money(2950),
      refunds: [{ amount: money(100) }, { amount: money(50) }],
      transactions: [{ ...line, quantity: 2, shop_coupon: 2.5, is_digital: true }],
    })
    expect(order).toMatchObject({
      subtotal: { amount: '25.00' },
      discount_total: { amount: '2.50' },
      shipping_total: { amount: '5.00' },
      tax_total: { amount: '2.00' },
      total: { amount: '29.50' },
      refunded_total: { amount: '1.50' },
      fulfillment_status: 'not_required',
      lines: [{ discount: { amount: '2.50' }, total: { amount: '22.50' }, requires_shipping: false }],
    })
  })

  test('are asked for oldest change first, from no time before Etsy was there', async () => {
    const { shop, asked } = opened()
    await orders.list(shop, { ...query, updatedSince: '1999-01-01T00:00:00.000000Z' })
    expect(asked[0]?.request.query).toMatchObject({
      min_last_modified: 946_684_800,
      sort_on: 'updated',
      sort_order: 'asc',
    })
  })

  test('are all read while they change', async () => {
    const stand = makeStand()
    const { shop } = opened(stand)
    const ids = new Set<string>()
    for (let cursor: string | null = null, page = 0; page === 0 || cursor !== null; page++) {
      const got = await orders.list(shop, { ...query, cursor })
      for (const raw of got.items) ids.add(toOrder(raw).remote_id)
      Object.assign(stand.books.receipts.get(9000 + page * 3) ?? {}, { updated_timestamp: stand.books.now + page })
      cursor = got.next
    }
    expect(ids.size).toBe(stand.books.receipts.size)
  })

  test('that are refused say why in Etsy’s words', async () => {
    const answer = { status: 400, body: { error: 'Invalid limit.' } }
    await expect(orders.list(scripted(answer).shop, query)).rejects.toMatchObject({ message: 'Invalid limit.' })
  })
})

describe('parcels', () => {
  test('are told once, for each time is a letter to the buyer', async () => {
    const stand = makeStand()
    const { shop, asked } = opened(stand)
    const draft = { order_remote_id: stand.openOrder(), tracking_number: 'A&B 1', carrier: 'bpost' }
    const parcel = await shipments.create.send(shop, draft, { id: 'x' })
    expect(parcel).toMatchObject({ tracking_number: 'A&B 1', carrier_name: 'bpost', lines: [{ quantity: 1 }] })
    expect(await shipments.create.send(shop, draft, { id: 'x' })).toEqual(parcel)
    expect(stand.books.letters).toEqual([`${draft.order_remote_id} A&B 1`])
    const posts = asked.filter(({ request }) => request.method === 'POST')
    expect(posts.map(({ request }) => request.body)).toEqual(['tracking_code=A%26B+1&carrier_name=bpost'])
  })

  test('have everything, or are refused', async () => {
    const stand = makeStand()
    const { shop } = opened(stand)
    const id = [...stand.books.receipts.values()].find((one) => recordsIn(one, 'transactions')[0]?.['quantity'] === 3)
    const order = toOrder(id)
    const draft = { order_remote_id: order.remote_id, tracking_number: 'T', carrier: 'bpost' }
    const lines = (quantity: number) => [{ order_line_remote_id: order.lines[0]?.remote_id ?? '', quantity }]
    await expect(shipments.create.send(shop, { ...draft, lines: lines(1) }, { id: 'x' })).rejects.toMatchObject({
      message: 'Etsy knows only orders that are sent as a whole.',
    })
    expect(await shipments.create.send(shop, { ...draft, lines: lines(3) }, { id: 'x' })).toMatchObject({
      tracking_number: 'T',
    })
  })
})

describe('listings', () => {
  test('have variants with options, pictures in their order, and text that stays text', () => {
    const stand = makeStand()
    const { shop } = opened(stand)
    return Promise.all([products.get?.(shop, '502'), products.get?.(shop, '503')]).then(([varied, bare]) => {
      expect(toProduct(varied)).toMatchObject({
        status: 'active',
        description_html: 'Blue.<br>Holds &lt;much&gt;.',
        images: [{ alt: 'Front', position: 0 }, { position: 1 }],
        options: [{ name: 'Size', values: ['S', 'M', 'L'] }],
        variants: [
          { sku: 'CUP-2-S', title: 'S', price: { amount: '12.50' }, quantity: 2 },
          { sku: 'CUP-2-M', title: 'M', price: { amount: '13.50' }, quantity: 3 },
          { sku: 'CUP-2-L', title: 'L', price: { amount: '14.50' }, quantity: 4, weight: { value: '0.3', unit: 'kg' } },
        ],
      })
      expect(toProduct(bare)).toMatchObject({ status: 'inactive', variants: [{ remote_id: '503', quantity: 4 }] })
    })
  })

  test('that leave their state while it is read push no other out of the list', async () => {
    const stand = makeStand()
    const { shop } = opened(stand)
    const seen = new Set<string>()
    let cursor: string | null = null
    for (let page = 0; page === 0 || cursor !== null; page++) {
      const got = await products.list(shop, { ...query, limit: 4, cursor })
      for (const raw of got.items) seen.add(toProduct(raw).remote_id)
      cursor = got.next
      const first = stand.books.listings.get(500)
      if (page === 0 && first) first.state = 'expired'
    }
    expect(seen.size).toBe(stand.books.listings.size)
  })
})

describe('stock', () => {
  const set = async (stand: ReturnType<typeof makeStand>, wanted: Record<string, number>) => {
    const { shop, asked } = opened(stand)
    const settings = Object.entries(wanted).map(([sku, quantity]) => ({ sku, quantity }))
    const results = await inventory.set?.send(shop, settings, { id: 'x' })
    return { results, puts: asked.filter(({ request }) => request.method === 'PUT').map(({ request }) => request.body) }
  }

  test('is told with the whole listing, without ids, prices as numbers', async () => {
    const { results, puts } = await set(makeStand(), { 'CUP-2-S': 9, 'CUP-2-L': 0 })
    expect(results).toMatchObject([{ ok: true }, { ok: true }])
    const size = (id: number, value: string) => [
      { property_id: 100, property_name: 'Size', scale_id: null, value_ids: [id], values: [value] },
    ]
    expect(puts).toEqual([
      {
        products: [
          {
            sku: 'CUP-2-S',
            property_values: size(1, 'S'),
            offerings: [{ price: 12.5, quantity: 9, is_enabled: true }],
          },
          {
            sku: 'CUP-2-M',
            property_values: size(2, 'M'),
            offerings: [{ price: 13.5, quantity: 3, is_enabled: true }],
          },
          {
            sku: 'CUP-2-L',
            property_values: size(3, 'L'),
            offerings: [{ price: 14.5, quantity: 0, is_enabled: true }],
          },
        ],
        price_on_property: [],
        quantity_on_property: [100],
        sku_on_property: [100],
      },
    ])
  })

  const withListing = (change: object) => {
    const stand = makeStand()
    const listing = stand.books.listings.get(502)
    if (listing) listing.inventory = { ...listing.inventory, ...change }
    return stand
  }

  test('of a listing with one number is one number', async () => {
    const products = [productOf(2, 0, 5, 'S'), productOf(2, 1, 5, 'M')]
    const stand = withListing({ quantity_on_property: [], products })
    expect((await set(stand, { 'CUP-2-S': 8 })).results).toMatchObject([{ ok: true }])
    const told = recordsIn(stand.books.listings.get(502)?.inventory ?? {}, 'products')
    expect(told.flatMap((one) => recordsIn(one, 'offerings').map(({ quantity }) => quantity))).toEqual([8, 8])
    expect((await set(stand, { 'CUP-2-S': 8, 'CUP-2-M': 7 })).results).toMatchObject([{ ok: false }, { ok: false }])
  })

  test('keeps the profile of processing, and leaves out what has been deleted', async () => {
    const [first] = recordsIn({ all: [productOf(2, 0, 5, 'S')] }, 'all')
    const [offering] = recordsIn(first ?? {}, 'offerings')
    const products = [
      { ...first, offerings: [{ ...offering, readiness_state_id: 77 }] },
      { ...productOf(2, 1, 5, 'M'), is_deleted: true },
    ]
    const { puts } = await set(withListing({ products }), { 'CUP-2-S': 6 })
    expect(puts).toMatchObject([
      { products: [{ sku: 'CUP-2-S', offerings: [{ quantity: 6, readiness_state_id: 77 }] }] },
    ])
    expect(recordsIn(fieldsOf(puts[0]), 'products')).toHaveLength(1)
  })

  test('that several variations share a sku for is not shared out by us', async () => {
    const products = [productOf(2, 0, 5, 'S'), { ...productOf(2, 1, 5, 'M'), sku: 'CUP-2-S' }]
    const { results, puts } = await set(withListing({ products }), { 'CUP-2-S': 6 })
    expect(results).toMatchObject([{ ok: false, error: expect.stringContaining('Several variations') }])
    expect(puts).toEqual([])
  })
})

describe('answers', () => {
  const told = (second: string, today: string) =>
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

  test('tell what is left of the second, and of the day', () => {
    expect(told('4', '9000')).toEqual({ budget: { name: 'default', remaining: 4, capacity: 10, perSecond: 10 } })
    expect(told('9', '100').budget?.perSecond).toBeCloseTo(10_000 / 86_400, 6)
    expect(readAnswer({ status: 200, headers: {}, body: null })).toEqual({})
  })
})

describe('messages', () => {
  const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, ok').toString('base64')}`
  const signed = (raw: Buffer, by = 'a secret of thirty-two bytes, ok') => {
    const signature = createHmac('sha256', by).update('msg_1.1790000000.').update(raw).digest('base64')
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1790000000' }
    return { method: 'POST', headers: { ...headers, 'webhook-signature': `v1,AAAA v1,${signature}` }, query: {}, raw }
  }
  const secrets = { registration: [], client: { webhook_secret: secret } }

  test('of the official shape are understood', (context) => {
    if (!hasSpecifications) return context.skip(noSpecifications)
    const delivery = signed(Buffer.from(readSpecification('etsy/samples/webhook.order.paid.json')))
    expect(webhooks.verify(delivery, secrets)).toBe(true)
    expect(webhooks.read(delivery, facts)).toEqual({
      deliveryId: 'msg_1',
      topic: 'order.created',
      changes: [{ kind: 'order', remoteId: '54321', raw: null }],
      at: '2026-09-21T14:13:20.000000Z',
    })
    expect(() => webhooks.read(delivery, { ...facts, settings: { shop_id: 43 } })).toThrow('another shop')
  })

  test('are true by the known vector of Standard Webhooks, and by no other secret', () => {
    const raw = Buffer.from('{"test": 2432232314}')
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    const vector = { method: 'POST', headers, query: {}, raw }
    const known = { registration: [], client: { webhook_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' } }
    expect(webhooks.verify(vector, known)).toBe(true)
    expect(webhooks.verify(vector, secrets)).toBe(false)
    expect(webhooks.verify(vector, { registration: [], client: { webhook_secret: 'whsec_' } })).toBe(false)
  })
})
