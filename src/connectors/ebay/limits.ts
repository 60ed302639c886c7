import type { ReportedLimit } from '../../commerce/connector/remote-rules.ts'
import { type Fields, fieldsOf, maybeText, numberIn, recordsIn, timeIn } from '../../commerce/reading.ts'
import { type Remote, shopAway } from '../../commerce/remote.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import { askAsApp } from './auth.ts'

/** Which of eBay's interfaces pays from which budget, and which parts of the older one do. */
const names: Readonly<Record<string, string>> = { fulfillment: 'default', inventory: 'inventory' }
const parts: Readonly<Record<string, string>> = {
  'post-order.return': 'post_order',
  'post-order.cancellation': 'cancellations',
}

/** What is left of an app's day, as eBay counts it. Other windows are too short to matter at our pace. */
export async function limits(remote: Remote, client: AnyFields): Promise<ReportedLimit[]> {
  const path = '/developer/analytics/v1_beta/rate_limit/'
  // Not for one context alone: nobody says in which the Post-Order API is.
  const { body, headers } = await askAsApp(remote, client, { path })
  const now = Date.parse(headers['date'] ?? '')
  if (Number.isNaN(now)) throw shopAway(60)
  return recordsIn({ rateLimits: [], ...fieldsOf(body) }, 'rateLimits').flatMap((api) => {
    const resources = recordsIn({ resources: [], ...api }, 'resources')
    // Buyers' interfaces have names like those of sellers'.
    const isSelling = (maybeText(api, 'apiContext') ?? 'sell').toLowerCase() === 'sell'
    const name = isSelling ? names[maybeText(api, 'apiName')?.toLowerCase() ?? ''] : undefined
    const partOf = (resource: Fields) => parts[maybeText(resource, 'name')?.toLowerCase() ?? '']
    return [
      ...reported(name, resources, now),
      ...resources.flatMap((resource) => reported(partOf(resource), [resource], now)),
    ]
  })
}

/** The tightest of them, for the budget that they are; none where they are nobody's. */
function reported(name: string | undefined, resources: readonly Fields[], now: number): ReportedLimit[] {
  if (name === undefined) return []
  const tightest = ratesOf(resources).sort((one, other) => numberIn(one, 'remaining') - numberIn(other, 'remaining'))[0]
  if (!tightest) return []
  return [
    {
      name,
      limit: numberIn(tightest, 'limit'),
      remaining: numberIn(tightest, 'remaining'),
      windowSeconds: daySeconds,
      resetsInSeconds: Math.max(0, Math.ceil((Date.parse(timeIn(tightest, 'reset')) - now) / 1000)),
    },
  ]
}

const daySeconds = 86_400

/** Of an interface as a whole, or of single calls of it. */
const ratesOf = (resources: readonly Fields[]): Fields[] =>
  resources
    .flatMap((resource) => recordsIn({ rates: [], ...resource }, 'rates'))
    .filter((rate) => rate['timeWindow'] === daySeconds)
