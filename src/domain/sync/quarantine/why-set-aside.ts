import { say } from '../../../commerce/words/say.ts'
import { reasonOf as sentenceOf } from '../../../lib/clean-text.ts'
import { whyOf } from '../../../lib/fault.ts'
import { reasonOf, type Wording } from '../../../lib/words/wording.ts'
import type { Quarantined } from './quarantine-store.ts'

/** What a connector does not understand. */
export function misread(error: unknown): Wording {
  const why = whyOf(error)
  return typeof why === 'string' ? say('record_misread', { problem: why }) : why
}

/** What the database does not take. */
export const notStored = (error: unknown): Wording => say('record_not_stored', { problem: sentenceOf(error) })

export const setAside = (key: string, why: Wording, payload: string): Quarantined => ({
  key,
  reason: why.text,
  why: reasonOf(why),
  payload,
})
