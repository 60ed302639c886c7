import type { Answer, Call, Recorder, Route } from './call.ts'
import { match } from './match.ts'

export type Handle = (call: Call, record: Recorder, parts: readonly [string, string]) => Answer | Promise<Answer>

/** What is asked by which path; parts of it that vary come to the handler, at most two. */
export type RouteRow = readonly [method: string, pattern: string, operation: string, handle: Handle]

export interface Door {
  /** Whose credentials a call carries; null where they are not taken. */
  holder(call: Call): string | null
  denied(call: Call): Answer
  unknown(call: Call): Answer
}

/** The first row that fits; nobody gets to it without credentials. */
export function routeIn(rows: readonly RouteRow[], { holder, denied, unknown }: Door, call: Call): Route {
  for (const [method, pattern, operation, handle] of rows) {
    const parts = method === call.method ? match(pattern, call.path) : null
    if (!parts) continue
    return {
      operation,
      writes: method !== 'GET',
      run(record) {
        const name = holder(call)
        if (name === null) return denied(call)
        record.caller(name)
        return handle(call, record, [parts[0] ?? '', parts[1] ?? ''])
      },
    }
  }
  return { operation: 'unknown', writes: false, run: () => unknown(call) }
}
