import { readFile } from 'node:fs/promises'

/**
 * Begins to look, and says how much of the processors' time the host of this machine has given to others since: what is measured then says
 * something about them. Nothing where the machine does not say.
 */
export async function watchStolen(): Promise<() => Promise<number>> {
  const before = await processorTimes()
  return async () => {
    const after = await processorTimes()
    const all = after.all - before.all
    return all > 0 ? (after.stolen - before.stolen) / all : 0
  }
}

async function processorTimes(): Promise<{ stolen: number; all: number }> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8').catch(() => '')).split('\n')
  // Those of guests, which follow, are counted in the first two already.
  const times = line.trim().split(/\s+/).slice(1, 9).map(Number)
  return { stolen: times[7] ?? 0, all: times.reduce((sum, time) => sum + time, 0) }
}
