import { type Static, Type } from 'typebox'
import { anything, choice, object, optional, text } from '../../lib/validation/fields.ts'

/**
 * Where a value is found in a record of the shop, and how it is written there. In its short form a place is a path:
 * `totals.grand`. In its long form it says where from (exactly one of `at`, `select`, `template` and `value`), and how to read it.
 */

const name = '[A-Za-z0-9_@$-]{1,64}'
export const pathPattern = `^${name}(\\.${name}){0,7}$`

/** What a text of a definition is, for those who check every one of its kind: `places-in.ts`. */
export type TextKind = 'path' | 'select' | 'template'

const kindOf = (kind: TextKind) => ({ 'x-kind': kind })

export const path = (description?: string) =>
  Type.String({
    maxLength: 200,
    pattern: pathPattern,
    'x-must': 'be names with dots between, such as totals.grand or rows.0.sku',
    ...kindOf('path'),
    ...(description && { description }),
  })

const template = (description: string) => Type.String({ maxLength: 500, description, ...kindOf('template') })

export const moneyFormats = ['decimal', 'minor', 'with_currency'] as const
export const timeFormats = ['iso', 'unix', 'milliseconds', 'local'] as const

/** How amounts and times are written: in a whole definition, in one part of it, or at one place. */
const writing = {
  money: optional(choice(moneyFormats, '12.50; 1250; or 12.50 EUR.')),
  time: optional(
    choice(timeFormats, 'ISO 8601; seconds or thousandths of them since 1970; or as a clock in `zone` shows it.'),
  ),
  zone: optional(text({ max: 64, description: 'Of local times, by its IANA name: Europe/Paris.' })),
}

export const format = object({
  ...writing,
  currency: optional(
    text({
      pattern: '^[A-Z]{3}$',
      must: 'be the code of a currency, such as EUR',
      description: 'Where records name none.',
    }),
  ),
})
export type Format = Static<typeof format>

const spelled = object({
  at: optional(path('A place in the record.')),
  select: optional(
    Type.String({ maxLength: 500, description: 'A JMESPath expression over the record.', ...kindOf('select') }),
  ),
  template: optional(template('Text with places in braces: "{first} {last}".')),
  value: optional(anything('The same for every record.')),
  default: optional(anything('Where the record has nothing.')),
  ...writing,
})

export const place = (description?: string) =>
  Type.Union([path(description), spelled], description ? { description } : {})
export const maybePlace = (description?: string) => Type.Optional(place(description))
export type Place = string | Static<typeof spelled>

/** As people name it in messages. */
export const placeName = (where: Place | undefined): string => {
  if (where === undefined || typeof where === 'string') return where ?? ''
  return where.at ?? where.select ?? where.template ?? 'value'
}
