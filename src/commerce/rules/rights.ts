import { Fault } from '../../lib/fault.ts'
import { withShopWords } from './shop-words.ts'

/** Something that the shop would have to allow. */
export interface MissingRight {
  /** As the shop's own pages call it, with what is missing of it: `orders (write)`. */
  name: string
  /** Where the merchant gives it. */
  where: string
}

/** The shop takes the credentials, but they may not do what was asked: other credentials are not what is needed. */
export function rightsMissing(missing: readonly MissingRight[], body?: unknown): Fault {
  const names = missing.map(({ name }) => name).join(', ')
  const places = [...new Set(missing.map(({ where }) => where))].join('; ')
  const sentence = withShopWords(`The credentials lack rights in the shop: ${names}. Grant them under ${places}.`, body)
  return new Fault('upstream_refused', sentence, { errors: { rights: [sentence] } })
}

export const isRightsMissing = (error: unknown): error is Fault =>
  error instanceof Fault && error.kind === 'upstream_refused' && error.errors?.['rights'] !== undefined
