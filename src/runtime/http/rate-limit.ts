/**
 * Fixed windows of one minute that begin with the first hit, keyed by subject. While this is the only process that
 * answers requests they live in memory (0.15 µs a hit); as soon as another process joins they move to PostgreSQL, where
 * all hits that wait together go in one statement, so that the count stays exact over all processes and a burst costs
 * few statements. `peers.ts` says when to move.
 */
export interface RateWindow {
  allowed: boolean
  limit: number
  remaining: number
  /** Seconds since the epoch. */
  resetsAt: number
}

export interface RateLimiter {
  hit(key: string, limit: number): RateWindow | Promise<RateWindow>
  /** Other processes answer requests too: count in the database from now on. Resolves when the switch is complete. */
  share(): Promise<void>
  /** Nobody else answers requests any more. */
  stopSharing(): void
  close(): void
}

interface Count {
  hits: number
  resetsAtMs: number
}

/** Adds hits to windows in one statement and answers with the new counts; also used to carry windows over. */
export type AddHits = (additions: readonly Addition[]) => Promise<readonly (Count & { key: string })[]>
export interface Addition {
  key: string
  hits: number
  /** Set when a window is carried over from memory. */
  resetsAtMs: number | null
}

const windowMs = 60_000

export function createRateLimiter(addHits: AddHits, clock: () => number = Date.now): RateLimiter {
  const windows = new Map<string, Count>()
  const shared = coalesce(addHits)
  let mode: 'memory' | 'shared' = 'memory'
  let carryOver: Promise<void> | null = null
  /** Until then a key may still have a window in the database. */
  let recentlySharedUntil = 0
  const loading = new Map<string, Promise<unknown>>()

  const sweep = setInterval(() => {
    const now = clock()
    for (const [key, window] of windows) if (window.resetsAtMs <= now) windows.delete(key)
  }, windowMs)
  sweep.unref()

  function hitMemory(key: string, limit: number): RateWindow {
    const now = clock()
    let window = windows.get(key)
    if (!window || window.resetsAtMs <= now) {
      window = { hits: 0, resetsAtMs: now + windowMs }
      windows.set(key, window)
    }
    // A refused request does not count.
    const allowed = window.hits < limit
    if (allowed) window.hits++
    return { allowed, limit, remaining: limit - window.hits, resetsAt: Math.ceil(window.resetsAtMs / 1000) }
  }

  async function hitShared(key: string, limit: number): Promise<RateWindow> {
    if (windows.size > 0) await flush()
    const { hits, resetsAtMs } = await shared(key)
    return {
      allowed: hits <= limit,
      limit,
      remaining: Math.max(0, limit - hits),
      resetsAt: Math.ceil(resetsAtMs / 1000),
    }
  }

  /** Back in memory, but the database may still know a window of this minute: ask it once for each key. */
  async function loadThenHit(key: string, limit: number): Promise<RateWindow> {
    while (loading.has(key)) await loading.get(key)
    if (windows.has(key)) return hitMemory(key, limit)
    const load = addHits([{ key, hits: 0, resetsAtMs: null }])
    loading.set(
      key,
      load.catch(() => undefined),
    )
    try {
      const [found] = await load
      if (found) windows.set(key, { hits: found.hits, resetsAtMs: found.resetsAtMs })
    } finally {
      loading.delete(key)
    }
    return hitMemory(key, limit)
  }

  function flush(): Promise<void> {
    carryOver ??= (async () => {
      try {
        const now = clock()
        const live = [...windows].filter(([, window]) => window.resetsAtMs > now)
        if (live.length > 0) {
          await addHits(live.map(([key, window]) => ({ key, hits: window.hits, resetsAtMs: window.resetsAtMs })))
        }
        // Kept until they are safely over there: a failed attempt is repeated by the next hit.
        windows.clear()
      } finally {
        carryOver = null
      }
    })()
    return carryOver
  }

  return {
    hit(key, limit) {
      if (mode === 'shared') return hitShared(key, limit)
      if (recentlySharedUntil > clock() && !windows.has(key)) return loadThenHit(key, limit)
      return hitMemory(key, limit)
    },
    async share() {
      mode = 'shared'
      if (windows.size > 0) await flush()
    },
    stopSharing() {
      if (mode === 'memory') return
      mode = 'memory'
      recentlySharedUntil = clock() + windowMs
    },
    close: () => clearInterval(sweep),
  }
}

/** While a statement is under way further hits gather; the next statement takes them all, added up by key. */
function coalesce(addHits: AddHits) {
  type Waiter = { resolve: (count: Count) => void; reject: (error: unknown) => void }
  let waiting = new Map<string, Waiter[]>()
  let running = false

  async function run() {
    running = true
    while (waiting.size > 0) {
      const batch = waiting
      waiting = new Map()
      try {
        const counts = await addHits(
          [...batch].map(([key, waiters]) => ({ key, hits: waiters.length, resetsAtMs: null })),
        )
        const byKey = new Map(counts.map((count) => [count.key, count]))
        for (const [key, waiters] of batch) {
          const count = byKey.get(key)
          // The counter stands after the whole batch; its members take the places before it in order of arrival.
          waiters.forEach((waiter, index) => {
            if (count) waiter.resolve({ hits: count.hits - waiters.length + index + 1, resetsAtMs: count.resetsAtMs })
            else waiter.reject(new Error('A rate window was not counted.'))
          })
        }
      } catch (error) {
        for (const waiters of batch.values()) for (const waiter of waiters) waiter.reject(error)
      }
    }
    running = false
  }

  return (key: string) =>
    new Promise<Count>((resolve, reject) => {
      const waiters = waiting.get(key)
      if (waiters) waiters.push({ resolve, reject })
      else waiting.set(key, [{ resolve, reject }])
      if (!running) void run()
    })
}
