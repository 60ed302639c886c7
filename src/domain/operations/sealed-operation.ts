import { type RecordKey, sealRecord } from '../../lib/sealing/record-box.ts'
import type { Reason } from '../../lib/words/wording.ts'
import { openEach, type Through } from '../../runtime/db/vault/vault.ts'

/**
 * What was wanted of a shop and what it answered may say everything of a buyer: both are sealed, each by itself, since they are
 * written at different times. In the clear stays what tells which order or articles it is about.
 */

export interface NamedOperation {
  integration_id: number
  kind: string
  key: string
}

const placeOf = (part: 'input' | 'result', { integration_id: id, kind, key }: NamedOperation): string =>
  `operations.private_${part}/${id}/${kind}/${key}`

const about = ['order_remote_id', 'remoteIds', 'remote_id'] as const

/** Which order, or orders: by that a change is looked up. */
function subjectOf(value: unknown): object {
  const fields = new Map(Object.entries(Object(value)))
  return Object.fromEntries(about.flatMap((name) => (fields.has(name) ? [[name, fields.get(name)]] : [])))
}

/** Which articles, where levels, prices or products are set: by those it is known what was set otherwise since. */
function articlesOf(value: unknown): { skus?: string[] } {
  const skus = [value].flat().flatMap((one) => Object(one).sku ?? [])
  return skus.length > 0 ? { skus } : {}
}

/** A shop may say what the database cannot hold. It has made the change all the same, so that is left out. */
const storable = (value: unknown): string =>
  JSON.stringify(value).replace(/\\(u0000|ud[89a-f][0-9a-f]{2}|.)/g, (whole, escaped: string) => {
    if (escaped === 'u0000') return ''
    return escaped.length > 1 ? '\ufffd' : whole
  })

export const sealInput = (key: RecordKey, named: NamedOperation, input: unknown) => ({
  input: storable({ ...subjectOf(input), ...articlesOf(input) }),
  private_input: sealRecord(key, storable(input), placeOf('input', named)),
})

export interface Answer {
  result?: unknown
  error?: string | null
  /** What the error follows from; null where the shop has said it. */
  reason?: Reason | null
}

/** What the shop said, in either way; nothing if it said nothing. */
export function sealResult(
  key: RecordKey,
  named: NamedOperation,
  { result = null, error = null, reason = null }: Answer,
) {
  if (result === null && error === null) return { result: null, error: null, private_result: null }
  const text = storable([result, error, reason])
  return {
    result: result === null ? null : storable(subjectOf(result)),
    error: null,
    private_result: sealRecord(key, text, placeOf('result', named)),
  }
}

export interface SealedInput extends NamedOperation {
  input: unknown
  private_input: Buffer | null
}

/** The same in the clear. `lost`: what was wanted cannot be opened any longer. */
export async function unsealInputs<Row extends SealedInput>(
  through: Through,
  rows: readonly Row[],
): Promise<(Row & { lost: boolean })[]> {
  const opened = await openEach(
    through,
    rows,
    (row) => row.private_input && sealedAt(row, row.private_input, placeOf('input', row)),
  )
  return rows.map((row) => {
    const bytes = opened.get(row)
    return { ...row, input: bytes ? JSON.parse(bytes.toString()) : row.input, lost: bytes === null }
  })
}

export interface SealedResult extends NamedOperation {
  result: unknown
  error: string | null
  private_result: Buffer | null
}

/** In the place of words that cannot be opened any longer. */
const redactedWords = '[redacted]'

/** The same in the clear. `lostAnswer`: what the shop said cannot be opened any longer. */
export async function unsealResults<Row extends SealedResult>(
  through: Through,
  rows: readonly Row[],
): Promise<(Row & { reason: Reason | null; lostAnswer: boolean })[]> {
  const opened = await openEach(
    through,
    rows,
    (row) => row.private_result && sealedAt(row, row.private_result, placeOf('result', row)),
  )
  return rows.map((row) => {
    const bytes = opened.get(row)
    if (bytes === undefined) return { ...row, reason: null, lostAnswer: false }
    // Those of before 0090 have two items.
    const [result, error, reason = null] = bytes ? JSON.parse(bytes.toString()) : [null, redactedWords]
    return { ...row, result, error, reason, lostAnswer: bytes === null }
  })
}

const sealedAt = ({ integration_id: integrationId }: NamedOperation, sealed: Buffer, place: string) => ({
  integrationId,
  sealed,
  place,
})
