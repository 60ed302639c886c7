import { setTimeout as sleep } from 'node:timers/promises'
import type { Merchant } from './fleet.ts'

/** Accounts are made one after the other; those that were answered with 201 must be there in the end. */
export function keepWriting(merchant: Merchant) {
  const acknowledged: string[] = []
  let running = true
  let lastAt = 0
  const loop = (async () => {
    for (let n = 0; running; n++) {
      const name = `written-${n}`
      const answer = await merchant.call('POST', '/accounts', { remote_id: name }).catch(() => null)
      if (answer?.status === 201) {
        acknowledged.push(name)
        lastAt = performance.now()
      }
      await sleep(10)
    }
  })()
  return {
    /** Those that were acknowledged until now. */
    sofar: () => [...acknowledged],
    /** When one was last acknowledged. */
    lastAt: () => lastAt,
    async stop(): Promise<string[]> {
      running = false
      await loop
      return acknowledged
    },
  }
}
