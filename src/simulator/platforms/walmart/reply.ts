import { createBuckets } from '../../buckets.ts'
import { second } from '../../clock.ts'
import { type Answer, answer } from '../../http/route.ts'
import type { World } from '../../world.ts'

export const no = (status: number, code: string, description: string): Answer =>
  answer(status, { errors: [{ code, description, severity: 'ERROR', category: 'REQUEST' }] })

export const invalid = (api: string, description: string) =>
  no(400, `INVALID_REQUEST_CONTENT.GMP_${api}_API`, description)
/** Also what a list without anything in it answers. */
export const notFound = (api: string) =>
  no(404, `CONTENT_NOT_FOUND.GMP_${api}_API`, 'No content found for the request.')

/** What stands before all of them has its own name for the list. */
export const gateway = (code: string, description: string) => ({
  error: [{ code: `${code}.GMP_GATEWAY_API`, description, info: description, severity: 'ERROR', category: 'DATA' }],
})
export const tooMany = gateway('REQUEST_THRESHOLD_VIOLATED', 'Request threshold violated.')

/** So many a minute, per seller. */
const limits: Readonly<Record<string, number>> = {
  ...{ 'token.detail': 30, 'orders.list': 300, 'orders.get': 300, 'inventory.set': 200 },
  ...{ 'feeds.send': 10 },
}
const otherLimit = 60

/** Answers within the limit of their operation; what is left comes with each, and when there is all of it again. */
export function createLimits(world: World) {
  const take = createBuckets(world)
  return async (operation: string, name: string | null, run: () => Answer | Promise<Answer>): Promise<Answer> => {
    if (name === null) return await run()
    const burst = limits[operation] ?? otherLimit
    const { taken, left, limit } = take(`${name} ${operation}`, { burst, perSecond: burst / 60 })
    const now = world.clock.now()
    const full = now + ((limit.burst - left) / limit.perSecond) * second
    const made = taken ? await run() : answer(429, tooMany)
    const headers = {
      date: new Date(now / 1000).toUTCString(),
      'x-current-token-count': String(Math.floor(left)),
      'x-next-replenishment-time': String(Math.ceil((taken ? full : now + second / limit.perSecond) / 1000)),
    }
    return { ...made, headers: { ...headers, ...made.headers } }
  }
}
