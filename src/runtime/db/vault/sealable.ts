import type { RecordKey } from '../../../lib/sealing/record-box.ts'
import type { dataPlane } from '../citus/data-plane.ts'
import type { Db } from '../connection.ts'

/** A table whose rows from an earlier version are still to be sealed: what finds them, and who seals them. */
export interface Sealable {
  table: (typeof dataPlane)[number]
  /** Condition of the rows that are not sealed; a partial index knows them. */
  unsealed: string
  /**
   * Seals so many where they are, and leaves nothing of it outside. Nothing about them has changed, so that nobody is told. Part of
   * a transaction that holds the integration's lock. How many there were.
   */
  sealSome(trx: Db, integrationId: number, how: { key: RecordKey; limit: number }): Promise<number>
}
