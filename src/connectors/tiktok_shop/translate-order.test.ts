import { describe, expect, test } from 'vitest'
import { whatDoesNotAddUp } from '../../../test/support/totals.ts'
import { orderStatusOf } from '../../commerce/order.ts'
import type { TikTokFacts } from './settings.ts'
import { toOrder } from './translate-order.ts'

const facts: TikTokFacts = { shop: 'uslcabcd12', settings: { shop_cipher: 'ROW_c', shop_id: '7494', region: 'US' } }

const usd = (amount: string) => ({ amount, currency: 'USD' })

/** A piece, as TikTok Shop tells each by itself. */
const item = (id: string, more: object = {}) => ({
  ...{ id, sku_id: '1729000000000000001', product_id: '1728000000000000001', seller_sku: 'CUP-RED' },
  ...{ product_name: 'Cup', sku_name: 'Red', original_price: '10.00', sale_price: '9.00', seller_discount: '1.00' },
  ...{ display_status: 'AWAITING_SHIPMENT', package_status: 'TO_FULFILL', package_id: '1152000000000000001' },
  ...more,
})
const sent = (number: string, more: object = {}) => ({
  ...{ display_status: 'IN_TRANSIT', package_status: 'FULFILLING', tracking_number: number, rts_time: 1_794_800_000 },
  ...{ package_id: `11520000000000000${number}`, shipping_provider_id: '77', shipping_provider_name: 'UPS', ...more },
})

const order = (more: object = {}, payment: object = {}) => ({
  ...{ id: '576400000000000001', status: 'AWAITING_SHIPMENT', create_time: 1_794_700_000, update_time: 1_794_800_000 },
  ...{ paid_time: 1_794_700_100, user_id: '7021', buyer_email: 'a1@chat.seller.example', buyer_message: '' },
  ...{ shipping_type: 'SELLER', fulfillment_type: 'FULFILLMENT_BY_SELLER', rts_sla_time: 1_794_900_000 },
  payment: {
    ...{ currency: 'USD', original_total_product_price: '20.00', seller_discount: '2.00', platform_discount: '0' },
    ...{ sub_total: '18.00', shipping_fee: '5.00', tax: '1.50', total_amount: '24.50', ...payment },
  },
  line_items: [item('577000000000000002'), item('577000000000000001')],
  ...more,
})
const read = (more: object = {}, payment: object = {}) => toOrder(order(more, payment), facts)

describe('lines', () => {
  test('are the pieces of an article together, by the first of them, in whatever order they come', () => {
    const line = {
      ...{ remote_id: '577000000000000001', sku: 'CUP-RED', variant_remote_id: '1729000000000000001', quantity: 2 },
      ...{ unit_price: usd('10.00'), discount: usd('2.00'), total: usd('18.00'), title: 'Cup', variant_title: 'Red' },
    }
    expect(read().lines).toMatchObject([line])
    const backwards = [item('577000000000000001'), item('577000000000000002')]
    expect(read({ line_items: backwards }).lines).toEqual(read().lines)
  })

  test('stay together where discounts are rounded, and apart at another price or as a gift', () => {
    const rounded = [item('1000001'), item('1000002', { sale_price: '9.01' })]
    expect(read({ line_items: rounded }).lines).toMatchObject([{ quantity: 2, discount: usd('1.99') }])
    const several = [item('1000001'), item('1000002', { original_price: '12.00' }), item('1000003', { is_gift: true })]
    expect(read({ line_items: several }).lines.map(({ quantity }) => quantity)).toEqual([1, 1, 1])
    expect(read({ line_items: several }).lines[2]?.attributes).toEqual([{ name: 'gift', value: 'yes' }])
  })

  test('tell how many have left, and how many were called off', () => {
    const items = [
      item('1000001', sent('1')),
      item('1000002', { display_status: 'CANCELLED', package_id: '' }),
      item('1000003', { tracking_number: 'LABEL' }),
    ]
    const [line] = read({ status: 'PARTIALLY_SHIPPING', line_items: items }).lines
    expect([line?.quantity, line?.quantity_fulfilled, line?.quantity_cancelled]).toEqual([3, 1, 1])
  })

  test('have their taxes', () => {
    const taxed = [item('1000001', { item_tax: [{ tax_amount: '0.72' }, { tax_amount: '0.03' }] })]
    expect(read({ line_items: taxed }).lines[0]?.tax).toEqual(usd('0.75'))
  })
})

