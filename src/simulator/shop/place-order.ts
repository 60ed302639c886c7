import { convert, sumOf, unitsOf } from '../amounts.ts'
import { textOf } from '../json.ts'
import type { Address, BaseLine, OrderBase } from './order.ts'
import type { Stockroom } from './stockroom.ts'

type Word = 'currency' | 'reference' | 'note' | 'email' | 'firstName' | 'lastName'

/** An order from outside, as whoever made it has sent it: words that are none count as not said. */
export interface OrderInput extends Record<Word, unknown> {
  shipTo: Partial<Address>
  billTo: Partial<Address>
  /** As decimal texts; nothing is free, untaxed, or as the dialect has it. */
  shipping?: unknown
  tax?: unknown
  shippingMethod?: unknown
  taxIncluded?: boolean
  lines: readonly { sku: unknown; title: unknown; quantity: number; unitPrice: unknown }[]
}

/** The order, or a sentence about what is wrong with it. */
export function orderFrom(stockroom: Stockroom, input: OrderInput): OrderBase | string {
  const currency = textOf(input.currency) ?? 'EUR'
  if (input.lines.length === 0) return 'An order has at least one line.'
  const lines: BaseLine[] = []
  for (const { quantity, unitPrice, ...named } of input.lines) {
    const [sku, title] = [textOf(named.sku), textOf(named.title)]
    const variant = sku === null ? null : stockroom.bySku(sku)
    const product = variant ? stockroom.product(variant.product) : null
    if (!variant && title === null) return `There is no article "${sku}".`
    if (!Number.isInteger(quantity) || quantity < 1) return 'A quantity is a whole number from 1.'
    const price = unitPrice === null ? convert(variant?.price ?? 0, currency) : unitsOf(unitPrice, currency)
    if (price === null) return `"${unitPrice}" is no price.`
    const { product: index = null, position = 0, title: variantTitle = 'Default Title' } = variant ?? {}
    const article = { product: index, position, sku: sku ?? '', title: title ?? product?.title ?? '', variantTitle }
    lines.push({ ...article, quantity, unitPrice: price, discount: 0 })
  }
  const [shipping, tax] = [input.shipping, input.tax].map((amount) => unitsOf(amount ?? 0, currency))
  if (shipping == null || tax == null) return 'Shipping or tax is no amount.'
  const [firstName = '', lastName = '', email = ''] = [input.firstName, input.lastName, input.email].map(
    (name) => textOf(name) ?? '',
  )
  const blank: Address = {
    ...{ firstName, lastName, company: null, street: '', extra: null, city: '', region: '', regionCode: '' },
    ...{ zip: '', country: '', countryCode: '', phone: '' },
  }
  const shipTo = { ...blank, ...input.shipTo }
  return {
    ...{ currency, presentment: currency, taxIncluded: input.taxIncluded ?? true, taxRate: 0, shipping },
    lines: input.tax == null ? lines : taxed(lines, tax),
    buyer: { id: null, firstName, lastName, email, phone: shipTo.phone },
    shipTo,
    billTo: { ...shipTo, ...input.billTo },
    ...{ shippingMethod: textOf(input.shippingMethod) ?? 'Standard', note: textOf(input.note), tags: [] },
    reference: textOf(input.reference),
  }
}

/** A tax that was named as a whole lies on the lines by what they cost; the first bears what does not go up. */
function taxed(lines: readonly BaseLine[], tax: number): BaseLine[] {
  const net = ({ unitPrice, quantity }: BaseLine) => unitPrice * quantity
  const goods = Math.max(1, sumOf(lines, net))
  const shares = lines.map((line) => Math.floor((tax * net(line)) / goods))
  const rest = tax - sumOf(shares, (share) => share)
  return lines.map((line, i) => ({ ...line, tax: (shares[i] ?? 0) + (i === 0 ? rest : 0) }))
}
