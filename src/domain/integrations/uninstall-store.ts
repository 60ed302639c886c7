import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { say } from '../../commerce/words/say.ts'
import { reasonOf } from '../../lib/words/wording.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { IntegrationStatus } from './integration.ts'

/** Seconds in which our webhooks may still be removed from a shop that we have left. After that nothing is sent there. */
const cleanupSeconds = 5

const uninstalled = say('was_uninstalled')

/**
 * Nothing opens the shop any longer. The credentials go out of the integration's reach in the statement that destroys
 * them there: what is left of them can only be used for the cleanup (`uninstall/uninstall-cleanup.ts`), and only for
 * some seconds. No trip to the platform is under way any longer, and what is being run or waits to be run is over:
 * whoever works on it stores nothing more, because its fence is no longer the integration's.
 */
export const leaveShop = (trx: Db, integrationId: number): Promise<void> =>
  leaveShops(trx, sql<SqlBool>`id = ${integrationId}`)

async function leaveShops(trx: Db, which: RawBuilder<SqlBool>): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from integrations where ${which} order by id`.execute(trx)
  if (rows.length === 0) return
  const ids = sql`any(${rows.map(({ id }) => id)}::bigint[])`
  await sql`
    with gone as (delete from credentials where integration_id = ${ids} returning integration_id, sealed, key_id)
    insert into uninstall_cleanups (integration_id, app_id, sealed, key_id, expires_at)
    select gone.integration_id, i.app_id, gone.sealed, gone.key_id, now() + make_interval(secs => ${cleanupSeconds}::int)
    from gone join integrations i on i.id = gone.integration_id
    where i.status not in ('PENDING', 'UNINSTALLED')
    on conflict (integration_id) do update set app_id = excluded.app_id, sealed = excluded.sealed,
      key_id = excluded.key_id, expires_at = excluded.expires_at`.execute(trx)
  await sql`delete from install_states where integration_id = ${ids}`.execute(trx)
  await sql`update shop_webhooks set registered_at = null, topics = '[]' where integration_id = ${ids}`.execute(trx)
  await sql`update integration_state set fence = fence + 1 where integration_id = ${ids}`.execute(trx)
  await sql`
    update runs set status = 'cancelled', error = ${uninstalled.text}, reason = ${JSON.stringify(reasonOf(uninstalled))}::jsonb,
      finished_at = now()
    where integration_id = ${ids} and status in ('queued', 'running')`.execute(trx)
  await sql`
    update integrations set purged_at = null, webhooks = null,
      uninstalled_at = case when status = 'UNINSTALLED' then coalesce(uninstalled_at, now()) else now() end
    where id = ${ids}`.execute(trx)
}

/**
 * Ends all integrations of an owner at once, and says what they were. `remove` also takes the records away, for an owner
 * that is gone itself.
 */
export async function uninstallAll(
  db: Db,
  owner: { app_id: number } | { account_id: number },
  { remove }: { remove: boolean },
): Promise<{ id: number; was: IntegrationStatus }[]> {
  const own =
    'app_id' in owner ? sql<SqlBool>`app_id = ${owner.app_id}` : sql<SqlBool>`account_id = ${owner.account_id}`
  const { rows: ended } = await sql<{ id: number; was: IntegrationStatus }>`
    select id, status as was from integrations where ${own} and deleted_at is null and status <> 'UNINSTALLED'
    order by id for no key update`.execute(db)
  await leaveShops(db, sql<SqlBool>`${own} and deleted_at is null`)
  await db
    .updateTable('integrations')
    .set({
      status: 'UNINSTALLED',
      status_reason: 'uninstalled',
      updated_at: sql<string>`now()`,
      ...(remove ? { deleted_at: sql<string>`now()` } : {}),
    })
    .where(own)
    .where('deleted_at', 'is', null)
    .execute()
  if (!remove) return ended
  const theirs = db.selectFrom('integrations').select('id').where(own)
  await db.deleteFrom('gateway_keys').where('integration_id', 'in', theirs).execute()
  return ended
}
