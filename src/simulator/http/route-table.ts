import type { Answer, Call, Recorder, Route } from './call.ts'
import { match } from './match.ts'

/** Of a path, those that vary. */
export type Parts = readonly [string, string]

export type Handle = (call: Call, record: Recorder, parts: Parts) => Answer | Promise<Answer>

/** `open`: nobody has to show who they are, as on pages for people and where tokens are given. */
export type RouteFlags = Partial<Pick<Route, 'writes' | 'sheltered' | 'careful'>> & { open?: true }

/** What is asked by which path; parts of it that vary come to the handler, at most two. */
export type RouteRow = readonly [
  method: string,
  pattern: string,
  operation: string,
  handle: Handle,
  flags?: Readonly<RouteFlags>,
]

/** Handlers of one record that the path names: where there is none, the platform says so in its own words. */
export const forOne =
  <T>(find: (...parts: Parts) => T | null | undefined, missing: (...parts: Parts) => Answer) =>
  (use: (found: T, call: Call, record: Recorder, parts: Parts) => Answer | Promise<Answer>): Handle =>
  (call, record, parts) => {
    const found = find(...parts)
    return found == null ? missing(...parts) : use(found, call, record, parts)
  }

export const below = (base: string, rows: readonly RouteRow[]): readonly RouteRow[] =>
  rows.map(([method, pattern, ...rest]) => [method, `${base}${pattern}`, ...rest])

type Run = () => Answer | Promise<Answer>

export interface Door {
  /** Whose credentials a call carries; null where they are not taken. */
  holder(call: Call): string | null
  denied(call: Call): Answer
  unknown(call: Call): Answer
  /** Stands around everything that is not open: limits, and the headers of every answer. */
  around?(call: Call, operation: string, run: Run): Answer | Promise<Answer>
}

/** The first row that fits; nobody gets to it without credentials, unless it is open. */
export function routeIn(rows: readonly RouteRow[], door: Door, call: Call): Route {
  const { holder, denied, unknown, around = (_, __, run) => run() } = door
  for (const [method, pattern, operation, handle, { open, ...flags } = {}] of rows) {
    const parts = method === call.method ? match(pattern, call.path) : null
    if (!parts) continue
    return {
      operation,
      writes: method !== 'GET',
      ...flags,
      run(record) {
        const run = () => handle(call, record, [parts[0] ?? '', parts[1] ?? ''])
        if (open) return run()
        return around(call, operation, () => {
          const name = holder(call)
          if (name === null) return denied(call)
          record.caller(name)
          return run()
        })
      },
    }
  }
  return { operation: 'unknown', writes: false, run: () => unknown(call) }
}
