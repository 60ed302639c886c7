import { sql } from 'kysely'
import { type KeyRing, open, seal } from '../../lib/secret-box.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Integration } from './integration.ts'

/** What opens a shop, sealed. The place says whose it is: moved to another row or tenant, it no longer opens. */
export const credentialsPlace = (integrationId: number, appId: number | null): string =>
  `credentials|sealed|${integrationId}|${appId ?? ''}`

type Owner = Pick<Integration, 'id' | 'app_id'>

export interface StoredCredentials {
  credentials: unknown
  /** Compared and set by whoever refreshes. */
  version: number
  expiresAt: string | null
}

export async function saveCredentials(
  db: Db,
  keys: KeyRing,
  owner: Owner,
  { credentials, expiresAt }: { credentials: Record<string, unknown>; expiresAt: string | null },
): Promise<void> {
  const sealed = seal(keys, JSON.stringify(credentials), credentialsPlace(owner.id, owner.app_id))
  await db
    .insertInto('credentials')
    .values({ integration_id: owner.id, sealed, key_id: keys[0].id, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict.column('integration_id').doUpdateSet((old) => ({
        sealed: old.ref('excluded.sealed'),
        key_id: old.ref('excluded.key_id'),
        expires_at: old.ref('excluded.expires_at'),
        version: sql<number>`credentials.version + 1`,
        lease_holder: null,
        lease_until: null,
        updated_at: sql<string>`now()`,
      })),
    )
    .execute()
}

export async function readCredentials(db: Db, keys: KeyRing, owner: Owner): Promise<StoredCredentials | null> {
  const row = await db
    .selectFrom('credentials')
    .select(['sealed', 'version', 'expires_at'])
    .where('integration_id', '=', owner.id)
    .executeTakeFirst()
  if (!row) return null
  const credentials: unknown = JSON.parse(open(keys, row.sealed, credentialsPlace(owner.id, owner.app_id)))
  return { credentials, version: row.version, expiresAt: row.expires_at }
}

/** The tenant is part of what seals them, so a new owner means sealing anew. */
export async function resealCredentials(db: Db, keys: KeyRing, owner: Owner, newAppId: number): Promise<void> {
  const row = await db
    .selectFrom('credentials')
    .select('sealed')
    .where('integration_id', '=', owner.id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return
  const plain = open(keys, row.sealed, credentialsPlace(owner.id, owner.app_id))
  await db
    .updateTable('credentials')
    .set({ sealed: seal(keys, plain, credentialsPlace(owner.id, newAppId)), key_id: keys[0].id })
    .where('integration_id', '=', owner.id)
    .execute()
}

export async function destroyCredentials(db: Db, integrationId: number): Promise<void> {
  await db.deleteFrom('credentials').where('integration_id', '=', integrationId).execute()
}
