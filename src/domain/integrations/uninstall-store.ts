import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'

/**
 * Ends all integrations of an owner at once: no credentials, no gateway keys, no trip to a platform under way. `remove`
 * also takes the records away, for an owner that is gone itself.
 */
export async function uninstallAll(
  db: Db,
  owner: { app_id: number } | { account_id: number },
  { remove }: { remove: boolean },
): Promise<void> {
  const own =
    'app_id' in owner ? sql<SqlBool>`app_id = ${owner.app_id}` : sql<SqlBool>`account_id = ${owner.account_id}`
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
  const theirs = db.selectFrom('integrations').select('id').where(own)
  await db.deleteFrom('credentials').where('integration_id', 'in', theirs).execute()
  await db.deleteFrom('install_states').where('integration_id', 'in', theirs).execute()
  if (remove) await db.deleteFrom('gateway_keys').where('integration_id', 'in', theirs).execute()
}
