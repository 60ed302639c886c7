import { version } from '../../version.ts'
import { CommandError } from '../command.ts'
import { library } from './library.ts'

/** What the process ends with, by what went wrong. The guide lists them. */
export const exitCodes = {
  failed: 1,
  not_signed_in: 3,
  not_allowed: 4,
  not_found: 5,
  no_connection: 6,
  invalid: 7,
  busy: 8,
  other_version: 9,
} as const

export type FailureCode = keyof typeof exitCodes

export const failure = (code: FailureCode, message: string, requestId: string | null = null): CommandError =>
  new CommandError(message, { exitCode: exitCodes[code], code, requestId })

/** In words that say what to do next. What is none of the service's answers stays as it is. */
export function explained(error: unknown, url: string): unknown {
  const { EntrepotError, ConnectionError, AuthenticationError, PermissionError, NotFoundError } = library
  const { ConflictError, RateLimitError, UnavailableError, ValidationError } = library
  if (!(error instanceof EntrepotError)) return error
  const { requestId, status } = error
  const quoted = requestId === null ? '' : ` (request ${requestId})`
  const fail = (code: FailureCode, words: string) => failure(code, words, requestId)
  if (error instanceof ConnectionError) {
    return fail(
      'no_connection',
      `${url} does not answer: ${reasonOf(error)}\nIs it running, and is the address right? Another one: entrepot login URL`,
    )
  }
  if (isUnknownRoute(error.message) || status === 405) {
    return fail(
      'other_version',
      `${url} does not know this: it is of another version than this command line (${version}).\n${error.message}`,
    )
  }
  if (error instanceof AuthenticationError) {
    return fail(
      'not_signed_in',
      `${url} does not accept the token: it has ended or was revoked, or is of another kind. Sign in again: entrepot login ${url}`,
    )
  }
  if (error instanceof PermissionError) {
    return fail(
      'not_allowed',
      `You may not do this at ${url}: your role, or the scopes of the token, do not reach so far. "entrepot whoami" says who you are.${quoted}`,
    )
  }
  if (error instanceof NotFoundError) return fail('not_found', `${error.message}${quoted}`)
  if (error instanceof ValidationError) {
    const fields = Object.entries(error.errors).flatMap(([field, words]) => words.map((each) => `  ${field}: ${each}`))
    return fail('invalid', [`${error.message}${quoted}`, ...fields].join('\n'))
  }
  if (error instanceof RateLimitError) {
    return fail('busy', `${url} has been asked too often. Try again in ${error.retryAfterSeconds ?? 60} seconds.`)
  }
  if (error instanceof ConflictError || error instanceof UnavailableError) {
    return fail('busy', `${url} cannot do this now: ${error.message}${quoted}\nTry again in a moment.`)
  }
  return fail('failed', `${error.message}${quoted}`)
}

const isUnknownRoute = (message: string): boolean => /^The route .+ could not be found\.$/.test(message)

/** The cause behind the cause: that is where the system says what happened. */
function reasonOf(error: Error): string {
  let deepest: unknown = error
  while (deepest instanceof Error && deepest.cause !== undefined) deepest = deepest.cause
  return deepest instanceof Error
    ? deepest.message || (deepest as NodeJS.ErrnoException).code || 'no answer'
    : String(deepest)
}
