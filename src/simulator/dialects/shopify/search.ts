import type { Moment } from '../../clock.ts'
import { momentOf, second, toSecond } from '../../clock.ts'

/** The search syntax of lists: `updated_at:>='2026-01-01T00:00:00Z' AND status:open`. */
export interface Term {
  name: string
  comparison: '' | '>' | '>=' | '<' | '<='
  value: string
}

const pattern = /(\w+):(>=|<=|>|<)?(?:'([^']*)'|"([^"]*)"|(\S+))/g

export function termsIn(query: unknown): readonly Term[] {
  if (typeof query !== 'string') return []
  return [...query.matchAll(pattern)].map(([, name = '', comparison = '', single, double, bare]) => ({
    name,
    comparison:
      comparison === '>' || comparison === '>=' || comparison === '<' || comparison === '<=' ? comparison : '',
    value: single ?? double ?? bare ?? '',
  }))
}

/** The span of time that terms of that name leave. Times are told in whole seconds, and compared as told. */
export function spanOf(terms: readonly Term[], name: string): { from: Moment | null; before: Moment | null } {
  let from: Moment | null = null
  let before: Moment | null = null
  for (const term of terms) {
    const at = term.name === name ? momentOf(term.value) : null
    if (at === null) continue
    const next = toSecond(at) + second
    const whole = toSecond(at) === at ? at : next
    if (term.comparison === '>') from = Math.max(from ?? 0, next)
    else if (term.comparison === '<') before = Math.min(before ?? whole, whole)
    else if (term.comparison === '<=') before = Math.min(before ?? next, next)
    else from = Math.max(from ?? 0, whole)
    if (term.comparison === '') before = Math.min(before ?? next, next)
  }
  return { from, before }
}

export const told = (terms: readonly Term[], name: string): string | null =>
  terms.find((term) => term.name === name)?.value ?? null
