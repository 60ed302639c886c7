import { describe, expect, test } from 'vitest'
import { openImitation, openOrder } from '../../../test/support/imitation.ts'
import { first, learned, readAll } from '../../../test/support/prestashop-shop.ts'
import { hasSpecifications, noSpecifications, readSample } from '../../../test/support/vendor-specification.ts'
import { type Fields, fieldsOf, recordsIn } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { testCredentials } from '../../domain/install/install-integration.ts'
import { prestashop } from './index.ts'
import { toOrder } from './translate-order.ts'
import { toProduct } from './translate-product.ts'

const facts = { shop: 'cheese.example', settings: { timezone: 'Europe/Paris', currency: 'EUR', weight_unit: 'kg' } }
const around = {
  currency: { id: 1, iso_code: 'EUR' },
  customer: null,
  delivery: null,
  invoice: null,
  carrier: null,
  parcels: [],
}
const flags: Readonly<Record<number, readonly string[]>> = {
  ...{ 2: ['paid'], 3: ['paid'], 4: ['paid', 'shipped'], 5: ['paid', 'shipped'], 9: ['paid'], 20: ['paid'] },
}
const stateOf = (id: number): Fields => ({
  ...{ id, name: `State ${id}`, paid: '0', shipped: '0' },
  ...Object.fromEntries((flags[id] ?? []).map((flag) => [flag, '1'])),
})
const paidOrder: Fields = {
  ...{ id: 1, reference: 'CHEESE001', date_add: '2026-05-04 09:00:00', date_upd: '2026-05-04 09:01:30' },
  ...{ total_products_wt: '31.400000', total_discounts_tax_incl: '2.400000', total_shipping_tax_incl: '7.000000' },
  ...{ total_paid_tax_incl: '36.000000', total_paid_tax_excl: '30.170000' },
}

describe.skipIf(!hasSpecifications)(
  `the sample of an order${hasSpecifications ? '' : ` (${noSpecifications})`}`,
  () => {
    test('is understood', () => {
      const sample = fieldsOf(readSample('prestashop/samples/synthetic.orders.list.output_format-JSON.json'))
      const [raw] = recordsIn(sample, 'orders')
      const order = toOrder({ ...raw, ...around, state: stateOf(2) }, facts)
      expect(order).toMatchObject({
        remote_id: '5',
        number: 'KHWLILZLL',
        status: 'open',
        payment_status: 'paid',
        total: { amount: '30.00' },
        subtotal: { amount: '25.00' },
        shipping_total: { amount: '5.00' },
        tax_total: { amount: '5.00' },
        placed_at: '2026-10-02T08:00:00.000000Z',
        remote_version: '2026-10-03T09:30:00.000000Z',
        lines: [
          {
            remote_id: '9',
            sku: 'MUG-BLUE',
            quantity: 2,
            unit_price: { amount: '12.50' },
            tax: { amount: '4.17' },
            total: { amount: '25.00' },
            product_remote_id: '1',
            variant_remote_id: '1',
          },
        ],
      })
    })
  },
)

describe('the key', () => {
  test('is the name of Basic without a password, or stands in the query', async () => {
    const plain = openImitation(prestashop)
    await prestashop.auth.checkAccess(plain.shop)
    const basic = plain.asked[0]?.request.headers?.['authorization']?.replace('Basic ', '') ?? ''
    expect(Buffer.from(basic, 'base64').toString()).toBe(`${plain.credentials['webservice_key']}:`)
    const query = openImitation(prestashop, { settings: { key_in_query: true } })
    await prestashop.auth.checkAccess(query.shop)
    expect(query.asked[0]?.request.headers?.['authorization']).toBeUndefined()
  })

  test('opens the shop, which reports what its records do not say', async () => {
    const opened = openImitation(prestashop)
    const bare = { shop: opened.facts.shop, settings: {} }
    const { settings } = await testCredentials(opened, prestashop, bare, opened.credentials)
    expect(settings).toEqual(learned)
  })

  test('that is refused is named', async () => {
    const { wrong } = openImitation(prestashop).simulator
    const refusal = prestashop.auth.checkAccess(openImitation(prestashop, { credentials: wrong }).shop)
    await expect(refusal).rejects.toMatchObject({ errors: { 'credentials.webservice_key': expect.anything() } })
  })

  test('without the right to read configurations opens nothing, and says why', async () => {
    const opened = openImitation(prestashop, {
      before: ({ url }) => (url.endsWith('configurations') ? { status: 200, headers: {}, body: [] } : null),
    })
    const opening = testCredentials(opened, prestashop, { shop: 'cheese.example', settings: {} }, opened.credentials)
    await expect(opening).rejects.toThrow(/time zone/)
  })
})

