import { isDatabaseAway } from '../db/connection.ts'
import type { Log } from '../log.ts'

const repeatAfterMs = 5000

/** While the database is away every poll fails; one line in five seconds says enough. */
export function quietly(log: Log): (error: unknown) => void {
  let lastAwayAt = Number.NEGATIVE_INFINITY
  return (thrown) => {
    const error = asError(thrown)
    if (isDatabaseAway(error)) {
      if (performance.now() - lastAwayAt < repeatAfterMs) return
      lastAwayAt = performance.now()
    }
    log.warn({ err: error }, 'the queue reported an error and continues')
  }
}

/** pg-boss reports copies of errors, which are plain objects, and adds the queue to their message. */
function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  const { message, code }: { message?: unknown; code?: unknown } = Object(thrown)
  const text = String(message ?? thrown).replace(/ \(Queue: .*\)$/, '')
  return Object.assign(new Error(text), typeof code === 'string' ? { code } : {})
}
