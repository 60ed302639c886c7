import { sealRecord } from '../../lib/sealing/record-box.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { keysForSealingOrNull, openEach } from '../../runtime/db/vault/vault.ts'

/** What an endpoint has answered to an event of a shop: nobody knows whom it names. */

interface Place {
  delivery: number
  attempt: number
}

const placeOf = ({ delivery, attempt }: Place) => `webhook_attempts.private_body/${delivery}/${attempt}`

export interface Answered extends Place {
  integrationId: number | null
  body: string | null
}

/** One for each, in their order; null where there is nothing to seal, or no key to seal it with. */
export async function sealAnswers(db: Db, answers: readonly Answered[]): Promise<(Buffer | null)[]> {
  const ids = answers.flatMap(({ integrationId, body }) => (integrationId !== null && body ? [integrationId] : []))
  if (ids.length === 0) return answers.map(() => null)
  // If one of them has left, what the endpoints said to the others is worth less than that it is known how they went.
  const keyOf = await keysForSealingOrNull(db, ids)
  return answers.map(({ integrationId, body, ...place }) =>
    keyOf && integrationId !== null && body ? sealRecord(keyOf(integrationId), body, placeOf(place)) : null,
  )
}

export interface SealedAnswer {
  delivery_id: number
  number: number
  integration_id: number | null
  response_body: string | null
  private_body: Buffer | null
}

/** Each attempt with what the endpoint has answered, as far as it can be opened. */
export async function openAnswers<Row extends SealedAnswer>(db: Db, rows: readonly Row[]): Promise<Row[]> {
  const opened = await openEach(db, rows, (row) => {
    const { delivery_id: delivery, number: attempt, integration_id: integrationId, private_body: sealed } = row
    return integrationId === null || sealed === null
      ? null
      : { integrationId, sealed, place: placeOf({ delivery, attempt }) }
  })
  return rows.map((row) => ({
    ...row,
    private_body: null,
    response_body: opened.has(row) ? (opened.get(row)?.toString() ?? '[redacted]') : row.response_body,
  }))
}
