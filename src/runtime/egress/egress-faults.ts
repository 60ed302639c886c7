import { Fault } from '../../lib/fault.ts'

/** How a request that leaves the machine may fail. The words reach callers, so they say nothing about our network. */

/** Not an address we go to, whatever it resolved to. */
export const unreachable = () => new Fault('upstream_refused', 'The address is not allowed.')

export const redirected = () =>
  new Fault('upstream_refused', 'The answer redirects to an address that is not followed.')

/** Honest answers are not, so this one may have been an accident. */
export const oversized = () => new Fault('upstream_retryable', 'The answer is too large.', { retryAfterSeconds: 60 })

export const unsendable = (cause: unknown) =>
  new Fault('upstream_refused', 'The request has a header or method that cannot be sent.', { cause })

/** Nobody there, too slow, or not speaking sense: another time it may work. */
export const away = (cause: unknown) =>
  new Fault('upstream_retryable', 'Service Unavailable', { retryAfterSeconds: 5, cause })

export const timedOut = (what: string) => away(new Error(`${what} took too long`))

const unsent = new WeakSet<Error>()

/** Marks a fault of a connection that never came about. */
export function neverSent(fault: Fault): Fault {
  unsent.add(fault)
  return fault
}

/** Whether it is certain that nothing of the request has arrived: then even what must not happen twice may be repeated. */
export const wasNeverSent = (error: unknown): boolean => error instanceof Error && unsent.has(error)