describe('what it costs', () => {
  test('adds up with the tax on top', () => {
    const made = read()
    expect(made).toMatchObject({
      ...{ subtotal: usd('20.00'), discount_total: usd('2.00'), shipping_total: usd('5.00'), tax_total: usd('1.50') },
      ...{ total: usd('24.50'), fee_total: usd('0.00'), prices_include_tax: false, fees: [] },
    })
    expect(whatDoesNotAddUp(made)).toEqual([])
  })

  test.each([
    ['the tax in the prices', { total_amount: '23.00' }, true, []],
    ['no tax told', { tax: '0', total_amount: '23.00' }, null, []],
    ['a fee', { retail_delivery_fee: '0.28', total_amount: '24.78' }, false, [['Retail delivery fee', '0.28']]],
    ['a fee that is not in the total', { handling_fee: '1.00' }, false, []],
    ['a charge that nobody names', { total_amount: '26.00' }, false, [['Other charges', '1.50']]],
    ['a discount of the bank', { payment_platform_discount: '0.50', total_amount: '24.00' }, false, []],
    ['a discount that nobody names', { total_amount: '20.00', tax: '0' }, null, []],
  ])('adds up with %s', (_, payment, included, fees) => {
    const made = read({}, payment)
    expect(whatDoesNotAddUp(made)).toEqual([])
    expect(made.prices_include_tax).toBe(included)
    expect(made.fees.map(({ title, amount }) => [title, amount.amount])).toEqual(fees)
  })

  test('in a currency without coins', () => {
    const payment = { ...{ currency: 'VND', original_total_product_price: '200000', seller_discount: '20000' } }
    const made = read(
      { line_items: [item('1000001', { original_price: '200000', sale_price: '180000' })] },
      { ...payment, shipping_fee: '5000', tax: '', total_amount: '185000' },
    )
    expect([made.total, whatDoesNotAddUp(made)]).toEqual([{ amount: '185000', currency: 'VND' }, []])
  })
})

describe('where it stands', () => {
  test.each([
    ['UNPAID', 'UNPAID', 'pending', 'unfulfilled'],
    ['ON_HOLD', 'ON_HOLD', 'on_hold', 'unfulfilled'],
    ['AWAITING_SHIPMENT', 'PENDING', 'open', 'unfulfilled'],
    ['PARTIALLY_SHIPPING', 'PENDING', 'open', 'partial'],
    ['AWAITING_COLLECTION', 'SHIPPED', 'completed', 'fulfilled'],
    ['IN_TRANSIT', 'SHIPPED', 'completed', 'fulfilled'],
    ['DELIVERED', 'DELIVERED', 'completed', 'delivered'],
    ['COMPLETED', 'DELIVERED', 'completed', 'delivered'],
    ['CANCELLED', 'CANCELLED', 'cancelled', 'unfulfilled'],
  ])('%s is %s', (word, ours, status, fulfillment) => {
    const made = read({ status: word })
    expect([orderStatusOf(made), made.status, made.fulfillment_status]).toEqual([ours, status, fulfillment])
  })

  test('a word that nobody knows holds it', () => {
    expect(read({ status: 'TELEPORTED' })).toMatchObject({
      status: 'on_hold',
      hold_reason: 'unknown status: TELEPORTED',
    })
    expect(read({ status: 'constructor' }).status).toBe('on_hold')
  })

  test('cash on delivery is paid when the parcel is', () => {
    const cash = { is_cod: true, paid_time: undefined }
    expect(read({ ...cash, status: 'IN_TRANSIT' }).payment_status).toBe('pending')
    expect(read({ ...cash, status: 'DELIVERED' }).payment_status).toBe('paid')
    expect(read({ status: 'CANCELLED', cancel_time: 1_794_800_000, cancel_reason: 'Pricing error' })).toMatchObject({
      ...{ payment_status: 'voided', cancelled_at: '2026-11-16T03:33:20.000000Z', cancel_reason: 'Pricing error' },
    })
  })

  test('a buyer who wants it cancelled is heard, and who sends it is told', () => {
    expect(read({ is_buyer_request_cancel: true }).cancel_requested).toBe(true)
    expect(read().fulfilled_by).toBe('merchant')
    expect(read({ fulfillment_type: 'FULFILLMENT_BY_TIKTOK' }).fulfilled_by).toBe('platform')
    expect(read({ is_sample_order: true }).test).toBe(true)
  })
})

