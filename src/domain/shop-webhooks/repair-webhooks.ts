import { Type } from 'typebox'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { keepWebhooks, registerWebhooks } from './register-webhooks.ts'
import { registrationOf } from './shop-webhooks.ts'
import { shopsWithoutWebhooks, takeDueShops } from './shop-webhooks-store.ts'

const atOnce = 8
const adoptedAtOnce = 100

/** Every few hours each shop is asked whether it still sends what it should: platforms give up on receivers silently. */
export const repairWebhooks = job({
  name: 'repair-webhooks',
  input: Type.Object({}),
  retry: { attempts: 1 },
  maxRunSeconds: 600,
  run: async (context: Context, _input, { signal }) => {
    let due: number[]
    do {
      due = await takeDueShops(context.db, atOnce)
      await Promise.all(due.map((id) => keep(context, id)))
    } while (due.length === atOnce && !signal.aborted)
  },
})

/** One shop does not hold up the others; it comes again in ten minutes. */
async function keep(context: Context, integrationId: number): Promise<void> {
  await keepWebhooks(context, integrationId).catch((error: unknown) =>
    context.log.warn({ err: error, integration: integrationId }, 'the webhooks of a shop could not be checked'),
  )
}

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
