import { setInterval } from 'node:timers'
import type { Log } from '../../runtime/log.ts'
import type { ApiRequest, RequestCaller, RequestMinute } from './api-request.ts'

/**
 * Gathers calls in memory and writes them every second, so that no call waits for it and a database that is away costs entries
 * of the log, never a call. A burst is kept whole; of very many calls for long some are left out: failures have room of their own, and
 * no app takes all of it. How many were left out is counted, by the minute; counts are written every five seconds.
 */
export interface RequestRecorder {
  /** Counts a call. True if there is room to keep it: then it is to be handed over by `keep`. */
  count(call: CountedCall): boolean
  keep(request: ApiRequest): void
  /** Writes what there is so far. */
  flush(): Promise<void>
  /** Writes the rest and stops. */
  close(): Promise<void>
}

export interface CountedCall {
  appId: number
  /** Null where the call is none of a program's: it is kept, but takes nothing of a limit. */
  of: Counting | null
  status: number
  /** What this caller has used of a minute so far, and what it may use. */
  used: number
  allowed: number
}

/** Accounts and users of an app are counted together, as client 0. */
interface Counting {
  caller: RequestCaller
  clientId: number
}

export interface RecorderOptions {
  write(requests: readonly ApiRequest[]): Promise<void>
  addMinutes(minutes: readonly RequestMinute[]): Promise<void>
  onOutcome?: (outcome: 'written' | 'left_out' | 'lost', calls: number) => void
  log: Log
  room?: Partial<Room> | undefined
  now?: () => number
}

/** Calls that are kept at once. What was taken of it is free again after `refillMs`, bit by bit. */
interface Room {
  calls: number
  callsOfApp: number
  failures: number
  failuresOfApp: number
  /** Waiting to be written, while the database takes its time. */
  waiting: number
}

const usualRoom: Room = { calls: 400, callsOfApp: 100, failures: 200, failuresOfApp: 50, waiting: 1000 }
const refillMs = 10_000
const intervalMs = 1000
const countsEvery = 5
const batch = 200
/** Minutes of an app that are remembered while nothing can be written; then the oldest go. */
const maxMinutes = 20_000

