import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { whatDoesNotAddUp } from '../../../test/support/totals.ts'
import {
  hasSpecifications,
  noSpecifications,
  readSample,
  specificationsFolder,
} from '../../../test/support/vendor-specification.ts'
import { compareDecimals, minus, sum } from '../../commerce/decimal.ts'
import { fieldsOf, recordsIn } from '../../commerce/reading.ts'
import { orders } from './orders.ts'
import { products } from './products.ts'
import type { Settings } from './settings.ts'

const us: { shop: string; settings: Settings } = { shop: 'a2standseller1', settings: { marketplace: 'US' } }

const sample = (name: string) => fieldsOf(readSample(`amazon-spapi/samples/${name}.json`))
const bodyIn = (name: string) => fieldsOf(sample(name)['response'] ?? sample(name))

describe.skipIf(!hasSpecifications)(`official samples (else: ${noSpecifications})`, () => {
  const searches = ['response-200', 'sandbox-200.1', 'sandbox-200.2', 'sandbox-200.3']
  const all = () => [
    ...searches.flatMap((name) => recordsIn(bodyIn(`orders_2026-01-01.searchOrders.${name}`), 'orders')),
    ...searches.map((name) => fieldsOf(bodyIn(`orders_2026-01-01.getOrder.${name}`)['order'])),
  ]

  // Reckoned by hand from the samples.
  test.each([
    ['123-4567890-1234567', 'USD', '154.99', '149.97', '0.00', '0.02', [2, 1], [2, 1], 'completed', 'delivered'],
    ['250-1234567-8901234', 'JPY', '19940', '19940', '0', '0', [1, 2], [1, 2], 'completed', 'fulfilled'],
    ['202-7654321-1098765', 'GBP', '34.99', '34.99', '0.00', '0.00', [1], [1], 'completed', 'fulfilled'],
    ['171-2345678-9012345', 'BRL', '1599.90', '1599.90', '0.00', '0.00', [1], [0], 'open', 'unfulfilled'],
    ['202-1234567-8901234', 'GBP', '103.97', '89.97', '10.00', '4.00', [3], [3], 'completed', 'fulfilled'],
    ['171-9876543-2109876', 'BRL', '299.90', '299.90', '0.00', '0.00', [1], [0], 'open', 'unfulfilled'],
    ['028-1234567-8901234', 'TRY', '125.00', '125.00', '0.00', '0.00', [2], [2], 'completed', 'fulfilled'],
    ['114-9876543-1234567', 'USD', '49.99', '39.99', '0.00', '10.00', [1], [0], 'open', 'unfulfilled'],
  ])('%s', (id, currency, total, subtotal, shipping, tax, quantities, sent, status, fulfillment) => {
    const raw = all().find((one) => one['orderId'] === id)
    const order = orders.translate(raw, us)
    const money = (amount: string) => ({ amount, currency })
    expect(order).toMatchObject({
      currency,
      status,
      fulfillment_status: fulfillment,
      payment_status: 'paid',
      total: money(total),
      subtotal: money(subtotal),
      shipping_total: money(shipping),
      tax_total: money(tax),
    })
    expect(order.lines.map((line) => line.quantity)).toEqual(quantities)
    expect(order.lines.map((line) => line.quantity_fulfilled)).toEqual(sent)
  })

  test('are understood, all of them', () => {
    const published = readdirSync(join(specificationsFolder, 'amazon-spapi/samples'))
    const used = searches.flatMap((name) => ['searchOrders', 'getOrder'].map((call) => `${call}.${name}`))
    expect(published.filter((name) => /^orders_2026-01-01\..*-200/.test(name)).toSorted()).toEqual(
      used.map((name) => `orders_2026-01-01.${name}.json`).toSorted(),
    )
    expect(all().map((raw) => orders.translate(raw, us).remote_id)).toHaveLength(8)
    expect(all().flatMap((raw) => whatDoesNotAddUp(orders.translate(raw, us)))).toEqual([])
  })

  test('add up: goods, shipping, tax and fees less discounts are the total', () => {
    for (const raw of all()) {
      const { subtotal, shipping_total: way, tax_total: tax, fee_total: fees, ...order } = orders.translate(raw, us)
      const parts = sum([subtotal.amount, way.amount, tax.amount, fees.amount], 0)
      const reckoned = minus(parts, order.discount_total.amount, 0)
      expect([order.remote_id, compareDecimals(reckoned, order.total.amount)]).toEqual([order.remote_id, 0])
    }
  })

  test('of companies bring their number of the purchase, tax number and where the bill goes', () => {
    const find = (id: string) =>
      orders.translate(
        all().find((one) => one['orderId'] === id),
        us,
      )
    expect(find('171-2345678-9012345')).toMatchObject({
      purchase_order: 'PO-BR-2024-5678',
      tax_ids: [{ kind: 'VAT', value: '1234567890' }],
      billing_address: { company: 'Oliveira Tecnologia Ltda', line1: null },
    })
    expect(find('028-1234567-8901234')).toMatchObject({
      tax_ids: [{ kind: 'BUSINESS', value: 'TR1234567890' }],
      billing_address: { company: 'Test company name', name: 'Mehmet Yilmaz', country_code: 'TR' },
    })
    expect(find('123-4567890-1234567')).toMatchObject({
      ...{ service_level: 'STANDARD', fulfilled_by: 'merchant', purchase_order: 'PO-2024-12345' },
      attributes: [{ name: 'drop_off_location', value: 'Front desk reception' }],
      fees: [{ title: 'Tip', amount: { amount: '5.00', currency: 'USD' } }],
    })
    expect(find('202-1234567-8901234').lines[0]?.attributes).toEqual([
      { name: 'gift_message', value: 'Happy Christmas! Hope you enjoy your new smart speakers.' },
      { name: 'gift_wrap', value: 'PREMIUM' },
      { name: 'ioss_number', value: 'IM1234567890' },
      { name: 'program', value: 'TRANSPARENCY' },
    ])
  })

  test('report the buyer, the way and the parcel', () => {
    const [raw] = recordsIn(bodyIn('orders_2026-01-01.searchOrders.response-200'), 'orders')
    expect(orders.translate(raw, us)).toMatchObject({
      marketplace: 'Amazon.com',
      external_reference: 'SELLER-ORDER-2024-001',
      customer: { email: 'buyer-email@marketplace.amazon.com', last_name: 'John Smith' },
      shipping_address: { company: 'Smith Industries LLC', region: 'WA', country_code: 'US', line3: null },
      note: 'Enter through main lobby, ask for John Smith at reception',
      tags: ['PRIME', 'AMAZON_BUSINESS'],
      ship_by: '2024-12-27T23:59:59.000000Z',
      shipments: [
        {
          remote_id: 'PKG-2024-001',
          status: 'delivered',
          carrier_name: 'UPS',
          tracking_number: '1Z999AA1234567890',
          lines: [{ quantity: 2 }, { quantity: 1 }],
        },
      ],
    })
  })

  test('of listings', () => {
    const listed = ['response-200', 'sandbox-200.1'].flatMap((name) => [
      ...recordsIn(bodyIn(`listingsItems_2021-08-01.searchListingsItems.${name}`), 'items'),
      bodyIn(`listingsItems_2021-08-01.getListingsItem.${name}`),
    ])
    expect(listed).toHaveLength(4)
    for (const raw of listed) {
      expect(products.translate(raw, us)).toMatchObject({
        remote_id: 'GM-ZDPI-9B4E',
        title: 'Hardside Carry-On Spinner Suitcase Luggage',
        status: 'active',
        type: 'LUGGAGE',
        url: 'https://www.amazon.com/dp/B071VG5N9D',
        variants: [{ price: { amount: '100.00', currency: 'USD' }, quantity: 100 }],
      })
      const there = products.translate(raw, { ...us, settings: { marketplace: 'CA' } })
      expect(there).toMatchObject({ status: 'inactive', variants: [{ price: { amount: '130.00', currency: 'CAD' } }] })
      expect(() => products.translate(raw, { ...us, settings: { marketplace: 'MX' } })).toThrow(
        /not on the marketplace/,
      )
    }
    const [full] = recordsIn(bodyIn('listingsItems_2021-08-01.searchListingsItems.response-200'), 'items')
    expect(products.translate(full, us)).toMatchObject({
      brand: 'SAMSUNG',
      variants: [{ weight: { value: '107.6', unit: 'lb' }, compare_at_price: { amount: '3799.99', currency: 'USD' } }],
    })
  })
})
