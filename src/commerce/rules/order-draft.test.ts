import { expect, test } from 'vitest'
import { orders } from '../../../test/support/bare-connector.ts'
import { Fault } from '../../lib/fault.ts'
import type { OrderDraft } from '../order.ts'
import { checkDraft } from './order-draft.ts'

const errorsFor = (more: Partial<OrderDraft>, parts: object = {}) => {
  try {
    checkDraft(
      { name: 'Acme', orders: { ...orders, ...parts } },
      { currency: 'EUR', lines: [{ sku: 'CUP', quantity: 1 }], ...more },
    )
    return null
  } catch (error) {
    return error instanceof Fault ? error.errors : error
  }
}

test('what a platform does not take of an order is refused at its field, all at once', () => {
  const wanted = {
    shipping_method: 'Express',
    shipping_total: '5.00',
    tax_total: '1',
    prices_include_tax: false,
    paid: false,
  }
  expect(Object.keys(errorsFor(wanted) ?? {})).toEqual(Object.keys(wanted))
  expect(errorsFor({ tax_total: '1' })).toEqual({
    tax_total: ['The tax total field is prohibited: Acme does not take it with an order.'],
  })
})

test('what was left out, or is taken, is fine', () => {
  expect(errorsFor({ shipping_method: null })).toBeNull()
  expect(errorsFor({ paid: false }, { takes: ['paid'] })).toBeNull()
})

test('prices may be wanted in one way only', () => {
  expect(errorsFor({ prices_include_tax: false }, { takesPricesWithTax: false })).toBeNull()
  expect(errorsFor({ prices_include_tax: true }, { takesPricesWithTax: false })).toEqual({
    prices_include_tax: ['The prices include tax field must be false: Acme takes prices without tax.'],
  })
  expect(errorsFor({ prices_include_tax: true }, { takes: ['prices_include_tax'] })).toBeNull()
})
