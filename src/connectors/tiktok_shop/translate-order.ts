import { address } from '../../commerce/address.ts'
import { minus, sum, times } from '../../commerce/decimal.ts'
import { digitsOf } from '../../commerce/money.ts'
import { lineDefaults, type OrderLine, orderDefaults, type RemoteOrder } from '../../commerce/order.ts'
import {
  type Fields,
  fieldsIn,
  fieldsOf,
  maybeFields,
  maybeText,
  numberIn,
  recordsIn,
  textIn,
  timeOfUnix,
} from '../../commerce/reading.ts'
import type { RemoteShipment } from '../../commerce/shipment.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'
import { amountIn, sumIn, sumsOf } from './amounts.ts'
import type { TikTokFacts } from './settings.ts'
import { parcelStatus, wordsOf } from './statuses.ts'

export const changedAt = (order: Fields): string => timeOfUnix(numberIn(order, 'update_time'))

const maybeUnix = (fields: Fields, name: string): string | null =>
  fields[name] == null || fields[name] === 0 ? null : timeOfUnix(numberIn(fields, name))

/** An order as lists and details tell it alike. */
export function toOrder(raw: unknown, facts: TikTokFacts): RemoteOrder {
  const order = fieldsOf(raw)
  const payment = fieldsIn(order, 'payment')
  const currency = currencyIn(payment)
  const money = (amount: string) => ({ amount, currency })
  const groups = groupsIn(order)
  const items = groups.flatMap(({ items: some }) => some)
  const sums = sumsOf(payment, currency)
  const id = textIn(order, 'id')
  const created = timeOfUnix(numberIn(order, 'create_time'))
  const changed = changedAt(order)
  return {
    ...orderDefaults,
    remote_id: id,
    number: id,
    channel: 'tiktok_shop',
    marketplace: facts.settings.region ?? null,
    ...wordsOf(order, items.some(hasLeft)),
    currency,
    subtotal: money(sums.subtotal),
    discount_total: money(sums.discount),
    shipping_total: money(sums.shipping),
    tax_total: money(sums.tax),
    fee_total: money(
      sum(
        sums.fees.map(({ amount }) => amount.amount),
        digitsOf(currency),
      ),
    ),
    total: money(sums.total),
    refunded_total: null,
    prices_include_tax: sums.taxIncluded,
    customer: {
      remote_id: maybeText(order, 'user_id'),
      email: maybeText(order, 'buyer_email'),
      ...{ first_name: null, last_name: null, phone: null, is_guest: false },
    },
    billing_address: null,
    shipping_address: addressOf(order),
    shipping_method: maybeText(order, 'delivery_option_name'),
    fulfilled_by: isFulfilledByTikTok(order) ? 'platform' : 'merchant',
    sales_channel: maybeText(order, 'commerce_platform'),
    tax_ids: maybeText(order, 'cpf') === null ? [] : [{ kind: 'CPF', value: textIn(order, 'cpf') }],
    lines: groups.map((group) => toLine(group, currency)),
    fees: sums.fees,
    refunds: [],
    shipments: shipmentsOf(order),
    admin_url: adminUrl(id, facts),
    note: maybeText(order, 'buyer_message'),
    tags: [],
    external_reference: null,
    acknowledged: null,
    test: order['is_sample_order'] === true,
    placed_at: created,
    ship_by: maybeUnix(order, 'rts_sla_time') ?? maybeUnix(order, 'shipping_due_time'),
    cancel_requested: order['is_buyer_request_cancel'] === true,
    cancelled_at: maybeUnix(order, 'cancel_time'),
    cancel_reason: maybeText(order, 'cancel_reason'),
    remote_created_at: created,
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

function currencyIn(payment: Fields): string {
  const currency = textIn(payment, 'currency')
  if (!/^[A-Z]{3}$/.test(currency)) throw new Unreadable(say('no_currency', { value: currency }))
  return currency
}

export const isFulfilledByTikTok = (order: Fields): boolean =>
  /^FULFILLMENT_BY_(?!SELLER)/.test(maybeText(order, 'fulfillment_type') ?? '')

/** TikTok makes the label, and gives the parcel its number. */
export const isShippedByTikTok = (order: Fields): boolean => order['shipping_type'] === 'TIKTOK'

/** Pieces of one article at one price. */
export interface Group {
  id: string
  items: readonly Fields[]
}

/** Ids are of as many digits, or the shorter one is the older. */
const byId = (a: Fields, b: Fields): number => {
  const [one, other] = [textIn(a, 'id'), textIn(b, 'id')]
  return one.length - other.length || (one < other ? -1 : 1)
}

/** Every piece is a line of its own there. Here they are one line each, by the first of them: ids and prices stay. */
export function groupsIn(order: Fields): Group[] {
  const items = recordsIn(order, 'line_items').toSorted(byId)
  const keyOf = (item: Fields) =>
    [textIn(item, 'sku_id'), maybeText(item, 'original_price'), item['is_gift'] === true].join(' ')
  return [...Map.groupBy(items, keyOf).values()].map((some) => ({ id: textIn(fieldsOf(some[0]), 'id'), items: some }))
}

/** A package that nobody has sent yet has an id as well, and may have a number. */
export const hasLeft = (item: Fields): boolean =>
  item['package_status'] !== 'TO_FULFILL' && maybeText(item, 'tracking_number') !== null && !isOff(item)
export const isOff = (item: Fields): boolean => item['display_status'] === 'CANCELLED'

function toLine({ id, items }: Group, currency: string): OrderLine {
  const digits = digitsOf(currency)
  const money = (amount: string) => ({ amount, currency })
  const [first] = items
  const item = fieldsOf(first)
  const price = amountIn(item, 'original_price', currency)
  const total = sumIn(items, ['sale_price'], currency)
  const taxes = items.flatMap((one) => (one['item_tax'] == null ? [] : recordsIn(one, 'item_tax')))
  return {
    ...lineDefaults,
    remote_id: id,
    sku: maybeText(item, 'seller_sku'),
    product_remote_id: maybeText(item, 'product_id'),
    variant_remote_id: textIn(item, 'sku_id'),
    title: textIn(item, 'product_name'),
    variant_title: maybeText(item, 'sku_name'),
    quantity: items.length,
    quantity_fulfilled: items.filter(hasLeft).length,
    quantity_cancelled: items.filter(isOff).length,
    quantity_refunded: 0,
    unit_price: money(price),
    discount: money(minus(times(price, items.length, digits), total, digits)),
    tax: money(sumIn(taxes, ['tax_amount'], currency)),
    total: money(total),
    requires_shipping: true,
    attributes: item['is_gift'] === true ? [{ name: 'gift', value: 'yes' }] : [],
  }
}

/** What is not there may be a space. */
const wordsIn = (fields: Fields, name: string): string | null => maybeText(fields, name)?.trim() || null

/** Not told before the order is released. Districts come level by level, and countries name theirs differently. */
function addressOf(order: Fields): RemoteOrder['shipping_address'] {
  const to = maybeFields(order, 'recipient_address')
  if (to === null) return null
  const districts = to['district_info'] == null ? [] : recordsIn(to, 'district_info')
  const named = (pattern: RegExp) => districts.find((one) => pattern.test(maybeText(one, 'address_level_name') ?? ''))
  const region = districts.find((one) => one['address_level'] === 'L1')
  const last = districts.findLast((one) => !['L0', 'L1'].includes(String(one['address_level'])))
  const city = named(/city|town|municipality/i) ?? last
  const country = maybeText(to, 'region_code')
  const name = maybeText(to, 'name')
  const lastName = maybeText(to, 'last_name')
  return address({
    name,
    // Where the two are not told apart, the first is all of it.
    first_name: lastName === null ? null : maybeText(to, 'first_name'),
    last_name: lastName,
    line1: wordsIn(to, 'address_line1') ?? wordsIn(to, 'address_detail'),
    line2: wordsIn(to, 'address_line2'),
    line3:
      [wordsIn(to, 'address_line3'), wordsIn(to, 'address_line4')].filter((line) => line !== null).join(', ') || null,
    city: maybeText(to, 'post_town') ?? (city ? maybeText(city, 'address_name') : null),
    region: region ? maybeText(region, 'address_name') : null,
    region_code: region ? maybeText(region, 'iso_code') : null,
    postal_code: maybeText(to, 'postal_code'),
    country_code: country !== null && /^[A-Z]{2}$/.test(country) ? country : null,
    phone: maybeText(to, 'phone_number'),
    email: maybeText(order, 'buyer_email'),
  })
}

/** Parcels are told by the pieces that are in them. */
export function shipmentsOf(order: Fields): RemoteShipment[] {
  const groups = groupsIn(order)
  const gone = groups.flatMap(({ id, items }) => items.filter(hasLeft).map((item) => ({ id, item })))
  const keyOf = ({ item }: { item: Fields }) => maybeText(item, 'package_id') ?? textIn(item, 'tracking_number')
  return [...Map.groupBy(gone, keyOf).values()].map((some) => {
    const item = fieldsOf(some[0]?.item)
    const status = parcelStatus(item, isShippedByTikTok(order))
    const counts = Map.groupBy(some, ({ id }) => id)
    return {
      remote_id: maybeText(item, 'package_id'),
      status,
      carrier_code: maybeText(item, 'shipping_provider_id'),
      carrier_name: maybeText(item, 'shipping_provider_name'),
      service: maybeText(order, 'delivery_option_name'),
      tracking_number: textIn(item, 'tracking_number'),
      tracking_url: null,
      shipped_at: maybeUnix(item, 'rts_time'),
      delivered_at: status === 'delivered' ? maybeUnix(order, 'delivery_time') : null,
      location_remote_id: maybeText(order, 'warehouse_id'),
      lines: [...counts].map(([id, pieces]) => ({ order_line_remote_id: id, quantity: pieces.length })),
    }
  })
}

/** Every country has a Seller Center of its own; where it is, is known of these. */
const sellerCenters: Readonly<Record<string, string>> = {
  ...{ US: 'seller-us', GB: 'seller-uk', ID: 'seller-id', MY: 'seller-my', PH: 'seller-ph' },
  ...{ SG: 'seller-sg', TH: 'seller-th', VN: 'seller-vn' },
}

function adminUrl(id: string, { settings: { region = '' } }: TikTokFacts): string | null {
  const host = sellerCenters[region]
  return host ? `https://${host}.tiktok.com/order/detail?order_no=${id}&shop_region=${region}` : null
}
