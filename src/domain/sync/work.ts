import { Fault } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import { type Integration, isRunning } from '../integrations/integration.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import type { Claim } from '../runs/run-store.ts'
import type { OpenShop } from '../shop/open-remote.ts'

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

/**
 * A merchant who has left, or rests, ends the run without its having failed. The same before every call to the shop, so
 * that nothing is asked after that; and a worker that has to stop does.
 */
export async function assertRunnable({
  context,
  claim,
  signal,
}: Pick<Work, 'context' | 'claim' | 'signal'>): Promise<Integration> {
  signal.throwIfAborted()
  const integration = await readIntegration(context.db, claim.integrationId)
  if (isRunning(integration)) return integration
  if (integration.status === 'ERROR') throw new Fault('upstream_refused', 'The integration is in an error state.')
  throw new Fault('forbidden', 'The integration is not active.')
}
