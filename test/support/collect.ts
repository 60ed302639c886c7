import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectNow: () => void = runInNewContext('gc')

/** Collects everything that nobody holds. In a turn of its own: what was looked at in this one is held until its end. */
export async function collect(): Promise<void> {
  await turn()
  collectNow()
}
