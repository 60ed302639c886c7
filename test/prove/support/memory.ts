import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a process holds of the machine's memory, in megabytes. */
export async function residentMegabytes(pid: number): Promise<number> {
  // A process that has ended holds nothing.
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1000)
}

/** Looks ten times a second; `stop` says the most it saw. */
export function watchMemory(pid: number) {
  let peak = 0
  let running = true
  const loop = (async () => {
    while (running) {
      peak = Math.max(peak, await residentMegabytes(pid))
      await sleep(100)
    }
  })()
  return {
    now: () => residentMegabytes(pid),
    async stop() {
      running = false
      await loop
      return peak
    },
  }
}
