/**
 * The closed set of ways our code may fail on purpose. The domain throws these; `runtime/http/faults.ts` turns a kind
 * into a status and body once, `runtime/jobs/worker.ts` turns it into "retry" or "give up" once. Anything else that is
 * thrown is a bug and becomes a 500.
 */
export type FaultKind =
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'malformed'
  | 'invalid'
  | 'conflict'
  | 'too_large'
  | 'too_many'
  | 'unavailable'
  | 'oauth'
  | 'upstream_retryable'
  | 'upstream_refused'

export type FieldErrors = Record<string, string[]>

/** What RFC 6749 wants in an error answer, beside the description that every fault carries as its message. */
export interface OAuthProblem {
  status: 400 | 401 | 503
  error: string
  hint?: string
}

interface FaultDetails {
  errors?: FieldErrors
  oauth?: OAuthProblem
  retryAfterSeconds?: number
  cause?: unknown
}

export class Fault extends Error {
  readonly kind: FaultKind
  readonly errors: FieldErrors | undefined
  readonly oauth: OAuthProblem | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(kind: FaultKind, message: string, details: FaultDetails = {}) {
    super(message, { cause: details.cause })
    this.name = 'Fault'
    this.kind = kind
    this.errors = details.errors
    this.oauth = details.oauth
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

export const unauthenticated = () => new Fault('unauthenticated', 'Unauthenticated.')
export const forbidden = () => new Fault('forbidden', 'This action is unauthorized.')
export const notFound = () => new Fault('not_found', 'Not found.')
export const malformed = (message: string) => new Fault('malformed', message)
export const tooLarge = () => new Fault('too_large', 'The POST data is too large.')
export const tooMany = (retryAfterSeconds: number) =>
  new Fault('too_many', 'Too Many Requests', { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterSeconds)) })
export const unavailable = (retryAfterSeconds = 1, cause?: unknown) =>
  new Fault('unavailable', 'Service Unavailable', { retryAfterSeconds, cause })

/** The first message and how many more there are, as clients of this family expect. */
export function headline(errors: FieldErrors): string {
  const messages = Object.values(errors).flat()
  const more = messages.length - 1
  const suffix = more > 0 ? ` (and ${more} more error${more === 1 ? '' : 's'})` : ''
  return `${messages[0] ?? 'The given data was invalid.'}${suffix}`
}

/** A 422. */
export const invalid = (errors: FieldErrors): Fault => new Fault('invalid', headline(errors), { errors })

export const invalidField = (field: string, message: string) => invalid({ [field]: [message] })
