import { convert, unitsOf } from '../amounts.ts'
import type { Address, BaseLine, OrderBase } from './order.ts'
import type { Stockroom } from './stockroom.ts'

/** An order from outside, in words that all dialects can say. */
export interface OrderInput {
  currency: string
  reference: string | null
  note: string | null
  email: string | null
  firstName: string | null
  lastName: string | null
  shipTo: Partial<Address>
  billTo: Partial<Address>
  lines: readonly { sku: string | null; title: string | null; quantity: number; unitPrice: unknown }[]
}

/** The order, or a sentence about what is wrong with it. */
export function orderFrom(stockroom: Stockroom, input: OrderInput): OrderBase | string {
  const { currency } = input
  if (input.lines.length === 0) return 'An order has at least one line.'
  const lines: BaseLine[] = []
  for (const { sku, title, quantity, unitPrice } of input.lines) {
    const variant = sku === null ? null : stockroom.bySku(sku)
    const product = variant ? stockroom.product(variant.product) : null
    if (!variant && title === null) return `There is no article "${sku}".`
    if (!Number.isInteger(quantity) || quantity < 1) return 'A quantity is a whole number from 1.'
    const price = unitPrice === null ? convert(variant?.price ?? 0, currency) : unitsOf(unitPrice, currency)
    if (price === null) return `"${unitPrice}" is no price.`
    const { product: index = null, position = 0, title: variantTitle = 'Default Title' } = variant ?? {}
    const named = { product: index, position, sku: sku ?? '', title: title ?? product?.title ?? '', variantTitle }
    lines.push({ ...named, quantity, unitPrice: price, discount: 0 })
  }
  const firstName = input.firstName ?? ''
  const lastName = input.lastName ?? ''
  const blank: Address = {
    ...{ firstName, lastName, company: null, street: '', extra: null, city: '', region: '', regionCode: '' },
    ...{ zip: '', country: '', countryCode: '', phone: '' },
  }
  const shipTo = { ...blank, ...input.shipTo }
  return {
    ...{ currency, presentment: currency, taxIncluded: true, taxRate: 0, lines, shipping: 0 },
    buyer: { id: null, firstName, lastName, email: input.email ?? '', phone: shipTo.phone },
    shipTo,
    billTo: { ...shipTo, ...input.billTo },
    ...{ shippingMethod: 'Standard', note: input.note, tags: [], reference: input.reference },
  }
}
