import { decimal, digitsOf, sumOf } from '../../amounts.ts'
import type { Fields } from '../../json.ts'
import { type Product, totalOf } from '../../shop/goods.ts'
import { type Address, isSent, type OrderLine, type ShopOrder, type Stage } from '../../shop/order.ts'
import { carriers, countries } from '../../shop/people.ts'
import { written } from './local-time.ts'

/** A record has all of its fields, everything is a text, and most of them are empty. */
export const filled = (names: string, known: Fields): Fields => ({
  ...Object.fromEntries(names.split(' ').map((name) => [name, ''])),
  ...known,
})

/** A text in both languages of the shop. */
export const both = (french: string, english = french) => [
  { id: '1', value: french },
  { id: '2', value: english },
]

export const currencies = ['EUR', 'USD', 'GBP', 'JPY', 'PLN', 'SEK', 'KWD', 'CHF', 'CAD']
export const regions = countries.flatMap(({ code, places }) =>
  [...new Map(places.map(({ region, regionCode }) => [regionCode, region]))].map(([region, name]) => ({
    ...{ code, region, name },
  })),
)

/* Orders --------------------------------------------------------------------------------------------------------- */

export const states: Readonly<Record<Stage, number>> = {
  ...{ unpaid: 1, held: 9, paid: 2, part_sent: 3, sent: 4, delivered: 5, part_refunded: 5, refunded: 5, cancelled: 6 },
}
/** What a state that is entered makes of an order. */
export const stageFor: Readonly<Record<string, Stage | undefined>> = {
  ...{ '1': 'unpaid', '2': 'paid', '3': 'paid', '4': 'sent', '5': 'delivered', '6': 'cancelled', '7': 'refunded' },
  ...{ '9': 'held', '20': 'paid' },
}
/** A state of the shop's own. */
const ownState = 20

/** Money is paid back by a credit slip, which leaves the state as it was; some shops have a state for it. */
export const stateOf = ({ stage, customStatus }: ShopOrder, refundState: boolean): number =>
  stage === 'refunded' && refundState ? 7 : customStatus === null ? states[stage] : ownState

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
export const referenceOf = (index: number): string =>
  Array.from({ length: 9 }, (_, n) => letters[Math.floor(index / 26 ** (8 - n)) % 26]).join('')

/** Six places, whatever the currency has. */
const text = (units: number, currency: string, parts = 1): string =>
  (units / parts / 10 ** digitsOf(currency)).toFixed(6)

/** By what the shop rounded an order (`PS_ROUND_TYPE`): merchants change that, and orders remember how it was. */
const roundTypes = { item: '1', line: '2', total: '3' }

/**
 * By the line: goods are the rounded lines, while the total is reckoned from prices that are finer, so that some orders have a
 * coin less for the goods than the total has in it. In the end: lines stay finer than a coin, and only their sum is rounded. By
 * the piece: a line is its rounded price so many times, although the price is told unrounded.
 */
function roundingOf({ index, lines }: ShopOrder): keyof typeof roundTypes {
  if (lines.length > 1 && (lines[0]?.quantity ?? 0) > 1) return index % 2 === 0 ? 'line' : 'total'
  return lines.every((line) => grossOf(line) % line.quantity === 0) && index % 2 === 0 ? 'item' : 'line'
}

const grossOf = ({ total, discount }: OrderLine): number => total + discount

/** What the first lines are finer by, in coins: less than half a coin in all, and a coin after each is rounded. */
const finer = [-0.51, 0.49]

const isFiner = (order: ShopOrder): boolean => order.lines.length > 1 && (order.lines[0]?.quantity ?? 0) > 1

const coinsOff = (order: ShopOrder): number => (roundingOf(order) === 'line' && isFiner(order) ? 1 : 0)

/** What a line comes to before it is rounded, in coins. */
const exactly = (order: ShopOrder, line: OrderLine): number => {
  if (roundingOf(order) === 'item') return grossOf(line) + 0.3 * line.quantity
  return grossOf(line) + (isFiner(order) ? (finer[order.lines.indexOf(line)] ?? 0) : 0)
}

