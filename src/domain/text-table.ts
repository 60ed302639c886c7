import type { Db } from '../runtime/db/connection.ts'

/** A row of a table that may repeat what people or shops have said. */
export interface TextRow {
  /** Tells it apart from others of the integration; `read` goes on after it. */
  place: string
  /** All that it says, in the clear. */
  says: string
  /** The shop's ids of orders that it is about. */
  orders: readonly string[]
  /** Somebody still needs what it says: it is looked at again later. */
  isNeeded?: boolean
}

/** How a table is searched for somebody, and what it says of them is removed. Each lives in the room of its table. */
export interface TextTable {
  name: string
  /** Copies that belong to callers, whatever shop they are of: nothing that an export has to tell once more. */
  isOfCallers?: true
  /** Rows of an integration that say anything, in the order of their places. */
  read(db: Db, integrationId: number, page: { after: string | null; limit: number }): Promise<TextRow[]>
  /** What they say is gone afterwards; that there was such a row stays. */
  forget(trx: Db, integrationId: number, places: readonly string[]): Promise<void>
}
