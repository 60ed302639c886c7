import type { GivenStore } from '../../support/given-stores.ts'
import { inner, records } from '../store.ts'
import type { WholeLine, WholeOrder } from './whole-order.ts'

type Json = Record<string, unknown>
type Tables = Readonly<Record<string, readonly Json[]>>

/** What an order names by number, and the field of it that does. */
const named: Readonly<Record<string, readonly string[]>> = {
  order_states: ['current_state'],
  currencies: ['id_currency'],
  customers: ['id_customer'],
  addresses: ['id_address_delivery', 'id_address_invoice'],
  carriers: ['id_carrier'],
}
const ofOrder = ['order_details', 'order_slip', 'messages']
const configured = ['PS_TIMEZONE', 'PS_LANG_DEFAULT', 'PS_SHOP_DEFAULT', 'PS_OS_CANCELED', 'PS_OS_REFUND']
const statesOf = ['PS_OS_ERROR', 'PS_OS_DELIVERED', 'PS_OS_OUTOFSTOCK_PAID', 'PS_OS_OUTOFSTOCK_UNPAID']

/** Orders of a PrestaShop by its webservice, fifty at a time with everything that they name. */
export async function recordsOf(store: GivenStore): Promise<WholeOrder[]> {
  const names = [...configured, ...statesOf].join('|')
  const told = await ask(store, 'configurations', { display: '[name,value]', 'filter[name]': `[${names}]` })
  const facts = Object.fromEntries(told.map(({ name, value }) => [String(name), String(value)]))
  const shop = String(store.settings['id_shop'] ?? facts['PS_SHOP_DEFAULT'])
  const language = String(facts['PS_LANG_DEFAULT'])
  const since = store.since ? { 'filter[date_upd]': `[${localTime(store.since, facts)},2099-12-31]`, date: '1' } : {}
  const found: WholeOrder[] = []
  for (let first = 0; ; first += 50) {
    const page = { ...since, sort: '[id_ASC]', limit: `${first},50`, id_shop: shop }
    const orders = await ask(store, 'orders', page)
    const tables: Record<string, readonly Json[]> = {}
    const read = async (resource: string, field: string, values: readonly unknown[]) => {
      const wanted = { [`filter[${field}]`]: `[${[...new Set(values)].join('|')}]`, id_shop: 'all', language }
      tables[resource] = values.length === 0 ? [] : await ask(store, resource, wanted)
    }
    const ids = orders.map(({ id }) => id)
    for (const resource of ofOrder) await read(resource, 'id_order', ids)
    for (const [resource, fields] of Object.entries(named))
      await read(
        resource,
        'id',
        orders.flatMap((order) => fields.map((field) => order[field])),
      )
    const places = records(tables['addresses'])
    await read(
      'countries',
      'id',
      places.map((place) => place['id_country']),
    )
    await read(
      'states',
      'id',
      places.map((place) => place['id_state']).filter((id) => Number(id) > 0),
    )
    found.push(...orders.map((order) => wholeOrder(store, order, tables, facts)))
    if (orders.length < 50) return found
  }
}

async function ask({ url, credentials }: GivenStore, resource: string, query: Record<string, string>): Promise<Json[]> {
  const asked = new URLSearchParams({ output_format: 'JSON', display: 'full', ...query })
  const at = `${url.href.replace(/\/$/, '')}/api/${resource}?${asked}`
  const key = Buffer.from(`${credentials['webservice_key']}:`).toString('base64')
  const answer = await fetch(at, { headers: { authorization: `Basic ${key}` } })
  const body: unknown = await answer.json()
  if (!answer.ok) throw new Error(`${resource}: ${answer.status} ${JSON.stringify(body)}`)
  return records(inner(body, resource === 'order_slip' ? 'order_slips' : resource))
}

/* Times are those of the shop's wall, to the second. ------------------------------------------------------------------ */

const wall = (at: number, zone: string): number => {
  const shown = new Date(at).toLocaleString('sv-SE', { timeZone: zone })
  return Date.parse(`${shown.replace(' ', 'T')}Z`)
}
const utc = (local: unknown, { PS_TIMEZONE: zone = 'UTC' }: Record<string, string>): string => {
  const naive = Date.parse(`${String(local).replace(' ', 'T')}Z`)
  const at = naive - (wall(naive, zone) - naive)
  return new Date(naive - (wall(at, zone) - at)).toISOString().replace('Z', '000Z')
}
const localTime = (at: string, { PS_TIMEZONE: zone = 'UTC' }: Record<string, string>): string =>
  new Date(at).toLocaleString('sv-SE', { timeZone: zone })

