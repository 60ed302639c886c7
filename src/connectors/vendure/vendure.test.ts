import { describe, expect, test } from 'vitest'
import { type ImitationOptions, openImitation } from '../../../test/support/imitation.ts'
import { hasSpecifications, noSpecifications, readSample } from '../../../test/support/vendor-specification.ts'
import type { Fields } from '../../commerce/reading.ts'
import { unitsOf, unitsToMoney } from './amounts.ts'
import { change } from './ask.ts'
import { settleMutation } from './documents/orders.ts'
import { vendure } from './index.ts'
import { getOrder, indexOrders, listOrders } from './orders.ts'
import type { Credentials, Settings, VendureShop } from './settings.ts'
import { createShipment } from './shipments.ts'
import { changedAt, toOrder, toShipment, versionOf } from './translate-order.ts'

const facts = { shop: 'shop.example', settings: { money_precision: 2, currency: 'EUR', language: 'en' } }

describe('amounts', () => {
  test('have as many places as the server says, whatever the currency', () => {
    const at = (money_precision: number) => ({ ...facts, settings: { money_precision } })
    expect(unitsToMoney(156380, 'USD', at(2))).toEqual({ amount: '1563.80', currency: 'USD' })
    expect(unitsToMoney(5, 'JPY', at(2))).toEqual({ amount: '0.05', currency: 'JPY' })
    expect(unitsToMoney(-1234567, 'EUR', at(4))).toEqual({ amount: '-123.4567', currency: 'EUR' })
    expect(unitsToMoney(70, 'JPY', at(0))).toEqual({ amount: '70', currency: 'JPY' })
    expect(() => unitsToMoney(0.5, 'EUR', at(2))).toThrow(TypeError)
    expect([unitsOf('9.9', at(2)), unitsOf('9', at(3)), unitsOf('9.999', at(2)), unitsOf('9.990', at(2))]).toEqual([
      990,
      9000,
      null,
      999,
    ])
  })
})

describe('the official samples', () => {
  const sampled = () => {
    const { data } = readSample('vendure/samples/synthetic.orders.list.response.json') as {
      data: { orders: { items: Fields[] } }
    }
    return data.orders.items
  }

  test('an order is understood', (context) => {
    if (!hasSpecifications) return context.skip(noSpecifications)
    const [order] = sampled().map((raw) => toOrder(raw, facts))
    const eur = (amount: string) => ({ amount, currency: 'EUR' })
    expect(order).toMatchObject({
      ...{
        remote_id: '1',
        number: 'T_ABC123',
        status: 'open',
        payment_status: 'paid',
        fulfillment_status: 'unfulfilled',
      },
      ...{ subtotal: eur('24.00'), discount_total: eur('0.00'), shipping_total: eur('6.00'), tax_total: eur('5.00') },
      ...{ total: eur('30.00'), shipping_method: 'Standard', placed_at: '2026-02-01T10:04:00.000000Z' },
      lines: [
        {
          remote_id: '10',
          sku: 'MUG-BLUE',
          quantity: 2,
          unit_price: eur('12.00'),
          total: eur('24.00'),
          tax: eur('4.00'),
        },
      ],
      shipping_address: { name: 'Ada Example', line1: '1 Test Street', line2: null, country_code: 'AT', region: null },
    })
  })

  test('a parcel that has just been made is no parcel that has been sent', (context) => {
    if (!hasSpecifications) return context.skip(noSpecifications)
    const { data } = readSample('vendure/samples/synthetic.fulfillment.response.json') as {
      data: { addFulfillmentToOrder: Fields }
    }
    const reported = { ...data.addFulfillmentToOrder, updatedAt: '2026-02-01T10:00:00Z', lines: [] }
    expect(toShipment(reported)).toMatchObject({
      remote_id: '1',
      status: 'pending',
      tracking_number: '1Z999',
      shipped_at: null,
    })
  })

  test('states, payments and quantities follow what the server says', (context) => {
    if (!hasSpecifications) return context.skip(noSpecifications)
    const [base] = sampled()
    const parcel = (state: string, quantity: number) => ({
      ...{ id: '3', state, method: 'Post', trackingCode: 'T', updatedAt: '2026-02-02T00:00:00Z' },
      lines: [{ orderLineId: '10', quantity }],
    })
    const paid = (state: string, refunds: Fields[] = []) => [{ id: '1', state, amount: 3000, refunds }]
    const words = (change: Fields) => {
      const { status, payment_status, fulfillment_status, lines } = toOrder({ ...base, ...change }, facts)
      return [status, payment_status, fulfillment_status, lines[0]?.quantity_fulfilled]
    }
    expect(words({ state: 'Draft', payments: [] })).toEqual(['pending', 'pending', 'unfulfilled', 0])
    expect(words({ state: 'PaymentAuthorized', payments: paid('Authorized') })).toEqual([
      'pending',
      'authorized',
      'unfulfilled',
      0,
    ])
    expect(words({ state: 'PartiallyShipped', fulfillments: [parcel('Shipped', 1)] })).toEqual([
      'open',
      'paid',
      'partial',
      1,
    ])
    expect(words({ state: 'Shipped', fulfillments: [parcel('Shipped', 2)] })).toEqual([
      'completed',
      'paid',
      'fulfilled',
      2,
    ])
    expect(words({ state: 'Delivered', fulfillments: [parcel('Delivered', 2)] })).toEqual([
      'completed',
      'paid',
      'delivered',
      2,
    ])
    const two = [parcel('Shipped', 1), parcel('Delivered', 1)]
    expect(words({ state: 'PartiallyDelivered', fulfillments: two })).toEqual(['completed', 'paid', 'fulfilled', 2])
    expect(words({ state: 'PartiallyDelivered', fulfillments: [parcel('Delivered', 1)] })).toEqual([
      'open',
      'paid',
      'partial',
      1,
    ])
    expect(words({ state: 'PaymentSettled', fulfillments: [parcel('Pending', 2)] })).toEqual([
      'open',
      'paid',
      'unfulfilled',
      0,
    ])
    // A parcel goes although nothing is settled: the state stays behind.
    expect(
      words({ state: 'PaymentAuthorized', payments: paid('Authorized'), fulfillments: [parcel('Shipped', 2)] }),
    ).toEqual(['pending', 'authorized', 'fulfilled', 2])
    expect(words({ state: 'Modifying' })).toEqual(['on_hold', 'paid', 'unfulfilled', 0])
    expect(words({ payments: paid('Settled', [{ state: 'Settled', total: 1000 }]) })[1]).toBe('partially_refunded')
    expect(words({ payments: paid('Settled', [{ state: 'Settled', total: 3000 }]) })[1]).toBe('refunded')
    expect(words({ payments: paid('Settled', [{ state: 'Pending', total: 3000 }]) })[1]).toBe('paid')
    expect(words({ payments: paid('Declined') })[1]).toBe('failed')
    expect(words({ payments: paid('Cancelled') })[1]).toBe('voided')
    expect(words({ payments: [{ id: '1', state: 'Settled', amount: 100, refunds: [] }] })[1]).toBe('partially_paid')
  })

  test('states of a server’s own mean what the settings say, and nothing otherwise', (context) => {
    if (!hasSpecifications) return context.skip(noSpecifications)
    const raw = { ...sampled()[0], state: 'Packed' }
    expect(toOrder(raw, facts)).toMatchObject({ status: 'on_hold', hold_reason: expect.stringContaining('Packed') })
    const own = { ...facts, settings: { custom_states: [{ state: 'Packed', means: 'open' as const }] } }
    expect(toOrder(raw, own)).toMatchObject({ status: 'open', remote_status: 'Packed' })
  })
})

