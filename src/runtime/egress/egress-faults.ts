import { Fault, serviceUnavailable } from '../../lib/fault.ts'
import { speaker } from '../../lib/words/wording.ts'

/** How a request that leaves the machine may fail. The words reach callers, so they say nothing about our network. */

export const egressSentences = {
  address_not_allowed: 'The address is not allowed.',
  redirected: 'The answer redirects to {address}, which is not followed.',
  redirected_nowhere: 'The answer redirects to no address at all.',
  redirected_again: 'The answer redirects again and again, which is not followed.',
  answer_too_large: 'The answer is too large.',
  unsendable: 'The request has a header or method that cannot be sent.',
  timed_out: 'The server did not answer in time.',
  unknown_host: 'There is no server of this name.',
  bad_certificate: 'The certificate of the server is not valid for this address, or its encryption is broken.',
  no_lookup: 'The name of the server cannot be looked up at present.',
  connection_refused: 'The server refuses connections.',
  unreachable: 'The server cannot be reached.',
  connection_broken: 'The server broke the connection off.',
} as const

const say = speaker(egressSentences)

/** Not an address we go to, whatever it resolved to. */
export const unreachable = () => new Fault('upstream_refused', say('address_not_allowed'))

/** `to`: where it leads; only the host is named, since the rest may repeat what was sent. */
export const redirected = (to: URL | null = null) =>
  wrongAddress(
    new Fault('upstream_refused', to ? say('redirected', { address: to.origin }) : say('redirected_nowhere')),
  )

/** It goes round in circles. */
export const redirectedTooOften = () => wrongAddress(new Fault('upstream_refused', say('redirected_again')))

/** Honest answers are not, so this one may have been an accident. */
export const oversized = () => new Fault('upstream_retryable', say('answer_too_large'), { retryAfterSeconds: 60 })

export const unsendable = (cause: unknown) => new Fault('upstream_refused', say('unsendable'), { cause })

/** Nobody there, too slow, or not speaking sense: another time it may work. */
export function away(cause: unknown): Fault {
  const code = codeOf(cause)
  const [, known = null] = sentences.find(([codes]) => codes.test(code)) ?? []
  const message = known === null ? serviceUnavailable : say(known)
  const fault = new Fault('upstream_retryable', message, { retryAfterSeconds: 5, cause })
  return known === 'unknown_host' || known === 'bad_certificate' ? wrongAddress(fault) : fault
}

export const timedOut = (what: string) =>
  new Fault('upstream_retryable', say('timed_out'), {
    retryAfterSeconds: 5,
    cause: new Error(`${what} took too long`),
  })

export const nameWithoutAddress = () => away(Object.assign(new Error('the name has no address'), { code: 'ENODATA' }))

type Below =
  | 'unknown_host'
  | 'no_lookup'
  | 'connection_refused'
  | 'unreachable'
  | 'connection_broken'
  | 'bad_certificate'

/** What goes wrong below HTTP, in the words of whoever typed the address. */
const sentences: readonly (readonly [RegExp, Below])[] = [
  [/^(ENOTFOUND|ENODATA|EAI_NONAME|EBADNAME)$/, 'unknown_host'],
  [/^(ESERVFAIL|ETIMEOUT|EREFUSED|EAI_AGAIN)$/, 'no_lookup'],
  [/^ECONNREFUSED$/, 'connection_refused'],
  [/^(EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/, 'unreachable'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'connection_broken'],
  [/^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_OSSL_|EPROTO)/, 'bad_certificate'],
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
