import { sql } from 'kysely'
import { type KeyRing, open, seal } from '../../lib/secret-box.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Integration } from './integration.ts'

/** What opens a shop, sealed. The place says whose it is: moved to another row or tenant, it no longer opens. */
export const credentialsPlace = (integrationId: number, appId: number | null): string =>
  `credentials|sealed|${integrationId}|${appId ?? ''}`

type Owner = Pick<Integration, 'id' | 'app_id' | 'shop' | 'settings'>

/** Where they were given for: keys that somebody leads elsewhere, by whichever way, do not open. */
function addressOf({ shop, settings }: Owner): string {
  const { base_url: address = '' } = Object(settings) as { base_url?: unknown }
  return `|${shop}|${String(address)}`
}

export const sealFor = (keys: KeyRing, owner: Owner, plain: string): Buffer =>
  seal(keys, plain, credentialsPlace(owner.id, owner.app_id), addressOf(owner))

/** Null where they were given for another address. Those from before addresses counted open once more, to be bound. */
export function openFor(keys: KeyRing, owner: Owner, sealed: Buffer): { plain: string; isBound: boolean } | null {
  const place = credentialsPlace(owner.id, owner.app_id)
  for (const bound of [addressOf(owner), '']) {
    try {
      return { plain: open(keys, sealed, place, bound), isBound: bound !== '' }
    } catch {}
  }
  return null
}

async function bindToAddress(db: Db, keys: KeyRing, owner: Owner, found: { sealed: Buffer; plain: string }) {
  await db
    .updateTable('credentials')
    .set({ sealed: sealFor(keys, owner, found.plain), key_id: keys[0].id })
    .where('integration_id', '=', owner.id)
    .where('sealed', '=', found.sealed)
    .execute()
}

export interface StoredCredentials {
  credentials: Record<string, unknown>
  /** Those before, where the platform may still want them. */
  previous: Record<string, unknown> | null
  /** Compared and set by whoever refreshes. */
  version: number
  expiresAt: string | null
  /** Time for new ones: a quarter of an hour before the end, or the last quarter of a short life. */
  due: boolean
  /** The shop should still take them. */
  valid: boolean
  /** Somebody is fetching new ones. */
  leased: boolean
  /** Seconds until it may be tried again after a failure. */
  coolSeconds: number
}

/** After a failure nobody asks the platform again for so long. */
const coolDownSeconds = 30
/** Longer than fetching new ones takes. */
const leaseSeconds = 60
/** Beside the fields of the connector, under the same seal. */
const previousField = '$previous'

interface GrantedCredentials {
  credentials: Record<string, unknown>
  expiresAt: string | null
}

export async function saveCredentials(
  db: Db,
  keys: KeyRing,
  owner: Owner,
  { credentials, expiresAt }: GrantedCredentials,
): Promise<void> {
  const sealed = sealFor(keys, owner, JSON.stringify(credentials))
  await db
    .insertInto('credentials')
    .values({
      ...{ integration_id: owner.id, sealed, key_id: keys[0].id, expires_at: expiresAt },
      // Where a shop was left and is connected again, no version is one that somebody read before.
      version: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    })
    .onConflict((conflict) =>
      conflict.column('integration_id').doUpdateSet((old) => ({
        sealed: old.ref('excluded.sealed'),
        key_id: old.ref('excluded.key_id'),
        expires_at: old.ref('excluded.expires_at'),
        version: sql<number>`credentials.version + 1`,
        lease_holder: null,
        lease_until: null,
        failures: 0,
        failed_at: null,
        updated_at: sql<string>`now()`,
      })),
    )
    .execute()
}

export async function readCredentials(db: Db, keys: KeyRing, owner: Owner): Promise<StoredCredentials | null> {
  const row = await db
    .selectFrom('credentials')
    .select(['sealed', 'version', 'expires_at as expiresAt'])
    .select([
      sql<boolean>`coalesce(
        expires_at <= now() + least(interval '15 minutes', (expires_at - updated_at) / 4), false)`.as('due'),
      sql<boolean>`coalesce(expires_at > now() + interval '2 seconds', true)`.as('valid'),
      sql<boolean>`coalesce(lease_until > now(), false)`.as('leased'),
      sql<number>`coalesce(greatest(0, ${coolDownSeconds} - extract(epoch from now() - failed_at)), 0)::float8`.as(
        'coolSeconds',
      ),
    ])
    .where('integration_id', '=', owner.id)
    .executeTakeFirst()
  if (!row) return null
  const { sealed, ...stored } = row
  const opened = openFor(keys, owner, sealed)
  if (!opened) return null
  const { plain } = opened
  if (!opened.isBound) await bindToAddress(db, keys, owner, { sealed, plain })
  const { [previousField]: previous = null, ...credentials } = JSON.parse(plain)
  return { ...stored, credentials, previous }
}

