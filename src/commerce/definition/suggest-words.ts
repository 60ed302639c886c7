import type { DescribedPart, Suggestion } from './suggest-places.ts'
import { valueAt } from './value-in.ts'

/** Words of the service, and which of ours they sound like. */

type Guess = readonly [ours: string, sounds: RegExp]

const orderWords: readonly Guess[] = [
  ['cancelled', /cancel|annul|storn|void|declin|reject/i],
  ['completed', /ship|complet|done|deliver|sent|closed|fulfil|finish|expedi|livr|versand/i],
  ['on_hold', /hold|review|fraud|block|suspend/i],
  ['pending', /pending|unpaid|draft|await|wait|brouillon|cart/i],
]
const paymentWords: readonly Guess[] = [
  ['refunded', /refund/i],
  ['voided', /void|cancel/i],
  ['failed', /fail|declin|error/i],
  ['pending', /pending|unpaid|open|await|due|false|not/i],
  ['authorized', /authori/i],
  ['paid', /paid|settled|captured|true|done/i],
]
const productWords: readonly Guess[] = [
  ['archived', /archiv|delet|trash/i],
  ['draft', /draft|hidden|private/i],
  ['inactive', /inactive|disabled|off|false|unpublished/i],
]

const tables: readonly { part: DescribedPart; of: string; field: string; guesses: readonly Guess[]; other: string }[] =
  [
    { part: 'orders', of: 'fields.status', field: 'statuses', guesses: orderWords, other: 'open' },
    {
      ...{ part: 'orders', of: 'fields.payment_status', field: 'payment_statuses', guesses: paymentWords },
      other: 'unknown',
    },
    { part: 'products', of: 'fields.status', field: 'statuses', guesses: productWords, other: 'active' },
  ]

const maxWords = 30

export interface Words extends Suggestion {
  /** The field whose words they are. */
  of: string
}

/** What the records have at the place of a status, each word once. More than a few dozen is no status. */
export function suggestWords(
  part: DescribedPart,
  places: readonly Suggestion[],
  records: readonly unknown[],
): readonly Words[] {
  return tables.flatMap(({ of, field, guesses, other, ...table }) => {
    const place = table.part === part ? places.find((one) => one.field === of)?.place : undefined
    if (place === undefined) return []
    const seen = new Set(
      records.flatMap((record) => {
        const word = valueAt(record, place)
        return ['string', 'number', 'boolean'].includes(typeof word) && word !== '' ? [String(word)] : []
      }),
    )
    if (seen.size === 0 || seen.size > maxWords) return []
    const value = [...seen]
      .sort()
      .map((theirs) => ({ theirs, ours: guesses.find(([, like]) => like.test(theirs))?.[0] ?? other }))
    const shown = value.map(({ theirs, ours }) => `${theirs}: ${ours}`).join(', ')
    return [{ of, field, place, example: shown.slice(0, 200), certainty: 50, value }]
  })
}

/** The service's word for one of ours, where it was seen. */
export function wordFor(table: Suggestion | undefined, ours: string): string | undefined {
  const words: unknown = table?.value
  return Array.isArray(words) ? words.find((one) => one.ours === ours)?.theirs : undefined
}
