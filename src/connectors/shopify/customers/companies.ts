import { type Fields, maybeFields, maybeText } from '../../../commerce/reading.ts'
import { ask } from '../ask.ts'
import { paymentTerms } from '../documents/orders.ts'
import type { ShopifyShop } from '../settings.ts'

/** Who bought for a company, where somebody did. */
export const companyOf = (order: Fields): string | null =>
  maybeText(maybeFields(maybeFields(order, 'purchasingEntity') ?? {}, 'company') ?? {}, 'name')

/** Companies may pay later, as was agreed with them; only they are asked about. */
export const mayHaveTerms = (order: Fields): boolean =>
  companyOf(order) !== null && maybeText(order, 'displayFinancialStatus') === 'PENDING'

export async function termsOf(shop: ShopifyShop, id: string, order: Fields): Promise<Fields> {
  if (!mayHaveTerms(order) || !shop.granted?.includes('read_payment_terms')) return {}
  const read = maybeFields(await ask(shop, paymentTerms, { id }), 'order')
  return { paymentTerms: read && maybeFields(read, 'paymentTerms') }
}

/** What was agreed, in the shop's words; null where the money is simply not there. */
export const termsIn = (order: Fields): string | null =>
  maybeText(maybeFields({ paymentTerms: null, ...order }, 'paymentTerms') ?? {}, 'paymentTermsName')
