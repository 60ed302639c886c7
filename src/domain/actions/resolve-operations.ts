import { Type } from 'typebox'
import { connectorFor } from '../../commerce/connectors.ts'
import { Fault } from '../../lib/fault.ts'
import { sideBySide } from '../../lib/turns/side-by-side.ts'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { isRunning } from '../integrations/integration.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { isOperationKind, setsState, writeOf } from '../operations/operation.ts'
import {
  giveUpOperation,
  postponeOperation,
  type UnconfirmedOperation,
  unconfirmedOperations,
} from '../operations/operation-store.ts'
import { performWrite } from '../operations/perform-write.ts'
import { openShop } from '../shop/open-remote.ts'

const atOnce = 100
/** So that shops that let us wait hold up few others. */
const together = 16

/** Finds out what became of changes whose end nobody has seen. */
export const resolveOperations = job({
  name: 'resolve-operations',
  input: Type.Object({}),
  oneAtATime: () => 'resolve-operations',
  run: async (context: Context, _input, { signal }) => {
    const all = await unconfirmedOperations(context.db, atOnce)
    const shops = Map.groupBy(all, ({ integration_id: id }) => id)
    await sideBySide([...shops.values()], together, async (operations) => {
      for (const operation of operations) if (!signal.aborted) await settle(context, operation)
    })
  },
})

async function settle(context: Context, operation: UnconfirmedOperation): Promise<void> {
  try {
    await resolve(context, operation)
  } catch (error) {
    if (!(error instanceof Fault)) context.log.warn({ err: error }, 'a change in a shop is still unconfirmed')
    await postponeOperation(context.db, operation.integration_id, operation.id)
  }
}

async function resolve(context: Context, operation: UnconfirmedOperation): Promise<void> {
  const { integration_id: integrationId, id, kind, key, input, overdue, traceable } = operation
  const integration = await readIntegration(context.db, integrationId)
  const connector = connectorFor(context.connectors, integration)
  const write = connector && isOperationKind(kind) ? writeOf(connector, kind) : undefined
  const permanent = !write || overdue || integration.status === 'UNINSTALLED'
  if (permanent || !isOperationKind(kind) || (write.repeatable && setsState(kind) && !traceable)) {
    await giveUpOperation(context.db, integrationId, id)
    await appendLog(context.db, integrationId, {
      level: 'warning',
      event: 'operation.given_up',
      words: logWords('operation.given_up'),
      context: { operation: id, kind },
    })
    return
  }
  if (!isRunning(integration)) return await postponeOperation(context.db, integrationId, id)
  const { shop } = await openShop(context, integration, { lane: 'orders' })
  await performWrite(context, { integration, shop }, { kind, key, input, onlyFindOut: true }, write)
}
