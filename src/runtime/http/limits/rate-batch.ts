export interface Count {
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

type Waiter = { resolve: (count: Count) => void; reject: (error: unknown) => void }

/** While a statement is under way further hits gather; the next statement takes them all, added up by key. */
export function coalesce(addHits: AddHits) {
  let waiting = new Map<string, Waiter[]>()
  let running: Promise<void> | null = null

  async function run() {
    while (waiting.size > 0) {
      const batch = waiting
      waiting = new Map()
      try {
        settle(batch, await addHits([...batch].map(([key, { length }]) => ({ key, hits: length, resetsAtMs: null }))))
      } catch (error) {
        for (const waiters of batch.values()) for (const waiter of waiters) waiter.reject(error)
      }
    }
    running = null
  }

  return {
    add: (key: string) =>
      new Promise<Count>((resolve, reject) => {
        const waiters = waiting.get(key)
        if (waiters) waiters.push({ resolve, reject })
        else waiting.set(key, [{ resolve, reject }])
        running ??= run()
      }),
    /** Resolves when every hit so far is counted. */
    async idle() {
      while (running) await running
    },
  }
}

function settle(batch: ReadonlyMap<string, Waiter[]>, counts: readonly (Count & { key: string })[]) {
  const byKey = new Map(counts.map((count) => [count.key, count]))
  for (const [key, waiters] of batch) {
    const count = byKey.get(key)
    // The counter stands after the whole batch; its members take the places before it in order of arrival.
    waiters.forEach((waiter, index) => {
      if (count) waiter.resolve({ hits: count.hits - waiters.length + index + 1, resetsAtMs: count.resetsAtMs })
      else waiter.reject(new Error('A rate window was not counted.'))
    })
  }
}
