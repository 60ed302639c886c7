import type { ReportedLimit } from '../../commerce/connector/remote-rules.ts'
import { type Fields, fieldsOf, maybeText, numberIn, recordsIn, timeIn } from '../../commerce/reading.ts'
import { type Remote, shopAway } from '../../commerce/remote.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import { askAsApp } from './auth.ts'

/** Which of eBay's interfaces pays from which budget. */
const names: Readonly<Record<string, string>> = { fulfillment: 'default', inventory: 'inventory' }

/** What is left of an app's day, as eBay counts it. Other windows are too short to matter at our pace. */
export async function limits(remote: Remote, client: AnyFields): Promise<ReportedLimit[]> {
  const path = '/developer/analytics/v1_beta/rate_limit/'
  const { body, headers } = await askAsApp(remote, client, { path, query: { api_context: 'sell' } })
  const now = Date.parse(headers['date'] ?? '')
  if (Number.isNaN(now)) throw shopAway(60)
  return recordsIn({ rateLimits: [], ...fieldsOf(body) }, 'rateLimits').flatMap((api) => {
    const name = names[maybeText(api, 'apiName')?.toLowerCase() ?? '']
    const tightest = ratesOf(api).sort((one, other) => numberIn(one, 'remaining') - numberIn(other, 'remaining'))[0]
    if (name === undefined || !tightest) return []
    return [
      {
        name,
        limit: numberIn(tightest, 'limit'),
        remaining: numberIn(tightest, 'remaining'),
        windowSeconds: daySeconds,
        resetsInSeconds: Math.max(0, Math.ceil((Date.parse(timeIn(tightest, 'reset')) - now) / 1000)),
      },
    ]
  })
}

const daySeconds = 86_400

/** Of the interface as a whole, or of single calls of it. */
const ratesOf = (api: Fields): Fields[] =>
  recordsIn({ resources: [], ...api }, 'resources')
    .flatMap((resource) => recordsIn({ rates: [], ...resource }, 'rates'))
    .filter((rate) => rate['timeWindow'] === daySeconds)
