import { fileURLToPath } from 'node:url'
import type { ServerProcess } from './server-process.ts'
import { until } from './until.ts'

/** How long the main thread of a server was at one thing, since it was last asked. Milliseconds. */
export interface MainThread {
  /** By its own clock, which stands still while the machine is busy with others: what we do to ourselves. */
  cpuMs: number
  wallMs: number
  /** The longest collection of what is no longer used. */
  collectedMs: number
  /** How many collections went through everything. */
  collectedWhole: number
  /** When the process held the most. Bytes. */
  memory: NodeJS.MemoryUsage
  /** Of the delays of its loop. */
  p99Ms: number
}

export const mark = 'main thread '

/** For NODE_OPTIONS of a server that is asked. */
export const watchingMainThread = `--import=${fileURLToPath(new URL('main-thread.ts', import.meta.url))}`

/** Whoever asks it keeps the number of times. */
export function mainThreadOf(server: ServerProcess): () => Promise<MainThread> {
  let asked = 0
  return async () => {
    const wanted = ++asked
    server.signal('SIGUSR2')
    return await until('the server says how its main thread fares', async () => {
      const lines = server.printed().split('\n')
      const said = lines.flatMap((line) => (line.startsWith(mark) ? [JSON.parse(line.slice(mark.length))] : []))
      return said.find(({ n }) => n === wanted)
    })
  }
}
