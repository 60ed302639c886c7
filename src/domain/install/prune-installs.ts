import { Type } from 'typebox'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { deleteExpiredClaimCodes } from '../integrations/claim/claim-code-store.ts'
import { deleteExpiredGatewayKeys } from '../integrations/gateway-key-store.ts'
import { deleteSpentStates } from './install-state-store.ts'
import { destroyUnclaimed } from './platform-side/arrival-store.ts'

/**
 * Removes what opens nothing any longer: trips that never came back, gateway keys that have been replaced, codes that nobody used; and destroys
 * access to shops that nobody has come for.
 */
export const pruneInstalls = job({
  name: 'prune-installs',
  input: Type.Object({}),
  run: async (context: Pick<Context, 'db' | 'log'>) => {
    await deleteSpentStates(context.db)
    await deleteExpiredGatewayKeys(context.db)
    await deleteExpiredClaimCodes(context.db)
    for (const { type, shop, appId } of await destroyUnclaimed(context.db)) {
      context.log.info(
        { type, shop, app: appId },
        'nobody claimed a shop that was installed from the platform: its access was destroyed',
      )
    }
  },
})
