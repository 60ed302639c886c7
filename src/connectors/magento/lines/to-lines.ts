import { minus } from '../../../commerce/decimal.ts'
import { digitsOf, zero } from '../../../commerce/money.ts'
import { lineDefaults, type OrderLine } from '../../../commerce/order.ts'
import { type Fields, idIn, maybeText, recordsIn, textIn } from '../../../commerce/reading.ts'
import { maybeAmount, moneyIn } from '../amounts.ts'
import { attributesOf } from './attributes.ts'
import { type Counts, countsOf, isBundle, partsOf, perBundle } from './quantities.ts'

/**
 * What was chosen of a configurable product comes as two items: the parent has the price, the child is the article. They
 * are one line, under the parent's id, which is what parcels refer to. A bundle is a line that is only paid for, and a line
 * for each of its parts, which are what is picked and sent.
 */
export function toLines(order: Fields, currency: string): OrderLine[] {
  const items = recordsIn(order, 'items')
  const cancelled = order['state'] === 'canceled'
  const options = recordsIn({ options: [], ...order }, 'options')
  return items
    .filter((item) => item['parent_item_id'] == null)
    .flatMap((item): OrderLine[] => {
      const parts = partsOf(item, items)
      if (isBundle(item, items)) return bundleLines(item, parts, { currency, cancelled, options })
      const child = item['product_type'] === 'configurable' ? parts[0] : undefined
      const counts = countsOf(item, { cancelled, ...(child && { also: child }) })
      return [lineOf(item, { article: child ?? item, currency, counts, options })]
    })
}

interface Told {
  article: Fields
  currency: string
  counts: Counts
  options: readonly Fields[]
}

function lineOf(item: Fields, { article, currency, counts, options }: Told): OrderLine {
  const digits = digitsOf(currency)
  const discount = discountIn(item, currency)
  return {
    ...lineDefaults,
    remote_id: idIn(item, 'item_id'),
    sku: maybeText(article, 'sku'),
    product_remote_id: item['product_id'] == null ? null : idIn(item, 'product_id'),
    variant_remote_id: article['product_id'] == null ? null : idIn(article, 'product_id'),
    title: maybeText(item, 'name') ?? textIn(item, 'sku'),
    variant_title: article === item ? null : maybeText(article, 'name'),
    ...counts,
    unit_price: moneyIn(item, 'price', currency),
    discount: { amount: discount, currency },
    tax: moneyIn(item, 'tax_amount', currency),
    total: { amount: minus(maybeAmount(item, 'row_total', currency), discount, digits), currency },
    requires_shipping: item['is_virtual'] === 1 ? false : item['is_virtual'] === 0 ? true : null,
    attributes: attributesOf(item, options),
  }
}

/** Discounts of prices with tax contain the tax on them, which is told apart. Here they are without, as the prices are. */
const discountIn = (item: Fields, currency: string): string =>
  minus(
    maybeAmount(item, 'discount_amount', currency),
    maybeAmount(item, 'discount_tax_compensation_amount', currency),
    digitsOf(currency),
  )

/** The items that cost something: those of all lines, but for what would be told twice. */
export function billedItems(order: Fields, currency: string): Fields[] {
  const items = recordsIn(order, 'items')
  return items
    .filter((item) => item['parent_item_id'] == null)
    .flatMap((item) => {
      const parts = partsOf(item, items)
      return isBundle(item, items) && costsItsParts(parts, currency) ? parts : [item]
    })
}

/** A bundle with a price of its own has it on the parent; one that costs what its parts do has theirs there once more. */
const costsItsParts = (parts: readonly Fields[], currency: string): boolean =>
  parts.some((part) => Number(maybeAmount(part, 'row_total', currency)) > 0)

function bundleLines(
  item: Fields,
  parts: readonly Fields[],
  { currency, cancelled, options }: { currency: string; cancelled: boolean; options: readonly Fields[] },
): OrderLine[] {
  const byParts = costsItsParts(parts, currency)
  const nothing = { unit_price: zero(currency), discount: zero(currency), tax: zero(currency), total: zero(currency) }
  const lines = parts.map((part) => {
    const line = lineOf(part, { article: part, currency, counts: countsOf(part, { cancelled }), options })
    const bundle = { name: 'Bundle', value: maybeText(item, 'name') ?? textIn(item, 'sku') }
    return { ...line, ...(byParts ? {} : nothing), attributes: [bundle, ...line.attributes] }
  })
  /** Whole bundles of which every part has gone, say. */
  const whole = (name: keyof Counts) =>
    Math.min(...lines.map((line, n) => Math.floor(line[name] / perBundle(parts[n] ?? item, item))))
  const own = countsOf(item, { cancelled })
  const counts = {
    quantity: own.quantity,
    quantity_fulfilled: whole('quantity_fulfilled'),
    quantity_cancelled: whole('quantity_cancelled'),
    quantity_refunded: byParts ? whole('quantity_refunded') : own.quantity_refunded,
  }
  const parent = lineOf(item, { article: item, currency, counts, options })
  return [{ ...parent, ...(byParts ? nothing : {}), requires_shipping: false }, ...lines]
}
