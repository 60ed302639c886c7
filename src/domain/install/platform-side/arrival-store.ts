import { type RawBuilder, sql } from 'kysely'
import { type KeyRing, open, seal } from '../../../lib/secret-box.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { Registration } from './registration.ts'

/** A shop that has let the holder of a registration in. */
export interface Arrival {
  serviceId: number
  appId: number | null
  type: string
  shop: string
}

export interface HeldGrant {
  credentials: Record<string, unknown>
  settings: Record<string, unknown>
  expiresAt: string | null
  granted: readonly string[] | null
}

const tripMinutes = 10
export const codeMinutes = 10
/** As long as anybody may come for it. */
export const heldMinutes = 60

/** Whose it is: moved to another shop or registration, it no longer opens. */
export const arrivalPlace = ({ serviceId, appId, shop }: Pick<Arrival, 'serviceId' | 'appId' | 'shop'>): string =>
  `arrivals|sealed|${serviceId}|${appId ?? ''}|${shop}`

const minutes = (count: number): RawBuilder<string> => sql<string>`now() + make_interval(mins => ${count}::int)`

const ofShop = ({ serviceId, appId }: Pick<Registration, 'serviceId' | 'appId'>, shop: string) =>
  sql<boolean>`service_id = ${serviceId} and app_id is not distinct from ${appId}::bigint and shop = ${shop}`

/** The way to the platform of somebody who has opened the app there. */
export async function beginArrival(
  db: Db,
  { serviceId, appId, type, shop }: Arrival,
  stateHash: Buffer,
): Promise<void> {
  await sql`
    insert into arrivals (service_id, app_id, type, shop, state_hash, state_expires_at, expires_at)
    values (${serviceId}, ${appId}, ${type}, ${shop}, ${stateHash}, ${minutes(tripMinutes)}, ${minutes(heldMinutes)})
    on conflict (service_id, app_id, shop) do update set state_hash = excluded.state_hash,
      state_expires_at = excluded.state_expires_at, expires_at = greatest(arrivals.expires_at, excluded.expires_at)
    `.execute(db)
}

/** Uses the state up. Of two that bring the same one, one gets it. */
export async function takeArrivalState(db: Db, type: string, stateHash: Buffer): Promise<Arrival | null> {
  const { rows } = await sql<Arrival>`
    update arrivals set state_hash = null
    where state_hash = ${stateHash} and type = ${type} and state_expires_at > now()
    returning service_id as "serviceId", app_id as "appId", type, shop`.execute(db)
  return rows[0] ?? null
}

export async function holdArrival(
  db: Db,
  keys: KeyRing,
  { serviceId, appId, type, shop }: Arrival,
  { grant, codeHash }: { grant: HeldGrant; codeHash: Buffer },
): Promise<void> {
  const sealed = seal(keys, JSON.stringify(grant), arrivalPlace({ serviceId, appId, shop }))
  await sql`
    insert into arrivals (service_id, app_id, type, shop, sealed, key_id, code_hash, code_expires_at, expires_at)
    values (${serviceId}, ${appId}, ${type}, ${shop}, ${sealed}, ${keys[0].id}, ${codeHash}, ${minutes(codeMinutes)},
      ${minutes(heldMinutes)})
    on conflict (service_id, app_id, shop) do update set sealed = excluded.sealed, key_id = excluded.key_id,
      code_hash = excluded.code_hash, code_expires_at = excluded.code_expires_at, expires_at = excluded.expires_at,
      state_hash = null`.execute(db)
}

/** False if nothing is held for the shop. The code before is no longer worth anything. */
export async function renewOneTimeCode(
  db: Db,
  registration: Pick<Registration, 'serviceId' | 'appId'>,
  { shop, codeHash }: { shop: string; codeHash: Buffer },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update arrivals set code_hash = ${codeHash}, code_expires_at = ${minutes(codeMinutes)}
    where ${ofShop(registration, shop)} and sealed is not null and expires_at > now()`.execute(db)
  return numAffectedRows > 0n
}

export interface CodedArrival extends Arrival {
  id: number
  /** Null once it was claimed or destroyed. */
  grant: HeldGrant | null
  codeExpired: boolean
}

/** Held until the end of the transaction: of many with the same code, one comes first. */
export async function lockArrival(trx: Db, keys: KeyRing, codeHash: Buffer): Promise<CodedArrival | null> {
  const { rows } = await sql<Omit<CodedArrival, 'grant'> & { sealed: Buffer | null }>`
    select id, service_id as "serviceId", app_id as "appId", type, shop, code_expires_at <= now() as "codeExpired",
      case when expires_at > now() then sealed end as sealed
    from arrivals where code_hash = ${codeHash} for update`.execute(trx)
  const [row] = rows
  if (!row) return null
  const { sealed, ...arrival } = row
  return { ...arrival, grant: sealed && JSON.parse(open(keys, sealed, arrivalPlace(arrival))) }
}

export async function deleteArrival(trx: Db, id: number): Promise<void> {
  await sql`delete from arrivals where id = ${id}`.execute(trx)
}

/** What nobody has claimed in time is destroyed; which shops that concerns. */
export async function destroyUnclaimed(db: Db): Promise<Arrival[]> {
  const { rows } = await sql<Arrival>`
    update arrivals set sealed = null, key_id = null where expires_at <= now() and sealed is not null
    returning service_id as "serviceId", app_id as "appId", type, shop`.execute(db)
  await sql`delete from arrivals where expires_at < now() - interval '1 day'`.execute(db)
  return rows
}
