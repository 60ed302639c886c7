import type { Fault, FieldWordings } from '../../lib/fault.ts'
import { type Reason, reasonOf, reasonOrNull } from '../../lib/words/wording.ts'

export interface FaultAnswer {
  status: number
  body: Record<string, unknown>
  headers: Record<string, string>
}

/** Of the limits that are counted by the minute. */
const windowSeconds = 60

/**
 * For those who show refusals to merchants: what each text follows from, in its place; null for what somebody else has said, which is
 * shown as it is. Of the others the status says enough, and the specification has their bodies to the letter.
 */
function reasonsFor(fault: Fault): { reason: Reason | null; reasons?: Record<string, (Reason | null)[]> } {
  const { wording, kind } = fault
  const wordings: FieldWordings | undefined =
    fault.wordings ?? (kind === 'upstream_refused' ? { shop: [wording ?? fault.message] } : undefined)
  const reason = wording ? reasonOf(wording) : null
  return wordings ? { reason, reasons: reasonsIn(wordings) } : { reason }
}

const reasonsIn = (wordings: FieldWordings): Record<string, (Reason | null)[]> =>
  Object.fromEntries(Object.entries(wordings).map(([field, said]) => [field, said.map((one) => reasonOrNull(one))]))

const explained = new Set<Fault['kind']>(['invalid', 'upstream_refused', 'upstream_retryable'])

/** What elements in pages of others ask for: they speak seven languages. */
const speaksToMerchants = (url: string): boolean => url.startsWith('/api/2.0/webcomponent/')

interface Asked {
  url?: string
  authorization?: string | undefined
}

/** Kind of fault → status and body. The specification lists no 502, so none is sent, and 409 only to those who use keys. */
export function answerFault(fault: Fault, { url = '', authorization }: Asked = {}): FaultAnswer {
  const answer: FaultAnswer = { status: statusOf(fault), body: { message: fault.message }, headers: {} }
  const challenge = challengeFor(fault, authorization?.trim() ?? '')
  if (challenge !== null) answer.headers['www-authenticate'] = challenge
  const errors = fault.errors ?? (fault.kind === 'upstream_refused' ? { shop: [fault.message] } : undefined)
  if (errors) answer.body['errors'] = errors
  if (speaksToMerchants(url) && explained.has(fault.kind)) Object.assign(answer.body, reasonsFor(fault))
  if (fault.retryAfterSeconds !== undefined) answer.headers['retry-after'] = String(fault.retryAfterSeconds)
  if (fault.kind === 'too_many' && (fault.retryAfterSeconds ?? 0) > windowSeconds) {
    // A pause that is longer than the window: both headers say the same.
    answer.headers['x-ratelimit-reset'] = String(Math.ceil(Date.now() / 1000) + (fault.retryAfterSeconds ?? 0))
  }
  if (fault.oauth) {
    const { error, hint } = fault.oauth
    answer.body = { error, error_description: fault.message, ...(hint ? { hint } : {}), message: fault.message }
    answer.headers['cache-control'] = 'no-store'
    answer.headers['pragma'] = 'no-cache'
  }
  return answer
}

/** How to come back from a 401. A client that failed at the token endpoint is shown a scheme only if it has used one. */
function challengeFor(fault: Fault, authorization: string): string | null {
  const sentBearer = /^bearer\b/i.test(authorization)
  if (fault.kind === 'unauthenticated') return sentBearer ? 'Bearer error="invalid_token"' : 'Bearer'
  if (fault.oauth?.status !== 401 || authorization === '') return null
  return sentBearer ? 'Bearer realm="OAuth"' : 'Basic realm="OAuth"'
}

function statusOf(fault: Fault): number {
  switch (fault.kind) {
    case 'malformed':
      return 400
    case 'unauthenticated':
      return 401
    case 'forbidden':
      return 403
    case 'not_found':
      return 404
    case 'conflict':
      return 409
    case 'too_large':
      return 413
    case 'invalid':
    case 'upstream_refused':
      return 422
    case 'too_many':
      return 429
    case 'unavailable':
    case 'upstream_retryable':
      return 503
    case 'oauth':
      return fault.oauth?.status ?? 400
  }
}

export const serverError: FaultAnswer = { status: 500, body: { message: 'Server Error' }, headers: {} }
