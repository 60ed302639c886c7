import { speaker } from '../../lib/words/wording.ts'

/** Why a message of a shop came to nothing. Other languages are in `web/components/reasons`; a test holds them against this. */
export const inboundSentences = {
  'message.lost': 'Its content is no longer available.',
  'message.no_webhooks': 'The service sends no webhooks.',
  'message.not_parsed': 'It could not be parsed: {reason}',
  'message.uninstalled': 'The integration is uninstalled.',
  'message.unsigned': 'The webhook was not signed by the platform.',
  'message.nothing_to_do': 'Nothing to do.',
  'message.crashed': 'Workers crashed while processing it.',
} as const

export const inboundWords = speaker(inboundSentences)
