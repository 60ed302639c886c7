import { say } from '../../commerce/words/say.ts'
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
  if (integration.status === 'ERROR') throw new Fault('upstream_refused', say('in_error'))
  throw new Fault('forbidden', say('not_active'))
}

/** Pages and milliseconds, so that neither a large shop nor a slow one keeps a worker from the others. */
const pagesInATurn = 100
const maxTurnMs = 2000

/**
 * Pages that are left; none once the time is over. It runs from the first page on: however long it took to get there, a turn
 * in which nothing is read would be one in vain.
 */
export function startTurn(now: () => number = () => performance.now()): Work['turn'] {
  let until: number | null = null
  let left = pagesInATurn
  return {
    get pages() {
      until ??= now() + maxTurnMs
      return now() > until ? Math.min(left, 0) : left
    },
    set pages(count) {
      left = count
    },
  }
}
