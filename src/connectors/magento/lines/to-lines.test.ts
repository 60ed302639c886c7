import { describe, expect, test } from 'vitest'
import { whatDoesNotAddUp } from '../../../../test/support/totals.ts'
import { toOrder } from '../translate-order.ts'

const item = (fields: object) => ({ is_virtual: 0, qty_ordered: 1, price: 0, row_total: 0, name: 'Thing', ...fields })
const order = (fields: object) => ({
  entity_id: 9,
  increment_id: '9',
  state: 'processing',
  order_currency_code: 'EUR',
  grand_total: 0,
  shipments: [],
  created_at: '2026-10-01 10:00:00',
  updated_at: '2026-10-05 11:30:00',
  ...fields,
})
const linesOf = (items: object[], fields: object = {}) => toOrder(order({ items, ...fields })).lines

describe('of a line', () => {
  const left = (counts: object, fields: object = {}) => {
    const [line] = linesOf([item({ item_id: 1, sku: 'A', qty_ordered: 2, ...counts })], fields)
    return line && line.quantity - line.quantity_fulfilled - line.quantity_cancelled
  }

  // The platform's own rule: ordered, less the greater of shipped and refunded, less cancelled.
  test.each([
    ['all, at first', {}, 2],
    ['what was not paid back', { qty_refunded: 1 }, 1],
    ['nothing, where all was paid back', { qty_refunded: 2 }, 0],
    ['what has not left, where one came back', { qty_shipped: 1, qty_refunded: 1 }, 1],
    ['nothing, where all has left and one came back', { qty_shipped: 2, qty_refunded: 1 }, 0],
    ['what was not called off', { qty_canceled: 1 }, 1],
  ])('%s is left to send', (_, counts, count) => {
    expect(left(counts)).toBe(count)
  })

  test('nothing is left to send when the order is cancelled, whatever its items say', () => {
    expect(left({}, { state: 'canceled' })).toBe(0)
  })
})

describe('a bundle', () => {
  const bundle = item({
    ...{ item_id: 1, product_type: 'bundle', product_id: 60, sku: 'SET-A-B', name: 'Set', qty_ordered: 2 },
    ...{ price: 10, row_total: 20, tax_amount: 4, discount_amount: 2 },
  })
  const cup = item({ item_id: 2, parent_item_id: 1, product_id: 61, sku: 'CUP', name: 'Cup', qty_ordered: 4 })
  const jug = item({ item_id: 3, parent_item_id: 1, product_id: 62, sku: 'JUG', name: 'Jug', qty_ordered: 2 })

  test('is a line with its price, and a line to pick and send for each part', () => {
    const told = toOrder(order({ items: [bundle, cup, jug], grand_total: 22, tax_amount: 4, discount_amount: -2 }))
    const shown = told.lines.map((line) => [line.sku, line.quantity, line.total.amount, line.requires_shipping])
    expect(shown).toEqual([
      ['SET-A-B', 2, '18.00', false],
      ['CUP', 4, '0.00', true],
      ['JUG', 2, '0.00', true],
    ])
    expect(told.lines[1]).toMatchObject({ remote_id: '2', attributes: [{ name: 'Bundle', value: 'Set' }] })
    expect(whatDoesNotAddUp(told)).toEqual([])
  })

  test('that costs what its parts do has their prices once', () => {
    const priced = [
      { ...bundle, discount_amount: 0, tax_amount: 0 },
      { ...cup, price: 3, row_total: 12 },
      { ...jug, price: 4, row_total: 8 },
    ]
    const told = toOrder(order({ items: priced, grand_total: 20 }))
    expect(told.lines.map((line) => line.total.amount)).toEqual(['0.00', '12.00', '8.00'])
    expect(told).toMatchObject({ subtotal: { amount: '20.00' }, fees: [] })
  })

  test('has gone when its parts have, however they left', () => {
    const sent = [bundle, { ...cup, qty_shipped: 4 }, { ...jug, qty_shipped: 1 }]
    expect(toOrder(order({ items: sent }))).toMatchObject({
      fulfillment_status: 'partial',
      lines: [{ quantity_fulfilled: 1 }, { quantity_fulfilled: 4 }, { quantity_fulfilled: 1 }],
    })
    const all = [bundle, { ...cup, qty_shipped: 4 }, { ...jug, qty_shipped: 2 }]
    expect(toOrder(order({ items: all })).fulfillment_status).toBe('fulfilled')
  })

  test('is its parts in a parcel, whether it is told as a whole or beside them', () => {
    const parcelOf = (items: object[]) =>
      toOrder(
        order({
          items: [bundle, cup, jug],
          shipments: [{ entity_id: 7, created_at: '2026-10-02 09:00:00', items, tracks: [] }],
        }),
      ).shipments[0]?.lines
    expect(parcelOf([{ order_item_id: 1, qty: 1 }])).toEqual([
      { order_line_remote_id: '2', quantity: 2 },
      { order_line_remote_id: '3', quantity: 1 },
    ])
    expect(
      parcelOf([
        { order_item_id: 1, qty: 1 },
        { order_item_id: 2, qty: 3 },
      ]),
    ).toEqual([{ order_line_remote_id: '2', quantity: 3 }])
  })
})

