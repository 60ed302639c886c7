import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'
import { keyForSealing } from '../../../runtime/db/vault/vault.ts'
import { writeOperations } from '../../operations/seal-operation-store.ts'
import { type SealedInput, type SealedResult, unsealInputs, unsealResults } from '../../operations/sealed-operation.ts'
import { redactedMark } from '../order.ts'

/** Whom it is about, so far as texts may name them. */
export interface Person {
  email: string | null
  phone: string | null
  name: string | null
}

/** What callers say of a buyer, and for one. */
const saidByCallers = ['customer', 'billing_address', 'shipping_address', 'note', 'reason', 'tags']

/** Of an order as a shop has answered: the same answer, given again, says no more of the buyer than our copy does. */
const forgotten = {
  ...{ customer: null, billing_address: null, shipping_address: null, note: null, purchase_order: null },
  ...{ tax_ids: [], attributes: [], tags: [], cancel_reason: null, raw: redactedMark },
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fieldsIn = (value: unknown, name: string): Fields => {
  const inner = isFields(value) ? value[name] : null
  return isFields(inner) ? inner : {}
}

const withoutBuyer = (input: Fields): Fields =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !saidByCallers.includes(name)))

function forgottenAnswer(result: unknown): unknown {
  if (!isFields(result) || !('customer' in result)) return result
  const lines = Array.isArray(result['lines']) ? result['lines'] : []
  return { ...result, ...forgotten, lines: lines.map((line: unknown) => ({ ...Object(line), attributes: [] })) }
}

interface Row extends SealedInput, SealedResult {
  id: number
  /** Made in the shop, so that its id tells whose it was. */
  named: boolean
}

/**
 * What was sent to the shop for these orders, and what it answered. Not what is still under way: without it nobody could
 * find out what became of it. It is over within a day. Of an order that the shop refused, only the person tells whose it was.
 */
export async function redactOperations(
  trx: Db,
  integrationId: number,
  { remoteIds, people }: { remoteIds: readonly string[]; people: readonly Person[] },
): Promise<void> {
  const ids = sql`any(${[...remoteIds]}::text[])`
  const { rows } = await sql<Row>`
    select * from (
      select integration_id, id, kind, key, input, private_input, result, error, private_result, status, coalesce(
        input ->> 'order_remote_id' = ${ids} or (kind = 'cancel_order' and key = ${ids})
        or (kind = 'create_order' and result ->> 'remote_id' = ${ids}), false) as named
      from operations
      where integration_id = ${integrationId} and status in ('confirmed', 'refused') and jsonb_typeof(input) = 'object'
    ) done
    where named or (kind = 'create_order' and status = 'refused')`.execute(trx)
  if (rows.length === 0) return
  const opened = await unsealInputs(trx, await unsealResults(trx, rows))
  const concerned = opened.filter(({ named, input }) => named || isOf(people, fieldsIn(input, 'customer')))
  await writeOperations(
    trx,
    await keyForSealing(trx, integrationId),
    concerned.map(({ input, result, ...row }) => ({
      ...row,
      input: isFields(input) ? withoutBuyer(input) : {},
      result: forgottenAnswer(result),
      error: null,
      reason: null,
    })),
  )
}

const isOf = (people: readonly Person[], { email, phone }: Fields): boolean =>
  people.some(
    (person) =>
      (typeof email === 'string' && email.toLowerCase() === person.email) || (phone != null && phone === person.phone),
  )
