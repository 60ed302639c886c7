import type { RecordKey } from '../../../lib/sealing/record-box.ts'
import { inTurns } from '../../../lib/turns/in-turns.ts'
import { joinRows, jsonRows } from '../../../runtime/db/lists/json-rows.ts'
import { type Order, redactedMark, type SyncedOrder, withoutPrivate } from '../order.ts'
import { digestOfPart, sealPart, sealRemote } from './private-part.ts'

export type RowToSeal = Omit<SyncedOrder, 'parcels'> & Pick<Order, 'returns'> & { id: number | undefined }

/** Rows as they are written: one document of JSON, and the sealed records one behind the other, which costs least. */
export interface SealedRows {
  document: Buffer
  bytes: Buffer
}

/** In the place of a buyer who was forgotten. */
const forgotten = { customer: redactedMark, remote_payload: redactedMark, redacted: true }

/** In turns with others: compressing and sealing large records takes its time. */
export async function sealRows(
  key: RecordKey,
  integrationId: number,
  orders: readonly RowToSeal[],
  isRedacted: (order: RowToSeal) => boolean,
): Promise<SealedRows> {
  const pieces: Buffer[] = []
  let end = 1
  const append = (piece: Buffer) => {
    const place = { at: end, size: piece.length }
    pieces.push(piece)
    end += piece.length
    return place
  }
  // Made at once: rows that wait for each other to become text are taken for old.
  const rows: string[] = []
  const add = (row: object) => rows.push(JSON.stringify(row))
  await inTurns(orders, (order) => {
    const { remote_id: remoteId, remote_payload: payload } = order
    if (isRedacted(order)) {
      add({ ...order, ...withoutPrivate(order), ...forgotten })
      return
    }
    const sealed = sealPart(key, { integrationId, remoteId }, order)
    const part = append(sealed.private)
    const record = payload == null ? null : append(sealRemote(key, { integrationId, remoteId }, payload))
    add({
      ...order,
      ...withoutPrivate(order),
      remote_payload: undefined,
      private_digest: sealed.private_digest.toString('hex'),
      private_words: sealed.private_words,
      ...{ private_at: part.at, private_size: part.size, record_at: record?.at, record_size: record?.size },
    })
  })
  return { document: joinRows(rows), bytes: Buffer.concat(pieces) }
}

/** The same rows as a document to compare by, in which nothing is sealed. */
export const comparableRows = (key: RecordKey, orders: readonly RowToSeal[]): Promise<Buffer> =>
  jsonRows(orders, (order) => ({
    ...order,
    ...withoutPrivate(order),
    remote_payload: undefined,
    private_digest: digestOfPart(key, order).toString('hex'),
  }))
