import { sql } from 'kysely'
import type { RecordKey } from '../../lib/sealing/record-box.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Sealable } from '../../runtime/db/vault/sealable.ts'
import {
  type Answer,
  type NamedOperation,
  type SealedInput,
  type SealedResult,
  sealInput,
  sealResult,
  unsealInputs,
  unsealResults,
} from './sealed-operation.ts'

/** Writes what was wanted and answered once more, sealed, without a word to anybody. */
export async function writeOperations(
  trx: Db,
  key: RecordKey,
  operations: readonly (NamedOperation & { id: number; input: unknown } & Answer)[],
): Promise<void> {
  for (const operation of operations) {
    await trx
      .updateTable('operations')
      .set({ ...sealInput(key, operation, operation.input), ...sealResult(key, operation, operation) })
      .where('integration_id', '=', operation.integration_id)
      .where('id', '=', operation.id)
      .execute()
  }
}

const unsealed = `private_input is null or (private_result is null and (result is not null or error is not null))`

/** Those from before they were sealed. */
export const sealableOperations: Sealable = {
  table: 'operations',
  unsealed,
  async sealSome(trx, integrationId, { key, limit }) {
    const { rows } = await sql<SealedInput & SealedResult & { id: number }>`
      select integration_id, id, kind, key, input, private_input, result, error, private_result from operations
      where integration_id = ${integrationId} and (${sql.raw(unsealed)}) order by id limit ${limit} for update`.execute(
      trx,
    )
    // One half may have been sealed since.
    await writeOperations(trx, key, await unsealInputs(trx, await unsealResults(trx, rows)))
    return rows.length
  },
}
