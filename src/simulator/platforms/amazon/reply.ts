import { createBuckets } from '../../buckets.ts'
import { type Answer, answer } from '../../http/route.ts'
import type { World } from '../../world.ts'

export const no = (status: number, code: string, message: string, details = ''): Answer =>
  answer(status, { errors: [{ code, message, details }] })

export const invalid = (details = '') => no(400, 'InvalidInput', 'Invalid Input', details)
export const denied = (details = '') => no(403, 'Unauthorized', 'Access to requested resource is denied.', details)
export const tooMany = () => no(429, 'QuotaExceeded', 'You exceeded your quota for the requested resource.')

/** Every operation has its own, per seller and app: calls a second, and how many at once. */
const limits: Readonly<Record<string, readonly [perSecond: number, burst: number]>> = {
  searchOrders: [0.0056, 20],
  getOrder: [0.5, 30],
  confirmShipment: [2, 10],
  searchListingsItems: [5, 5],
  getListingsItem: [5, 10],
  patchListingsItem: [5, 5],
  getSubscription: [1, 5],
  createSubscription: [1, 5],
  createReport: [0.0167, 15],
  getReport: [2, 15],
  getReportDocument: [0.0167, 15],
  createFeedDocument: [0.5, 15],
  createFeed: [0.0083, 15],
  getFeed: [2, 15],
  getFeeds: [0.0222, 10],
  getFeedDocument: [0.0222, 10],
  getMarketplaceParticipations: [0.016, 15],
}

/** Answers within the limit of their operation; the rate is told, what is left is not. */
export function createLimits(world: World) {
  const take = createBuckets(world)
  let answered = 0
  return async (operation: string, name: string | null, run: () => Answer | Promise<Answer>): Promise<Answer> => {
    if (name === null) return await run()
    const [perSecond, burst] = limits[operation] ?? [1, 1]
    const drawn = take(`${name} ${operation}`, { perSecond, burst })
    const made = drawn.taken ? await run() : tooMany()
    const headers = {
      date: new Date(world.clock.now() / 1000).toUTCString(),
      'x-amzn-requestid': world.secretFor(`request ${++answered}`, 32),
      'x-amzn-ratelimit-limit': String(Number(drawn.limit.perSecond.toFixed(4))),
    }
    return { ...made, headers: { ...headers, ...made.headers } }
  }
}
