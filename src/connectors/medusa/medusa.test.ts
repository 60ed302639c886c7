import { describe, expect, test } from 'vitest'
import { whatDoesNotAddUp } from '../../../test/support/totals.ts'
import { hasSpecifications, noSpecifications, readSample } from '../../../test/support/vendor-specification.ts'
import { bodyOf, type Fields } from '../../commerce/reading.ts'
import { moneyIn, rounded } from './amounts.ts'
import { toOrder } from './translate-order.ts'

const sampled = (): Fields[] =>
  (readSample('medusa/samples/synthetic.orders.list.response.json') as { orders: Fields[] }).orders

describe('amounts', () => {
  test('are rounded to the coin, half away from zero, and never by way of floats', () => {
    expect(rounded(34.47, 2, 2)).toBe('34.47')
    expect(rounded(1.9957983193277311, 2, 2)).toBe('2.00')
    expect(rounded(0.125, 2, 2)).toBe('0.13')
    expect(rounded(-0.125, 2, 2)).toBe('-0.13')
    expect(rounded(-0.001, 2, 2)).toBe('0.00')
    expect(rounded(1.005, 2, 2)).toBe('1.01')
    expect(rounded(0.1 + 0.2, 2, 2)).toBe('0.30')
    expect(rounded(0.0000001, 6, 2)).toBe('0.00')
    expect(rounded(0.0125, 6, 2)).toBe('0.0125')
    expect(moneyIn({ total: 1234.5 }, 'total', 'JPY')).toEqual({ amount: '1235', currency: 'JPY' })
    for (const bad of [null, undefined, Number.NaN, 'much']) expect(() => rounded(bad, 2, 2)).toThrow(TypeError)
  })
})

describe('the official samples', () => {
  test('an order is understood', (context) => {
    if (!hasSpecifications) return context.skip(noSpecifications)
    const eur = (amount: string) => ({ amount, currency: 'EUR' })
    expect(sampled().map((raw) => toOrder(raw))).toMatchObject([
      {
        ...{
          remote_id: 'order_01',
          number: '1',
          status: 'open',
          payment_status: 'paid',
          fulfillment_status: 'unfulfilled',
        },
        ...{ subtotal: eur('25.00'), shipping_total: eur('5.00'), tax_total: eur('5.00'), total: eur('30.00') },
        ...{ discount_total: eur('0.00'), refunded_total: eur('0.00'), prices_include_tax: true },
        ...{ placed_at: '2026-10-02T10:00:00.000000Z', remote_updated_at: '2026-10-03T11:30:00.000000Z' },
        customer: { remote_id: 'cus_01', email: 'ada@example.com', is_guest: false },
        shipping_address: { name: 'Ada Example', city: 'Copenhagen', country_code: 'DK', line2: null, region: null },
        lines: [
          {
            remote_id: 'ordli_01',
            sku: 'MUG-BLUE',
            quantity: 2,
            unit_price: eur('12.50'),
            tax: eur('5.00'),
            total: eur('25.00'),
          },
        ],
      },
    ])
  })

  test('adds up', (context) => {
    if (!hasSpecifications) return context.skip(noSpecifications)
    expect(sampled().flatMap((raw) => whatDoesNotAddUp(toOrder(raw)))).toEqual([])
  })

  test('statuses follow the pieces, not the words of the server', (context) => {
    if (!hasSpecifications) return context.skip(noSpecifications)
    const [base = {}] = sampled()
    const [line = {}] = base['items'] as Fields[]
    const words = (change: Fields, sent = 0, arrived = 0) => {
      const detail = { quantity: 2, fulfilled_quantity: sent, shipped_quantity: sent, delivered_quantity: arrived }
      const { status, fulfillment_status, payment_status } = toOrder({
        ...base,
        ...change,
        items: [{ ...line, detail }],
      })
      return [status, fulfillment_status, payment_status]
    }
    expect(words({ status: 'requires_action', payment_status: 'requires_action' })).toEqual([
      'pending',
      'unfulfilled',
      'pending',
    ])
    expect(words({ fulfillment_status: 'fulfilled' }, 1)).toEqual(['open', 'partial', 'paid'])
    expect(words({ fulfillment_status: 'shipped' }, 2)).toEqual(['completed', 'fulfilled', 'paid'])
    expect(words({ fulfillment_status: 'delivered' }, 2, 2)).toEqual(['completed', 'delivered', 'paid'])
    expect(words({ status: 'canceled', payment_status: 'canceled' })).toEqual(['cancelled', 'unfulfilled', 'voided'])
    expect(words({ status: 'archived' }, 2)).toEqual(['completed', 'fulfilled', 'paid'])
    const collection = { captured_amount: 30, refunded_amount: 3, updated_at: '2026-10-03T11:30:00.000Z', payments: [] }
    expect(words({ payment_status: 'refunded', payment_collections: [collection] })[2]).toBe('partially_refunded')
    expect(
      words({ payment_status: 'refunded', payment_collections: [{ ...collection, refunded_amount: 30 }] })[2],
    ).toBe('refunded')
    expect(words({ payment_status: 'partially_captured' })[2]).toBe('partially_paid')
    expect(words({ payment_status: 'not_paid' })[2]).toBe('pending')
    expect(words({ status: 'lost' })[0]).toBe('on_hold')
    expect(words({ payment_status: 'bartered' })).toEqual(['on_hold', 'unfulfilled', 'unknown'])
  })

  test('provinces are distinguished from their codes', (context) => {
    if (!hasSpecifications) return context.skip(noSpecifications)
    const [base = {}] = sampled()
    const place = (province: string) =>
      toOrder({ ...base, shipping_address: { ...(base['shipping_address'] as Fields), province } }).shipping_address
    expect(place('us-ca')).toMatchObject({ region: null, region_code: 'CA' })
    expect(place('Hovedstaden')).toMatchObject({ region: 'Hovedstaden', region_code: null })
  })

  test('what the server answers when it refuses is reported in its words', (context) => {
    if (!hasSpecifications) return context.skip(noSpecifications)
    const errors = readSample('medusa/samples/error-responses.from-spec.json') as Record<string, Fields | null>
    for (const body of Object.values(errors)) {
      const said = body?.['message'] ?? 'The shop rejected the request.'
      expect(() => bodyOf({ status: 400, headers: {}, body })).toThrow(String(said))
    }
  })
})
