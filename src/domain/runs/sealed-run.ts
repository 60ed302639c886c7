import { sealRecord } from '../../lib/sealing/record-box.ts'
import type { Reason } from '../../lib/words/wording.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { keysForSealingOrNull, openEach, type Through } from '../../runtime/db/vault/vault.ts'

/** How a run has ended, in the words of the shop, or with what it has answered. */
interface Ending {
  error?: string
  /** What the error follows from; null where the shop has said it. */
  reason?: Reason | null
  result?: unknown
}

interface Place {
  integration_id: number
  id: number
}

export const placeOfEnding = ({ integration_id: integrationId, id }: Place) =>
  `runs.private_result/${integrationId}/${id}`

/** Null where there is no key: then our own words are all that is kept. */
export async function sealEnding(db: Db, place: Place, ending: Ending): Promise<Buffer | null> {
  const keyOf = await keysForSealingOrNull(db, [place.integration_id])
  return keyOf && sealRecord(keyOf(place.integration_id), JSON.stringify(ending), placeOfEnding(place))
}

export type Sealed<Row> = Row & Place & { private_result: Buffer | null }

/** With what was sealed of them, as far as it can be opened. */
export async function openEndings<Row extends object>(through: Through, rows: readonly Sealed<Row>[]): Promise<Row[]> {
  const opened = await openEach(through, rows, (row) =>
    row.private_result === null
      ? null
      : { integrationId: row.integration_id, sealed: row.private_result, place: placeOfEnding(row) },
  )
  return rows.map((row) => {
    const bytes = opened.get(row)
    const ending: Ending = bytes ? JSON.parse(bytes.toString()) : {}
    return Object.assign({ ...row, private_result: null }, ending)
  })
}