describe('parcels', () => {
  test('are told by the pieces in them', () => {
    const items = [item('1000001', sent('1')), item('1000002', sent('1')), item('1000003', sent('2')), item('1000004')]
    expect(read({ status: 'PARTIALLY_SHIPPING', line_items: items, warehouse_id: '7000' }).shipments).toMatchObject([
      {
        ...{ tracking_number: '1', status: 'in_transit', carrier_name: 'UPS', carrier_code: '77' },
        ...{ shipped_at: '2026-11-16T03:33:20.000000Z', location_remote_id: '7000' },
        lines: [{ order_line_remote_id: '1000001', quantity: 2 }],
      },
      { tracking_number: '2', lines: [{ order_line_remote_id: '1000001', quantity: 1 }] },
    ])
  })

  test.each([
    ['PROCESSING', 'SELLER', 'shipped'],
    ['PROCESSING', 'TIKTOK', 'pending'],
    ['FULFILLING', 'TIKTOK', 'in_transit'],
    ['COMPLETED', 'SELLER', 'delivered'],
    ['CANCELLED', 'SELLER', 'cancelled'],
    ['A_NEW_ONE', 'SELLER', 'shipped'],
  ])('%s by %s is %s', (package_status, shipping_type, status) => {
    const items = [item('1000001', sent('1', { package_status }))]
    const made = read({ line_items: items, shipping_type, delivery_time: 1_794_800_000 })
    expect(made.shipments).toMatchObject([
      { status, delivered_at: status === 'delivered' ? '2026-11-16T03:33:20.000000Z' : null },
    ])
  })
})

describe('where it goes', () => {
  const district = (level: string, kind: string, name: string, code = '') => ({
    ...{ address_level: level, address_level_name: kind, address_name: name, iso_code: code },
  })
  const to = (more: object = {}) => ({
    ...{ name: 'Ada Byron', first_name: 'Ada', last_name: 'Byron', phone_number: '(+1)555', postal_code: '97201' },
    ...{ address_line1: 'Dock 1', address_line2: 'Apt 4', address_line3: ' ', region_code: 'US' },
    district_info: [
      ...[district('L0', 'Country', 'United States', 'US'), district('L1', 'State', 'Oregon', 'OR')],
      ...[district('L2', 'County', 'Multnomah'), district('L3', 'City', 'Portland')],
    ],
    ...more,
  })
  const goes = (more: object = {}) => read({ recipient_address: to(more) }).shipping_address

  test('is told level by level', () => {
    expect(goes()).toEqual({
      ...{ name: 'Ada Byron', first_name: 'Ada', last_name: 'Byron', company: null, line1: 'Dock 1', line2: 'Apt 4' },
      ...{ line3: null, city: 'Portland', region: 'Oregon', region_code: 'OR', postal_code: '97201' },
      ...{ country_code: 'US', phone: '(+1)555', email: 'a1@chat.seller.example' },
    })
  })

  test('in other countries by other names, and before release not at all', () => {
    expect(goes({ post_town: 'Ribbleton' })?.city).toBe('Ribbleton')
    const district_info = [
      district('L1', 'Province', 'Bali'),
      district('L2', 'Regency', 'Badung'),
      district('L3', 'District', 'Kuta'),
    ]
    expect(goes({ district_info })).toMatchObject({ region: 'Bali', city: 'Kuta' })
    expect(goes({ last_name: '', first_name: 'Ada Byron' })).toMatchObject({ first_name: null, last_name: null })
    expect(goes({ address_line3: '12', address_line4: 'Bloco B' })?.line3).toBe('12, Bloco B')
    expect(read().shipping_address).toBeNull()
  })
})

test('people find it in the Seller Center of its country, where that is known', () => {
  const page = 'https://seller-us.tiktok.com/order/detail?order_no=576400000000000001&shop_region=US'
  expect(read()).toMatchObject({ admin_url: page, marketplace: 'US', ship_by: '2026-11-17T07:20:00.000000Z' })
  expect(toOrder(order(), { ...facts, settings: { ...facts.settings, region: 'BR' } }).admin_url).toBeNull()
})

test.each([
  ['an amount that is none', order({}, { total_amount: 'a lot' })],
  ['no currency', order({}, { currency: 'dollars' })],
  ['no pieces', { ...order(), line_items: undefined }],
  ['a piece without article', order({ line_items: [{ ...item('1'), sku_id: null }] })],
  ['no time', order({ update_time: 'yesterday' })],
])('a record with %s is not understood', (_, raw) => {
  expect(() => toOrder(raw, facts)).toThrow(TypeError)
})
