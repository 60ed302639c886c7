import type { AnswerReading, Budget } from '../../commerce/connector/remote-rules.ts'
import { type Fields, isFields } from '../../commerce/reading.ts'
import type { RemoteAnswer, RemoteRequest } from '../../commerce/remote.ts'
import type { MissingRight } from '../../commerce/rules/rights.ts'

/** Every operation has a bucket of its own, per seller and app. These are the ones that everybody gets. */
export const budgets = {
  default: { capacity: 5, perSecond: 0.5 },
  tokens: { capacity: 10, perSecond: 1 },
  search_orders: { capacity: 20, perSecond: 0.0056 },
  get_order: { capacity: 30, perSecond: 0.5 },
  confirm_shipment: { capacity: 10, perSecond: 2 },
  search_listings: { capacity: 5, perSecond: 5 },
  get_listing: { capacity: 10, perSecond: 5 },
  patch_listing: { capacity: 5, perSecond: 5 },
  subscriptions: { capacity: 5, perSecond: 1 },
  create_report: { capacity: 15, perSecond: 0.0167 },
  get_report: { capacity: 15, perSecond: 2 },
  get_report_document: { capacity: 15, perSecond: 0.0167 },
  create_feed_document: { capacity: 15, perSecond: 0.5 },
  create_feed: { capacity: 15, perSecond: 0.0083 },
  get_feed: { capacity: 15, perSecond: 2 },
  get_feeds: { capacity: 10, perSecond: 0.0222 },
  get_feed_document: { capacity: 10, perSecond: 0.0222 },
  downloads: { capacity: 10, perSecond: 5 },
  get_participations: { capacity: 15, perSecond: 0.016 },
} as const satisfies Readonly<Record<string, Budget>>

export type BudgetName = keyof typeof budgets

const isBudget = (name: string | undefined): name is BudgetName => name !== undefined && Object.hasOwn(budgets, name)

/**
 * An expired token is answered with 403, as a role that the app lacks is; only the details distinguish them. How fast an
 * operation may be called is in a header, without which its own table holds.
 */
export function readAnswer(
  { status, headers, body }: RemoteAnswer,
  { budget: name, path }: RemoteRequest,
): AnswerReading {
  if (status === 403 && errorsIn(body).some(isAboutToken)) return { verdict: 'unauthorized' }
  if (status === 403 && errorsIn(body).some(isDenial)) return { missingRight: rightFor(path) }
  if (!isBudget(name)) return {}
  const limit = Number.parseFloat(headers['x-amzn-ratelimit-limit'] ?? '')
  const perSecond = Number.isFinite(limit) && limit > 0 ? limit : budgets[name].perSecond
  const reading: AnswerReading = perSecond === limit ? { budget: { name, perSecond } } : {}
  // Nobody says when to come back: there is room for one more after this long.
  return status === 429 && headers['retry-after'] === undefined
    ? { ...reading, verdict: 'throttled', retryAfterSeconds: Math.ceil(1 / perSecond) }
    : reading
}

const where = "the roles of the app in Amazon's Solution Provider Portal, then authorize it again"

const roles: Readonly<Record<string, string>> = {
  feeds: 'the role Inventory and Order Tracking',
  reports: 'the role Inventory and Order Tracking',
  orders: 'the role Inventory and Order Tracking; with names and addresses, also Direct-to-Consumer Shipping',
  listings: 'the role Product Listing, or listings of this very seller',
  sellers: 'the role Selling Partner Insights',
}

/** The role that opens what is below a path. */
export function rightFor(path: string): MissingRight {
  const api = path.split('/')[1] ?? ''
  return { name: roles[api] ?? `a role for ${api}`, where }
}

const isDenial = ({ code }: Fields): boolean => code === 'Unauthorized'

const isAboutToken = ({ code, message, details }: Fields): boolean =>
  code === 'MissingAuthenticationToken' || /(access|security) token/i.test(`${details ?? ''} ${message ?? ''}`)

export const errorsIn = (body: unknown): readonly Fields[] => {
  const errors = isFields(body) ? body['errors'] : null
  return Array.isArray(errors) ? errors.filter(isFields) : []
}
