import { Type } from 'typebox'
import { lockCounted } from '../../../runtime/db/lists/row-counters.ts'
import { keyForSealing } from '../../../runtime/db/vault/vault.ts'
import { job } from '../../../runtime/jobs/job.ts'
import type { Context } from '../../context.ts'
import { integrationsToSeal, ordersToSeal, sealStored } from './seal-store.ts'

const integrationsAtOnce = 50
const ordersAtOnce = 100

/** Seals who bought in orders that an earlier version stored in the clear, in short transactions, until none is left. */
export const sealOrders = job({
  name: 'seal-orders',
  input: Type.Object({}),
  maxRunSeconds: 3600,
  oneAtATime: () => 'seal-orders',
  run: async (context: Pick<Context, 'db' | 'transaction' | 'log'>, _input, { signal }) => {
    for (const id of await integrationsToSeal(context.db, integrationsAtOnce)) {
      let sealed = 0
      for (let some = ordersAtOnce; some === ordersAtOnce && !signal.aborted; sealed += some) {
        some = await sealSome(context, id)
      }
      context.log.info({ integration_id: id, orders: sealed }, 'customer data of stored orders sealed')
    }
  },
})

/** How many were sealed; 0 when there are none left. */
export async function sealSome({ db, transaction }: Pick<Context, 'db' | 'transaction'>, id: number): Promise<number> {
  const ids = await ordersToSeal(db, id, ordersAtOnce)
  if (ids.length === 0) return 0
  await transaction(async (trx) => {
    if ((await lockCounted(trx, id)) === null) return
    await sealStored(trx, id, await keyForSealing(trx, id), ids)
  })
  return ids.length
}
