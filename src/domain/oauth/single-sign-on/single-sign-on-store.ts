import { sql } from 'kysely'
import { type KeyRing, open, seal } from '../../../lib/secret-box.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { SingleSignOn } from './single-sign-on.ts'

export const clientSecretPlace = (companyId: number): string => `single_sign_on.client_secret:${companyId}`

/** The secret opens for the issuer that it was given for, and for no other. */
const boundTo = ({ issuer, client_id }: Pick<SingleSignOn, 'issuer' | 'client_id'>) => ` ${issuer} ${client_id}`

interface Row extends Omit<SingleSignOn, 'has_client_secret'> {
  client_secret: Buffer | null
}

/** `hold`: as it is until the transaction ends. */
async function readRow(db: Db, companyId: number, hold = false): Promise<Row | null> {
  const { rows } = await sql<Row>`
    select issuer, client_id, client_secret, create_users, default_role, required, trust_second_factor, trust_addresses
    from single_sign_on
    where company_id = ${companyId}
      and exists(select from companies where companies.id = company_id and companies.deleted_at is null)
    ${hold ? sql`for share` : sql``}`.execute(db)
  return rows[0] ?? null
}

export async function readSingleSignOn(db: Db, companyId: number): Promise<SingleSignOn | null> {
  const row = await readRow(db, companyId)
  if (!row) return null
  const { client_secret: secret, ...rest } = row
  return { ...rest, has_client_secret: secret !== null }
}

/** With its secret, for those who talk to the provider. */
export interface Provider extends Omit<Row, 'client_secret'> {
  clientSecret: string | null
}

export async function readProvider(db: Db, keys: KeyRing, companyId: number): Promise<Provider | null> {
  const row = await readRow(db, companyId)
  if (!row) return null
  const { client_secret: sealed, ...rest } = row
  const clientSecret = sealed === null ? null : open(keys, sealed, clientSecretPlace(companyId), boundTo(row))
  return { ...rest, clientSecret }
}

export const holdProvider = (db: Db, companyId: number) => readRow(db, companyId, true)

/** `secret`: undefined leaves the one there is. */
export async function saveSingleSignOn(
  db: Db,
  keys: KeyRing,
  input: { companyId: number; wanted: Omit<SingleSignOn, 'has_client_secret'>; secret: string | null | undefined },
): Promise<void> {
  const { companyId, wanted, secret } = input
  const sealed =
    secret === undefined
      ? {}
      : secret === null
        ? { client_secret: null, key_id: null }
        : {
            client_secret: seal(keys, secret, clientSecretPlace(companyId), boundTo(wanted)),
            key_id: keys[0].id,
          }
  const { issuer, client_id, create_users, default_role, required, trust_second_factor, trust_addresses } = wanted
  const flags = { create_users, default_role, required, trust_second_factor, trust_addresses }
  const values = { issuer, client_id, ...flags, ...sealed }
  await db
    .insertInto('single_sign_on')
    .values({ company_id: companyId, ...values })
    .onConflict((conflict) => conflict.column('company_id').doUpdateSet({ ...values, updated_at: sql<string>`now()` }))
    .execute()
}

/** With all that is known of people there, and whoever is on the way. */
export async function deleteSingleSignOn(db: Db, companyId: number): Promise<void> {
  await db.deleteFrom('single_sign_on').where('company_id', '=', companyId).execute()
}

export async function deleteTrips(db: Db, companyId: number): Promise<void> {
  await db.deleteFrom('single_sign_on_trips').where('company_id', '=', companyId).execute()
}

/** Someone who is known at one issuer is somebody else at another. */
export async function forgetSubjects(db: Db, companyId: number): Promise<void> {
  await db.deleteFrom('single_sign_on_subjects').where('company_id', '=', companyId).execute()
}

export async function hasSubjects(db: Db, companyId: number): Promise<boolean> {
  const one = await db
    .selectFrom('single_sign_on_subjects')
    .select('user_id')
    .where('company_id', '=', companyId)
    .limit(1)
    .executeTakeFirst()
  return one !== undefined
}

export async function insertTrip(
  db: Db,
  input: { stateHash: Buffer; browserHash: Buffer; companyId: number; lifetimeSeconds: number },
): Promise<void> {
  await sql`
    insert into single_sign_on_trips (state_hash, browser_hash, company_id, expires_at)
    values (${input.stateHash}, ${input.browserHash}, ${input.companyId},
      now() + make_interval(secs => ${input.lifetimeSeconds}))`.execute(db)
}

/** True for one caller, who is the browser that set out: whoever else knows the state cannot even end it. */
export async function spendTrip(
  db: Db,
  input: { stateHash: Buffer; browserHash: Buffer; companyId: number },
): Promise<boolean> {
  const result = await db
    .deleteFrom('single_sign_on_trips')
    .where('state_hash', '=', input.stateHash)
    .where('browser_hash', '=', input.browserHash)
    .where('company_id', '=', input.companyId)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

const isDemanded = `coalesce((select required from single_sign_on s where s.company_id = users.company_id), false)`
// Counted, because the planner would rather gather all administrators there are than look whether this one is.
const keepsPassword = `(users.company_role is not distinct from 'owner' or 0 < (
  select count(*) from user_roles join roles on roles.id = user_roles.role_id
  where user_roles.user_id = users.id and roles.name = 'admin'))`

/** As columns of a statement that has a row of `users`. */
export const singleSignOnSql = {
  /** Neither a password nor a passkey signs this user in. */
  isRequired: `(not ${keepsPassword} and ${isDemanded})`,
  /** The way back in, where all others sign in elsewhere: a password alone would be the weakest door. */
  needsSecondFactor: `(${keepsPassword} and ${isDemanded})`,
}

export async function mustUseSingleSignOn(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql<{ must: boolean }>`
    select ${sql.raw(singleSignOnSql.isRequired)} as must from users where id = ${userId}`.execute(db)
  return rows[0]?.must ?? false
}
