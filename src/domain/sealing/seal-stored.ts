import { Type } from 'typebox'
import { Fault } from '../../lib/fault.ts'
import { sealedAtOnce, sealSome } from '../../runtime/db/vault/seal-some.ts'
import type { Sealable } from '../../runtime/db/vault/sealable.ts'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { sealSomeAnswers } from '../webhooks/seal-attempt-store.ts'
import { integrationsToSeal, sealables } from './sealable-store.ts'

type Sealing = Pick<Context, 'db' | 'transaction' | 'log'>

/** Seals customer data that an earlier version stored in the clear, in short transactions, until none is left. */
export const sealStoredRows = job({
  name: 'seal-stored',
  input: Type.Object({}),
  maxRunSeconds: 3600,
  oneAtATime: () => 'seal-stored',
  run: async (context: Sealing, _input, { signal }) => {
    for (const sealable of sealables) {
      for (const id of await integrationsToSeal(context.db, sealable)) await sealAll(context, sealable, id, signal)
    }
    for (let some = sealedAtOnce; some === sealedAtOnce && !signal.aborted; ) {
      some = await context.transaction((trx) => sealSomeAnswers(trx, sealedAtOnce))
    }
  },
})

async function sealAll(
  context: Sealing,
  sealable: Sealable,
  integrationId: number,
  signal: AbortSignal,
): Promise<void> {
  const { table } = sealable
  let sealed = 0
  try {
    for (let some = sealedAtOnce; some === sealedAtOnce && !signal.aborted; sealed += some) {
      some = await sealSome(context, sealable, integrationId)
    }
    context.log.info({ integration_id: integrationId, table, rows: sealed }, 'stored customer data sealed')
  } catch (error) {
    // Its key does not open: the others are sealed all the same.
    if (!(error instanceof Fault)) throw error
    context.log.warn({ integration_id: integrationId, table, reason: error.message }, 'customer data cannot be sealed')
  }
}
