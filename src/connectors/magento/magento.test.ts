import { describe, expect, test } from 'vitest'
import { openStand } from '../../../test/support/open-stand.ts'
import type { RawPage } from '../../commerce/connector.ts'
import { type Fields, recordsIn } from '../../commerce/reading.ts'
import type { Shop } from '../../commerce/shop.ts'
import { proveCredentials } from '../../domain/install/install-integration.ts'
import { amountIn } from './amounts.ts'
import { criteria, isUnknown, isUnknownRoute, reasonIn } from './ask.ts'
import { magento } from './index.ts'
import { makeStand } from './stand.ts'
import { makeOrder } from './stand-records.ts'
import { toOrder } from './translate-order.ts'

const first = { updatedSince: null, statuses: [], cursor: null, limit: 20 }

const orderOf = async (shop: Shop, id: string) => toOrder(await magento.orders?.get(shop, id))

describe('keys', () => {
  test('sign every request, or are a bearer token', async () => {
    const signed = openStand(magento, makeStand())
    await magento.auth.prove(signed.shop)
    expect(signed.asked[0]?.headers?.['authorization']).toMatch(/^OAuth oauth_consumer_key=".*oauth_signature="/)
    expect(JSON.stringify(signed.asked)).not.toContain('its-secret')
    const bearer = openStand(magento, makeStand({ keys: 'bearer' }))
    await magento.auth.prove(bearer.shop)
    expect(bearer.asked[0]?.headers?.['authorization']).toBe('Bearer token-of-the-integration')
  })

  test('open the shop, which tells what its products do not say', async () => {
    for (const stock of ['sources', 'single'] as const) {
      const stand = makeStand({ stock })
      const opened = await proveCredentials(
        openStand(magento, stand),
        magento,
        { shop: 'bikes.example', settings: {} },
        stand.credentials,
      )
      expect(opened.settings).toEqual(stand.facts.settings)
    }
  })

  test('must be all four or the token alone', async () => {
    const stand = makeStand()
    const { consumer_secret: _, ...three } = stand.credentials
    const failure = await proveCredentials(
      openStand(magento, stand),
      magento,
      { shop: 'bikes.example', settings: {} },
      three,
    ).catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: 'invalid', errors: { 'credentials.consumer_secret': expect.anything() } })
  })

  test('that are refused are named, those that were typed', async () => {
    const stand = makeStand({ keys: 'bearer' })
    const refusal = magento.auth.prove(openStand(magento, { ...stand, credentials: stand.wrong }).shop)
    await expect(refusal).rejects.toMatchObject({ errors: { 'credentials.access_token': expect.anything() } })
  })
})

describe('searches', () => {
  test('are written as the platform wants them', () => {
    expect(
      criteria({
        filters: [
          ['updated_at', 'gteq', '2026-10-01 00:00:00'],
          ['entity_id', 'gt', 7],
        ],
        sort: ['updated_at'],
        size: 50,
        page: 2,
      }),
    ).toEqual({
      'searchCriteria[filterGroups][0][filters][0][field]': 'updated_at',
      'searchCriteria[filterGroups][0][filters][0][value]': '2026-10-01 00:00:00',
      'searchCriteria[filterGroups][0][filters][0][conditionType]': 'gteq',
      'searchCriteria[filterGroups][1][filters][0][field]': 'entity_id',
      'searchCriteria[filterGroups][1][filters][0][value]': 7,
      'searchCriteria[filterGroups][1][filters][0][conditionType]': 'gt',
      'searchCriteria[sortOrders][0][field]': 'updated_at',
      'searchCriteria[sortOrders][0][direction]': 'ASC',
      'searchCriteria[pageSize]': 50,
      'searchCriteria[currentPage]': 2,
    })
  })

  test('end by their count, since beyond the last page there is the last one again', async () => {
    const { shop } = openStand(magento, makeStand())
    const page = await magento.inventory?.list(shop, { ...first, limit: 100 })
    expect(page?.next).toBeNull()
  })

  test('that fail give the reason with its gaps filled in', () => {
    expect(reasonIn({ message: 'The "%1" is %2.', parameters: ['sku', 'taken'] })).toBe('The "sku" is taken.')
    expect(reasonIn({ message: '%fieldName is required.', parameters: { fieldName: 'qty' } })).toBe('qty is required.')
    expect(reasonIn('<html>')).toBe('The shop refused the request.')
  })

  test('tell a record that is gone from a shop that is not there', () => {
    const answer = (message: string) => ({ status: 404, headers: {}, body: { message } })
    expect(isUnknown(answer("The entity that was requested doesn't exist."))).toBe(true)
    expect(isUnknown(answer('Request does not match any route.'))).toBe(false)
    expect(isUnknownRoute(answer('Request does not match any route.'))).toBe(true)
  })
})

