import { Type } from 'typebox'
import { toTimestamp } from '../../../lib/timestamp.ts'
import { job } from '../../../runtime/jobs/job.ts'
import type { Context } from '../../context.ts'
import { appendLog } from '../../logs/log-store.ts'
import { logWords } from '../../logs/log-words.ts'
import { historyWords } from '../../orders/privacy/history-sentences.ts'
import { redactOrders } from '../../orders/privacy/redact-store.ts'
import {
  type Forgetful,
  forgetfulIntegrations,
  forgottenUntil,
  ordersToForget,
  setForgottenUntil,
} from './forget-store.ts'
import { notifyApps } from './privacy-events.ts'

const integrationsAtOnce = 200
const ordersAtOnce = 500

type Forgetting = Pick<Context, 'db' | 'transaction' | 'connectors' | 'personalDataDays'>

/**
 * Some platforms allow us to know who bought, and where it went, for a limited time after delivery. What was bought
 * stays. The operator may have set another time (`PERSONAL_DATA_DAYS`), also for platforms without a rule; 0 is for ever. An
 * app may want it shorter.
 */
export const forgetBuyers = job({
  name: 'forget-buyers',
  input: Type.Object({}),
  maxRunSeconds: 3600,
  oneAtATime: () => 'forget-buyers',
  run: async (context: Forgetting, _input, { signal }) => {
    const lives = keptDays(context)
    for (let after = 0; ; ) {
      const some = await forgetfulIntegrations(context.db, lives, { after, limit: integrationsAtOnce })
      for (const one of some) {
        const since = await forgottenUntil(context.db, one.id)
        while (!signal.aborted && (await forgetSome(context, one, since)) === ordersAtOnce);
        if (signal.aborted) return
        await setForgottenUntil(context.db, one.id, one.days)
      }
      after = some.at(-1)?.id ?? 0
      if (some.length < integrationsAtOnce) return
    }
  },
})

/** By type of service. */
export function keptDays({ connectors, personalDataDays }: Pick<Forgetting, 'connectors' | 'personalDataDays'>) {
  return [...connectors]
    .map(([type, { orders }]) => ({ type, days: personalDataDays?.get(type) ?? orders?.keepPersonalDataDays ?? 0 }))
    .filter(({ days }) => days > 0)
}

async function forgetSome(context: Forgetting, { id, days }: Forgetful, since: string | null): Promise<number> {
  const orderIds = await ordersToForget(context.db, id, { days, since, limit: ordersAtOnce })
  if (orderIds.length === 0) return 0
  const note = historyWords('history.redacted_late', { days })
  await context.transaction(async (trx) => {
    await redactOrders(trx, id, { orderIds, remoteIds: [], why: { source: 'shop', note } })
    await appendLog(trx, id, {
      level: 'info',
      event: 'privacy.retention_ended',
      words: logWords('privacy.retention_ended', { orders: orderIds.length, days }),
      context: { orders: orderIds.length },
    })
    await notifyApps(trx, id, 'privacy.redacted', { orderIds, at: toTimestamp(new Date()) })
  })
  return orderIds.length
}
