import { setTimeout as sleep } from 'node:timers/promises'
import type { Remote, RemoteRequest } from '../../commerce/remote.ts'
import { Fault } from '../../lib/fault.ts'
import { wasNeverSent } from '../../runtime/egress/egress-faults.ts'

const maxAttempts = 3
const firstDelayMs = 250
/** Whoever has waited for so long comes back later instead. */
const patienceMs = 10_000

/**
 * Most failures of a shop are gone a moment later, and coming back after half a minute for each would make a long list
 * endless. So what may be repeated is, at once and a few times. Whoever has to wait for the budget is not repeated here.
 */
export const repeating = (remote: Remote): Remote => ({
  async request(asked) {
    const begun = performance.now()
    let before: unknown = null
    for (let attempt = 1; ; attempt++) {
      try {
        return await remote.request(asked)
      } catch (error) {
        const late = performance.now() - begun > patienceMs
        // One that was not let out any more has only the failure before to tell of.
        if (before !== null && wasNeverSent(error)) throw before
        if (!mayRepeat(asked) || !isPassing(error) || attempt >= maxAttempts || late) throw error
        before = error
        await sleep(firstDelayMs * 2 ** (attempt - 1) * (0.5 + Math.random()))
      }
    }
  },
})

const mayRepeat = ({ method, repeatable }: RemoteRequest): boolean => method === 'GET' || repeatable === true

const isPassing = (error: unknown): boolean =>
  error instanceof Fault && error.kind === 'upstream_retryable' && !wasNeverSent(error)
