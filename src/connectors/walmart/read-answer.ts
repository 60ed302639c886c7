import type { AnswerReading, Budget } from '../../commerce/connector/remote-rules.ts'
import type { RemoteAnswer, RemoteRequest } from '../../commerce/remote.ts'

/** Each operation has its own bucket per seller. What is really left comes with every answer, and is followed. */
export const budgets = {
  default: { capacity: 20, perSecond: 1 },
  tokens: { capacity: 10, perSecond: 0.5 },
  list_orders: { capacity: 60, perSecond: 5 },
  get_order: { capacity: 60, perSecond: 5 },
  acknowledge: { capacity: 60, perSecond: 1 },
  ship: { capacity: 60, perSecond: 1 },
  cancel: { capacity: 60, perSecond: 1 },
  refund: { capacity: 60, perSecond: 1 },
  list_returns: { capacity: 20, perSecond: 0.3 },
  list_items: { capacity: 30, perSecond: 1 },
  list_inventories: { capacity: 30, perSecond: 1 },
  webhooks: { capacity: 20, perSecond: 1 },
  set_inventory: { capacity: 100, perSecond: 3 },
  // Ten files an hour.
  send_feed: { capacity: 10, perSecond: 0.0027 },
  feed_status: { capacity: 60, perSecond: 1 },
  set_price: { capacity: 100, perSecond: 1 },
} as const satisfies Readonly<Record<string, Budget>>

export const tokenPath = '/v3/token'

export const where = 'Seller Center → Settings → API Key Management'

export type BudgetName = keyof typeof budgets

/** The count of what is left, and when it grows again; the clock is the one that the answer brings. */
export function readAnswer(
  { status, headers, body }: RemoteAnswer,
  { budget: name, path }: RemoteRequest,
): AnswerReading {
  // Its own words, and not those of something in between.
  if (
    status === 403 &&
    path !== tokenPath &&
    /"(FORBIDDEN|ACCESS_DENIED|UNAUTHORIZED)\b/.test(JSON.stringify(body ?? ''))
  )
    return { missingRight: { name: path.split('/', 3).join('/'), where } }
  const left = Number.parseInt(headers['x-current-token-count'] ?? '', 10)
  const reading: AnswerReading = name !== undefined && left >= 0 ? { budget: { name, remaining: left } } : {}
  const wait = waitIn(headers)
  return status === 429 && wait !== null && headers['retry-after'] === undefined
    ? { ...reading, verdict: 'throttled', retryAfterSeconds: wait }
    : reading
}

function waitIn(headers: RemoteAnswer['headers']): number | null {
  const text = headers['x-next-replenishment-time'] ?? headers['x-next-replenish-time'] ?? ''
  const [until, now] = [momentOf(text), momentOf(headers['date'] ?? '')]
  return until === null || now === null ? null : Math.min(3600, Math.max(1, Math.ceil((until - now) / 1000)))
}

function momentOf(text: string): number | null {
  const at = /^\d{12,14}$/.test(text) ? Number(text) : Date.parse(text)
  return Number.isNaN(at) ? null : at
}
