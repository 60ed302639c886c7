import { Type } from 'typebox'
import { job } from '../../../runtime/jobs/job.ts'
import type { Context } from '../../context.ts'
import { appendLog } from '../../logs/log-store.ts'
import { logWords } from '../../logs/log-words.ts'
import { emitEndingConsent } from '../integration-events.ts'
import { takeEndingConsents } from './consent-store.ts'

/** So early that the merchant can be asked without haste. */
const announcedDays = 30
const atOnce = 100

/** Some platforms let a merchant agree for a time only: that it ends is said once, well before. */
export const announceConsents = job({
  name: 'announce-consents',
  input: Type.Object({}),
  oneAtATime: () => 'announce-consents',
  run: async (context: Context, _input, { signal }) => {
    for (let announced = atOnce; announced === atOnce && !signal.aborted; ) announced = await announceSome(context)
  },
})

/** The mark, the log and the event commit together. */
const announceSome = (context: Context): Promise<number> =>
  context.transaction(async (trx) => {
    const ending = await takeEndingConsents(trx, { days: announcedDays, limit: atOnce })
    for (const integration of ending) {
      const { id, shop, consent_ends_at: end } = integration
      await appendLog(trx, id, {
        level: 'warning',
        event: 'integration.consent_ending',
        words: logWords('integration.consent_ending', { shop, at: end }),
        context: { consent_ends_at: end },
      })
      await emitEndingConsent(trx, integration)
    }
    return ending.length
  })
