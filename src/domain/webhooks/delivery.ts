/** A message to a webhook, and when it is tried again. */

export const deliveryStates = ['pending', 'delivered', 'failed', 'held', 'cancelled'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export interface Delivery {
  id: number
  webhook_id: number
  event_id: number
  type: string
  state: DeliveryState
  due_at: string
  attempts: number
  response_status: number | null
  error: string | null
  /** What the error follows from, where it is not the status. */
  reason: unknown
  delivered_at: string | null
  created_at: string
  updated_at: string
}

export interface Attempt {
  delivery_id: number
  number: number
  trigger: 'schedule' | 'replay'
  response_status: number | null
  response_body: string | null
  error: string | null
  reason: unknown
  duration_ms: number
  at: string
}

const minute = 60
const hour = 60 * minute

/** Seconds to wait after each failure; after the last one it is given up, about three days after the first attempt. */
export const retryDelays: readonly number[] = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  ...Array<number>(6).fill(10 * hour),
  8 * hour,
]

const maxDelaySeconds = 10 * hour

/**
 * Seconds until the next attempt, or null if there is none. Spread by a fifth either way, so that what failed together
 * does not come back together; an endpoint that asks for more time gets it, within reason.
 */
export function retryDelay(failures: number, retryAfter: number | null, random: () => number): number | null {
  const delay = retryDelays[failures - 1]
  if (delay === undefined) return null
  const spread = delay * (0.8 + 0.4 * random())
  return retryAfter === null ? spread : Math.max(spread, Math.min(retryAfter, maxDelaySeconds))
}

/** What `Retry-After` asks for, in seconds: it names seconds or a date. */
export function readRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header)
  // What is no date by HTTP's word may still be one to JavaScript.
  const at = /^[A-Z][a-z]{2}/.test(header.trim()) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, (at - now) / 1000)
}

/** The same for every attempt, so that a receiver knows a repeat by it. */
export const messageId = (eventId: number): string => `evt_${eventId}`

/** Put together from what is stored, byte for byte the same each time. */
export const payloadOf = (event: { type: string; created_at: string; data: string }, thin = false): string =>
  `{"type":${JSON.stringify(event.type)},"timestamp":${JSON.stringify(event.created_at)},"data":${thin ? thinned(event.data) : event.data}}`

/** Which records it is about and where they can be read, and nothing of them. */
function thinned(data: string): string {
  const fields = Object.entries(JSON.parse(data) as object)
  return JSON.stringify(Object.fromEntries(fields.filter(([name]) => /^(id|href|\w+_ids?)$/.test(name))))
}
