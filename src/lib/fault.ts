import { reasonOf } from './clean-text.ts'
import { Unreadable } from './words/unreadable.ts'
import { speaker, textOf, type Wording } from './words/wording.ts'

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

/** The same with what the texts follow from; a plain string is what somebody else has said. */
export type FieldWordings = Record<string, readonly (string | Wording)[]>

/** What RFC 6749 wants in an error answer, beside the description that every fault carries as its message. */
export interface OAuthProblem {
  status: 400 | 401 | 503
  error: string
  hint?: string
}

export interface FaultDetails {
  errors?: FieldWordings
  oauth?: OAuthProblem
  retryAfterSeconds?: number
  cause?: unknown
}

export class Fault extends Error {
  readonly kind: FaultKind
  /** What the message follows from; absent where somebody else has said it. */
  readonly wording: Wording | undefined
  readonly errors: FieldErrors | undefined
  /** What the errors follow from. */
  readonly wordings: FieldWordings | undefined
  readonly oauth: OAuthProblem | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(kind: FaultKind, message: string | Wording, details: FaultDetails = {}) {
    super(textOf(message), { cause: details.cause })
    this.name = 'Fault'
    this.kind = kind
    this.wording = typeof message === 'string' ? undefined : message
    this.errors = details.errors && textsOf(details.errors)
    this.wordings = details.errors
    this.oauth = details.oauth
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** What is not about a field. */
export const faultSentences = {
  unauthenticated: 'Unauthenticated.',
  forbidden: 'This action is unauthorized.',
  not_found: 'Not found.',
  too_large: 'The POST data is too large.',
  too_many: 'Too Many Requests',
  unavailable: 'Service Unavailable',
  several: '{all}',
  quoted: '{words}',
  server_error: 'Server Error',
} as const

const say = speaker(faultSentences)

export const unauthenticated = () => new Fault('unauthenticated', say('unauthenticated'))
export const forbidden = () => new Fault('forbidden', say('forbidden'))
export const notFound = () => new Fault('not_found', say('not_found'))
export const malformed = (message: string) => new Fault('malformed', message)
export const tooLarge = () => new Fault('too_large', say('too_large'))
export const tooMany = (retryAfterSeconds: number) =>
  new Fault('too_many', say('too_many'), { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterSeconds)) })
export const unavailable = (retryAfterSeconds = 1, cause?: unknown) =>
  new Fault('unavailable', say('unavailable'), { retryAfterSeconds, cause })

export const serviceUnavailable = say('unavailable')

/** The first message and how many more there are, as clients of this family expect. */
export function headline(errors: FieldErrors): string {
  const messages = Object.values(errors).flat()
  const more = messages.length - 1
  const suffix = more > 0 ? ` (and ${more} more error${more === 1 ? '' : 's'})` : ''
  return `${messages[0] ?? 'The given data was invalid.'}${suffix}`
}

/** In English. */
export const textsOf = (errors: FieldWordings): FieldErrors =>
  Object.fromEntries(Object.entries(errors).map(([field, said]) => [field, said.map((one) => textOf(one))]))

/** A fault that is about fields. Of a single complaint the fault itself says what it follows from. */
export function faultAt(kind: FaultKind, errors: FieldWordings): Fault {
  const [only, ...others] = Object.values(errors).flat()
  return new Fault(kind, only !== undefined && others.length === 0 ? only : headline(textsOf(errors)), { errors })
}

/** A 422. */
export const invalid = (errors: FieldWordings): Fault => faultAt('invalid', errors)

export const invalidField = (field: string, message: string | Wording) => invalid({ [field]: [message] })

/** Why it failed: with its code where it is ours, else in the words of whoever said it. */
export function because({ wording, wordings, message }: Fault): string | Wording {
  const all = Object.values(wordings ?? {}).flat()
  if (wording || all.every((one) => typeof one === 'string')) return wording ?? message
  const said = all.map((one) => (typeof one === 'string' ? say('quoted', { words: one }) : one))
  return { ...say('several', { all: said }), text: message }
}

/** The same of whatever was thrown, for those who keep it. */
export function whyOf(error: unknown): string | Wording {
  if (error instanceof Fault) return because(error)
  return error instanceof Unreadable ? error.wording : reasonOf(error)
}