describe('orders', () => {
  const raw = { ...makeOrder(8), shipments: [] }
  const tell = (change: Fields) => toOrder({ ...raw, ...change })

  test('count what was chosen of a configurable product once, with its price and its article', () => {
    const order = tell({})
    expect(
      order.lines.map(({ remote_id: id, sku, quantity, unit_price: price, total, variant_remote_id: variant }) => [
        id,
        sku,
        quantity,
        price.amount,
        total.amount,
        variant,
      ]),
    ).toEqual([
      ['80', 'SADDLE-RED', 1, '59.90', '54.90', '1041'],
      ['82', 'PART-1', 2, '7.25', '14.50', '1'],
    ])
    expect([order.subtotal, order.discount_total, order.shipping_total, order.tax_total, order.total]).toEqual(
      ['74.40', '5.00', '4.90', '13.19', '87.49'].map((amount) => ({ amount, currency: 'EUR' })),
    )
    expect(order.shipping_address).toMatchObject({
      line1: 'Radgasse 3',
      line2: 'Hof',
      country_code: 'DE',
      region_code: 'BAW',
    })
  })

  test.each([
    ['new', { total_paid: 0 }, 'pending', 'pending'],
    ['pending_payment', { total_paid: 0 }, 'pending', 'pending'],
    ['new', { total_paid: 0, payment: { method: 'card', amount_authorized: 87.49 } }, 'pending', 'authorized'],
    ['processing', {}, 'open', 'paid'],
    ['processing', { total_paid: 20 }, 'open', 'partially_paid'],
    ['processing', { total_refunded: 10 }, 'open', 'partially_refunded'],
    ['holded', {}, 'on_hold', 'paid'],
    ['payment_review', { total_paid: 0 }, 'on_hold', 'pending'],
    ['complete', {}, 'completed', 'paid'],
    ['closed', { total_refunded: 87.49 }, 'cancelled', 'refunded'],
    ['canceled', { total_paid: 0 }, 'cancelled', 'voided'],
  ])('that are %s (%o) are %s and %s', (state, change, status, payment) => {
    expect(tell({ ...change, state, status: 'a word of the merchant' })).toMatchObject({
      status,
      payment_status: payment,
      remote_status: 'a word of the merchant',
    })
  })

  test('in a state that nobody knows, or with half a piece, are not guessed at', () => {
    expect(() => tell({ state: 'unheard_of' })).toThrow(TypeError)
    const [item] = recordsIn(raw, 'items')
    expect(() => tell({ items: [{ ...item, qty_ordered: 1.5 }] })).toThrow(/no whole number/)
  })

  test('that have been sent in part say so, and those without goods need nothing', () => {
    const [saddle, child, bell] = recordsIn(raw, 'items')
    expect(tell({ items: [{ ...saddle, qty_shipped: 1 }, child, bell] }).fulfillment_status).toBe('partial')
    expect(tell({ is_virtual: 1 }).fulfillment_status).toBe('not_required')
  })

  test('have exact amounts, however PHP writes them', () => {
    expect(amountIn({ a: 165.19999999999999 }, 'a', 'EUR')).toBe('165.20')
    expect(amountIn({ a: 0.1 + 0.2 }, 'a', 'EUR')).toBe('0.30')
    expect(amountIn({ a: 1234 }, 'a', 'JPY')).toBe('1234')
    expect(() => amountIn({ a: 'x' }, 'a', 'EUR')).toThrow(TypeError)
  })

  test('that are invoiced are not cancelled, and the shop’s bare no is told', async () => {
    const stand = makeStand()
    const { shop } = openStand(magento, stand)
    const paid = stand.openOrder()
    const cancel = magento.orders?.cancel?.send(shop, { remoteId: paid, reason: null }, { id: 'c' })
    await expect(cancel).rejects.toMatchObject({ kind: 'upstream_refused' })
  })

  test('come with the parcels of a whole page in one request', async () => {
    const stand = makeStand()
    const { shop, asked } = openStand(magento, stand)
    const id = stand.openOrder()
    await magento.shipments?.create.send(
      shop,
      { order_remote_id: id, tracking_number: 'T', carrier: 'DHL' },
      { id: 's' },
    )
    asked.length = 0
    const page = await magento.orders?.list(shop, { ...first, updatedSince: '2026-02-03T00:00:00.000000Z' })
    const order = toOrder(page?.items.at(-1))
    expect(order).toMatchObject({ remote_id: id, shipments: [{ tracking_number: 'T', carrier_code: 'dhl' }] })
    expect(asked.map(({ path }) => path)).toEqual(['/rest/all/V1/orders', '/rest/all/V1/shipments'])
  })

  test('have a cheap index whose versions are those of the orders', async () => {
    const { shop, asked } = openStand(magento, makeStand())
    const window = { from: '1970-01-01T00:00:00.000000Z', to: '2099-01-01T00:00:00.000000Z', cursor: null }
    const page = await magento.orders?.index?.(shop, window)
    expect(page?.items).toHaveLength(60)
    expect(asked[0]?.query?.['fields']).toBe('items[entity_id,updated_at],search_criteria,total_count')
    expect((await orderOf(shop, page?.items[0]?.remoteId ?? '')).remote_version).toBe(page?.items[0]?.version)
  })
})

