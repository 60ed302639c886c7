import type { Operation, Write } from '../../commerce/connector/parts.ts'
import type { OrderDraft, RemoteOrder } from '../../commerce/order.ts'
import { type Fields, fieldsOf, idIn, maybeText, numberIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { ask, askList, isId, whole } from './ask.ts'
import { type Taxes, taxesOf } from './changes/taxes-of-draft.ts'
import { withChannel } from './channels/channel-names.ts'
import type { BigShop, Credentials, Settings } from './settings.ts'
import { variantBySku } from './stock/find-by-sku.ts'
import { toOrder } from './translate-order.ts'

/** The platform would make an order twice, but keeps the reference and finds orders by it. */
export const create: Write<Settings, Credentials, OrderDraft, RemoteOrder> = {
  repeatable: false,
  async send(shop, draft, operation) {
    const known = await findMade(shop, draft, operation)
    if (known) return known
    const body = await newOrder(shop, draft, referenceOf(draft, operation))
    const made = fieldsOf(await ask(shop, { method: 'POST', path: '/v2/orders', body }))
    return await read(shop, idIn(made, 'id'))
  },
  confirm: findMade,
}

const referenceOf = ({ reference }: OrderDraft, { id }: Operation): string => reference ?? id

async function findMade(shop: BigShop, draft: OrderDraft, operation: Operation): Promise<RemoteOrder | null> {
  const reference = referenceOf(draft, operation)
  const found = await askList(shop, '/v2/orders', { external_order_id: reference, limit: 10 })
  const made = found.find((one) => maybeText(one, 'external_order_id') === reference)
  return made ? await read(shop, idIn(made, 'id')) : null
}

/** It has just been made: nothing of it has been sent. */
async function read(shop: BigShop, id: string): Promise<RemoteOrder> {
  const order = fieldsOf(await ask(shop, { path: `/v2/orders/${id}`, query: whole }))
  return toOrder({ ...(await withChannel(shop, order)), shipments: [] }, shop)
}

/** Awaiting fulfilment: an order from elsewhere is one that may be worked on, unless it waits for its money. */
const openId = 11
const unpaidId = 7

async function newOrder(shop: BigShop, draft: OrderDraft, reference: string): Promise<Fields> {
  const { customer, shipping_address: there, note } = draft
  const bill = draft.billing_address ?? there ?? {}
  const taxes = await taxesOf(shop, draft)
  const products: Fields[] = []
  for (const line of draft.lines) products.push(await newLine(shop, line, taxes.taxed))
  const way = draft.shipping_method ? { shipping_method: draft.shipping_method } : {}
  return {
    status_id: draft.paid === false ? unpaidId : openId,
    ...taxes.totals,
    customer_id: customer?.remote_id && isId(customer.remote_id) ? Number(customer.remote_id) : 0,
    default_currency_code: draft.currency,
    external_order_id: reference,
    ...(note ? { customer_message: note } : {}),
    billing_address: placeOf(bill, customer),
    ...(there ? { shipping_addresses: [{ ...placeOf(there, customer), ...way }] } : {}),
    products,
  }
}

/** An article that the shop does not have may be sold all the same, if it is sent what it is called and costs. */
async function newLine(
  shop: BigShop,
  { sku, title, quantity, unit_price: price }: OrderDraft['lines'][number],
  taxed: Taxes['taxed'],
): Promise<Fields> {
  const { ex, inc } = taxed(price ?? '0')
  const prices = price ? { price_ex_tax: Number(ex), price_inc_tax: Number(inc) } : {}
  const variant = await variantBySku(shop, sku)
  if (variant) {
    return { product_id: numberIn(variant, 'product_id'), variant_id: numberIn(variant, 'id'), quantity, ...prices }
  }
  if (!title || !price) throw refused(say('article_needs_price', { sku }))
  return { name: title, sku, quantity, ...prices }
}

const placeOf = (place: NonNullable<OrderDraft['shipping_address']>, customer: OrderDraft['customer']): Fields => ({
  first_name: place.first_name ?? customer?.first_name ?? '',
  last_name: place.last_name ?? customer?.last_name ?? '',
  company: place.company ?? '',
  street_1: place.line1 ?? '',
  street_2: place.line2 ?? '',
  city: place.city ?? '',
  state: place.region ?? place.region_code ?? '',
  zip: place.postal_code ?? '',
  country_iso2: place.country_code ?? '',
  phone: place.phone ?? customer?.phone ?? '',
  email: place.email ?? customer?.email ?? '',
})
