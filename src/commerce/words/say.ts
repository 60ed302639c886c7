import { speaker, type Wording } from '../../lib/words/wording.ts'
import { changingSentences } from './changing.ts'
import { connectingSentences } from './connecting.ts'
import { guardSentences } from './guarding.ts'
import { readingSentences } from './reading.ts'
import { recordSentences } from './records.ts'

/** What we say about shops in our own words. Other languages are in `web/components/reasons`; a test holds them against this. */
export const refusalSentences = {
  ...connectingSentences,
  ...readingSentences,
  ...recordSentences,
  ...changingSentences,
  ...guardSentences,
} as const

/** `throw refused(say('no_such_order'))` */
export const say = speaker(refusalSentences)

/** Whoever insists may have it all the same. */
export const forceable = (why: Wording): Wording => say('forceable', { why })

/** `none_to_ship` or `only_to_ship`: more of a line is wanted than there is. */
export const tooMany = (field: string, left: number, what: 'ship' | 'cancel' | 'refund'): Wording =>
  left === 0 ? say(`none_to_${what}`, { field }) : say(`only_to_${what}`, { field, left })
