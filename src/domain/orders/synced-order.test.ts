import { describe, expect, test } from 'vitest'
import { orderLine, remoteOrder, remoteShipment } from '../../../test/support/remote-order.ts'
import { syncedOrder } from './synced-order.ts'

const acme = { type: 'acme' }
const euro = (amount: string) => ({ amount, currency: 'EUR' })

describe('an order of the shop, as we hold it', () => {
  test('has everything that the shop says, amounts as bare numbers', () => {
    const back = {
      ...{ remote_id: 'B1', status: 'approved' as const, remote_status: 'OPEN', requested_at: null },
      lines: [{ order_line_remote_id: 'L1', quantity: 1, reason: 'Too small' }],
    }
    const order = remoteOrder({
      remote_id: '77',
      number: '#1077',
      status: 'on_hold',
      hold_reason: 'Fraud check',
      remote_status: 'fraud_review',
      currency: 'USD',
      subtotal: euro('20.01'),
      discount_total: euro('1.02'),
      shipping_total: euro('4.03'),
      tax_total: euro('2.04'),
      fee_total: euro('3.05'),
      total: euro('26.06'),
      refunded_total: euro('5.07'),
      prices_include_tax: false,
      customer: {
        remote_id: 'C1',
        email: 'ada@example.com',
        first_name: 'Ada',
        last_name: null,
        phone: null,
        is_guest: false,
      },
      shipping_method: 'Bike',
      note: 'Ring twice',
      admin_url: 'https://acme.example/77',
      ship_by: '2026-11-04T10:00:00.000000Z',
      service_level: 'NextDay',
      fulfilled_by: 'platform',
      sales_channel: 'pos',
      presentment: { currency: 'CAD', total: '35.00' },
      purchase_order: 'PO-7',
      tax_ids: [{ kind: 'VAT', value: 'DE129273398' }],
      attributes: [{ name: 'Gift message', value: 'For Ada' }],
      tags: ['vip'],
      cancel_requested: true,
      returns: [back],
      placed_at: '2026-11-02T10:00:00.000000Z',
      remote_version: '00012',
      raw: { id: 77 },
    })
    expect(syncedOrder(acme, order)).toEqual({
      remote_id: '77',
      number: '#1077',
      status: 'ON_HOLD',
      hold_reason: 'Fraud check',
      payment_status: 'paid',
      fulfillment_status: 'unfulfilled',
      remote_status: 'fraud_review',
      currency: 'USD',
      subtotal: '20.01',
      discount_total: '1.02',
      shipping_total: '4.03',
      tax_total: '2.04',
      fee_total: '3.05',
      total: '26.06',
      refunded_total: '5.07',
      prices_include_tax: false,
      customer: order.customer,
      billing_address: null,
      shipping_address: null,
      shipping_method: 'Bike',
      note: 'Ring twice',
      admin_url: 'https://acme.example/77',
      ship_by: '2026-11-04T10:00:00.000000Z',
      service_level: 'NextDay',
      fulfilled_by: 'platform',
      sales_channel: 'pos',
      presentment: { currency: 'CAD', total: '35.00' },
      purchase_order: 'PO-7',
      tax_ids: [{ kind: 'VAT', value: 'DE129273398' }],
      attributes: [{ name: 'Gift message', value: 'For Ada' }],
      tags: ['vip'],
      cancel_requested: true,
      incomplete: false,
      items: [],
      fees: [],
      refunds: [],
      returns: [back],
      placed_at: '2026-11-02T10:00:00.000000Z',
      sandbox: false,
      remote_version: '00012',
      remote_payload: '{"id":77}',
    })
  })

  test('has its lines', () => {
    const line = orderLine({
      product_remote_id: 'P1',
      variant_remote_id: 'V1',
      variant_title: 'Blue',
      quantity: 9,
      quantity_fulfilled: 1,
      quantity_refunded: 2,
      quantity_cancelled: 3,
      unit_price: euro('10.01'),
      discount: euro('1.02'),
      tax: euro('2.03'),
      total: euro('91.10'),
    })
    const { items } = syncedOrder(acme, remoteOrder({ lines: [line, orderLine({ remote_id: 'L2', sku: null })] }))
    expect(items[0]).toEqual({
      remote_id: 'L1',
      product_remote_id: 'P1',
      variant_remote_id: 'V1',
      sku: 'CUP',
      name: 'Cup',
      variant_name: 'Blue',
      quantity: 9,
      quantity_fulfilled: 1,
      quantity_refunded: 2,
      quantity_cancelled: 3,
      requires_shipping: true,
      price: '10.01',
      discount: '1.02',
      tax: '2.03',
      total: '91.10',
    })
    expect(items.slice(1)).toMatchObject([{ remote_id: 'L2', sku: null }])
  })

  test('has its fees and refunds', () => {
    const fees = [{ remote_id: 'E1', title: 'Gift wrap', amount: euro('3.00'), tax: euro('0.50') }]
    const refund = {
      remote_id: 'R1',
      amount: euro('8.00'),
      reason: 'Broken',
      refunded_at: '2026-11-03T10:00:00.000000Z',
    }
    const lines = [
      { order_line_remote_id: 'L1', quantity: 1, amount: euro('7.00') },
      { order_line_remote_id: 'L2', quantity: 2, amount: null },
    ]
    expect(syncedOrder(acme, remoteOrder({ fees, refunds: [{ ...refund, lines }] }))).toMatchObject({
      fees: [{ remote_id: 'E1', name: 'Gift wrap', amount: '3.00', tax: '0.50' }],
      refunds: [
        {
          remote_id: 'R1',
          amount: '8.00',
          reason: 'Broken',
          refunded_at: '2026-11-03T10:00:00.000000Z',
          lines: [
            { order_line_remote_id: 'L1', quantity: 1, amount: '7.00' },
            { order_line_remote_id: 'L2', quantity: 2, amount: null },
          ],
        },
      ],
    })
  })

  test('has parcels where there are any', () => {
    expect(syncedOrder(acme, remoteOrder())).not.toHaveProperty('parcels')
    expect(syncedOrder(acme, remoteOrder({ shipments: [remoteShipment()] })).parcels).toMatchObject([
      { remote_id: 'F1', tracking_number: 'T1', carrier: 'Post' },
    ])
  })

  test('says nothing where the shop says nothing', () => {
    const row = syncedOrder(acme, remoteOrder({ raw: undefined }))
    expect(row).toMatchObject({ customer: {}, refunded_total: null, remote_payload: null })
  })

  test.each([
    ['acme', false, false],
    ['acme', true, true],
    ['sandbox', false, true],
  ])('of %s, marked as a test: %s, is none to be sent: %s', (type, isTest, sandbox) => {
    expect(syncedOrder({ type }, remoteOrder({ test: isTest })).sandbox).toBe(sandbox)
  })
})
