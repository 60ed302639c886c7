import { Type } from 'typebox'
import { Fault } from '../../lib/fault.ts'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { idleIntegrations } from '../integrations/credentials-store.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { renewIdle } from './refresh-credentials.ts'
import { connectorOf } from './shop-remote.ts'

const atOnce = 100

/** Shops that nobody has asked anything for weeks: their tokens are renewed before that becomes impossible. */
export const touchCredentials = job({
  name: 'touch-credentials',
  input: Type.Object({}),
  oneAtATime: () => 'touch-credentials',
  run: async (context: Context, _input, { signal }) => {
    const lives = [...context.connectors.values()].flatMap(({ type, auth }) =>
      auth.kind !== 'key_handover' && auth.refreshTokenDays ? [{ type, days: auth.refreshTokenDays }] : [],
    )
    for (const { id, version } of await idleIntegrations(context.db, lives, atOnce)) {
      if (signal.aborted) return
      try {
        const integration = await readIntegration(context.db, id)
        await renewIdle(context, connectorOf(context, integration), integration, version)
      } catch (error) {
        // Logged at the integration already, and set to ERROR where the platform refuses for good.
        if (!(error instanceof Fault))
          context.log.warn({ err: error, integration: id }, 'idle tokens could not be refreshed')
      }
    }
  },
})
