import { type Clock, inMicroseconds } from './clock.ts'

/** Everything that was asked of the shop and all that came of it, in the order in which it came. */
export type LedgerEntry = RequestEntry | EffectEntry | WebhookEntry

interface Entry {
  seq: number
  at: string
}

export interface RequestEntry extends Entry {
  kind: 'request'
  method: string
  path: string
  operation: string
  /** Null while it is under way; 0 if it never got an answer. */
  status: number | null
  /** Whose credentials it carried, by name; null if they were not taken. */
  as: string | null
  /** What the weather did to it. */
  fault: string | null
  /** The sender's own mark for the piece of work (`Idempotency-Key`, `X-Operation-Id`). */
  key: string | null
  effects: string[]
}

export interface EffectEntry extends Entry {
  kind: 'effect'
  id: string
  /** The `seq` of the request that had it. */
  request: number
  operation: string
  /** What it was done to. */
  subject: string
  /** The idempotency key or operation mark, else a digest of what was asked: the same twice is a double effect. */
  key: string
}

export interface WebhookEntry extends Entry {
  kind: 'webhook'
  delivery: string
  topic: string
  subject: string
  url: string
  attempt: number
  outcome: 'under way' | 'delivered' | 'refused' | 'lost'
  status: number | null
  duplicate: boolean
}

type New<T extends Entry> = Omit<T, keyof Entry | 'kind'>

export type Ledger = ReturnType<typeof createLedger>

/** An effect that happened more than once under one key, or a thing that was made more than once. */
interface Double {
  operation: string
  key: string
  subject: string
  count: number
}

/** Beyond this the oldest go, so that a shop may run for days. */
const most = 1_000_000

export function createLedger(clock: Clock) {
  let entries: LedgerEntry[] = []
  let seq = 0
  let effects = 0
  const counts = new Map<string, Double>()

  function count(name: string, what: Omit<Double, 'count'>): void {
    const known = counts.get(name)
    if (known) known.count++
    else counts.set(name, { ...what, count: 1 })
  }
  function write<T extends LedgerEntry>(entry: T): T {
    entries.push(entry)
    if (entries.length > most * 1.1) entries = entries.slice(-most)
    return entry
  }
  const stamp = () => ({ seq: ++seq, at: inMicroseconds(clock.now()) })

  return {
    request: (entry: New<RequestEntry>): RequestEntry => write({ ...stamp(), kind: 'request', ...entry }),
    /** `record` is what people know the thing by that was made: two of it are one too many, whoever asked for them. */
    effect(entry: Omit<New<EffectEntry>, 'id'>, record: string | null = null): EffectEntry {
      const { operation, key, subject } = entry
      count(`${operation}\n${key}\n${subject}`, { operation, key, subject })
      if (record !== null) count(`${operation}\n\n${record}`, { operation, key: record, subject })
      return write({ ...stamp(), kind: 'effect', id: `effect-${++effects}`, ...entry })
    },
    webhook: (entry: New<WebhookEntry>): WebhookEntry => write({ ...stamp(), kind: 'webhook', ...entry }),
    after: (after: number, limit: number): readonly LedgerEntry[] => {
      const first = entries[0]?.seq ?? 1
      const start = Math.max(0, after + 1 - first)
      return entries.slice(start, start + limit)
    },
    doubles: (): readonly Double[] => [...counts.values()].filter(({ count }) => count > 1),
    last: () => seq,
  }
}
