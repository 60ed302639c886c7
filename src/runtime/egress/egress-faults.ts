import { Fault } from '../../lib/fault.ts'

/** How a request that leaves the machine may fail. The words reach callers, so they say nothing about our network. */

/** Not an address we go to, whatever it resolved to. */
export const unreachable = () => new Fault('upstream_refused', 'The address is not allowed.')

/** `to`: where it leads; only the host is named, since the rest may repeat what was sent. */
export const redirected = (to: URL | null = null) =>
  wrongAddress(
    new Fault(
      'upstream_refused',
      to
        ? `The answer redirects to ${to.origin}, which is not followed.`
        : 'The answer redirects to no address at all.',
    ),
  )

/** It goes round in circles. */
export const redirectedTooOften = () =>
  wrongAddress(new Fault('upstream_refused', 'The answer redirects again and again, which is not followed.'))

/** Honest answers are not, so this one may have been an accident. */
export const oversized = () => new Fault('upstream_retryable', 'The answer is too large.', { retryAfterSeconds: 60 })

export const unsendable = (cause: unknown) =>
  new Fault('upstream_refused', 'The request has a header or method that cannot be sent.', { cause })

/** Nobody there, too slow, or not speaking sense: another time it may work. */
export function away(cause: unknown): Fault {
  const code = codeOf(cause)
  const [, message] = sentences.find(([codes]) => codes.test(code)) ?? ['', 'Service Unavailable']
  const fault = new Fault('upstream_retryable', message, { retryAfterSeconds: 5, cause })
  return message === unknownHost || message === badCertificate ? wrongAddress(fault) : fault
}

export const timedOut = (what: string) =>
  new Fault('upstream_retryable', 'The server did not answer in time.', {
    retryAfterSeconds: 5,
    cause: new Error(`${what} took too long`),
  })

export const nameWithoutAddress = () => away(Object.assign(new Error('the name has no address'), { code: 'ENODATA' }))

const unknownHost = 'There is no server of this name.'
const badCertificate = 'The certificate of the server is not valid for this address, or its encryption is broken.'

/** What goes wrong below HTTP, in the words of whoever typed the address. */
const sentences: readonly (readonly [RegExp, string])[] = [
  [/^(ENOTFOUND|ENODATA|EAI_NONAME|EBADNAME)$/, unknownHost],
  [/^(ESERVFAIL|ETIMEOUT|EREFUSED|EAI_AGAIN)$/, 'The name of the server cannot be looked up at present.'],
  [/^ECONNREFUSED$/, 'The server refuses connections.'],
  [/^(EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/, 'The server cannot be reached.'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'The server broke the connection off.'],
  [/^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_OSSL_|EPROTO)/, badCertificate],
]

/** Where several addresses were tried, the first one's. */
function codeOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return codeOf(cause.errors[0])
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
}

const wrongAddresses = new WeakSet<Error>()

/** Marks a fault whose cause is most likely the address: whoever has just typed it should look there. */
export function wrongAddress(fault: Fault): Fault {
  wrongAddresses.add(fault)
  return fault
}

export const isWrongAddress = (error: unknown): error is Fault => error instanceof Fault && wrongAddresses.has(error)

const unsent = new WeakSet<Error>()

/** Marks a fault of a connection that never came about. */
export function neverSent(fault: Fault): Fault {
  unsent.add(fault)
  return fault
}

/** Whether it is certain that nothing of the request has arrived: then even what must not happen twice may be repeated. */
export const wasNeverSent = (error: unknown): boolean => error instanceof Error && unsent.has(error)