test('options that the buyer chose are told in words', () => {
  const custom_options = [
    { option_id: '5', option_value: 'For Ada' },
    { option_id: '6', option_value: '11,12' },
    { option_id: '7', option_value: 'x', extension_attributes: { file_info: { name: 'logo.png' } } },
    { option_id: '8', option_value: 'gone' },
  ]
  const chosen = item({
    item_id: 1,
    sku: 'RING',
    product_option: { extension_attributes: { custom_options } },
    extension_attributes: { gift_message: { sender: 'Bo', recipient: 'Ada', message: 'Happy birthday' } },
  })
  const values = [
    { option_type_id: 11, title: 'Gold' },
    { option_type_id: 12, title: 'Matt' },
  ]
  const options = [
    { option_id: 5, title: 'Engraving' },
    { option_id: 6, title: 'Finish', values },
    { option_id: 7, title: 'Logo', values: [] },
  ]
  expect(linesOf([chosen], { options })[0]?.attributes).toEqual([
    { name: 'Engraving', value: 'For Ada' },
    { name: 'Finish', value: 'Gold, Matt' },
    { name: 'Logo', value: 'logo.png' },
    { name: 'Option 8', value: 'gone' },
    { name: 'Gift message', value: 'Happy birthday' },
    { name: 'Gift from', value: 'Bo' },
    { name: 'Gift for', value: 'Ada' },
  ])
})

describe('what an order costs', () => {
  const goods = item({ item_id: 1, sku: 'A', qty_ordered: 2, price: 10, row_total: 20 })

  test('adds up where prices contain the tax, and discounts with them', () => {
    // 2 × 12.10 with 21 % in it, 10 % off: 21.78, of which 3.78 is tax.
    const row = { ...goods, discount_amount: 2.42, discount_tax_compensation_amount: 0.42, tax_amount: 3.78 }
    const told = toOrder(
      order({
        ...{ items: [row], grand_total: 21.78, subtotal: 20, tax_amount: 3.78, discount_amount: -2.42 },
        discount_tax_compensation_amount: 0.42,
      }),
    )
    expect(whatDoesNotAddUp(told)).toEqual([])
    expect(told).toMatchObject({
      discount_total: { amount: '2.00' },
      fees: [],
      lines: [{ total: { amount: '18.00' } }],
    })
  })

  test('names gift cards, store credit, wrapping, product taxes, and what only the total has', () => {
    const attributes = {
      gift_cards_amount: 5,
      customer_balance_amount: 2,
      reward_currency_amount: 1,
      gw_price: '3.0000',
    }
    const custom_fees = [{ custom_fee_label: 'Deposit', custom_fee_amount: 0.25 }]
    const told = toOrder(
      order({
        ...{
          items: [{ ...goods, weee_tax_applied_row_amount: 0.5 }],
          subtotal: 20,
          shipping_amount: 4,
          grand_total: 21,
        },
        extension_attributes: { ...attributes, custom_fees },
      }),
    )
    expect(told.fees.map(({ title, amount }) => [title, amount.amount])).toEqual([
      ['Fixed product tax', '0.50'],
      ['Gift wrapping', '3.00'],
      ['Deposit', '0.25'],
      ['Gift card', '-5.00'],
      ['Store credit', '-2.00'],
      ['Reward points', '-1.00'],
      ['Other charges', '1.25'],
    ])
    expect(whatDoesNotAddUp(told)).toEqual([])
  })
})

test('orders whose money comes after the goods do not wait for it', () => {
  const status = (method: string, fields: object = { grand_total: 10 }) =>
    toOrder(order({ items: [], state: 'new', payment: { method }, ...fields })).status
  expect(['checkmo', 'banktransfer', 'cashondelivery', 'purchaseorder'].map((method) => status(method))).toEqual([
    'pending',
    'pending',
    'open',
    'open',
  ])
  expect(status('free', { grand_total: 0 })).toBe('open')
})

test('the store view, the tax number and the buyer’s own number are told', () => {
  const told = toOrder(
    order({
      items: [],
      store_name: 'Main Website\nMain Store\nDeutsch',
      customer_taxvat: 'DE123',
      billing_address: { vat_id: 'DE123' },
      payment: { method: 'purchaseorder', po_number: 'PO-7' },
      extension_attributes: { pickup_location_code: 'berlin' },
    }),
  )
  expect(told).toMatchObject({
    sales_channel: 'Main Website / Main Store / Deutsch',
    tax_ids: [{ kind: 'VAT', value: 'DE123' }],
    purchase_order: 'PO-7',
    attributes: [{ name: 'Pickup location', value: 'berlin' }],
  })
})
