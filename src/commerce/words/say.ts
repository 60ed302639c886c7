import { speaker } from '../../lib/words/wording.ts'
import { changingSentences } from './changing.ts'
import { connectingSentences } from './connecting.ts'
import { readingSentences } from './reading.ts'

/** What we say about shops in our own words. Other languages are in `web/components/reasons`; a test holds them against this. */
export const refusalSentences = { ...connectingSentences, ...readingSentences, ...changingSentences } as const

/** `throw refused(say('no_such_order'))` */
export const say = speaker(refusalSentences)
