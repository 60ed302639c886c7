import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openImitation, openOrder } from '../../../test/support/imitation.ts'
import {
  hasSpecifications,
  noSpecifications,
  readSample,
  specificationsFolder,
} from '../../../test/support/vendor-specification.ts'
import type { ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, fieldsOf, idIn } from '../../commerce/reading.ts'
import { bigcommerce } from './index.ts'
import { orders } from './orders.ts'
import type { Credentials, Settings } from './settings.ts'
import { toOrder, toShipment } from './translate-order.ts'

const query: ReadQuery = { updatedSince: null, statuses: [], cursor: null, limit: 50 }

const open = () => openImitation<Settings, Credentials>(bigcommerce)

const samples = (pattern: RegExp): string[] =>
  hasSpecifications
    ? readdirSync(join(specificationsFolder, 'bigcommerce/samples')).filter((name) => pattern.test(name))
    : []
const sample = (name: string) => readSample(`bigcommerce/samples/${name}`)
const v2 = (name: string) => sample(`orders.v2.oas2.${name}.json`)

describe.skipIf(!hasSpecifications)(`official samples (else: ${noSpecifications})`, () => {
  /** As the connector asks for it: with consignments and what they hold. */
  const complete = (order: unknown, lines: readonly unknown[] = [], parcels: readonly unknown[] = []) => ({
    ...fieldsOf(order),
    consignments: {
      shipping: [
        { ...fieldsOf((v2('getOrderShippingAddresses.response-200.response') as unknown[])[0]), line_items: lines },
      ],
    },
    shipments: parcels,
  })

  test('every order is reported', () => {
    const names = samples(/^orders\.v2.*(getOrder|getOrders|createOrder|updateOrder)\.response-200/)
    expect(names.length).toBeGreaterThanOrEqual(7)
    for (const name of names) {
      for (const order of [sample(name)].flat()) expect(toOrder(complete(order)).remote_status).not.toBe('')
    }
  })

  test.each([
    ['getOrders.response-200.response', '100', 'open', 'authorized', '361.95', '0.00', '0.00', '0.00', '361.95'],
    ['getOrder.response-200.Response', '218', 'pending', 'authorized', '67.84', '10.00', '12.00', '5.31', '69.84'],
    ['getOrder.response-200.Multiple-Items', '247', 'open', 'paid', '924.47', '0.00', '7.39', '76.88', '1008.74'],
    ['createOrder.response-200.Response', '218', 'pending', 'authorized', '67.84', '10.00', '12.00', '5.31', '69.84'],
    ['updateOrder.response-200.Multiple-Items', '247', 'open', 'paid', '924.47', '0.00', '7.39', '76.88', '1008.74'],
  ])('%s has its figures', (name, id, status, paid, subtotal, discount, shipping, tax, total) => {
    const [order] = [v2(name)].flat()
    expect(toOrder(complete(order))).toMatchObject({
      remote_id: id,
      status,
      payment_status: paid,
      fulfillment_status: 'unfulfilled',
      currency: 'USD',
      subtotal: { amount: subtotal },
      discount_total: { amount: discount },
      shipping_total: { amount: shipping },
      tax_total: { amount: tax },
      total: { amount: total },
      shipping_address: { line1: '666 Sussex St', country_code: 'US' },
    })
  })

  test.each([
    ['getOrderProducts.response-200.response', 'S-ORAN', 1, '55.99', '1.59', '9.24', '54.40'],
    ['getOrderProduct.response-200.Product', 'DUST1', 1, '31.95', '0.00', '5.28', '31.95'],
    ['getOrderProduct.response-200.Custom-Product', 'Jour-BLK', 1, '41.57', '0.00', '3.43', '41.57'],
    ['getOrderProduct.response-200.Product-with-file-upload', 'Jour-BLK', 1, '41.57', '0.00', '3.43', '41.57'],
    [
      'getOrderProduct.response-200.Product-with-Variants',
      'SKU-201-Red-Small T-Shirt-Able Brewing System',
      4,
      '217.09',
      '0.00',
      '71.64',
      '868.36',
    ],
  ])('the lines of %s have theirs', (name, sku, quantity, price, discount, tax, total) => {
    const [line] = toOrder(complete(v2('getOrder.response-200.Multiple-Items'), [v2(name)].flat())).lines
    expect(line).toMatchObject({
      sku,
      quantity,
      quantity_fulfilled: 0,
      unit_price: { amount: price },
      discount: { amount: discount },
      tax: { amount: tax },
      total: { amount: total },
      requires_shipping: true,
    })
  })

  test('parcels are reported', () => {
    const parcels = v2('getOrderShipments.response-200.application-json') as unknown[]
    expect(parcels.map(toShipment)).toMatchObject([
      {
        remote_id: '6',
        carrier_code: 'usps',
        carrier_name: 'USPS',
        tracking_number: 'EJ958083578US',
        shipped_at: '2019-03-11T17:22:08.000000Z',
        lines: [{ order_line_remote_id: '188', quantity: 1 }],
      },
      { remote_id: '7', tracking_number: 'EJ958083578UK' },
    ])
    for (const name of samples(/^orders\.v2.*Shipment.*response-20[01]/)) {
      for (const parcel of [sample(name)].flat()) expect(toShipment(parcel).remote_id).not.toBeNull()
    }
  })
})

