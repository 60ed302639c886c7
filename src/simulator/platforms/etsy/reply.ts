import { createBuckets } from '../../buckets.ts'
import { type Answer, answer } from '../../http/route.ts'
import { wholeOf } from '../../json.ts'
import type { World } from '../../world.ts'

export const no = (status: number, error: string): Answer => answer(status, { error })
export const notFound = () => no(404, 'Resource not found')

/** Pages by offset, which does not go far. */
export function pageIn(query: URLSearchParams): { limit: number; offset: number } | null {
  const limit = wholeOf(query.get('limit') ?? 25) ?? 0
  const offset = wholeOf(query.get('offset') ?? 0) ?? -1
  return limit >= 1 && limit <= 100 && offset >= 0 && offset <= 12_000 ? { limit, offset } : null
}

const perSecond = 10
const perDay = 10_000

/** Ten a second and ten thousand a day, per app; both are told with every answer. */
export function createLimits(world: World) {
  const take = createBuckets(world)
  return async (name: string, run: () => Answer | Promise<Answer>): Promise<Answer> => {
    const now = take(`${name} second`, { burst: perSecond, perSecond })
    const day = take(`${name} day`, { burst: perDay, perSecond: perDay / 86_400 })
    const wait = String(Math.max(1, Math.ceil(Math.max(now.waitSeconds, day.waitSeconds))))
    const made =
      now.taken && day.taken ? await run() : { ...no(429, 'Rate limit exceeded'), headers: { 'retry-after': wait } }
    const headers = {
      date: new Date(world.clock.now() / 1000).toUTCString(),
      'x-limit-per-second': String(now.limit.burst),
      'x-remaining-this-second': String(Math.floor(now.left)),
      'x-limit-per-day': String(day.limit.burst),
      'x-remaining-today': String(Math.floor(day.left)),
    }
    return { ...made, headers: { ...headers, ...made.headers } }
  }
}
