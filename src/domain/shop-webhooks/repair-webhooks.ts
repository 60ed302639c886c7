import { Type } from 'typebox'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { registerWebhooks } from './register-webhooks.ts'
import { registrationOf } from './shop-webhooks.ts'
import { shopsWithoutWebhooks, takeDueShops } from './shop-webhooks-store.ts'

const atOnce = 100

/** Every few hours each shop is asked whether it still sends what it should: platforms give up on receivers silently. */
export const repairWebhooks = job({
  name: 'repair-webhooks',
  input: Type.Object({}),
  retry: { attempts: 1 },
  run: async (context: Context, _input, { signal }) => {
    let due: readonly number[]
    do {
      due = await context.transaction(async (trx) => {
        const taken = await takeDueShops(trx, atOnce)
        for (const integrationId of taken) {
          const input = { integrationId, isCheck: true }
          await context.enqueue(trx, registerWebhooks, input, { key: `check:${integrationId}` })
        }
        return taken
      })
    } while (due.length === atOnce && !signal.aborted)
  },
})

/** Shops that were connected before there was anything to register, or whose registration was lost. */
export const adoptShops = job({
  name: 'adopt-shops',
  input: Type.Object({}),
  run: async (context: Context, _input, { signal }) => {
    const types = [...context.connectors.values()].filter((one) => registrationOf(one) !== null).map(({ type }) => type)
    let after = 0
    for (;;) {
      const page = await shopsWithoutWebhooks(context.db, { types, after, limit: adoptedAtOnce })
      await context.transaction(async (trx) => {
        for (const integrationId of page)
          await context.enqueue(trx, registerWebhooks, { integrationId }, { key: `adopt:${integrationId}` })
      })
      if (page.length < adoptedAtOnce || signal.aborted) return
      after = page.at(-1) ?? after
    }
  },
})
