import type { Operation, Write } from '../../../commerce/connector/parts.ts'
import { minus, sum, times } from '../../../commerce/decimal.ts'
import { digitsOf } from '../../../commerce/money.ts'
import type { OrderDraft, RemoteOrder } from '../../../commerce/order.ts'
import { type Fields, fieldsIn, fieldsOf, maybeFields, textIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'
import { ask, change, nodesIn, quoted } from '../ask.ts'
import { completeOrder } from '../complete-order.ts'
import { createOrder, madeOrders, oneOrder, shopTaxes } from '../documents/orders.ts'
import type { Credentials, Settings, ShopifyShop } from '../settings.ts'
import { toOrder } from '../translate-order.ts'
import { variantsBySku } from './find-by-sku.ts'

/** The platform would make an order twice, but keeps the reference. */
export const create: Write<Settings, Credentials, OrderDraft, RemoteOrder> = {
  repeatable: false,
  async send(shop, draft, operation) {
    const known = await findMade(shop, draft, operation)
    if (known) return known
    const order = await newOrder(shop, draft, referenceOf(draft, operation))
    // An order from outside has been sold: it takes the goods from stock, whatever is left of them.
    const options = { inventoryBehaviour: 'DECREMENT_IGNORING_POLICY' }
    const made = fieldsIn(await change(shop, createOrder, { order, options }), 'order')
    return await readOrder(shop, textIn(made, 'id'))
  },
  confirm: findMade,
}

async function findMade(shop: ShopifyShop, draft: OrderDraft, operation: Operation): Promise<RemoteOrder | null> {
  const reference = referenceOf(draft, operation)
  const data = await ask(shop, madeOrders, { query: `source_identifier:${quoted(reference)}` })
  const made = [...nodesIn(data, 'found'), ...nodesIn(data, 'newest')].find(
    (one) => one['sourceIdentifier'] === reference,
  )
  return made ? await readOrder(shop, textIn(made, 'id')) : null
}

const referenceOf = ({ reference }: OrderDraft, { id }: Operation): string => reference ?? id

async function readOrder(shop: ShopifyShop, id: string): Promise<RemoteOrder> {
  const order = fieldsOf(maybeFields(await ask(shop, oneOrder, { id }), 'order'))
  return toOrder(await completeOrder(shop, order), shop)
}

async function newOrder(shop: ShopifyShop, draft: OrderDraft, reference: string): Promise<Fields> {
  const { customer, currency, note } = draft
  const variants = await variantsBySku(
    shop,
    draft.lines.map(({ sku }) => sku),
  )
  return {
    sourceIdentifier: reference,
    currency,
    ...(note ? { note } : {}),
    ...(customer ? customerOf(customer, shop.granted?.includes(customerScope) ?? true) : {}),
    ...(draft.shipping_address ? { shippingAddress: placeOf(draft.shipping_address) } : {}),
    ...(draft.billing_address ? { billingAddress: placeOf(draft.billing_address) } : {}),
    lineItems: draft.lines.map((line) => newLine(line, currency, variants.get(line.sku) ?? null)),
    ...(await moneyOf(shop, draft)),
  }
}

/** Shipping, tax and payment, as far as anything was said of them. */
async function moneyOf(shop: ShopifyShop, draft: OrderDraft): Promise<Fields> {
  const { currency, shipping_method: method, shipping_total: shipping, tax_total: tax, paid } = draft
  const digits = digitsOf(currency)
  const bag = (amount: string): Fields => ({ shopMoney: { amount, currencyCode: currency } })
  const included = tax == null ? (draft.prices_include_tax ?? null) : await includesTax(shop, draft)
  const prices = draft.lines.map(({ unit_price: price, quantity }) => price && times(price, quantity, digits))
  const net = sum([...prices.map((price) => price || '0'), shipping ?? '0'], digits)
  const isPriced = prices.every((price) => price != null)
  const total = sum([net, included || tax == null ? '0' : tax], digits)
  const taxed = included && tax != null ? minus(net, tax, digits) : net
  return {
    ...(method == null && shipping == null
      ? {}
      : { shippingLines: [{ title: method ?? 'Shipping', priceSet: bag(shipping ?? '0') }] }),
    ...(included === null ? {} : { taxesIncluded: included }),
    // It wants to know the rate; what counts is the amount.
    ...(tax == null ? {} : { taxLines: [{ title: 'Tax', rate: rateOf(tax, taxed), priceSet: bag(tax) }] }),
    ...(paid == null ? {} : { financialStatus: paid ? 'PAID' : 'PENDING' }),
    // Without a payment in its books nothing could be paid back later.
    ...(paid && isPriced
      ? { transactions: [{ kind: 'SALE', status: 'SUCCESS', gateway: 'manual', amountSet: bag(total) }] }
      : {}),
  }
}

/** As was said, else as the shop's own prices do. */
async function includesTax(shop: ShopifyShop, { prices_include_tax: said }: OrderDraft): Promise<boolean> {
  if (said != null) return said
  return fieldsIn(await ask(shop, shopTaxes), 'shop')['taxesIncluded'] === true
}

const rateOf = (tax: string, net: string): string => (Number(net) > 0 ? (Number(tax) / Number(net)).toFixed(4) : '0')

/** An article that the shop does not have may be sold all the same, if it is sent what it is called and costs. */
function newLine(
  { sku, title, quantity, unit_price: price }: OrderDraft['lines'][number],
  currency: string,
  variant: Fields | null,
): Fields {
  if (variant === null && (!title || !price)) {
    throw refused(say('article_needs_price', { sku }))
  }
  return {
    quantity,
    // Left out, nothing of it would ever have to be sent.
    requiresShipping: true,
    ...(variant ? { variantId: textIn(variant, 'id') } : { sku }),
    ...(title ? { title } : {}),
    ...(price ? { priceSet: { shopMoney: { amount: price, currencyCode: currency } } } : {}),
  }
}

/** To make the buyer a customer of the shop with the order. */
export const customerScope = 'write_customers'

function customerOf(
  { remote_id: id, email, first_name, last_name, phone }: NonNullable<OrderDraft['customer']>,
  isMade: boolean,
): Fields {
  if (id) return { customer: { toAssociate: { id } } }
  // Customers are distinguished by their addresses.
  if (!email) return phone ? { phone } : {}
  if (!isMade) return { email }
  return { email, customer: { toUpsert: { email, firstName: first_name ?? null, lastName: last_name ?? null } } }
}

const placeOf = (place: NonNullable<OrderDraft['shipping_address']>): Fields => ({
  firstName: place.first_name ?? null,
  lastName: place.last_name ?? null,
  company: place.company ?? null,
  address1: place.line1 ?? null,
  address2: place.line2 ?? null,
  city: place.city ?? null,
  provinceCode: place.region_code ?? null,
  zip: place.postal_code ?? null,
  countryCode: place.country_code ?? null,
  phone: place.phone ?? null,
})
