import { type RecordKey, sealRecord } from '../../../lib/sealing/record-box.ts'
import type { Reason } from '../../../lib/words/wording.ts'
import { openEach, type Through } from '../../../runtime/db/vault/vault.ts'

/** What a shop has sent is sealed as one piece, and so is what went wrong with it, which may repeat it. */

export interface Content {
  headers: Record<string, string>
  query: Record<string, string>
  body: Buffer
}

interface Named {
  integration_id: number
  delivery_id: string
}

/** Places keep the name that the table had when the first messages were sealed: nothing opens under another. */
const contentPlace = ({ integration_id: integrationId, delivery_id: id }: Named) =>
  `inbound_deliveries.private/${integrationId}/${id}`

interface Numbered {
  integration_id: number
  id: number
}

const errorPlace = ({ integration_id: integrationId, id }: Numbered) =>
  `inbound_deliveries.private_error/${integrationId}/${id}`

/** Length of the JSON (4 bytes), headers and query as JSON, body. */
export function sealContent(key: RecordKey, named: Named, { headers, query, body }: Content): Buffer {
  const head = Buffer.from(JSON.stringify([headers, query]))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(head.length)
  return sealRecord(key, Buffer.concat([length, head, body]), contentPlace(named))
}

const reasonPlace = ({ integration_id: integrationId, id }: Numbered) =>
  `inbound_deliveries.private_reason/${integrationId}/${id}`

export const sealError = (key: RecordKey, numbered: Numbered, error: string): Buffer =>
  sealRecord(key, error, errorPlace(numbered))

/** What the error follows from: it has the shop's words among its parameters. */
export const sealReason = (key: RecordKey, numbered: Numbered, reason: Reason): Buffer =>
  sealRecord(key, JSON.stringify(reason), reasonPlace(numbered))

function contentOf(opened: Buffer): Content {
  const start = 4 + opened.readUInt32BE()
  const [headers, query] = JSON.parse(opened.toString('utf8', 4, start))
  return { headers, query, body: opened.subarray(start) }
}

const nothing: Content = { headers: {}, query: {}, body: Buffer.alloc(0) }

/** The same rows in the clear. `lost`: what they say cannot be opened any longer. */
export async function unsealContents<Row extends Named & Content & { private: Buffer | null }>(
  through: Through,
  rows: readonly Row[],
): Promise<(Row & { lost: boolean })[]> {
  const opened = await openEach(
    through,
    rows,
    (row) => row.private && { integrationId: row.integration_id, sealed: row.private, place: contentPlace(row) },
  )
  return rows.map((row) => {
    const bytes = opened.get(row)
    if (bytes === undefined) return { ...row, lost: false }
    return { ...row, ...(bytes ? contentOf(bytes) : nothing), private: null, lost: bytes === null }
  })
}

/** In the place of words that cannot be opened any longer. */
const redactedWords = '[redacted]'

export interface SealedError extends Numbered {
  error: string | null
  private_error: Buffer | null
  reason: unknown
  private_reason: Buffer | null
}

export async function unsealErrors<Row extends SealedError>(through: Through, rows: readonly Row[]): Promise<Row[]> {
  const errors = await openEach(
    through,
    rows,
    (row) =>
      row.private_error && { integrationId: row.integration_id, sealed: row.private_error, place: errorPlace(row) },
  )
  const reasons = await openEach(
    through,
    rows,
    (row) =>
      row.private_reason && { integrationId: row.integration_id, sealed: row.private_reason, place: reasonPlace(row) },
  )
  return rows.map((row) => {
    const [error, reason] = [errors.get(row), reasons.get(row)]
    const opened = { ...row, private_error: null, private_reason: null }
    if (error !== undefined) opened.error = error?.toString() ?? redactedWords
    if (reason) opened.reason = JSON.parse(reason.toString())
    // A program that knows no reasons has written another end since.
    if (opened.error === null) opened.reason = null
    return opened
  })
}