describe('changes that the order’s own time does not show', () => {
  test('are dated by the history, and distinguished within a second by its length', () => {
    const before = {
      updatedAt: '2026-11-15T05:34:31.000Z',
      history: { totalItems: 4, items: [{ createdAt: '2026-11-15T05:34:32.000Z' }] },
    }
    const after = { ...before, history: { totalItems: 6, items: [{ createdAt: '2026-11-15T05:34:32.000Z' }] } }
    expect(changedAt(before)).toBe('2026-11-15T05:34:32.000000Z')
    expect(versionOf(after) > versionOf(before)).toBe(true)
  })

  const onServer = (options: ImitationOptions = {}) => openImitation<Settings, Credentials>(vendure, options)
  const firstIn = (stage: string, { simulator }: ReturnType<typeof onServer>): string =>
    simulator.truth().find((order) => order.stage === stage)?.remote_id ?? ''

  // Everything has happened in the year before.
  const from = '2026-02-01T00:00:00.000000Z'
  const changedIn = async (shop: VendureShop): Promise<string[]> => {
    const all: unknown[] = []
    for (let cursor: string | null = null; ; ) {
      const page = await listOrders(shop, { updatedSince: from, statuses: [], cursor, limit: 100 })
      all.push(...page.items)
      cursor = page.next
      if (cursor === null) return all.map((raw) => toOrder(raw, shop).remote_id)
    }
  }

  test('are found while an order is under way, however old it is', async () => {
    const server = onServer()
    const { shop } = server
    const id = firstIn('unpaid', server)
    const raw = { ...((await getOrder(shop, id)) ?? {}) } as { payments?: { id: string }[]; updatedAt?: string }
    expect(await changedIn(shop)).toEqual([])
    await change(shop, 'settlePayment', settleMutation, { id: raw.payments?.[0]?.id })
    expect(await changedIn(shop)).toEqual([id])
    expect((await getOrder(shop, id))?.['updatedAt']).toBe(raw.updatedAt)
  })

  test('are found after it has been sent for as long as it is followed, and by comparison for ever', async () => {
    const server = onServer({ settings: { follow_days: 500 } })
    const id = firstIn('paid', server)
    const ship = (shop: VendureShop) =>
      createShipment(shop, { order_remote_id: id, tracking_number: 'OLD-2', carrier: 'Post' })
    await ship(server.shop)
    expect(await changedIn(server.shop)).toEqual([id])
    const short = onServer({ settings: { follow_days: 30 } }).shop
    const window = { from: '1970-01-01T00:00:00.000000Z', to: '2099-01-01T00:00:00.000000Z', cursor: null }
    const versionIn = async () =>
      (await indexOrders(short, window)).items.find(({ remoteId }) => remoteId === id)?.version
    const before = await versionIn()
    await ship(short)
    expect(await changedIn(short)).toEqual([])
    expect(String(await versionIn()) > String(before)).toBe(true)
  })
})
