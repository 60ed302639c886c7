import { type Moment, momentOf, type Span, second, toSecond } from '../../clock.ts'

/** The search syntax of lists: `updated_at:>='2026-01-01T00:00:00Z' AND status:open`. */
export type Term = ReturnType<typeof termsIn>[number]

const pattern = /(\w+):(>=|<=|>|<)?(?:'((?:[^'\\]|\\.)*)'|"([^"]*)"|([^\s'"]+))/g

export const termsIn = (query: unknown) =>
  [...String(query ?? '').matchAll(pattern)].map(([, name = '', comparison = '', single, double, bare]) => ({
    ...{ name, comparison, value: single?.replace(/\\(.)/g, '$1') ?? double ?? bare ?? '' },
  }))

/** The span of time that terms of that name leave. Times are told in whole seconds, and compared as told. */
export function spanOf(terms: readonly Term[], name: string): Span {
  let from: Moment | null = null
  let before: Moment | null = null
  for (const { comparison, value } of terms.filter((term) => term.name === name)) {
    const at = momentOf(value)
    if (at === null) continue
    const next = toSecond(at) + second
    const whole = toSecond(at) === at ? at : next
    if (comparison === '>') from = Math.max(from ?? 0, next)
    if (comparison === '>=' || comparison === '') from = Math.max(from ?? 0, whole)
    if (comparison === '<') before = Math.min(before ?? whole, whole)
    if (comparison === '<=' || comparison === '') before = Math.min(before ?? next, next)
  }
  return { from, before }
}
