import { sql } from 'kysely'
import { type KeyRing, open, seal } from '../../lib/secret-box.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { type ShopWebhooks, shopSecretsPlace } from './shop-webhooks.ts'

/** Control plane: one row for each shop that we register webhooks in. */

/** So old a secret may become. */
const secretDays = 180

type Row = Omit<ShopWebhooks, 'secrets'> & { sealed: Buffer }

export async function readShopWebhooks(db: Db, keys: KeyRing, integrationId: number): Promise<ShopWebhooks | null> {
  const { rows } = await sql<Row>`
    select integration_id, address, sealed, topics, registered_at, cleared, checked_at, last_error,
      secret_made_at < now() - make_interval(days => ${secretDays}::int) as stale
    from shop_webhooks where integration_id = ${integrationId}`.execute(db)
  const [row] = rows
  if (!row) return null
  const { sealed, ...rest } = row
  return { ...rest, secrets: openSecrets(keys, integrationId, sealed) }
}

export const openSecrets = (keys: KeyRing, integrationId: number, sealed: Buffer): string[] =>
  JSON.parse(open(keys, sealed, shopSecretsPlace(integrationId)))

/**
 * Secrets that the shop is about to receive, and where it is to send to. Written first: what comes back while we are
 * still registering is understood. Nothing happens to an integration that has been uninstalled meanwhile.
 */
export async function saveShopSecrets(
  db: Db,
  keys: KeyRing,
  integrationId: number,
  { address, secrets }: { address: string; secrets: readonly string[] },
): Promise<boolean> {
  const sealed = seal(keys, JSON.stringify(secrets), shopSecretsPlace(integrationId))
  const { rows } = await sql`
    insert into shop_webhooks (integration_id, address, sealed, key_id, next_check_at)
    select id, ${address}, ${sealed}, ${keys[0].id}, now() + interval '10 minutes' from integrations
    where id = ${integrationId} and status <> 'UNINSTALLED' and deleted_at is null
    on conflict (integration_id) do update set address = excluded.address, sealed = excluded.sealed,
      key_id = excluded.key_id, secret_made_at = now(), registered_at = null, cleared = false, updated_at = now()
    returning integration_id`.execute(db)
  return rows.length > 0
}

/** Longer than anybody is at it. */
const heldSeconds = 330

