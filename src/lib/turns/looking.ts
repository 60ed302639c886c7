/**
 * Time in which this process could look. Where the machine stood still, or a piece of work held the thread, timers come first and what has
 * arrived meanwhile is read after them: whoever had spoken long ago would be called silent.
 */

/** Of the time since then, in which it meant to wait for `stepMs`, only so much counts. */
export const lookedFor = (since: number, stepMs: number): number => Math.min(performance.now() - since, 2 * stepMs)

/** Does it after so long; what was given back stops it. */
export function afterLooking(ms: number, act: () => void): () => void {
  const stepMs = ms / 8
  let leftMs = ms
  let timer: NodeJS.Timeout
  let last: NodeJS.Immediate | undefined
  const look = () => {
    const began = performance.now()
    timer = setTimeout(() => {
      leftMs -= lookedFor(began, stepMs)
      if (leftMs > 0) look()
      // Once more: what lies there is read before that.
      else last = setImmediate(act)
    }, stepMs)
  }
  look()
  return () => {
    clearTimeout(timer)
    clearImmediate(last)
  }
}
