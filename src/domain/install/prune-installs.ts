import { Type } from 'typebox'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { deleteExpiredGatewayKeys } from '../integrations/gateway-key-store.ts'
import { deleteSpentStates } from './install-state-store.ts'

/** Removes what opens nothing any longer: trips that never came back, gateway keys that have been replaced. */
export const pruneInstalls = job({
  name: 'prune-installs',
  input: Type.Object({}),
  run: async (context: Pick<Context, 'db'>) => {
    await deleteSpentStates(context.db)
    await deleteExpiredGatewayKeys(context.db)
  },
})