const text = (value: unknown): string | null =>
  value === undefined || value === null || value === '' ? null : String(value)

const meanings: Readonly<Record<string, WholeOrder['status']>> = {
  ...{ pending: 'UNPAID', on_hold: 'ON_HOLD', open: 'PENDING', completed: 'SHIPPED', cancelled: 'CANCELLED' },
}

function wholeOrder(store: GivenStore, order: Json, tables: Tables, facts: Record<string, string>): WholeOrder {
  const one = (table: string, id: unknown): Json => records(tables[table]).find((row) => String(row['id']) === id) ?? {}
  const own = (table: string) => records(tables[table]).filter((row) => row['id_order'] === String(order['id']))
  const currency = String(one('currencies', order['id_currency'])['iso_code'])
  const round = (value: unknown) => rounded(Number(value), currency)
  const state = one('order_states', order['current_state'])
  const is = (name: string) => String(state['id']) === facts[name]
  const isYes = (name: string) => String(state[name]) === '1'
  const refunds = own('order_slip').map((slip) => refundOf(slip, { order, facts, round }))
  const back = round(refunds.reduce((sum, { amount }) => sum + amount, 0))
  const total = Number(order['total_paid_tax_incl'])
  const paidBack = is('PS_OS_REFUND') || (back > 0 && back >= total)
  const waits = is('PS_OS_OUTOFSTOCK_PAID') || is('PS_OS_OUTOFSTOCK_UNPAID')
  const explained = records(store.settings['order_states']).find(({ id }) => id === state['id'])
  const sent = isYes('shipped')
  const usual = is('PS_OS_CANCELED') ? 'CANCELLED' : waits ? 'ON_HOLD' : sent ? 'SHIPPED' : 'PENDING'
  const isPaid = isYes('paid') || is('PS_OS_REFUND')
  const word = explained ? meanings[String(explained['means'])] : usual === 'PENDING' && !isPaid ? 'UNPAID' : usual
  const status =
    word === 'PENDING' && paidBack ? 'REFUNDED' : word === 'SHIPPED' && is('PS_OS_DELIVERED') ? 'DELIVERED' : word
  const [wrap, wrapNet] = ['incl', 'excl'].map((kind) => round(order[`total_wrapping_tax_${kind}`]))
  const parts = ['total_products_wt', 'total_shipping_tax_incl', 'total_wrapping_tax_incl'].map((name) =>
    round(order[name]),
  )
  const rounding = round(
    round(total) + round(order['total_discounts_tax_incl']) - parts.reduce((sum, part) => sum + part, 0),
  )
  const invoice = one('addresses', order['id_address_invoice'])
  const customer = one('customers', order['id_customer'])
  const notes = own('messages').filter((note) => note['private'] !== '1' && (note['id_employee'] ?? '0') === '0')
  const admin = store.settings['admin_address']
  return {
    remote_id: String(order['id']),
    number: String(order['reference']),
    status: status ?? 'ON_HOLD',
    remote_status: String(state['name']),
    payment_status: paymentOf(order, { back, paidBack, isPaid: isYes('paid'), is }),
    fulfillment_status: is('PS_OS_DELIVERED') ? 'delivered' : sent ? 'fulfilled' : 'unfulfilled',
    hold_reason: status === 'ON_HOLD' ? String(state['name']) : null,
    currency,
    subtotal: round(order['total_products_wt']),
    discount_total: round(order['total_discounts_tax_incl']),
    shipping_total: round(order['total_shipping_tax_incl']),
    tax_total: round(round(total) - round(order['total_paid_tax_excl'])),
    fee_total: round((wrap ?? 0) + rounding),
    refunded_total: back,
    total: round(total),
    prices_include_tax: true,
    shipping_method: text(one('carriers', order['id_carrier'])['name']),
    note: text([...notes.map((note) => note['message']), text(order['gift_message'])].filter(Boolean).join('\n')),
    admin_url: admin ? `${String(admin)}/index.php?controller=AdminOrders&vieworder&id_order=${order['id']}` : null,
    placed_at: utc(order['date_add'], facts),
    customer: { email: text(customer['email']), first_name: customer['firstname'], last_name: customer['lastname'] },
    billing_address: addressOf(invoice, one),
    shipping_address: addressOf(one('addresses', order['id_address_delivery']), one),
    items: records(inner(order, 'associations', 'order_rows')).map((row) =>
      lineOf({ ...row, ...one('order_details', row['id']) }, { sent, isCancelled: status === 'CANCELLED', round }),
    ),
    fees: [
      { remote_id: null, name: 'Gift wrapping', amount: wrap ?? 0, tax: round((wrap ?? 0) - (wrapNet ?? 0)) },
      // The shop reckons its total from prices that are not rounded by the line.
      { remote_id: null, name: 'Rounding', amount: rounding, tax: 0 },
    ].filter(({ amount }) => amount !== 0),
    refunds,
  }
}

