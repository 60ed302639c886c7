import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import { type Operation, setsState, undoneBy } from './operation.ts'

/** The same order, or an article of which both are. */
const isAboutTheSame = sql`(later.input ->> 'order_remote_id' = o.input ->> 'order_remote_id'
  or jsonb_exists_any(later.input -> 'skus', array(select jsonb_array_elements_text(o.input -> 'skus'))))`

/**
 * Something was sent since that may have changed it back, so whoever wants it now wants it anew: an answer that our copy never
 * showed counts no longer. What sets how things are and may or may not have happened gets another name, since under its old one
 * a shop that knows names of changes would do nothing and say yes.
 */
export async function leaveOvertaken(
  db: Db,
  integrationId: number,
  { kind, key }: Pick<Operation, 'kind' | 'key'>,
): Promise<void> {
  const other = undoneBy[kind]
  if (!other) return
  const isOpen = sql`o.status in ('sent', 'unknown')`
  await sql`
    update operations o set settled_at = now(),
      generation = case when ${isOpen} then o.generation + 1 else o.generation end,
      receipt = case when ${isOpen} then null else o.receipt end
    where o.integration_id = ${integrationId} and o.kind = ${kind} and o.key = ${key}
      and ((o.status = 'confirmed' and o.settled_at is null) or (${setsState(kind)}::boolean and ${isOpen}))
      and (o.lease_until is null or o.lease_until < now())
      and exists (
        select from operations later
        where later.integration_id = ${integrationId} and later.kind = ${other} and later.key <> o.key
          and later.sent_at > o.sent_at and later.status in ('sent', 'unknown', 'confirmed')
          and ${isAboutTheSame})`.execute(db)
}