/** The same as the shop keeps it. */
const kept = (order: ShopOrder, line: OrderLine): number => {
  const by = roundingOf(order)
  return by === 'item' ? grossOf(line) : by === 'line' ? Math.round(exactly(order, line)) : exactly(order, line)
}

const orderNames =
  'id_cart id_lang module invoice_number invoice_date delivery_number delivery_date shipping_number note id_shop_group id_shop secure_key payment recyclable gift gift_message mobile_theme carrier_tax_rate total_wrapping total_wrapping_tax_incl total_wrapping_tax_excl round_mode round_type conversion_rate'

export function orderRecord(order: ShopOrder, refundState: boolean): Fields {
  const { index, currency, stage, total, tax, shipping, discount } = order
  const amount = (units: number) => text(units, currency)
  const paid = stage !== 'unpaid' && stage !== 'cancelled'
  const goods = total - shipping + discount - coinsOff(order)
  return filled(orderNames, {
    ...{ id: index + 1, reference: referenceOf(index), id_customer: String(index + 1) },
    ...{ id_shop: '1', id_shop_group: '1' },
    ...{ id_address_delivery: String(index * 2 + 1), id_address_invoice: String(index * 2 + 2) },
    ...{ id_currency: String(currencies.indexOf(currency) + 1), id_carrier: String(carrierOf(order) + 1) },
    ...{ current_state: String(stateOf(order, refundState)), valid: paid ? '1' : '0' },
    ...{ date_add: written(order.placedAt), date_upd: written(order.updatedAt) },
    ...{ secure_key: 'd41d8cd98f00b204e9800998ecf8427e', payment: 'Carte', total_paid: amount(total) },
    ...{ total_discounts: amount(discount), total_discounts_tax_incl: amount(discount) },
    ...{ total_discounts_tax_excl: amount(discount), total_paid_tax_incl: amount(total) },
    ...{ total_paid_tax_excl: amount(total - tax), total_paid_real: amount(paid ? total : 0) },
    ...{
      round_mode: '2',
      round_type: roundTypes[roundingOf(order)],
      total_products: amount(goods - tax),
      total_products_wt: amount(goods),
      total_shipping: amount(shipping),
    },
    ...{ total_shipping_tax_incl: amount(shipping), total_shipping_tax_excl: amount(shipping) },
    associations: { order_rows: order.lines.map((line) => rowRecord(order, line)) },
  })
}

function rowRecord(order: ShopOrder, line: OrderLine): Fields {
  const { index, currency } = order
  const gross = exactly(order, line)
  const varies = line.variantTitle !== 'Default Title' && line.product !== null
  const [price, net] = [gross, gross - line.tax].map((units) => text(units, currency, line.quantity))
  return filled('product_ean13 product_isbn product_upc', {
    ...{ id: String((index + 1) * 100 + line.line), id_customization: '0' },
    product_id: line.product === null ? '0' : String(line.product + 1),
    product_attribute_id: varies ? String(combinationIdOf(line.product ?? 0, line.position)) : '0',
    product_name: varies ? `${line.title} - Couleur : ${line.variantTitle}` : line.title,
    ...{ product_quantity: String(line.quantity), product_reference: line.sku },
    ...{ product_price: net, unit_price_tax_incl: price, unit_price_tax_excl: net },
  })
}

const carrierOf = ({ index }: ShopOrder): number => index % carriers.length

/** Every state that an order has been in: placed, then where it is now. */
export const historyRecords = (order: ShopOrder): Fields[] => {
  const id = (order.index + 1) * 10
  const row = (part: number, state: number, at: number): Fields => ({
    ...{ id: id + part, id_employee: '0', id_order: String(order.index + 1), id_order_state: String(state) },
    date_add: written(at),
  })
  const [sent] = order.parcels
  const left = sent && isSent(order.stage) ? [row(1, states.sent, sent.sentAt)] : []
  return [row(0, states.unpaid, order.placedAt), ...left]
}

