import { describe, expect, test } from 'vitest'
import { openStand } from '../../../test/support/open-stand.ts'
import { hasSpecifications, noSpecifications, readSample } from '../../../test/support/vendor-specification.ts'
import type { RawPage } from '../../commerce/connector.ts'
import { type Fields, fieldsOf, recordsIn } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import type { Shop } from '../../commerce/shop.ts'
import { proveCredentials } from '../../domain/install/install-integration.ts'
import { prestashop } from './index.ts'
import { makeStand } from './stand.ts'
import { makeOrder, makeProduct, states } from './stand-records.ts'
import { toOrder } from './translate-order.ts'
import { toProduct } from './translate-product.ts'

const facts = { shop: 'cheese.example', settings: { timezone: 'Europe/Paris', currency: 'EUR', weight_unit: 'kg' } }
const first = { updatedSince: null, statuses: [], cursor: null, limit: 20 }

async function readAll(shop: Shop, kind: 'orders' | 'products' | 'inventory'): Promise<unknown[]> {
  const all: unknown[] = []
  for (let cursor: string | null = null, pages = 0; pages < 100; pages++) {
    const page: RawPage | undefined = await prestashop[kind]?.list(shop, { ...first, cursor })
    all.push(...(page?.items ?? []))
    cursor = page?.next ?? null
    if (cursor === null) return all
  }
  throw new Error('The list has no end.')
}

const around = {
  currency: { id: 1, iso_code: 'EUR' },
  customer: null,
  delivery: null,
  invoice: null,
  carrier: null,
  parcels: [],
}
const stateOf = (id: number): Fields => states.find((one) => one['id'] === id) ?? {}

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
    const plain = openStand(prestashop, makeStand())
    await prestashop.auth.prove(plain.shop)
    const basic = plain.asked[0]?.headers?.['authorization']?.replace('Basic ', '') ?? ''
    expect(Buffer.from(basic, 'base64').toString()).toBe('ABCDEFGHIJ1234567890ABCDEFGHIJ12:')
    const stand = makeStand()
    const settings = { ...stand.facts.settings, key_in_query: true }
    const query = openStand(prestashop, { ...stand, facts: { ...stand.facts, settings } })
    await prestashop.auth.prove(query.shop)
    expect(query.asked[0]?.headers?.['authorization']).toBeUndefined()
  })

  test('opens the shop, which tells what its records do not say', async () => {
    const stand = makeStand()
    const bare = { shop: 'cheese.example', settings: {} }
    const opened = await proveCredentials(openStand(prestashop, stand), prestashop, bare, stand.credentials)
    expect(opened.settings).toEqual(stand.facts.settings)
  })

  test('that is refused is named', async () => {
    const stand = makeStand()
    const refusal = prestashop.auth.prove(openStand(prestashop, { ...stand, credentials: stand.wrong }).shop)
    await expect(refusal).rejects.toMatchObject({ errors: { 'credentials.webservice_key': expect.anything() } })
  })

  test('without the right to read configurations opens nothing, and says why', async () => {
    const stand = makeStand()
    const open = openStand(prestashop, stand, ({ path }) =>
      path.endsWith('configurations') ? { status: 200, headers: {}, body: [] } : null,
    )
    const opening = proveCredentials(open, prestashop, { shop: 'cheese.example', settings: {} }, stand.credentials)
    await expect(opening).rejects.toThrow(/time zone/)
  })
})

