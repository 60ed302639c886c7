import { sql } from 'kysely'
import { Fault, tooMany } from '../../lib/fault.ts'
import { foldEmail } from '../../lib/identity/fold-email.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Actor } from './user.ts'

type Asking = Pick<Actor, 'companyId' | 'userId' | 'admin'>

const refusalsAnHour = 20

const keyOf = ({ companyId, userId }: Asking): string =>
  companyId === null ? `addresses-of-user:${userId}` : `addresses-of-company:${companyId}`

/**
 * An address is one user's in the whole instance, so that "taken" tells whoever makes users that somebody elsewhere has it. A
 * company learns that of so many addresses an hour; then it makes no users for a while, whether the address is known or not.
 */
export async function countingTaken<T>(db: Db, who: Asking, email: string, work: () => Promise<T>): Promise<T> {
  if (who.admin) return await work()
  await assertFewTaken(db, who)
  try {
    return await work()
  } catch (error) {
    if (error instanceof Fault && error.errors?.['email']) await countIfElsewhere(db, who, email)
    throw error
  }
}

async function assertFewTaken(db: Db, who: Asking): Promise<void> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from resets_at - now())::float8 as seconds from rate_windows
    where key = ${keyOf(who)} and resets_at > now() and hits >= ${refusalsAnHour}`.execute(db)
  if (rows[0]) throw tooMany(rows[0].seconds)
}

/** Colleagues are in a list that everybody who makes users can read. */
async function countIfElsewhere(db: Db, who: Asking, email: string): Promise<void> {
  await sql`
    insert into rate_windows as w (key, hits, resets_at)
    select ${keyOf(who)}, 1, now() + interval '1 hour' from users
    where email_folded = ${foldEmail(email)} and deleted_at is null
      and (company_id is null or company_id is distinct from ${who.companyId}::bigint)
    on conflict (key) do update set
      hits = case when w.resets_at <= now() then 1 else w.hits + 1 end,
      resets_at = case when w.resets_at <= now() then excluded.resets_at else w.resets_at end`.execute(db)
}
