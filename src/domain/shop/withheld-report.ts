import type { MissingRight } from '../../commerce/rules/rights.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { appendLog, hasLogged } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'

const event = 'rights.withheld'

/** Part of an answer is missing: the log of the integration says so, once a day, however many answers there are. */
export function withheldReport(db: Db, integrationId: number): (right: MissingRight) => Promise<void> {
  let reported = false
  return async ({ name, where }) => {
    if (reported) return
    reported = true
    if (await hasLogged(db, integrationId, { event, hours: 24 })) return
    await appendLog(db, integrationId, {
      level: 'warning',
      event,
      words: logWords('rights.withheld', { right: name, place: where }),
    })
  }
}