describe('hosts that answer with XML', () => {
  test.each(['orders', 'products', 'inventory'] as const)('give the same %s', async (kind) => {
    const [json, xml] = await Promise.all(
      (['JSON', 'XML'] as const).map(async (format) => {
        const { shop } = openStand(prestashop, makeStand({ format }))
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
    openStand(prestashop, makeStand(), () => ({ status: 200, headers: {}, body: [], ...answer })).shop

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
    ...makeOrder(1, String(state)),
    ...around,
    state: stateOf(state),
    ...change,
  })

  test.each([
    [1, 'pending', 'pending', 'unfulfilled'],
    [2, 'open', 'paid', 'unfulfilled'],
    [3, 'open', 'paid', 'unfulfilled'],
    [4, 'completed', 'paid', 'fulfilled'],
    [5, 'completed', 'paid', 'delivered'],
    [6, 'cancelled', 'voided', 'unfulfilled'],
    [7, 'cancelled', 'refunded', 'unfulfilled'],
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
    const { shop } = openStand(prestashop, makeStand())
    const order = toOrder(await prestashop.orders?.get(shop, '8'), facts)
    const sums = [order.subtotal, order.discount_total, order.shipping_total, order.tax_total, order.total]
    expect(sums.map(({ amount }) => amount)).toEqual(['31.40', '2.40', '7.00', '5.83', '36.00'])
    expect(
      order.lines.map(({ quantity, total, variant_remote_id: variant }) => [quantity, total.amount, variant]),
    ).toEqual([
      [2, '25.00', '1'],
      [1, '6.40', '41'],
    ])
    expect(order).toMatchObject({
      customer: { remote_id: '7', email: 'sophie@cheese.example', phone: '06 55 01 00 00', is_guest: false },
      shipping_address: { country_code: 'FR', region_code: null, city: 'Champagnole' },
      billing_address: { country_code: 'US', region_code: 'CA', company: 'Germain SARL' },
      shipping_method: 'La Poste',
      placed_at: '2026-05-04T07:00:00.000000Z',
    })
    expect(JSON.stringify(order.raw)).not.toContain('a hash')
  })

  test('are asked for in the time of the shop', async () => {
    const { shop, asked } = openStand(prestashop, makeStand())
    await prestashop.orders?.list(shop, { ...first, updatedSince: '2026-05-04T08:00:00.500000Z' })
    expect(asked[0]?.query).toMatchObject({
      'filter[date_upd]': '[2026-05-04 10:00:00,2099-12-31 23:59:59]',
      sort: '[date_upd_ASC,id_ASC]',
      date: 1,
      limit: '0,20',
    })
  })

  test('come with all that they name in nine requests a page', async () => {
    const { shop, asked } = openStand(prestashop, makeStand())
    await prestashop.orders?.list(shop, first)
    expect(asked).toHaveLength(9)
  })

  test('have a cheap index whose versions are those of the orders', async () => {
    const { shop } = openStand(prestashop, makeStand())
    const window = { from: '1970-01-01T00:00:00.000000Z', to: '2099-01-01T00:00:00.000000Z', cursor: null }
    const page = await prestashop.orders?.index?.(shop, window)
    const order = toOrder(await prestashop.orders?.get(shop, page?.items[0]?.remoteId ?? ''), facts)
    expect(order.remote_version).toBe(page?.items[0]?.version)
  })
})

describe('products', () => {
  test('have what their combinations add to price and weight, in the shop’s language', async () => {
    const { shop } = openStand(prestashop, makeStand())
    const product = prestashop.products?.translate(await prestashop.products.get?.(shop, '4'), shop)
    expect(product).toMatchObject({
      title: 'Fromage 4',
      description_html: '<p>Lait cru 4</p>',
      options: [{ name: 'Taille', values: ['Grand', 'Petit'] }],
      variants: [
        {
          sku: 'CH-4-0',
          title: 'Grand',
          price: { amount: '12.42' },
          weight: { value: '0.75', unit: 'kg' },
          quantity: 4,
        },
        {
          sku: 'CH-4-1',
          title: 'Petit',
          price: { amount: '10.42' },
          weight: { value: '0.25', unit: 'kg' },
          quantity: 5,
        },
      ],
      images: [{ url: 'https://cheese.example/img/p/1/2/4/124.jpg' }],
    })
  })

  test('are understood in several languages as well', () => {
    const raw = { ...makeProduct(1), combinations: [], values: [], stocks: [] }
    expect(toProduct(raw, facts).title).toBe('Fromage 1')
  })
})

describe('stock', () => {
  test('of a product with combinations is theirs, not their sum', async () => {
    const { shop } = openStand(prestashop, makeStand())
    const skus = (await readAll(shop, 'inventory')).map((raw) => prestashop.inventory?.translate(raw, shop).sku)
    expect(skus.filter((sku) => sku?.startsWith('CH-4'))).toEqual(['CH-4-0', 'CH-4-1'])
  })
})
