import type { Db } from '../connection.ts'
import { lockCounted } from '../lists/row-counters.ts'
import type { Sealable } from './sealable.ts'
import { keyForSealing } from './vault.ts'

/** How many rows are sealed in one transaction. */
export const sealedAtOnce = 100

/** Seals some rows of an integration that an earlier version stored in the clear: how many; 0 when there are none left. */
export const sealSome = (
  { transaction }: { transaction: <T>(work: (trx: Db) => Promise<T>) => Promise<T> },
  sealable: Sealable,
  integrationId: number,
): Promise<number> =>
  transaction(async (trx) => {
    if ((await lockCounted(trx, integrationId)) === null) return 0
    const key = await keyForSealing(trx, integrationId)
    return await sealable.sealSome(trx, integrationId, { key, limit: sealedAtOnce })
  })