/** Lines with what the shop itself makes of them. */
export const detailRecords = (order: ShopOrder): Fields[] =>
  order.lines.map((line) => {
    const gross = kept(order, line)
    return filled('id_order_invoice id_warehouse id_shop', {
      ...{ id: (order.index + 1) * 100 + line.line, id_order: String(order.index + 1) },
      ...{ product_id: String((line.product ?? -1) + 1), product_quantity: String(line.quantity) },
      product_quantity_refunded: String(line.refunded),
      total_price_tax_incl: text(gross, order.currency),
      total_price_tax_excl: text(gross - line.tax, order.currency),
    })
  })

/** Credit slips, which leave the order's own time as it was. */
export const slipRecords = ({ index, currency, refunds, lines }: ShopOrder): Fields[] =>
  refunds.map(({ refund, amount, at, lines: parts }) => ({
    ...{ id: (index + 1) * 10 + refund, id_order: String(index + 1), id_customer: String(index + 1) },
    ...{ total_products_tax_incl: text(amount, currency), total_shipping_tax_incl: text(0, currency), partial: '1' },
    ...{ date_add: written(at), date_upd: written(at) },
    associations: {
      order_slip_details: parts.map(({ line, quantity }, n) => {
        const sold = lines.find((one) => one.line === line)
        return {
          ...{ id: String(n + 1), id_order_detail: String((index + 1) * 100 + line) },
          product_quantity: String(quantity),
          amount_tax_incl: text(sold ? Math.round((sold.total * quantity) / sold.quantity) : 0, currency),
        }
      }),
    },
  }))

/** What the customer wrote when ordering. */
export const messageRecords = ({ index, note, placedAt }: ShopOrder): Fields[] =>
  note === null
    ? []
    : [
        {
          ...{ id: index + 1, id_order: String(index + 1), id_employee: '0', message: note, private: '0' },
          date_add: written(placedAt),
        },
      ]

/** What an order is to be sent with: there from the first day, and one for all of it. */
export const parcelRecord = (order: ShopOrder): Fields => ({
  ...{ id: (order.index + 1) * 10, id_order: String(order.index + 1), id_carrier: String(carrierOf(order) + 1) },
  ...{ id_order_invoice: '0', weight: '1.200000', date_add: written(order.placedAt) },
  shipping_cost_tax_excl: text(order.shipping, order.currency),
  shipping_cost_tax_incl: text(order.shipping, order.currency),
  tracking_number: order.parcels.at(-1)?.trackingNumber ?? '',
})

export const customerRecord = ({ index, buyer, placedAt }: ShopOrder): Fields => ({
  ...{ id: index + 1, email: buyer.email, firstname: buyer.firstName, lastname: buyer.lastName },
  ...{ is_guest: buyer.id === null ? '1' : '0', passwd: '$2y$10$a-hash', date_add: written(placedAt) },
})

export function addressRecord(order: ShopOrder, kind: 'delivery' | 'invoice'): Fields {
  const address: Address = kind === 'delivery' ? order.shipTo : order.billTo
  const region = regions.findIndex(
    ({ code, region: one }) => code === address.countryCode && one === address.regionCode,
  )
  return filled('id_manufacturer id_supplier id_warehouse alias vat_number other dni phone_mobile', {
    ...{ id: order.index * 2 + (kind === 'delivery' ? 1 : 2), id_customer: String(order.index + 1) },
    id_country: String(countries.findIndex(({ code }) => code === address.countryCode) + 1),
    ...{ id_state: String(region + 1), firstname: address.firstName, lastname: address.lastName },
    ...{ company: address.company ?? '', address1: address.street, address2: address.extra ?? '' },
    ...{ postcode: address.zip, city: address.city, phone: address.phone, deleted: '0' },
    ...{ date_add: written(order.placedAt), date_upd: written(order.placedAt) },
  })
}

/* Products ------------------------------------------------------------------------------------------------------- */

