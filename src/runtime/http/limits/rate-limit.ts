import { type AddHits, type Count, coalesce } from './rate-batch.ts'

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

interface Window extends Count {
  /** How many of the hits the database has already, so that a window never goes there twice. */
  carried: number
}

const windowMs = 60_000

export function createRateLimiter(addHits: AddHits, clock: () => number = Date.now): RateLimiter {
  const windows = new Map<string, Window>()
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
      window = { hits: 0, resetsAtMs: now + windowMs, carried: 0 }
      windows.set(key, window)
    }
    // A refused request does not count.
    const allowed = window.hits < limit
    if (allowed) window.hits++
    return answer(allowed, limit, window)
  }

  async function hitShared(key: string, limit: number): Promise<RateWindow> {
    if (windows.size > 0) await flush()
    const count = await shared.add(key)
    return answer(count.hits <= limit, limit, count)
  }

  /** Back in memory, but the database may still know a window of this minute: ask it once for each key. */
  async function loadThenHit(key: string, limit: number): Promise<RateWindow> {
    await shared.idle()
    while (loading.has(key)) await loading.get(key)
    if (mode === 'memory' && !windows.has(key)) {
      const load = loadWindow(key)
      loading.set(
        key,
        load.catch(() => undefined),
      )
      await load.finally(() => loading.delete(key))
    }
    return mode === 'shared' ? hitShared(key, limit) : hitMemory(key, limit)
  }

  async function loadWindow(key: string): Promise<void> {
    const [found] = await addHits([{ key, hits: 0, resetsAtMs: null }])
    if (found) windows.set(key, { hits: found.hits, resetsAtMs: found.resetsAtMs, carried: found.hits })
  }

  function flush(): Promise<void> {
    carryOver ??= carry().finally(() => {
      carryOver = null
    })
    return carryOver
  }

  async function carry(): Promise<void> {
    const now = clock()
    const live = [...windows].filter(([, window]) => window.resetsAtMs > now)
    const additions = live.map(([key, { hits, carried, resetsAtMs }]) => ({ key, hits: hits - carried, resetsAtMs }))
    const news = additions.filter(({ hits }) => hits > 0)
    // Kept until they are safely over there: a failed attempt is repeated by the next hit.
    if (news.length > 0) await addHits(news)
    for (const { key, hits } of additions) {
      const window = windows.get(key)
      if (window) window.carried += hits
    }
    for (const [key, window] of windows) {
      if (window.carried === window.hits || window.resetsAtMs <= now) windows.delete(key)
    }
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

const answer = (allowed: boolean, limit: number, { hits, resetsAtMs }: Count): RateWindow => ({
  allowed,
  limit,
  remaining: Math.max(0, limit - hits),
  resetsAt: Math.ceil(resetsAtMs / 1000),
})
