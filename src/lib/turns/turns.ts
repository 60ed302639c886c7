import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { currentPiece } from './piece-of-work.ts'

/** Nobody else in this process waits longer than about this for somebody to go on. */
const turnMs = 10

/** Heavy work rests for so many times as long as it was at it: it has a third of the time at most. */
const restTimes = 2

/** For work that takes long: called often, it lets others have their turn when it is time. */
export function takeTurns(): { yield(): Promise<void> | undefined } {
  let began = performance.now()
  const rest = async (workedMs: number) => {
    await (currentPiece()?.isHeavy ? sleep(workedMs * restTimes) : nextTurn())
    began = performance.now()
  }
  return {
    yield() {
      const workedMs = performance.now() - began
      return workedMs < turnMs ? undefined : rest(workedMs)
    },
  }
}