test('a webservice that is switched off says so in its own words, when it is connected and later', async () => {
  const opened = openImitation(prestashop, { variant: { service: 'off' } })
  const facts = { shop: opened.facts.shop, settings: {} }
  for (const ask of [
    () => testCredentials(opened, prestashop, facts, opened.credentials),
    async () => await prestashop.orders?.list(opened.shop, first),
  ])
    await expect(ask()).rejects.toMatchObject({
      kind: 'upstream_retryable',
      message: expect.stringContaining('The PrestaShop webservice is disabled. Please activate it'),
    })
})

describe('hosts that answer with XML', () => {
  test.each(['orders', 'products', 'inventory'] as const)('give the same %s', async (kind) => {
    const [json, xml] = await Promise.all(
      (['JSON', 'XML'] as const).map(async (format) => {
        const { shop } = openImitation(prestashop, { variant: { format }, settings: learned })
        const raws = await readAll(shop, kind)
        return raws.map((raw) => ({ ...prestashop[kind]?.translate(raw, shop), raw: null }))
      }),
    )
    expect(xml).toEqual(json)
    expect(xml?.length).toBeGreaterThan(20)
  })
})

describe('answers', () => {
  const answering = (answer: Partial<RemoteAnswer>) =>
    openImitation(prestashop, { before: () => ({ status: 200, headers: {}, body: [], ...answer }) }).shop

  test('without records are just empty', async () => {
    expect(await prestashop.orders?.list(answering({}), first)).toMatchObject({ items: [], next: null })
    expect(await prestashop.orders?.get(answering({}), '5')).toBeNull()
  })

  test('that are errors give the reason of the shop, in JSON or XML, also with status 200', async () => {
    const errors = [{ code: 32, message: 'The field is wrong.' }]
    const xml =
      '<?xml version="1.0"?><prestashop><errors><error><code><![CDATA[32]]></code><message><![CDATA[The field is wrong.]]></message></error></errors></prestashop>'
    for (const answer of [
      { status: 400, body: { errors } },
      { status: 400, body: xml },
      { body: { errors } },
      { body: xml },
    ]) {
      await expect(prestashop.orders?.list(answering(answer), first)).rejects.toThrow('The field is wrong.')
    }
  })

  test('that are a page of a shop under repair mean that it is away', async () => {
    const away = prestashop.orders?.list(answering({ body: '<!DOCTYPE html><html>Back soon</html>' }), first)
    await expect(away).rejects.toMatchObject({ kind: 'upstream_retryable' })
  })
})

