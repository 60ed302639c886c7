import { setImmediate as nextTurn } from 'node:timers/promises'

/** Nobody else in this process waits longer than about this for a list to be gone through. */
const turnMs = 15

/** Goes through a list that somebody else made, and lets others have their turn in between. */
export async function inTurns<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
  let began = performance.now()
  for (const item of items) {
    work(item)
    if (performance.now() - began < turnMs) continue
    await nextTurn()
    began = performance.now()
  }
}
