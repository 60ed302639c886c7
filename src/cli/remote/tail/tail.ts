import { setTimeout as sleep } from 'node:timers/promises'
import { remoteCommand } from '../connect.ts'
import { failure } from '../failure.ts'
import type { Line } from './line.ts'
import { looksAt, type Source, sources } from './sources.ts'

export const tailCommand = remoteCommand({
  name: 'tail',
  summary: 'Show logs, runs, messages of shops or calls of the API as they come',
  arguments: [{ name: 'WHAT', description: `${sources.join(', ')}; all but requests by default`, values: sources }],
  options: {
    shop: { type: 'string', value: 'ID', description: 'Of one shop only' },
    every: { type: 'string', value: 'SECONDS', description: 'How often to look; 2' },
    once: { type: 'boolean', description: 'Show what there is and end' },
  },
  async run({ shop, every = '2', once }, output, [what], connect) {
    const seconds = Number(every)
    if (!(seconds >= 1 && seconds <= 3600))
      throw failure('invalid', `--every must be from 1 to 3600 seconds, not "${every}".`)
    const looks = await looksAt(await connect(), { wanted: what === undefined ? null : [what as Source], shop })
    const stop = new AbortController()
    const end = () => stop.abort()
    process.once('SIGINT', end).once('SIGTERM', end)
    const shown = remember()
    for (;;) {
      const lines: Line[] = []
      for (const look of looks) lines.push(...(await look(({ key }) => !shown.has(key))))
      lines.sort((one, other) => one.at.localeCompare(other.at))
      for (const { key, value, words } of lines) if (shown.add(key)) output.result(value, words)
      if (once || stop.signal.aborted) return
      if (lines.length === 0) output.progress('Nothing yet …')
      await sleep(seconds * 1000, undefined, { signal: stop.signal }).catch(() => undefined)
      if (stop.signal.aborted) return
    }
  },
})

/** What was shown; the oldest is forgotten first. */
function remember(max = 20_000) {
  const seen = new Set<string>()
  return {
    has: (key: string): boolean => seen.has(key),
    /** Whether it is new. */
    add(key: string): boolean {
      if (seen.has(key)) return false
      seen.add(key)
      const [oldest] = seen
      if (seen.size > max && oldest !== undefined) seen.delete(oldest)
      return true
    },
  }
}