/** Whether there are any, without opening them. */
export async function holdsCredentials(db: Db, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('credentials')
    .select('integration_id')
    .where('integration_id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** Whoever gets it is alone in fetching new ones. Nobody does who read an older version, or soon after a failure. */
export async function leaseCredentials(db: Db, id: number, version: number, holder: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('credentials')
    .set({ lease_holder: holder, lease_until: sql<string>`now() + make_interval(secs => ${leaseSeconds})` })
    .where('integration_id', '=', id)
    .where('version', '=', version)
    .where(sql<boolean>`coalesce(lease_until <= now(), true)`)
    .where(sql<boolean>`coalesce(failed_at <= now() - make_interval(secs => ${coolDownSeconds}), true)`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * New ones in the place of those of that version; false if these have been replaced already. The lease does not count:
 * whoever has new ones has them, and nobody else can get them again.
 */
export async function replaceCredentials(
  db: Db,
  keys: KeyRing,
  owner: Owner,
  { credentials, expiresAt, previous, version }: GrantedCredentials & Pick<StoredCredentials, 'previous' | 'version'>,
): Promise<boolean> {
  const kept = previous === null ? credentials : { ...credentials, [previousField]: previous }
  const { numUpdatedRows } = await db
    .updateTable('credentials')
    .set({
      sealed: sealFor(keys, owner, JSON.stringify(kept)),
      key_id: keys[0].id,
      expires_at: expiresAt,
      version: sql<number>`version + 1`,
      lease_holder: null,
      lease_until: null,
      failures: 0,
      failed_at: null,
      updated_at: sql<string>`now()`,
    })
    .where('integration_id', '=', owner.id)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The cool-down begins. Without a holder it is reported by somebody who only used them. */
export async function markFailure(db: Db, id: number, holder: string | null): Promise<void> {
  await db
    .updateTable('credentials')
    .set({
      failures: sql<number>`failures + 1`,
      failed_at: sql<string>`now()`,
      ...(holder !== null && { lease_holder: null, lease_until: null }),
    })
    .where('integration_id', '=', id)
    .$if(holder !== null, (query) => query.where('lease_holder', '=', holder))
    .execute()
}

/** They have been seen to work. */
export async function forgetFailures(db: Db, id: number): Promise<void> {
  await db
    .updateTable('credentials')
    .set({ failures: 0, failed_at: null })
    .where('integration_id', '=', id)
    .where('failures', '>', 0)
    .execute()
}

/**
 * Integrations that are in an error state because of their credentials and may be tried again: after five minutes, then after
 * twice as long each time, and once a day in the end.
 */
export async function integrationsToRecover(db: Db, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('credentials')
    .innerJoin('integrations', 'integrations.id', 'credentials.integration_id')
    .select('integrations.id')
    .where('integrations.status', '=', 'ERROR')
    .where('integrations.status_reason', 'in', ['credentials_rejected', 'missing_rights'])
    .where('integrations.deleted_at', 'is', null)
    .where('integrations.active', '=', true)
    .where(
      sql<boolean>`coalesce(failed_at, integrations.updated_at)
        <= now() - least(interval '1 day', interval '5 minutes' * power(2, least(greatest(failures, 1) - 1, 12)))`,
    )
    .orderBy('failed_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Integrations whose credentials were last fetched so long ago that what fetches new ones would soon end unused: after
 * two thirds of its life. `lives` are days by type of service. Those that failed lately wait for an hour.
 */
export async function idleIntegrations(
  db: Db,
  lives: readonly { type: string; days: number }[],
  limit: number,
): Promise<{ id: number; version: number }[]> {
  if (lives.length === 0) return []
  const { rows } = await sql<{ id: number; version: number }>`
    select i.id, c.version from credentials c
    join integrations i on i.id = c.integration_id
    join unnest(${lives.map(({ type }) => type)}::text[], ${lives.map(({ days }) => days)}::float8[]) as life (type, days)
      on life.type = i.type
    where i.status = 'ACTIVE' and i.active and i.deleted_at is null
      and c.updated_at <= now() - make_interval(secs => life.days * 86400 * 2 / 3)
      and coalesce(c.failed_at <= now() - interval '1 hour', true)
    order by c.updated_at limit ${limit}`.execute(db)
  return rows
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
  const opened = openFor(keys, owner, row.sealed)
  if (!opened) return
  await db
    .updateTable('credentials')
    .set({ sealed: sealFor(keys, { ...owner, app_id: newAppId }, opened.plain), key_id: keys[0].id })
    .where('integration_id', '=', owner.id)
    .execute()
}

/**
 * They are void, as is what a trip to the platform that is under way would bring: whoever connects the shop again brings
 * others.
 */
export async function destroyCredentials(db: Db, id: number): Promise<boolean> {
  await db.deleteFrom('install_states').where('integration_id', '=', id).execute()
  const { numDeletedRows } = await db.deleteFrom('credentials').where('integration_id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}