/** Whoever gets it is alone with the shop's webhooks until `letGo`. Where nothing has been registered yet, there is nobody to wait for. */
export async function holdShopWebhooks(db: Db, integrationId: number, holder: string): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    with held as (
      update shop_webhooks set holder = ${holder}, held_until = now() + make_interval(secs => ${heldSeconds}::int)
      where integration_id = ${integrationId} and (held_until is null or held_until < now()) returning integration_id
    )
    select exists (select from held)
      or not exists (select from shop_webhooks where integration_id = ${integrationId}) as free`.execute(db)
  return rows[0]?.free ?? false
}

export async function letGo(db: Db, integrationId: number, holder: string): Promise<void> {
  await sql`
    update shop_webhooks set holder = null, held_until = null
    where integration_id = ${integrationId} and holder = ${holder}`.execute(db)
}

/** A secret that people enter in the shop, or bring from there. Nobody but them can look whether it is in place. */
export async function saveEnteredSecret(
  db: Db,
  keys: KeyRing,
  integrationId: number,
  { address, secrets }: { address: string; secrets: readonly string[] },
): Promise<void> {
  const sealed = seal(keys, JSON.stringify(secrets), shopSecretsPlace(integrationId))
  await sql`
    insert into shop_webhooks (integration_id, address, sealed, key_id, next_check_at)
    values (${integrationId}, ${address}, ${sealed}, ${keys[0].id}, 'infinity')
    on conflict (integration_id) do update set address = excluded.address, sealed = excluded.sealed,
      key_id = excluded.key_id, secret_made_at = now(), next_check_at = 'infinity', updated_at = now()`.execute(db)
}

/** Nothing can be looked at or repaired in the shop. */
export async function leaveToPeople(db: Db, integrationId: number): Promise<void> {
  await sql`update shop_webhooks set next_check_at = 'infinity' where integration_id = ${integrationId}`.execute(db)
}

/** The newest first. */
export async function keepSecrets(
  db: Db,
  keys: KeyRing,
  integrationId: number,
  secrets: readonly string[],
): Promise<void> {
  const sealed = seal(keys, JSON.stringify(secrets), shopSecretsPlace(integrationId))
  await sql`
    update shop_webhooks set sealed = ${sealed}, key_id = ${keys[0].id}, updated_at = now()
    where integration_id = ${integrationId}`.execute(db)
}

/** About four hours, so that not all shops are asked at the same time. */
const secondsUntilNext = () => 4 * 3600 + Math.round((Math.random() - 0.5) * 3600)

/** What the shop holds now has been made with the newest secret: none of it is removed because another one failed. */
export async function markCleared(db: Db, integrationId: number): Promise<void> {
  await sql`update shop_webhooks set cleared = true where integration_id = ${integrationId} and not cleared`.execute(db)
}

/** The shop sends what it should, or as much of it as it lets us have. */
export async function markChecked(
  trx: Db,
  integrationId: number,
  { topics, error }: { topics: readonly string[]; error: string | null },
): Promise<void> {
  await sql`
    update shop_webhooks set topics = ${JSON.stringify(topics)}::jsonb, registered_at = coalesce(registered_at, now()),
      checked_at = now(), last_error = ${error}, failures = 0, updated_at = now(),
      next_check_at = now() + make_interval(secs => ${secondsUntilNext()}::int)
    where integration_id = ${integrationId}`.execute(trx)
  await showState(trx, integrationId)
}

/** The shop could not be asked, or refuses: 10 minutes, then twice as long each time, up to four hours. */
export async function markFailed(trx: Db, integrationId: number, error: string): Promise<void> {
  await sql`
    update shop_webhooks set last_error = ${error}, checked_at = now(), failures = failures + 1, updated_at = now(),
      next_check_at = now() + least(interval '10 minutes' * power(2, least(failures, 10)), interval '4 hours')
    where integration_id = ${integrationId}`.execute(trx)
  await showState(trx, integrationId)
}

/** What the integration itself shows, so that lists of them need no join. */
async function showState(trx: Db, integrationId: number): Promise<void> {
  await sql`
    update integrations i set webhooks = jsonb_build_object('registered_at', ${utc('w.registered_at')},
      'checked_at', ${utc('w.checked_at')}, 'topics', w.topics, 'error', w.last_error)
    from shop_webhooks w where w.integration_id = i.id and i.id = ${integrationId}`.execute(trx)
}

/** As everywhere on the wire; inside of JSON the database would write it in its own way. */
const utc = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`)

/** Shops that have not been asked for long, marked so that nobody else takes them too; the longest neglected first. */
export async function takeDueShops(db: Db, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update shop_webhooks set next_check_at = now() + interval '10 minutes'
    where integration_id in (
      select w.integration_id from shop_webhooks w join integrations i on i.id = w.integration_id
      where w.next_check_at <= now() and i.status = 'ACTIVE' and i.active and i.deleted_at is null
      order by w.next_check_at limit ${limit} for update of w skip locked)
    returning integration_id as id`.execute(db)
  return rows.map(({ id }) => id)
}

/** A page of the connected ones of these types in which nobody has registered anything yet. */
export async function shopsWithoutWebhooks(
  db: Db,
  { types, after, limit }: { types: readonly string[]; after: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from integrations i
    where id > ${after} and status = 'ACTIVE' and active and deleted_at is null and type = any(${[...types]}::text[])
      and installed_at < now() - interval '10 minutes'
      and not exists (select from shop_webhooks w where w.integration_id = i.id)
    order by id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Whether another integration has the same service, account and shop, and the plain address: it is registered there, or
 * is the older one and will be.
 */
export async function sharesAddress(
  db: Db,
  { id, type, shop, account_id }: { id: number; type: string; shop: string; account_id: number | null },
  plain: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from integrations i left join shop_webhooks w on w.integration_id = i.id
    where i.type = ${type} and i.shop = ${shop} and i.account_id is not distinct from ${account_id}::bigint
      and i.id <> ${id} and i.status <> 'UNINSTALLED' and i.deleted_at is null
      and case when w.address is null then i.id < ${id} else w.address = ${plain} end
    limit 1`.execute(db)
  return rows.length > 0
}

/** Whether what a shop sends to this address is for somebody else, who is still connected. */
export async function isAddressOfAnother(db: Db, integrationId: number, address: string): Promise<boolean> {
  const { rows } = await sql`
    select from shop_webhooks w join integrations i on i.id = w.integration_id
    where w.address = ${address} and i.id <> ${integrationId} and i.status <> 'UNINSTALLED' and i.deleted_at is null
    limit 1`.execute(db)
  return rows.length > 0
}