export const combinationIdOf = (product: number, position: number): number => (product + 1) * 10 + 1 + position
const cents = (units: number): string => `${decimal(units, 'EUR')}0000`
const kilograms = (grams: number): string => (grams / 1000).toFixed(6)

const productNames =
  'description_short minimal_quantity id_manufacturer id_supplier id_category_default id_default_image id_tax_rules_group type id_shop_default supplier_reference location width height depth quantity_discount isbn upc mpn cache_is_pack cache_has_attachments is_virtual additional_delivery_times delivery_in_stock delivery_out_stock on_sale online_only ecotax low_stock_alert wholesale_price unity unit_price_ratio additional_shipping_cost customizable text_fields uploadable_files redirect_type id_type_redirected available_for_order available_date show_condition condition show_price indexed visibility advanced_stock_management pack_stock_type meta_description meta_keywords meta_title link_rewrite available_now available_later'

const isCombined = ({ variants }: Product): boolean => variants.length > 1

export function productRecord(product: Product): Fields {
  const { index, variants } = product
  const { sku, barcode, price, grams } = variants[0] ?? { sku: '', barcode: '', price: 0, grams: 0 }
  const combined = isCombined(product)
  const chosen = combined ? String(combinationIdOf(index, 0)) : '0'
  return filled(productNames, {
    ...{ id: index + 1, reference: combined ? '' : sku, ean13: combined ? '' : barcode },
    ...{ price: cents(price), weight: kilograms(grams), name: both(product.title), description: both(product.html) },
    ...{ state: product.status === 'draft' ? '0' : '1', active: product.status === 'active' ? '1' : '0' },
    ...{ new: null, position_in_category: null, quantity: null, low_stock_threshold: null },
    manufacturer_name: product.vendor === '' ? false : product.vendor,
    ...{ cache_default_attribute: chosen, id_default_combination: chosen },
    product_type: combined ? 'combinations' : 'standard',
    ...{ date_add: written(product.createdAt), date_upd: written(product.updatedAt) },
    associations: { images: product.images.map((_, n) => ({ id: String(120 + index * 10 + n) })) },
  })
}

const combinationNames =
  'location isbn upc mpn quantity supplier_reference wholesale_price ecotax unit_price_impact minimal_quantity low_stock_alert default_on available_date'

/** What each adds to the price and the weight of its product. */
export const combinationRecords = (product: Product): Fields[] =>
  (isCombined(product) ? product.variants : []).map(({ position, sku, barcode, price, grams }) =>
    filled(combinationNames, {
      ...{ id: combinationIdOf(product.index, position), id_product: String(product.index + 1), reference: sku },
      ...{ ean13: barcode, low_stock_threshold: null, price: cents(price - (product.variants[0]?.price ?? 0)) },
      weight: kilograms(grams - (product.variants[0]?.grams ?? 0)),
      associations: { product_option_values: [{ id: String(61 + position) }], images: [] },
    }),
  )

/** One for the product, which is the sum, and one for each of its combinations. */
export const stockRecords = (product: Product, severalShops = false): Fields[] => {
  const own = stocksIn(product)
  if (!severalShops) return own
  const other = own.map((row) => ({ ...row, id: Number(row['id']) + otherShop, id_shop: '2', quantity: '4321' }))
  return [...own, ...other]
}

/** What is added to the id of a stock for that of the second shop of the installation. */
export const otherShop = 50

const stocksIn = (product: Product): Fields[] => {
  const row = (part: number, attribute: number, quantity: number): Fields => ({
    ...{ id: (product.index + 1) * 100 + part, id_product: String(product.index + 1), location: '' },
    ...{ id_product_attribute: String(attribute), id_shop: '1', id_shop_group: '0', quantity: String(quantity) },
    ...{ depends_on_stock: '0', out_of_stock: '2' },
  })
  const parts = isCombined(product) ? product.variants : []
  return [
    row(0, 0, sumOf(product.variants, totalOf)),
    ...parts.map((one) => row(1 + one.position, combinationIdOf(product.index, one.position), totalOf(one))),
  ]
}