describe('products', () => {
  test('come with their articles and what these differ in, for a whole page in three requests', async () => {
    const { shop, asked } = openStand(magento, makeStand())
    const page = await magento.products?.list(shop, first)
    const saddle = (page?.items ?? [])
      .map((raw) => magento.products?.translate(raw, shop))
      .find((one) => one?.remote_id === '4')
    expect(saddle).toMatchObject({
      options: [{ name: 'Colour', values: ['red', 'blue'] }],
      variants: [
        { sku: 'SADDLE-RED', title: 'red', price: { amount: '59.90', currency: 'EUR' } },
        { sku: 'SADDLE-BLUE', title: 'blue', price: { amount: '60.90', currency: 'EUR' } },
      ],
      images: [{ url: 'https://bikes.example/media_url/catalog/product/p/a/4.jpg', alt: 'Side', position: 0 }],
    })
    expect(saddle?.remote_version).not.toBe(saddle?.remote_updated_at)
    expect(asked).toHaveLength(3)
  })

  test('are not sold in another currency', async () => {
    const { shop } = openStand(magento, makeStand())
    const draft = { sku: 'X', title: 'X', price: '1.00', currency: 'CHF' }
    await expect(magento.products?.export?.send(shop, draft, { id: 'p' })).rejects.toThrow(/EUR/)
  })
})

describe('stock', () => {
  const levels = async (shop: Shop) => {
    const all: unknown[] = []
    for (let cursor: string | null = null, pages = 0; pages < 50; pages++) {
      const page: RawPage | undefined = await magento.inventory?.list(shop, { ...first, limit: 7, cursor })
      all.push(...(page?.items ?? []))
      cursor = page?.next ?? null
      if (cursor === null) return all.map((raw) => magento.inventory?.translate(raw, shop))
    }
    throw new Error('The list has no end.')
  }

  test.each(['sources', 'single'] as const)('is read and set in a shop with %s', async (stock) => {
    const stand = makeStand({ stock })
    const { shop } = openStand(magento, stand)
    const all = await levels(shop)
    expect(new Set(all.map((one) => `${one?.sku} ${one?.location_remote_id}`)).size).toBe(stand.counts.inventory)
    const results = await magento.inventory?.set?.send(
      shop,
      [
        { sku: 'PART-1', quantity: 77 },
        { sku: 'none', quantity: 1 },
      ],
      { id: 's' },
    )
    expect(results?.map(({ ok }) => ok)).toEqual([true, false])
    const place = stock === 'single' ? null : 'default'
    const set = (await levels(shop)).find((one) => one?.sku === 'PART-1' && one.location_remote_id === place)
    expect(set?.available).toBe(77)
  })

  test('that is so already is not told again; of one source that is refused, the others are still set', async () => {
    const { shop, asked } = openStand(magento, makeStand())
    const items = [
      { sku: 'PART-1', quantity: 5 },
      { sku: 'PART-2', quantity: 6, location: 'nowhere' },
    ]
    const results = await magento.inventory?.set?.send(shop, items, { id: 's' })
    expect(results).toEqual([
      { sku: 'PART-1', location: null, ok: true, error: null },
      { sku: 'PART-2', location: 'nowhere', ok: false, error: 'Validation Failed' },
    ])
    asked.length = 0
    await magento.inventory?.set?.send(shop, items.slice(0, 1), { id: 's' })
    expect(asked.every(({ method }) => method === 'GET')).toBe(true)
  })

  test('of nothing leaves it to the merchant whether more may be sold', async () => {
    const { shop, asked } = openStand(magento, makeStand())
    await magento.inventory?.set?.send(shop, [{ sku: 'PART-1', quantity: 0 }], { id: 's' })
    expect(asked.at(-1)?.body).toEqual({
      sourceItems: [{ sku: 'PART-1', source_code: 'default', quantity: 0, status: 1 }],
    })
  })
})
