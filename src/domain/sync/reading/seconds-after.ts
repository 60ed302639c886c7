import type { Fault } from '../../../lib/fault.ts'

/** A turn for a single record would cost more than the record: what the limits allow gathers meanwhile. */
const minPauseSeconds = 30

/**
 * When to ask a shop again that could not answer now, for whoever reads beside the runs; null where that is of no use. A
 * shop that no longer lets us in is noticed by whoever reads what is new.
 */
export const secondsAfter = ({ kind, retryAfterSeconds = 60 }: Fault): number | null =>
  kind === 'upstream_retryable' || kind === 'unavailable' ? Math.max(minPauseSeconds, retryAfterSeconds) : null
