import { setInterval } from 'node:timers'
import type { Db } from '../../../runtime/db/connection.ts'
import type { Log } from '../../../runtime/log.ts'
import { type Used, writeLastUse } from './session-store.ts'

/** Remembers who was here and writes it every few seconds, each once in five minutes: a call costs a look into memory. */
export interface LastUse {
  /** Below zero a session of the console. */
  note(tokenId: number, used: Used): void
  flush(): Promise<void>
  close(): Promise<void>
}

const flushMs = 5000
const againMs = 300_000
const maxRemembered = 100_000
const maxAgent = 200

export function createLastUse(options: { db: Db; log: Log; now?: () => number }): LastUse {
  const { db, log, now = () => performance.now() } = options
  const noted = new Map<number, number>()
  let waiting = new Map<number, Used>()

  async function flush() {
    if (waiting.size === 0) return
    const used = [...waiting].map(([tokenId, one]) => ({ tokenId, ...one }))
    waiting = new Map()
    await writeLastUse(db, used).catch((error: unknown) => {
      log.warn({ err: error }, 'last uses of sessions could not be written')
    })
  }

  const timer = setInterval(flush, flushMs)
  timer.unref()

  return {
    note(tokenId, { address, agent }) {
      const at = now()
      const before = noted.get(tokenId)
      if (before !== undefined && at - before < againMs) return
      // The oldest goes: at worst something is written sooner than it had to be.
      noted.delete(tokenId)
      for (const oldest of noted.keys()) {
        if (noted.size < maxRemembered) break
        noted.delete(oldest)
      }
      noted.set(tokenId, at)
      waiting.set(tokenId, { address, agent: agent?.slice(0, maxAgent) ?? null })
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