describe('orders', () => {
  const raw = (state: number, change: Fields = {}) => ({
    ...{ ...paidOrder, ...around, state: stateOf(state) },
    total_paid_real: flags[state] ? '36.000000' : '0.000000',
    ...change,
  })

  test.each([
    [1, 'pending', 'pending', 'unfulfilled'],
    [2, 'open', 'paid', 'unfulfilled'],
    [3, 'open', 'paid', 'unfulfilled'],
    [4, 'completed', 'paid', 'fulfilled'],
    [5, 'completed', 'paid', 'delivered'],
    [6, 'cancelled', 'voided', 'unfulfilled'],
    [7, 'open', 'refunded', 'unfulfilled'],
    [8, 'pending', 'failed', 'unfulfilled'],
    [9, 'on_hold', 'paid', 'unfulfilled'],
    [12, 'on_hold', 'pending', 'unfulfilled'],
    [20, 'open', 'paid', 'unfulfilled'],
  ])('in state %i are %s, %s and %s', (state, status, payment, fulfillment) => {
    expect(toOrder(raw(state), facts)).toMatchObject({
      status,
      payment_status: payment,
      fulfillment_status: fulfillment,
    })
  })

  test('in a state that the merchant has explained are what he says', () => {
    const settings = { ...facts.settings, order_states: [{ id: 20, means: 'on_hold' as const }] }
    expect(toOrder(raw(20), { ...facts, settings }).status).toBe('on_hold')
  })

  test('have a parcel once there is a number, or once they have left without one', () => {
    const parcel = {
      id: 77,
      date_add: '2026-05-04 09:00:00',
      carrier: { name: 'La Poste', url: 'https://post.example/?n=@' },
    }
    const parcelsOf = (state: number, tracking: string) =>
      toOrder(raw(state, { parcels: [{ ...parcel, tracking_number: tracking }] }), facts).shipments
    expect(parcelsOf(2, '')).toEqual([])
    expect(parcelsOf(4, '')).toMatchObject([
      { remote_id: '77', status: 'shipped', tracking_number: null, tracking_url: null, carrier_name: 'La Poste' },
    ])
    expect(parcelsOf(5, '')).toMatchObject([{ remote_id: '77', status: 'delivered', tracking_number: null }])
    expect(parcelsOf(2, 'N1')).toMatchObject([{ remote_id: '77', tracking_url: 'https://post.example/?n=N1' }])
  })

  test('that are paid in part say so', () => {
    expect(toOrder(raw(1, { total_paid_real: '10.000000' }), facts).payment_status).toBe('partially_paid')
  })

  test('add up: goods less discounts, with shipping, all with tax', async () => {
    const { shop, simulator } = openImitation(prestashop, { settings: learned, orders: 600 })
    const id = openOrder(simulator, ({ discount, lines, shipping }) => discount > 0 && shipping > 0 && lines.length > 1)
    const truth = simulator.order(id)
    const order = toOrder(await prestashop.orders?.get(shop, id), facts)
    const [goods, discount, shipping, tax, total] = [
      ...[order.subtotal, order.discount_total, order.shipping_total, order.tax_total, order.total],
    ].map(({ amount }) => Number(amount))
    const scale = order.currency === 'JPY' ? 1 : order.currency === 'KWD' ? 1000 : 100
    expect((goods ?? 0) - (discount ?? 0) + (shipping ?? 0)).toBeCloseTo(total ?? 0, 6)
    expect([total, tax, discount].map((amount) => Math.round((amount ?? 0) * scale))).toEqual([
      ...[truth?.total, truth?.tax, truth?.discount],
    ])
    expect(order.lines.map(({ sku, quantity }) => [sku, quantity])).toEqual(
      truth?.lines.map((line) => [line.sku, line.quantity]),
    )
    expect(order).toMatchObject({
      customer: { email: truth?.buyer.email, phone: truth?.billTo.phone, is_guest: truth?.buyer.id === null },
      shipping_address: { country_code: truth?.shipTo.countryCode, city: truth?.shipTo.city },
      billing_address: { country_code: truth?.billTo.countryCode, region_code: truth?.billTo.regionCode },
      placed_at: simulator.truth().find(({ remote_id: one }) => one === id)?.placed_at,
    })
    expect(order.shipping_method).not.toBeNull()
    expect(JSON.stringify(order.raw)).not.toContain('a-hash')
  })

  test('are asked for in the time of the shop', async () => {
    const { shop, asked } = openImitation(prestashop, { settings: learned })
    await prestashop.orders?.list(shop, { ...first, updatedSince: '2026-05-04T08:00:00.500000Z' })
    expect(asked[0]?.request.query).toMatchObject({
      'filter[date_upd]': '[2026-05-04 10:00:00,2099-12-31 23:59:59]',
      sort: '[date_upd_ASC,id_ASC]',
      date: 1,
      limit: '0,20',
    })
  })

  test('come with all that they name in thirteen requests a page', async () => {
    const { shop, asked } = openImitation(prestashop, { settings: learned })
    await prestashop.orders?.list(shop, first)
    expect(asked).toHaveLength(13)
  })

  test('have the country of an address even where their shop no longer has it', async () => {
    // As the platform does: what is not of the shop that was asked for is not there.
    const { shop } = openImitation(prestashop, {
      settings: learned,
      before: ({ url, request }) =>
        /countries|carriers|currencies/.test(url) && request.query?.['id_shop'] !== 'all'
          ? { status: 200, headers: {}, body: [] }
          : null,
    })
    const { items } = (await prestashop.orders?.list(shop, first)) ?? { items: [] }
    expect(items.map((raw) => toOrder(raw, facts).shipping_address?.country_code)).not.toContain(null)
  })

  test('have a cheap index whose versions are those of the orders', async () => {
    const { shop } = openImitation(prestashop, { settings: learned })
    const window = { from: '1970-01-01T00:00:00.000000Z', to: '2099-01-01T00:00:00.000000Z', cursor: null }
    const page = await prestashop.orders?.index?.(shop, window)
    const order = toOrder(await prestashop.orders?.get(shop, page?.items[0]?.remoteId ?? ''), facts)
    expect(order.remote_version).toBe(page?.items[0]?.version)
  })
})

