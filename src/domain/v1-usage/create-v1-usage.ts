import { setInterval } from 'node:timers'
import type { Db } from '../../runtime/db/connection.ts'
import type { Log } from '../../runtime/log.ts'
import { addV1Calls } from './v1-usage-store.ts'

/** Counts in memory and writes every few seconds, so that a call costs nothing. */
export interface V1UsageRecorder {
  /** `route` is the path with its placeholders: `/api/1.0/orders/{order}`. */
  record(clientId: number, method: string, route: string): void
  /** Writes what has been counted so far. What could not be written is kept for the next time. */
  flush(): Promise<void>
  /** Writes the rest and stops. */
  close(): Promise<void>
}

interface Count {
  client_id: number
  method: string
  route: string
  calls: number
}

const intervalMs = 5000

export function createV1Usage({ db, log }: { db: Db; log: Log }): V1UsageRecorder {
  let counts = new Map<string, Count>()

  const record = (clientId: number, method: string, route: string) =>
    add({ client_id: clientId, method, route, calls: 1 })

  function add(count: Count) {
    const key = `${count.client_id} ${count.method} ${count.route}`
    const known = counts.get(key)
    if (known) known.calls += count.calls
    else counts.set(key, count)
  }

  async function flush() {
    if (counts.size === 0) return
    const counted = [...counts.values()]
    counts = new Map()
    try {
      await addV1Calls(db, counted)
    } catch (error) {
      log.warn({ err: error }, 'calls of version 1.0 could not be counted')
      for (const count of counted) add(count)
    }
  }

  const timer = setInterval(flush, intervalMs)
  timer.unref()

  return {
    record,
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
