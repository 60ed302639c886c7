import { describe, expect, test } from 'vitest'
import { whatDoesNotAddUp } from '../../../test/support/totals.ts'
import { hasSpecifications, noSpecifications, readSample } from '../../../test/support/vendor-specification.ts'
import { fieldsIn, fieldsOf, recordsIn } from '../../commerce/reading.ts'
import { toOrder } from './translate-order.ts'
import { toProduct } from './translate-product.ts'

const facts = { shop: 'ada-cups.squarespace.com' }
const sample = (name: string) => fieldsOf(readSample(`squarespace/samples/${name}.json`))

describe.skipIf(!hasSpecifications)(`samples (else: ${noSpecifications})`, () => {
  test('of orders are understood, and add up', () => {
    const orders = recordsIn(sample('synthetic.orders.list.response'), 'result').map((raw) => toOrder(raw, facts))
    expect(orders.flatMap(whatDoesNotAddUp)).toEqual([])
    expect(orders).toMatchObject([
      {
        ...{ remote_id: '585d498fdee9f31a60284a37', number: '3', status: 'open', payment_status: 'paid' },
        ...{ fulfillment_status: 'unfulfilled', total: { amount: '54.99', currency: 'USD' } },
        ...{ customer: { remote_id: '585d498fdee9f31a60284a38' }, shipping_address: { region: 'NY' } },
        lines: [{ sku: 'SQ3381024', variant_title: 'Large', unit_price: { amount: '49.99' }, requires_shipping: true }],
      },
    ])
  })

  test('of orders as others tell them have totals elsewhere, and are set aside instead of guessed at', () => {
    const { body } = fieldsIn(sample('list-orders'), 'response')
    for (const raw of recordsIn(fieldsOf(body), 'result')) expect(() => toOrder(raw, facts)).toThrow(TypeError)
  })

  test('of products are understood but for the time of their change, which they lack', () => {
    const { body } = fieldsIn(sample('list-products'), 'response')
    const [raw] = recordsIn(fieldsOf(body), 'products')
    expect(() => toProduct(raw, facts)).toThrow(TypeError)
    expect(toProduct({ ...raw, modifiedOn: '2026-03-02T12:00:00Z' }, facts)).toMatchObject({
      ...{ title: 'Handmade Ceramic Mug', status: 'active', url: null },
      images: [{ alt: 'Blue handmade ceramic mug' }],
      options: [
        { name: 'Color', values: ['Blue'] },
        { name: 'Size', values: ['Large'] },
      ],
      variants: [{ sku: 'MUG-BLUE-LG', title: 'Blue / Large', quantity: 15, price: { amount: '24.99' } }],
    })
  })
})