const plain = (more: Fields = {}): Fields => ({
  id: 1,
  customer_id: 0,
  date_created: 'Wed, 10 Jan 2018 21:05:30 +0000',
  date_modified: 'Wed, 10 Jan 2018 22:05:30 +0100',
  status_id: 11,
  status: 'Awaiting Fulfillment',
  subtotal_ex_tax: '10.0000',
  subtotal_inc_tax: '12.0000',
  shipping_cost_inc_tax: '0.0000',
  total_tax: '2.0000',
  total_inc_tax: '12.0000',
  items_total: 2,
  items_shipped: 0,
  payment_status: 'captured',
  currency_code: 'USD',
  default_currency_code: 'EUR',
  discount_amount: '0.0000',
  coupon_discount: '0.0000',
  consignments: { shipping: [], pickups: [], downloads: [], email: { gift_certificates: [] } },
  shipments: [],
  ...more,
})

test('why an order is cancelled is a note of the staff, once, after those that are there', async () => {
  const { shop, simulator } = open()
  const remoteId = openOrder(simulator)
  await shop.remote.request({ method: 'PUT', path: `/v2/orders/${remoteId}`, body: { staff_notes: 'VIP' } })
  for (const _ of [1, 2]) await orders.cancel?.send(shop, { remoteId, reason: 'Changed their mind' }, { id: 'c' })
  expect(fieldsOf(await orders.get(shop, remoteId))['staff_notes']).toBe('VIP\n\nChanged their mind')
})

