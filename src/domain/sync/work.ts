import { Fault } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import { isRunning } from '../integrations/integration.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import type { OpenShop } from '../integrations/open-remote.ts'
import type { Claim } from '../integrations/run-store.ts'

/** One turn of a worker on a run. */
export interface Work {
  context: Context
  claim: Claim
  open: OpenShop
  signal: AbortSignal
  /** How many pages are left before others have their turn. */
  turn: { pages: number }
  /** What the run had read of other kinds before this one. */
  before: number
}

/** The run ends without having failed: nobody wants it any longer. */
export const stopped = () => new Fault('forbidden', 'The integration is not active.')

/** Before every call to the shop: the merchant may have left, or the worker may have to. */
export async function mayGoOn({ context, claim, signal }: Work): Promise<void> {
  signal.throwIfAborted()
  if (!isRunning(await readIntegration(context.db, claim.integrationId))) throw stopped()
}
