import { because, Fault } from '../../../lib/fault.ts'
import { reasonOrNull, textOf, type Wording } from '../../../lib/words/wording.ts'
import type { Egress, EgressAnswer } from '../../../runtime/egress/egress-request.ts'
import type { Context } from '../../context.ts'
import { testEvent } from '../../events/event.ts'
import { attemptWords } from '../attempt-words.ts'
import { catcherToken } from '../catcher.ts'
import { catchRequest } from '../catcher-store.ts'
import { messageId, payloadOf, readRetryAfter, retryDelay } from '../delivery.ts'
import type { ClaimedDelivery, Settlement, Target } from './claim-store.ts'
import { type SigningKeys, signedHeaders } from './sign-delivery.ts'

export type Send = Egress['fetch']

/** What leaves the machine, and what signs it. */
export interface Outgoing {
  send: Send
  keysOf: SigningKeys
}

export interface Sent {
  settlement: Settlement
  /** The endpoint says that it is gone for good. */
  gone: boolean
  /** How long it wants to be left alone. */
  restMs: number | undefined
}

const timeoutMs = 15_000
const maxExcerptLength = 1024
const goneSeconds = 60

/**
 * An answer may name anybody, and is sealed with the key of the shop that the event is about. Where there is none it is kept of
 * news of webhooks themselves, which are about no order.
 */
const keepsAnswer = ({ integration_id: integrationId, type }: ClaimedDelivery): boolean =>
  integrationId !== null || type === testEvent || type === 'webhook.disabled'

/** One attempt: signed, sent once, redirects not followed. Whatever happens is an outcome. */
export async function sendDelivery(
  context: Pick<Context, 'db' | 'publicUrl'>,
  { send, keysOf }: Outgoing,
  delivery: ClaimedDelivery,
  target: Target,
): Promise<Sent> {
  const at = new Date()
  const payload = payloadOf(delivery, target.thin)
  const begun = performance.now()
  const outcome = await attempt()
  const ms = Math.round(performance.now() - begun)
  const { status, retryAfter } = outcome
  const ok = status !== null && status >= 200 && status < 300
  const gone = status === 410
  // What is gone is held with everything else of its webhook, which is disabled next; should that fail, it is found again.
  const answered = status === null ? null : attemptWords('attempt.answered', { status })
  const failure = ok ? null : (outcome.error ?? answered)
  const delay = ok ? null : gone ? goneSeconds : retryDelay(delivery.failures + 1, retryAfter, Math.random)
  return {
    settlement: {
      id: delivery.id,
      integrationId: delivery.integration_id,
      attempt: delivery.attempt,
      state: ok ? 'delivered' : delay === null ? 'failed' : 'pending',
      delay: delay ?? 0,
      trigger: delivery.replayed ? 'replay' : 'schedule',
      status,
      body: keepsAnswer(delivery) ? outcome.body : null,
      error: failure === null ? null : textOf(failure),
      reason: outcome.error === null ? null : reasonOrNull(outcome.error),
      ms,
      at: at.toISOString(),
    },
    gone,
    restMs: retryAfter === null ? undefined : retryAfter * 1000,
  }

  async function attempt() {
    try {
      const message = { id: messageId(delivery.event_id), timestamp: Math.floor(at.getTime() / 1000), payload }
      const headers = { ...signedHeaders(keysOf(target), message), 'user-agent': 'Entrepot-Webhooks' }
      const answer = await post(headers)
      const retryAfter = readRetryAfter(answer.headers['retry-after'], at.getTime())
      return { status: answer.status, retryAfter, body: excerptOf(answer), error: null }
    } catch (error) {
      return { status: null, retryAfter: null, body: null, error: wordsFor(error) }
    }
  }

  async function post(headers: Record<string, string>): Promise<EgressAnswer> {
    const token = catcherToken(context, target.url)
    if (token === null) {
      return await send({
        url: target.url,
        method: 'POST',
        headers,
        body: payload,
        timeoutMs,
        excerpt: maxExcerptLength,
      })
    }
    const caught = await catchRequest(context.db, token, { headers, body: payload })
    return { status: caught ? 200 : 410, headers: {}, bytes: Buffer.alloc(0) }
  }
}

/** The beginning of the answer, as far as it is text: for whoever looks for the reason. */
function excerptOf({ bytes }: EgressAnswer): string | null {
  if (bytes.length === 0) return null
  return [...bytes.toString('utf8')].filter((character) => character >= ' ' || character === '\n').join('')
}

/** What went wrong on the way, without anything about our own network. */
function wordsFor(error: unknown): string | Wording {
  if (!(error instanceof Fault)) return attemptWords('attempt.not_sent')
  if (error.kind !== 'upstream_retryable') return because(error)
  const cause = error.cause instanceof Error ? error.cause : null
  const code = cause && 'code' in cause && typeof cause.code === 'string' ? cause.code : null
  if (cause?.message.endsWith('took too long')) return attemptWords('attempt.timed_out')
  return attemptWords('attempt.unreachable', { code })
}
