import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import type { AppTenant } from '../tenant.ts'
import type { Catcher, CaughtRequest } from './catcher.ts'

/** Null once it has expired. */
export async function findCatcher(db: Db, { appId }: AppTenant): Promise<Catcher | null> {
  const found = await db
    .selectFrom('webhook_catchers')
    .selectAll()
    .where('app_id', '=', appId)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return found ?? null
}

/** The app's catcher for another day. One that has expired comes back empty, under another address. */
export async function keepCatcher(trx: Db, { appId }: AppTenant, token: string): Promise<Catcher> {
  await sql`delete from webhook_catchers where app_id = ${appId} and expires_at <= now()`.execute(trx)
  return await trx
    .insertInto('webhook_catchers')
    .values({ app_id: appId, token, expires_at: sql<string>`now() + interval '1 day'` })
    .onConflict((conflict) => conflict.column('app_id').doUpdateSet({ expires_at: sql<string>`excluded.expires_at` }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function isCatching(db: Db, token: string): Promise<boolean> {
  const { rows } = await sql`select from webhook_catchers where token = ${token} and expires_at > now()`.execute(db)
  return rows.length > 0
}

const kept = 50

/** False if there is no such catcher. Of what it has caught the last fifty stay. */
export async function catchRequest(
  db: Db,
  token: string,
  request: { headers: Record<string, string>; body: string },
): Promise<boolean> {
  const { rows } = await sql<{ app_id: number }>`
    insert into caught_requests (app_id, headers, body)
    select app_id, ${JSON.stringify(request.headers)}::jsonb, ${request.body}
    from webhook_catchers where token = ${token} and expires_at > now()
    returning app_id`.execute(db)
  const [caught] = rows
  if (!caught) return false
  await sql`
    delete from caught_requests where app_id = ${caught.app_id} and id <= (
      select id from caught_requests where app_id = ${caught.app_id} order by id desc offset ${kept} limit 1)`.execute(
    db,
  )
  return true
}

/** The latest first. */
export async function caughtRequests(db: Db, { appId }: AppTenant): Promise<CaughtRequest[]> {
  return await db
    .selectFrom('caught_requests')
    .select(['id', 'headers', 'body', 'received_at'])
    .where('app_id', '=', appId)
    .orderBy('id', 'desc')
    .limit(kept)
    .$castTo<CaughtRequest>()
    .execute()
}

export async function deleteExpiredCatchers(db: Db): Promise<void> {
  await sql`delete from webhook_catchers where expires_at <= now()`.execute(db)
}