describe('products', () => {
  test('have what their combinations add to price and weight, in the shop’s language', async () => {
    const { shop, simulator } = openImitation(prestashop, { settings: learned })
    const truth = simulator.truthOfProducts().find(({ skus }) => skus.length > 1)
    const reported = await prestashop.products?.get?.(shop, truth?.remote_id ?? '')
    const variants = (truth?.skus ?? []).flatMap((sku) => simulator.world.shop.stockroom.bySku(sku) ?? [])
    expect(reported && prestashop.products?.translate(reported, shop)).toMatchObject({
      title: truth?.title,
      options: [{ name: 'Couleur', values: variants.map(({ title }) => title) }],
      variants: variants.map(({ sku, title, price, grams, stock }) => ({
        ...{ sku, title, price: { amount: (price / 100).toFixed(2) } },
        weight: { value: String(grams / 1000), unit: 'kg' },
        quantity: stock.reduce((sum, count) => sum + count, 0),
      })),
      images: [{ url: expect.stringMatching(/\/img\/p\/(\d\/)+\d+\.jpg$/) }],
    })
  })

  test('are understood in several languages as well', () => {
    const both = (french: string, english: string) => [
      { id: '1', value: french },
      { id: '2', value: english },
    ]
    const raw = {
      ...{ id: 1, reference: 'CH-1', name: both('Fromage 1', 'Cheese 1'), description: both('Lait', 'Milk') },
      ...{ price: '10.420000', date_upd: '2026-05-04 09:01:30', active: '1' },
      ...{ combinations: [], values: [], stocks: [] },
    }
    expect(toProduct(raw, facts).title).toBe('Fromage 1')
  })
})

test('orders keep the customer’s own key to themselves', async () => {
  const { shop } = openImitation(prestashop, { settings: learned })
  for (const raw of await readAll(shop, 'orders')) expect(fieldsOf(raw)).not.toHaveProperty('secure_key')
})

test('what the key may not read is left out: refunds and totals of lines', async () => {
  for (const lacks of ['order_slip', 'order_details', 'order_histories']) {
    const { shop } = openImitation(prestashop, { settings: learned, variant: { lacks } })
    expect(await readAll(shop, 'orders')).not.toEqual([])
  }
})
