import { Type } from 'typebox'
import { rightsMissing } from '../../commerce/rules/rights.ts'
import { Fault } from '../../lib/fault.ts'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { integrationsToRecover, markFailure, readCredentials } from '../integrations/credentials-store.ts'
import { lockIntegration, readIntegration } from '../integrations/integration-store.ts'
import { recoverIntegration } from '../integrations/recover-integration.ts'
import { openShop } from './open-remote.ts'

const atOnce = 50

/** Looks, ever less often, whether shops that refused our credentials take them again. */
export const recoverIntegrations = job({
  name: 'recover-integrations',
  input: Type.Object({}),
  oneAtATime: () => 'recover-integrations',
  run: async (context: Context, _input, { signal }) => {
    for (const id of await integrationsToRecover(context.db, atOnce)) {
      if (signal.aborted) return
      await tryAgain(context, id)
    }
  },
})

async function tryAgain(context: Context, id: number): Promise<void> {
  const integration = await readIntegration(context.db, id)
  try {
    const { connector, shop } = await openShop(context, integration, { lane: 'catalogue' })
    await connector.auth.checkAccess(shop)
    const missing = (await connector.auth.checkRights?.(shop)) ?? []
    if (missing.length > 0) throw rightsMissing(missing)
    await context.transaction(async (trx) => recoverIntegration(context, trx, await lockIntegration(trx, id)))
  } catch (error) {
    if (!(error instanceof Fault)) context.log.warn({ err: error, integration: id }, 'checking a shop failed')
    // Unless fetching new credentials has failed just now, which counts itself.
    const stored = await readCredentials(context.db, context.keys, integration)
    if (stored?.coolSeconds === 0) await markFailure(context.db, id, null)
  }
}
