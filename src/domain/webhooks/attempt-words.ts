import { reasonOf, speaker } from '../../lib/words/wording.ts'

/** Why an attempt to reach an endpoint failed. Other languages are in `web/components/reasons`; a test holds them against this. */
export const attemptSentences = {
  'attempt.answered': 'The endpoint answered {status}.',
  'attempt.timed_out': 'The endpoint did not answer in time.',
  'attempt.unreachable': 'The endpoint could not be reached[ ({code})].',
  'attempt.not_sent': 'The message could not be sent.',
} as const

export const attemptWords = speaker(attemptSentences)

interface Failed {
  error: string | null
  response_status: number | null
  reason: unknown
}

/** What the error follows from: of an endpoint that has answered, its status; of one that has not, what was kept. */
export function whyFailed({ error, response_status: status, reason }: Failed): unknown {
  if (error === null) return null
  return status === null ? reason : reasonOf(attemptWords('attempt.answered', { status }))
}
