import type { ValidateFunction } from 'ajv'
import type { RemoteAnswer } from '../../../src/commerce/remote.ts'
import type { StandCall } from '../../../src/commerce/stand.ts'

/** What is wrong with one exchange; null if the specification is not about it. */
export type Checker = (call: StandCall, answer: RemoteAnswer) => string[] | null

export type Json = Record<string, unknown>

export const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Json)[name] : undefined

/** What is not known to be wrong in the specification itself. */
export const isNews = (wrong: readonly { report: RegExp }[]) => (problem: string) =>
  !wrong.some(({ report }) => report.test(problem))

export function complaintsOf(check: ValidateFunction, value: unknown, named: string): string[] {
  if (check(structuredClone(value))) return []
  return (check.errors ?? []).map(({ instancePath, message, params }) => {
    const extra = field(params, 'additionalProperty')
    return `${named}${instancePath} ${extra === undefined ? message : `knows no ${String(extra)}`}`
  })
}

/** What of a path lies behind the base; null if it does not lie there. */
export function strip(path: string, base: string | RegExp): string | null {
  const found = typeof base === 'string' ? (path.startsWith(base) ? base : null) : (base.exec(path)?.[0] ?? null)
  if (found === null || !path.startsWith(found)) return null
  const rest = path.slice(found.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

export function queryOf(url: string, query: StandCall['request']['query'] = {}): Map<string, unknown> {
  const given = new Map<string, unknown>(new URL(url).searchParams)
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) given.set(name, value)
  }
  return given
}
