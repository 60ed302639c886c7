import { Type } from 'typebox'
import { Fault } from '../../lib/fault.ts'
import { sideBySide } from '../../lib/turns/side-by-side.ts'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { integrationsToRecover, markFailure, readCredentials } from '../integrations/credentials-store.ts'
import { lockIntegration, readIntegration } from '../integrations/integration-store.ts'
import { recoverIntegration } from '../integrations/recover-integration.ts'
import { testConnection } from './check-rights.ts'
import { openShop } from './open-remote.ts'

const atOnce = 50
/** So that shops that let us wait hold up few others. */
const together = 16

/** Looks, ever less often, whether shops that refused our credentials take them again: at all that are due, however many. */
export const recoverIntegrations = job({
  name: 'recover-integrations',
  input: Type.Object({}),
  oneAtATime: () => 'recover-integrations',
  run: async (context: Context, _input, { signal }) => {
    const tried = new Set<number>()
    let due: number[]
    do {
      due = (await integrationsToRecover(context.db, atOnce)).filter((id) => !tried.has(id))
      await sideBySide(due, together, async (id) => {
        tried.add(id)
        if (!signal.aborted) await tryAgain(context, id)
      })
    } while (due.length > 0 && !signal.aborted)
  },
})

async function tryAgain(context: Context, id: number): Promise<void> {
  const integration = await readIntegration(context.db, id)
  try {
    await testConnection(context.db, await openShop(context, integration, { lane: 'catalogue' }))
    await context.transaction(async (trx) => recoverIntegration(context, trx, await lockIntegration(trx, id)))
  } catch (error) {
    if (!(error instanceof Fault)) context.log.warn({ err: error, integration: id }, 'checking a shop failed')
    // Unless fetching new credentials has failed just now, which counts itself.
    const stored = await readCredentials(context.db, context.keys, integration)
    if (stored?.coolSeconds === 0) await markFailure(context.db, id, null)
  }
}
