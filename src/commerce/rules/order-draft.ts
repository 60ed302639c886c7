import { type FieldErrors, invalid } from '../../lib/fault.ts'
import type { Connector } from '../connector.ts'
import { type OrderDraft, orderChoices } from '../order.ts'

/** What was said of an order, and the platform cannot: 422 at the field, before anything is made. */
export function checkDraft({ name, orders }: Pick<Connector, 'name' | 'orders'>, draft: OrderDraft): void {
  const { takes = [], takesPricesWithTax: withTax } = orders ?? {}
  const errors: FieldErrors = {}
  for (const field of orderChoices) {
    if (draft[field] == null || takes.includes(field)) continue
    if (field === 'prices_include_tax' && draft[field] === withTax) continue
    const words = field.replaceAll('_', ' ')
    errors[field] = [
      field === 'prices_include_tax' && withTax !== undefined
        ? `The prices include tax field must be ${withTax}: ${name} takes prices ${withTax ? 'with' : 'without'} tax.`
        : `The ${words} field is prohibited: ${name} does not take it with an order.`,
    ]
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}
