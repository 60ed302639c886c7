import { compareDecimals, minus, share, sum, times } from '../../../commerce/decimal.ts'
import type { OrderDraft } from '../../../commerce/order.ts'
import { type Fields, fieldsOf } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'
import { ask } from '../ask.ts'
import type { BigShop } from '../settings.ts'

export interface Taxes {
  /** What an amount of the draft is without tax, and with it. */
  taxed(amount: string): { ex: string; inc: string }
  /** Shipping, and where the tax was named, what it all comes to. */
  totals: Fields
}

const digits = 4

/**
 * The platform takes every amount with tax and without, and does not reckon itself. A tax that is named as a whole lies on
 * goods and shipping by what they cost; where none is named, none is on them.
 */
export async function taxesOf(shop: BigShop, draft: OrderDraft): Promise<Taxes> {
  const { tax_total: tax, shipping_total: shipping } = draft
  if (tax == null) return { taxed: plain, totals: shippingOf(shipping, plain) }
  const goods = sum(
    draft.lines.map(({ unit_price: price, quantity }) => times(priced(price), quantity)),
    digits,
  )
  const base = sum([goods, shipping ?? '0'], digits)
  const withTax = draft.prices_include_tax ?? (await entersPricesWithTax(shop))
  const part = (amount: string): string =>
    compareDecimals(base, '0') === 0 ? '0' : share(times(amount, Number(tax), 6), Number(base), digits)
  const taxed: Taxes['taxed'] = (amount) =>
    withTax
      ? { ex: minus(amount, part(amount), digits), inc: amount }
      : { ex: amount, inc: sum([amount, part(amount)], digits) }
  const [ex, inc] = withTax ? [minus(base, tax, digits), base] : [base, sum([base, tax], digits)]
  return {
    taxed,
    totals: { ...shippingOf(shipping, taxed), ...both('subtotal', taxed(goods)), ...both('total', { ex, inc }) },
  }
}

const plain: Taxes['taxed'] = (amount) => ({ ex: amount, inc: amount })

const both = (name: string, { ex, inc }: { ex: string; inc: string }): Fields => ({
  ...{ [`${name}_ex_tax`]: ex, [`${name}_inc_tax`]: inc },
})

const shippingOf = (shipping: string | null | undefined, taxed: Taxes['taxed']): Fields =>
  shipping == null ? {} : both('shipping_cost', taxed(shipping))

function priced(price: string | null | undefined): string {
  if (price == null) throw refused(say('tax_needs_prices'))
  return price
}

async function entersPricesWithTax(shop: BigShop): Promise<boolean> {
  return fieldsOf(await ask(shop, { path: '/v2/store' }))['is_price_entered_with_tax'] === true
}