/** Six places come, whatever the currency has. */
function rounded(value: number, currency: string): number {
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  return Number(`${Math.round(Number(`${value + Math.sign(value) * 1e-9}e${digits}`))}e-${digits}`)
}

type Round = (value: unknown) => number

function refundOf(slip: Json, { order, facts, round }: { order: Json; facts: Record<string, string>; round: Round }) {
  const lines = records(inner(slip, 'associations', 'order_slip_details')).map((line) => ({
    order_line_remote_id: String(line['id_order_detail']),
    quantity: Number(line['product_quantity']),
    amount: round(line['amount_tax_incl']),
  }))
  const [amount, gross, net] = ['amount', 'total_products_tax_incl', 'total_products_tax_excl'].map((name) =>
    Number(slip[name]),
  )
  const isChosen = slip['order_slip_type'] === '2' && amount !== gross && amount !== net
  const reduced = lines.reduce((sum, line) => sum + line.amount, 0) - Number(order['total_discounts_tax_incl'])
  const goods = slip['order_slip_type'] === '1' ? Math.max(0, reduced) : isChosen ? amount : gross
  return {
    remote_id: String(slip['id']),
    amount: round(round(goods) + round(slip['total_shipping_tax_incl'])),
    reason: null,
    refunded_at: utc(slip['date_add'], facts),
    lines,
  }
}

function paymentOf(
  order: Json,
  { back, paidBack, isPaid, is }: { back: number; paidBack: boolean; isPaid: boolean; is(name: string): boolean },
): string {
  if (paidBack) return 'refunded'
  if (back > 0) return 'partially_refunded'
  const paid = Number(order['total_paid_real'])
  if (isPaid || paid >= Number(order['total_paid_tax_incl'])) return 'paid'
  if (paid > 0) return 'partially_paid'
  return is('PS_OS_ERROR') ? 'failed' : is('PS_OS_CANCELED') ? 'voided' : 'pending'
}

function lineOf(row: Json, order: { sent: boolean; isCancelled: boolean; round: Round }): WholeLine {
  const { round } = order
  const quantity = Number(row['product_quantity'])
  const total = round(row['total_price_tax_incl'])
  const combination = Number(row['product_attribute_id'])
  return {
    remote_id: String(row['id']),
    product_remote_id: String(row['product_id']),
    variant_remote_id: String(combination === 0 ? row['product_id'] : combination),
    sku: text(row['product_reference']),
    name: String(row['product_name']),
    variant_name: null,
    quantity,
    quantity_fulfilled: order.sent ? quantity : 0,
    quantity_refunded: Number(row['product_quantity_refunded']) + Number(row['product_quantity_return']),
    quantity_cancelled: order.isCancelled ? quantity : 0,
    price: round(row['unit_price_tax_incl']),
    discount: 0,
    tax: round(total - round(row['total_price_tax_excl'])),
    total,
  }
}

function addressOf(place: Json, one: (table: string, id: unknown) => Json) {
  if (place['id'] === undefined) return null
  const at = (name: string) => text(place[name])
  return {
    first_name: at('firstname'),
    last_name: at('lastname'),
    company: at('company'),
    line1: at('address1'),
    line2: at('address2'),
    city: at('city'),
    region_code: text(one('states', place['id_state'])['iso_code']),
    postal_code: at('postcode'),
    country_code: text(one('countries', place['id_country'])['iso_code']),
    phone: at('phone_mobile') ?? at('phone'),
  }
}
