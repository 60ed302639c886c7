import { setTimeout as sleep } from 'node:timers/promises'
import { hasCompany, isHeavy } from './piece-of-work.ts'

/** Nobody else in this process waits longer than about this for somebody to go on. */
const turnMs = 5

/** Heavy work rests for so many times as long as it was at it: beside others it has a third of the time at most. */
const restTimes = 2

/**
 * For work that takes long: called often, it lets others have their turn when it is time. It begins with a place in the line, unless it is begun
 * already: where the pages of several shops arrive together, whoever asks for something would wait for the first turns of all of them.
 */
export function takeTurns({ isBegun = false } = {}): { yield(): Promise<void> | undefined } {
  let began = isBegun ? performance.now() : null
  const rest = async (workedMs: number) => {
    if (workedMs > 0 && isHeavy() && hasCompany()) await sleep(workedMs * restTimes)
    await nextInLine()
    began = performance.now()
  }
  return {
    yield() {
      if (began === null) return rest(0)
      const workedMs = performance.now() - began
      return workedMs < turnMs ? undefined : rest(workedMs)
    },
  }
}

/**
 * Whoever has rested stands in one line, and in each turn of the loop the first goes on. Would they all go on in the same turn, a request would wait
 * for as many times ten milliseconds as there are pieces of work.
 */
const line: (() => void)[] = []

export function nextInLine(): Promise<void> {
  return new Promise((go) => {
    if (line.push(go) === 1) setImmediate(advance)
  })
}

function advance(): void {
  line.shift()?.()
  if (line.length > 0) setImmediate(advance)
}