describe('orders', () => {
  test.each([
    [0, 0, 'captured', 'pending', 'paid', 'unfulfilled'],
    [2, 2, 'captured', 'completed', 'paid', 'fulfilled'],
    [3, 1, 'captured', 'open', 'paid', 'partial'],
    [4, 0, 'captured', 'open', 'refunded', 'unfulfilled'],
    [4, 2, 'refunded', 'completed', 'refunded', 'fulfilled'],
    [5, 0, 'void', 'cancelled', 'voided', 'unfulfilled'],
    [6, 0, '', 'cancelled', 'failed', 'unfulfilled'],
    [7, 0, 'capture pending', 'pending', 'authorized', 'unfulfilled'],
    [9, 0, 'paid', 'open', 'paid', 'unfulfilled'],
    [10, 0, '', 'completed', 'unknown', 'fulfilled'],
    [12, 0, 'held for review', 'on_hold', 'pending', 'unfulfilled'],
    [14, 1, 'captured', 'open', 'partially_refunded', 'partial'],
  ])('with the status %i, %i sent and "%s" are %s', (id, sent, payment, status, paid, fulfillment) => {
    const order = plain({ status_id: id, items_shipped: sent, payment_status: payment })
    expect(toOrder(order)).toMatchObject({ status, payment_status: paid, fulfillment_status: fulfillment })
  })

  test('amounts are in the currency that was paid in, with or without tax as the shop has it', () => {
    expect(toOrder(plain())).toMatchObject({
      currency: 'EUR',
      subtotal: { amount: '10.00' },
      prices_include_tax: false,
    })
    expect(toOrder(plain({ is_tax_inclusive_pricing: true }))).toMatchObject({
      subtotal: { amount: '12.00' },
      prices_include_tax: true,
    })
  })

  test('words, times and unknown things are not guessed', () => {
    expect(toOrder(plain()).remote_updated_at).toBe('2018-01-10T21:05:30.000000Z')
    for (const odd of [{ status_id: 99 }, { payment_status: 'lost' }]) {
      const held = { status: 'on_hold', hold_reason: expect.stringContaining('unknown status: ') }
      expect(toOrder(plain(odd))).toMatchObject(held)
    }
    expect(() => toOrder(plain({ date_modified: '2018-01-10' }))).toThrow(TypeError)
    expect(() => toOrder(plain({ consignments: { url: 'https://…' } }))).toThrow(TypeError)
  })

  test('goods that are not sent are lines as well', () => {
    const line = {
      id: 1,
      name: 'E-book',
      sku: '',
      type: 'digital',
      quantity: 1,
      quantity_shipped: 0,
      quantity_refunded: 0,
      price_ex_tax: '5',
      total_ex_tax: '5',
      total_tax: '0',
    }
    const consignments = {
      shipping: [],
      pickups: [],
      downloads: [{ line_items: [line] }],
      email: { gift_certificates: [] },
    }
    const order = toOrder(plain({ consignments, order_is_digital: true }))
    expect(order).toMatchObject({
      fulfillment_status: 'not_required',
      shipping_address: null,
      lines: [{ title: 'E-book' }],
    })
  })

  test('that change while they are read are neither lost nor repeated for ever', async () => {
    const { simulator, shop } = open()
    const { book } = simulator.world.shop
    const seen = new Set<string>()
    let cursor: string | null = null
    for (let pages = 0; pages < 50; pages++) {
      const page = await orders.list(shop, { ...query, limit: 10, cursor })
      for (const raw of page.items) seen.add(toOrder(raw).remote_id)
      // One of the first moves to the end, and all others move up.
      if (pages < 3) book.change(book.byChange()[0] ?? 0, { editNote: true })
      cursor = page.next
      if (cursor === null) break
    }
    expect(cursor).toBeNull()
    expect(seen.size).toBe(book.count())
  })

  test('that were archived are gone, although the store still shows them by their id', async () => {
    const { simulator, shop } = open()
    const { book } = simulator.world.shop
    const [index = 0] = book.byChange()
    const id = String(idIn(fieldsOf((await orders.list(shop, query)).items[0]), 'id'))
    expect(await orders.get(shop, id)).not.toBeNull()
    book.remove(index)
    expect(await shop.remote.request({ method: 'GET', path: `/v2/orders/${id}` })).toMatchObject({
      status: 200,
      body: { is_deleted: true },
    })
    expect(await orders.get(shop, id)).toBeNull()
  })

  test('that nobody has finished paying for are none yet', async () => {
    const unfinished = plain({ id: 7, status_id: 0, status: 'Incomplete' })
    const remote = { request: async () => ({ status: 200, headers: {}, body: [unfinished, plain({ id: 8 })] }) }
    const { items } = await orders.list({ ...open().shop, remote }, query)
    expect(items).toMatchObject([{ id: 8 }])
    const one = { request: async () => ({ status: 200, headers: {}, body: unfinished }) }
    expect(await orders.get({ ...open().shop, remote: one }, '7')).toBeNull()
  })

  test('that we make have what they cost with tax and without, as the tax was named', async () => {
    const { asked, shop } = open()
    const draft = {
      ...{ currency: 'EUR', customer: null, billing_address: { postal_code: '10115' }, shipping_total: '10.00' },
      lines: [{ sku: 'BOX', title: 'Box', quantity: 2, unit_price: '45.00' }],
    }
    const made = async (more: object) => {
      const order = await orders.create?.send(shop, { ...draft, ...more }, { id: crypto.randomUUID() })
      const body = fieldsOf(asked.findLast(({ request }) => request.method === 'POST')?.request.body)
      return { order, body, line: fieldsOf([body['products']].flat()[0]) }
    }
    const onTop = await made({ tax_total: '20.00', prices_include_tax: false })
    expect(onTop.body).toMatchObject({
      ...{ total_ex_tax: '100.0000', total_inc_tax: '120.0000', subtotal_inc_tax: '108.0000' },
      ...{ shipping_cost_ex_tax: '10.00', shipping_cost_inc_tax: '12.0000', status_id: 11 },
    })
    expect(onTop.line).toMatchObject({ price_ex_tax: 45, price_inc_tax: 54 })
    expect(onTop.order).toMatchObject({ tax_total: { amount: '20.00' }, total: { amount: '120.00' } })
    const inside = await made({ tax_total: '20.00', prices_include_tax: true, paid: false })
    expect(inside.body).toMatchObject({ total_ex_tax: '80.0000', total_inc_tax: '100.0000', status_id: 7 })
    expect(inside.line).toMatchObject({ price_ex_tax: 36, price_inc_tax: 45 })
    const untaxed = await made({})
    expect([untaxed.line, untaxed.body['total_inc_tax']]).toMatchObject([
      { price_ex_tax: 45, price_inc_tax: 45 },
      undefined,
    ])
    const unpriced = { ...draft, lines: [{ sku: 'BOX', title: 'Box', quantity: 1 }], tax_total: '1.00' }
    await expect(orders.create?.send(shop, unpriced, { id: 'unpriced' })).rejects.toThrow(/every line has its price/)
  })

  test('of which nothing was sent are not asked for parcels', async () => {
    const { asked, shop } = open()
    const { items } = await orders.list(shop, query)
    const sent = items.filter((raw) => toOrder(raw).shipments.length > 0)
    expect(asked.filter(({ url }) => url.endsWith('/shipments'))).toHaveLength(sent.length)
    expect(sent.length).toBeLessThan(items.length)
  })

  test('are asked for with a time that says its zone', async () => {
    const { asked, shop } = open()
    await orders.list(shop, { ...query, updatedSince: '2026-10-01T10:00:00.999999Z' })
    expect(asked[0]?.request.query).toMatchObject({
      min_date_modified: '2026-10-01T10:00:00+00:00',
      sort: 'date_modified:asc',
      include: 'consignments.line_items,fees',
    })
  })

  test('are made of articles that the shop has, or of others with name and price', async () => {
    const { simulator, asked, shop } = open()
    const [lamp] = simulator.truthOfInventory()
    const lines = [
      { sku: lamp?.sku ?? '', quantity: 1, unit_price: '3.10' },
      { sku: 'NEW', title: 'New thing', quantity: 2, unit_price: '1.00' },
    ]
    const made = await orders.create?.send(shop, { reference: 'R-1', currency: 'EUR', lines }, { id: 'a' })
    expect(made).toMatchObject({ external_reference: 'R-1', status: 'open', total: { amount: '5.10' } })
    const body = fieldsOf(asked.find(({ request }) => request.method === 'POST')?.request.body)
    expect(body['products']).toMatchObject([
      { variant_id: Number(lamp?.variant_remote_id) },
      { name: 'New thing', sku: 'NEW' },
    ])
    const nameless = { currency: 'EUR', lines: [{ sku: 'NEW', quantity: 1 }] }
    await expect(orders.create?.send(shop, nameless, { id: 'b' })).rejects.toMatchObject({ kind: 'upstream_refused' })
  })
})
