import { sealRecord } from '../../lib/sealing/record-box.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { JsonValue } from '../../runtime/db/tables.gen.ts'
import { takeIds } from '../../runtime/db/take-ids.ts'
import { keysForSealingOrNull, openEach, type Through } from '../../runtime/db/vault/vault.ts'
import { codeIn, withCode } from './coded-context.ts'
import { type IntegrationLog, type LogEntry, redact } from './log.ts'

/** What was said beside our own words, one record an entry. */

interface Place {
  integration_id: number
  id: number
}

export const placeOfSaid = ({ integration_id: integrationId, id }: Place) =>
  `integration_logs.private/${integrationId}/${id}`

/** Each entry that repeats somebody, with its id and its sealed part. Where there is no key, our own words are the report. */
export async function sealSaid(
  db: Db,
  integrationId: number,
  entries: readonly LogEntry[],
): Promise<Map<LogEntry, { id: number; private: Buffer }>> {
  const repeating = entries.filter(({ said }) => said !== undefined)
  if (repeating.length === 0) return new Map()
  const keyOf = await keysForSealingOrNull(db, [integrationId])
  if (!keyOf) return new Map()
  const ids = await takeIds(db, 'integration_logs', repeating.length)
  return new Map(
    repeating.map((entry, n) => {
      const place = { integration_id: integrationId, id: ids[n] ?? 0 }
      const sealed = sealRecord(keyOf(integrationId), JSON.stringify(redact(saidOf(entry.said))), placeOfSaid(place))
      return [entry, { id: place.id, private: sealed }]
    }),
  )
}

/** As it is sealed. */
interface Said {
  message?: string
  context?: Readonly<Record<string, JsonValue>>
}

const saidOf = ({ words, context }: NonNullable<LogEntry['said']> = {}) =>
  words ? { message: words.text, context: withCode(words, context) } : { context }

/** With what was said, as far as it can be opened; our own words otherwise. */
export async function openSaid<Row extends SealedLog>(
  through: Through,
  rows: readonly Row[],
): Promise<(Row & Pick<IntegrationLog, 'code' | 'parameters'>)[]> {
  const opened = await openEach(through, rows, (row) =>
    row.private === null ? null : { integrationId: row.integration_id, sealed: row.private, place: placeOfSaid(row) },
  )
  return rows.map((row) => {
    const bytes = opened.get(row)
    if (!bytes) return { ...row, private: null, ...codeIn(row.context) }
    const { message = row.message, context }: Said = JSON.parse(bytes.toString())
    const whole = context ? { ...Object(row.context), ...context } : row.context
    return { ...row, private: null, message, ...codeIn(whole) }
  })
}

export type SealedLog = Pick<IntegrationLog, 'integration_id' | 'id' | 'message' | 'context'> & {
  private: Buffer | null
}
