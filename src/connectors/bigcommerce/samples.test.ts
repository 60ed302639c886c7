import { describe, expect, test } from 'vitest'
import { hasSpecifications, noSpecifications, readSample } from '../../../test/support/vendor-specification.ts'
import { compareDecimals, minus, sum } from '../../commerce/decimal.ts'
import type { RemoteOrder } from '../../commerce/order.ts'
import { type Fields, fieldsOf, recordsIn } from '../../commerce/reading.ts'
import { toRefund } from './refunds/read-refunds.ts'
import { linesIn, toOrder } from './translate-order.ts'

const sample = (name: string) => readSample(`bigcommerce/samples/orders.v2.oas2.${name}.json`)

/** Samples of orders show neither where goods go nor parcels: those have samples of their own. */
const whole = (order: unknown, lines: readonly Fields[] = []) => ({
  ...fieldsOf(order),
  ...{ consignments: { shipping: [{ line_items: lines }] }, shipments: [] },
})

/** Tax that is in the prices is not paid on top of them. */
function addsUp(order: RemoteOrder): boolean {
  const { subtotal, shipping_total: way, fee_total: fees, tax_total: tax, discount_total: discounts } = order
  const parts = [subtotal, way, fees, ...(order.prices_include_tax ? [] : [tax])].map(({ amount }) => amount)
  return compareDecimals(minus(sum(parts), discounts.amount), order.total.amount) === 0
}

describe.skipIf(!hasSpecifications)(`official samples (else: ${noSpecifications})`, () => {
  const all = [
    ...['getOrder', 'createOrder', 'updateOrder'].flatMap((call) =>
      ['Response', 'Multiple-Items'].map((name) => `${call}.response-200.${name}`),
    ),
  ]

  test('of orders add up: goods, shipping, fees and tax less discounts are the total', () => {
    const orders = [...all.map(sample), ...recordsIn({ rows: sample('getOrders.response-200.response') }, 'rows')]
    expect(orders).toHaveLength(7)
    for (const raw of orders) {
      const order = toOrder(whole(raw))
      expect([order.remote_id, addsUp(order)]).toEqual([order.remote_id, true])
    }
  })

  test('of products of an order: options and texts are attributes, what is bundled is a line of its own', () => {
    const products = recordsIn({ rows: sample('getOrderProducts.response-200.response') }, 'rows')
    const raw = whole(sample('getOrder.response-200.Response'), products)
    expect(linesIn(raw)).toHaveLength(2)
    expect(toOrder(raw).lines).toMatchObject([
      {
        sku: 'S-ORAN',
        attributes: [
          { name: 'Size', value: 'S' },
          { name: 'Color', value: 'Orange' },
          { name: 'Add Letters', value: 'Text Field' },
          { name: 'Is this a gift?', value: 'Yes' },
          { name: 'PickList', value: 'Able Brewing System' },
        ],
      },
      { sku: 'ABS', attributes: [] },
    ])
  })
})

describe.skipIf(!hasSpecifications)(`official samples of parts of an order (else: ${noSpecifications})`, () => {
  const products = () => recordsIn({ rows: sample('getOrderProducts.response-200.response') }, 'rows')

  test('goods that are fetched are lines, and go nowhere', () => {
    const { pickups } = fieldsOf(sample('getOrderConsignments.response-200.Pickup-Consignments'))
    const fetched = recordsIn({ pickups }, 'pickups').map((way) => ({ ...way, line_items: products() }))
    const raw = { ...whole(sample('getOrder.response-200.Response')), consignments: { pickups: fetched, shipping: [] } }
    const order = toOrder(raw)
    expect(order.lines.map(({ sku }) => sku)).toEqual(['S-ORAN', 'ABS'])
    expect(order.shipping_address).toBe(null)
  })

  test('fees have their names and taxes, and make up the total', () => {
    const fees = fieldsOf(sample('getOrderFees.response-200.response'))['fees']
    const order = toOrder(whole({ ...amounts, fees, total_tax: '16.25', total_inc_tax: '130.55' }))
    expect(order.fees.slice(2)).toMatchObject([
      { remote_id: '1', title: 'A Fee', amount: { amount: '12.30' }, tax: { amount: '0.00' } },
      { remote_id: '2', title: 'B Fee', amount: { amount: '4.00' }, tax: { amount: '8.00' } },
    ])
    expect(addsUp(order)).toBe(true)
    expect(order.fees).toHaveLength(4)
  })

  test('a refund has its amount, reason and lines', () => {
    const { data } = fieldsOf(readSample('bigcommerce/samples/orders.v3.getOrderRefund.response-200.Example.json'))
    expect(toRefund(fieldsOf(data), 'USD')).toEqual({
      ...{ remote_id: '12', amount: { amount: '50.00', currency: 'USD' }, reason: 'Customer requires a refund.' },
      refunded_at: '2022-06-16T16:44:15.000000Z',
      lines: [{ order_line_remote_id: '87', quantity: 1, amount: null }],
    })
  })
})

const amounts = {
  ...{ id: 1, customer_id: 0, status_id: 11, status: 'Awaiting Fulfillment', items_total: 1, items_shipped: 0 },
  ...{ date_created: 'Thu, 01 Oct 2026 08:00:00 +0000', date_modified: 'Thu, 01 Oct 2026 08:00:00 +0000' },
  ...{ currency_code: 'USD', is_tax_inclusive_pricing: false, payment_status: 'captured' },
  ...{ subtotal_ex_tax: '100.00', subtotal_inc_tax: '108.25', discount_amount: '0', coupon_discount: '10.00' },
  ...{ shipping_cost_ex_tax: '5.00', shipping_cost_inc_tax: '5.41', handling_cost_ex_tax: '2.00' },
  ...{ handling_cost_inc_tax: '2.16', wrapping_cost_ex_tax: '1.00', wrapping_cost_inc_tax: '1.08' },
}
const fee = { id: 9, display_name_customer: 'Small order', cost_ex_tax: '3.00', cost_inc_tax: '3.25' }

describe('totals', () => {
  test('have everything without tax where the tax comes on top', () => {
    const order = toOrder(whole({ ...amounts, fees: [fee], total_tax: '8.33', total_inc_tax: '109.33' }))
    expect(order).toMatchObject({
      prices_include_tax: false,
      shipping_total: { amount: '5.00' },
      fee_total: { amount: '6.00' },
      discount_total: { amount: '10.00' },
      fees: [
        { title: 'Handling', amount: { amount: '2.00' }, tax: { amount: '0.16' } },
        { title: 'Gift wrapping', amount: { amount: '1.00' } },
        { remote_id: '9', title: 'Small order', amount: { amount: '3.00' } },
      ],
    })
    expect(addsUp(order)).toBe(true)
  })

  test('leave no charge and no discount unnamed that nobody explains', () => {
    const short = toOrder(whole({ ...amounts, total_tax: '8.00', total_inc_tax: '120.00' }))
    expect(short.fees.at(-1)).toMatchObject({ title: 'Other charges', amount: { amount: '14.00' } })
    const over = toOrder(whole({ ...amounts, total_tax: '8.00', total_inc_tax: '90.00' }))
    expect(over.discount_total).toEqual({ amount: '26.00', currency: 'USD' })
    expect([short, over].map(addsUp)).toEqual([true, true])
  })
})