export function createRequestRecorder(options: RecorderOptions): RequestRecorder {
  const { write, addMinutes, onOutcome, log, now = Date.now } = options
  const room = { ...usualRoom, ...options.room }
  let waiting: ApiRequest[] = []
  let minutes = new Map<string, RequestMinute>()
  let writing: Promise<void> | null = null
  const successes = createShare(room.calls, room.callsOfApp)
  const failures = createShare(room.failures, room.failuresOfApp)
  let isAway = false
  let leftOut = 0
  /** Calls of one caller come one after the other: its minute is found without making a key. */
  let latest: { appId: number; start: number; caller: RequestCaller; clientId: number; minute: RequestMinute } | null =
    null

  function minuteOf(appId: number, { caller, clientId }: Counting, at: number): RequestMinute {
    const start = Math.floor(at / 60_000)
    if (latest?.appId === appId && latest.start === start && latest.clientId === clientId && latest.caller === caller)
      return latest.minute
    const minute = findMinute(`${appId} ${start} ${caller} ${clientId}`, appId, { caller, clientId }, start)
    latest = { appId, start, caller, clientId, minute }
    return minute
  }

  function findMinute(key: string, appId: number, { caller, clientId }: Counting, start: number): RequestMinute {
    const known = minutes.get(key)
    if (known) return known
    const made = {
      ...{ app_id: appId, minute: new Date(start * 60_000).toISOString(), caller, client_id: clientId },
      ...{ calls: 0, failed: 0, limited: 0, left_out: 0, most: 0, allowed: 0 },
    }
    minutes.set(key, made)
    return made
  }

  function count({ appId, of, status, used, allowed }: CountedCall): boolean {
    const at = now()
    const share = status >= 400 ? failures : successes
    const hasRoom = waiting.length < room.waiting && share.take(appId, at)
    if (!hasRoom) leftOut++
    if (of === null) return hasRoom
    const minute = minuteOf(appId, of, at)
    minute.calls++
    if (status >= 400) minute.failed++
    if (status === 429) minute.limited++
    if (!hasRoom) minute.left_out++
    if (used > minute.most) minute.most = used
    minute.allowed = allowed
    return hasRoom
  }

  async function writeAll({ withCounts }: { withCounts: boolean }): Promise<void> {
    if (leftOut > 0) onOutcome?.('left_out', leftOut)
    leftOut = 0
    const requests = waiting
    waiting = []
    for (let start = 0; start < requests.length; start += batch) {
      const some = requests.slice(start, start + batch)
      if (await isWritten(() => write(some))) onOutcome?.('written', some.length)
      else lose(some)
    }
    if (!withCounts) return
    const counted = minutes
    minutes = new Map()
    latest = null
    if (counted.size > 0 && !(await isWritten(() => addMinutes([...counted.values()])))) remember(counted)
  }

  async function isWritten(work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      isAway = false
      return true
    } catch (error) {
      // Once, not every second.
      if (!isAway) log.warn({ err: error }, 'the request log could not be written')
      isAway = true
      return false
    }
  }

  function lose(requests: readonly ApiRequest[]): void {
    onOutcome?.('lost', requests.length)
    for (const { app_id: appId, source, caller, client_id: client, at } of requests) {
      if (source === 'console') continue
      minuteOf(appId, { caller, clientId: caller === 'client' ? (client ?? 0) : 0 }, Date.parse(at)).left_out++
    }
  }

  /** Counts are small, and tried again. */
  function remember(counted: ReadonlyMap<string, RequestMinute>): void {
    for (const [key, one] of counted) {
      const newer = minutes.get(key)
      if (newer) add(newer, one)
      else if (minutes.size < maxMinutes) minutes.set(key, one)
    }
  }

  const flush = async (withCounts = true): Promise<void> => {
    if (writing) await writing
    if (waiting.length === 0 && minutes.size === 0 && leftOut === 0) return
    writing = writeAll({ withCounts }).finally(() => {
      writing = null
    })
    await writing
  }

  let ticks = 0
  const timer = setInterval(() => {
    // Whoever is slow is not asked for more at the same time.
    if (!writing) void flush(++ticks % countsEvery === 0)
  }, intervalMs)
  timer.unref()

  return {
    count,
    keep: (request) => void waiting.push(request),
    flush: () => flush(),
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

function add(to: RequestMinute, { calls, failed, limited, left_out: leftOut, most }: RequestMinute): void {
  to.calls += calls
  to.failed += failed
  to.limited += limited
  to.left_out += leftOut
  to.most = Math.max(to.most, most)
}

/** Room for so many, and for so many of one app; whatever was taken comes back with time. */
function createShare(all: number, ofApp: number) {
  const whole = createBucket(all)
  const byApp = new Map<number, Bucket>()
  let swept = 0
  /** Those that are full again are as good as new. */
  function sweep(at: number): void {
    if (at - swept < refillMs) return
    swept = at
    for (const [appId, bucket] of byApp) if (bucket.isFull(at)) byApp.delete(appId)
  }
  return {
    take(appId: number, at: number): boolean {
      let own = byApp.get(appId)
      own?.see(at)
      // Most calls of an app that has no room left end here.
      if (own?.isEmpty(at)) return false
      sweep(at)
      own ??= createBucket(ofApp)
      byApp.set(appId, own)
      // Both see the clock each time.
      const hasOwn = own.has(at)
      const hasAny = whole.has(at)
      if (!hasOwn || !hasAny) return false
      whole.take()
      own.take()
      return true
    },
  }
}

type Bucket = ReturnType<typeof createBucket>

/** Of so many times as many calls as there is room for, each takes the room of several: of calls without end a sample says as much, and costs less. */
const manyTimes = 2
const maxPrice = 5

function createBucket(size: number) {
  let left = size
  let filled = 0
  let span = 0
  let seen = 0
  let seenBefore = 0
  /** Until then it is known that there is nothing. */
  let emptyUntil = 0
  const fill = (at: number): void => {
    // A clock that was set back gives nothing, and takes nothing.
    if (at > filled) left = Math.min(size, left + (size * (at - filled)) / refillMs)
    filled = at
    if (left < 1) emptyUntil = at + ((1 - left) * refillMs) / size
  }
  return {
    has(at: number): boolean {
      fill(at)
      return left >= 1
    },
    isEmpty: (at: number): boolean => at >= filled && at < emptyUntil,
    /** One more call, whether it is kept or not. */
    see(at: number): void {
      const now = Math.floor(at / refillMs)
      if (now !== span) {
        seenBefore = now === span + 1 ? seen : 0
        seen = 0
        span = now
      }
      seen++
    },
    take(): void {
      left -= Math.min(maxPrice, Math.max(1, seenBefore / (size * manyTimes)))
    },
    isFull(at: number): boolean {
      fill(at)
      return left >= size
    },
  }
}
