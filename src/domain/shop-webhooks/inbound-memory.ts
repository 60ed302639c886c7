import { tooMany } from '../../lib/fault.ts'

/**
 * What was looked up for messages, remembered for a second, found or not. Strangers may name any number of shops, and
 * each one costs a question to the database; verifying a message costs next to nothing. So messages are always verified,
 * and what is limited are the questions: somebody whose address was refused too often asks about shops that we have not
 * seen one at a time, in line with others of that kind. A shop that was found before is looked up at once, whoever writes:
 * platforms send for all their shops from the same addresses, and a flood from there, or shops of theirs that have left
 * us, must not keep a genuine message from being taken. Only when the line is full is it put off (429), and comes again.
 */
export type Recall<Value> = (key: string, look: () => Promise<Value>, isSuspect: () => boolean) => Promise<Value>

/** Who uninstalls, or replaces a secret, need not wait longer than this. */
const trustedMs = 1000
/** What is asked for all the time is looked up anew before that, while those who come meanwhile get what is known. */
const renewedAfterMs = 500
const maxKept = 10_000

interface Kept<Value> {
  /** When looking it up began. */
  since: number
  value: Promise<Value>
  renewing: boolean
}

export function createMemory<Value>(
  isFound: (value: Value) => boolean,
  line: Line,
  clock: () => number = () => performance.now(),
): Recall<Value> {
  /** Also those that have run out: they show that there is something to be found. */
  const found = new Map<string, Kept<Value>>()
  const missing = new Map<string, Kept<Value>>()

  function begin(key: string, look: () => Promise<Value>): Kept<Value> {
    const fresh = { since: clock(), value: look(), renewing: false }
    fresh.value.then(
      (value) => {
        const [where, elsewhere] = isFound(value) ? [found, missing] : [missing, found]
        elsewhere.delete(key)
        keep(where, key, fresh)
      },
      () => {
        for (const where of [found, missing]) if (where.get(key) === fresh) where.delete(key)
      },
    )
    return fresh
  }

  return (key, look, isSuspect) => {
    const shown = found.get(key)
    const kept = shown ?? missing.get(key)
    const age = kept ? clock() - kept.since : trustedMs
    if (kept && age < trustedMs) {
      if (shown && age >= renewedAfterMs && !shown.renewing) {
        shown.renewing = true
        // If it fails, whoever comes when this one has expired gets the error.
        begin(key, look)
      }
      return kept.value
    }
    const fresh = begin(key, shown || !isSuspect() ? look : () => line(look))
    keep(shown ? found : missing, key, fresh)
    return fresh.value
  }
}

/** The oldest go first: strangers push out strangers, and quiet shops those that are not. */
function keep<Value>(where: Map<string, Kept<Value>>, key: string, fresh: Kept<Value>): void {
  where.delete(key)
  where.set(key, fresh)
  if (where.size <= maxKept) return
  const [oldest] = where.keys()
  if (oldest !== undefined) where.delete(oldest)
}

/** One after the other. */
export type Line = <Value>(work: () => Promise<Value>) => Promise<Value>

const maxWaiting = 100
const retryAfterSeconds = 10

export function createLine(): Line {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return (work) => {
    if (waiting >= maxWaiting) return Promise.reject(tooMany(retryAfterSeconds))
    waiting++
    const mine = last.then(work).finally(() => waiting--)
    last = mine.catch(() => undefined)
    return mine
  }
}
