import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Kept small while the program loads (bin/entrepot.js), so that a process at rest is small; grows with the load. */
export const enlargeYoungGeneration = () => setFlagsFromString('--semi-space-growth-factor=2')

/**
 * Pages of a shop live just long enough to be taken for old. Without this the old ones may grow to four times what is
 * needed before anybody looks, and a worker that copies a shop takes 150 MB more.
 */
export const limitOldGeneration = () => setFlagsFromString('--heap-growing-percent=50')

/** Of what is looked at when a large answer comes, most is what the last one has left: so often is enough. */
const lookEveryMs = 500

/**
 * Collects what is no longer used, for those who are about to read much. It takes a twentieth of a second, which is the thread's of
 * the worker; left to itself, the memory of several large answers gathers before anybody looks.
 */
export function createCollector(): () => void {
  let collect: (() => void) | null = null
  let lastAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - lastAt < lookEveryMs) return
    if (!collect) {
      // There is no other way to it.
      setFlagsFromString('--expose-gc')
      collect = runInNewContext('gc') as () => void
    }
    collect()
    lastAt = performance.now()
  }
}
