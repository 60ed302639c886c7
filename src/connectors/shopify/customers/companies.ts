import { type Fields, maybeFields, maybeText } from '../../../commerce/reading.ts'
import type { Detail } from '../ask.ts'
import { paymentTerms } from '../documents/orders.ts'

/** Who bought for a company, where somebody did. */
export const companyOf = (order: Fields): string | null =>
  maybeText(maybeFields(maybeFields(order, 'purchasingEntity') ?? {}, 'company') ?? {}, 'name')

/** Companies may pay later, as was agreed with them; only they are asked about. */
const mayHaveTerms = (order: Fields): boolean =>
  companyOf(order) !== null && maybeText(order, 'displayFinancialStatus') === 'PENDING'

export const terms: Detail = {
  isAsked: (order, { granted }) => mayHaveTerms(order) && (granted?.includes('read_payment_terms') ?? false),
  query: paymentTerms,
  atOnce: 50,
  read: (_, found) => ({ paymentTerms: found ? maybeFields(found, 'paymentTerms') : null }),
}

/** What was agreed, in the shop's words; null where the money is simply not there. */
export const termsIn = (order: Fields): string | null =>
  maybeText(maybeFields({ paymentTerms: null, ...order }, 'paymentTerms') ?? {}, 'paymentTermsName')
