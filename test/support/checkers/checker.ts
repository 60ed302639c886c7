import type { ValidateFunction } from 'ajv'
import type { RemoteAnswer } from '../../../src/commerce/remote.ts'
import type { SentCall } from '../imitation.ts'

/** What is wrong with one exchange; null if the specification is not about it. */
export type Checker = (call: SentCall, answer: RemoteAnswer) => string[] | null

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

export function queryOf(url: string, query: SentCall['request']['query'] = {}): Map<string, unknown> {
  const given = new Map<string, unknown>(new URL(url).searchParams)
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) given.set(name, value)
  }
  return given
}

/** A file below the folder of official specifications, and which requests it is about. */
export type VendorSpecification =
  | {
      kind: 'openapi'
      file: string
      /** What comes before the paths of the file, such as `/wp-json/wc/v3`; also as a pattern. */
      base: string | RegExp
      /** Parts of the specification that are known to be wrong, each with the reason; matched against what is reported. */
      wrong?: readonly { report: RegExp; because: string }[]
    }
  | { kind: 'graphql'; file: string; path: string | RegExp }
  | {
      /** The index of a WordPress site: routes and their arguments. It says nothing about answers. */
      kind: 'wordpress'
      file: string
      base: string | RegExp
      wrong?: readonly { report: RegExp; because: string }[]
    }
  | {
      /** A JSON Schema of records: what lists of them hold, each under the name of its list. */
      kind: 'records'
      file: string
      base: string | RegExp
      /** The definition of each list's records. */
      records: Readonly<Record<string, string>>
      wrong?: readonly { report: RegExp; because: string }[]
    }
  | {
      /** A JSON Schema of what is sent and what comes back, by method and path. */
      kind: 'bodies'
      file: string
      base: string | RegExp
      bodies: readonly {
        method: string
        path: RegExp
        side: 'request' | 'answer'
        /** The part of the body that is meant, one record or a list of them; the whole of it by default. */
        part?: string
        definition: string
      }[]
      wrong?: readonly { report: RegExp; because: string }[]
    }
