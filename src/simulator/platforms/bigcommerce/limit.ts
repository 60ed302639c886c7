import { second } from '../../clock.ts'
import type { Answer } from '../../http/route.ts'
import type { World } from '../../world.ts'
import { problem } from './reply.ts'

const windowMs = 30_000
const perWindow = 150

/** So many requests in a window of 30 seconds, for all who ask this store; every answer tells how it stands. */
export function createLimit({ clock, weather }: World) {
  let endsAt = 0
  let used = 0
  return async (run: () => Answer | Promise<Answer>): Promise<Answer> => {
    const now = clock.now()
    if (now >= endsAt) [endsAt, used] = [now + (windowMs / 1000) * second, 0]
    const quota = Math.ceil(perWindow * weather.now().limit_scale)
    const made = used < quota ? await run() : problem(429, 'Too many requests')
    used = Math.min(quota, used + 1)
    const standing = {
      'x-rate-limit-time-window-ms': String(windowMs),
      'x-rate-limit-time-reset-ms': String(Math.ceil((endsAt - now) / 1000)),
      'x-rate-limit-requests-quota': String(quota),
      'x-rate-limit-requests-left': String(quota - used),
    }
    return { ...made, headers: { ...made.headers, ...standing } }
  }
}
