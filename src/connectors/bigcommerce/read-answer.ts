import type { AnswerReading } from '../../commerce/connector/remote-rules.ts'
import type { RemoteAnswer, RemoteRequest } from '../../commerce/remote.ts'

/** The smaller plans allow 150 requests in 30 seconds; every answer reports how it stands. */
export const budgets = { default: { capacity: 150, perSecond: 5 } }

export const where = 'Settings → API → Store-level API accounts, or connect the store again'

/** Where storefronts and other channels have their names: orders are read without them where we may not see these. */
export const channelsPath = '/v3/channels'

export function readAnswer(
  { status, headers, body }: RemoteAnswer,
  { path }: Pick<RemoteRequest, 'path'>,
): AnswerReading {
  if (status === 403 && path === channelsPath) return { withheld: { name: 'Channel settings (read-only)', where } }
  if (status === 403 && /required scope/.test(JSON.stringify(body ?? '')))
    return { missingRight: { name: `the scope for ${path.replace(/\/\d+(\/.*)?$/, '')}`, where } }
  const [left, quota, window, reset] = ['requests-left', 'requests-quota', 'time-window-ms', 'time-reset-ms'].map(
    (name) => Number.parseFloat(headers[`x-rate-limit-${name}`] ?? ''),
  )
  const reading: AnswerReading =
    isCount(left) && isCount(quota) && isCount(window) && quota > 0 && window > 0
      ? { budget: { name: 'default', remaining: left, capacity: quota, perSecond: quota / (window / 1000) } }
      : {}
  // Without these headers it is the platform itself that is too busy.
  return status === 429 && isCount(reset)
    ? { ...reading, verdict: 'throttled', retryAfterSeconds: Math.max(0.1, reset / 1000) }
    : reading
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0
