import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { foldEmail } from '../../../lib/identity/fold-email.ts'
import type { KeptPassword } from '../../../lib/identity/password-tag.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { secondFactorSql } from '../second-factor/second-factor-store.ts'
import { singleSignOnSql } from '../single-sign-on/single-sign-on-store.ts'
import { demandsSecondFactor } from './console-session-store.ts'

/** What slows guessing down. Counts live in the database, so that they are exact over all processes. */

export interface Login {
  id: number
  email: string
  /** Null for users without a company. */
  company: string | null
  passwordHash: string | null
  passwordTag: string | null
  active: boolean
  /** The user has logged in from this address before. */
  known: boolean
  /** Asked for after the password. */
  hasSecondFactor: boolean
  hasPasskey: boolean
  /** The company demands one. */
  needsSecondFactor: boolean
  /** The company lets nobody but owners in by a password. */
  mustUseSingleSignOn: boolean
}

/** All who have that address: one in each company, and those without one. Whose password was chosen last comes first. */
export async function findLogins(db: Db, input: { username: string; address: string }): Promise<Login[]> {
  const found = await db
    .selectFrom('users')
    .leftJoin('companies', 'companies.id', 'users.company_id')
    .select([
      'users.id',
      'users.email',
      'companies.name as company',
      'email_folded as folded',
      'password_hash as passwordHash',
      'password_tag as passwordTag',
      'users.active',
      sql<boolean>`exists(
        select from login_addresses where user_id = users.id and address_hash = ${addressHash(input.address)})`.as(
        'known',
      ),
      sql<boolean>`${sql.raw(secondFactorSql.has)}`.as('hasSecondFactor'),
      sql<boolean>`${sql.raw(secondFactorSql.hasPasskey)}`.as('hasPasskey'),
      sql<boolean>`${sql.raw(demandsSecondFactor)}`.as('needsSecondFactor'),
      sql<boolean>`${sql.raw(singleSignOnSql.isRequired)}`.as('mustUseSingleSignOn'),
    ])
    .where('email_folded', 'in', [foldEmail(input.username), input.username])
    .where('users.deleted_at', 'is', null)
    .orderBy(sql`password_set_at desc nulls last, users.id desc`)
    .execute()
  // Those who had one address in two spellings before it was folded have it as it is written.
  const written = found.filter(({ folded }) => folded === input.username)
  return written.length > 0 ? written : found
}

const addressHash = (address: string): Buffer => hash('sha256', address, 'buffer')

export async function isKnownAddress(db: Db, input: { userId: number; address: string }): Promise<boolean> {
  const known = await db
    .selectFrom('login_addresses')
    .select('user_id')
    .where('user_id', '=', input.userId)
    .where('address_hash', '=', addressHash(input.address))
    .executeTakeFirst()
  return known !== undefined
}

export async function rememberAddress(db: Db, input: { userId: number; address: string }): Promise<void> {
  await db
    .insertInto('login_addresses')
    .values({ user_id: input.userId, address_hash: addressHash(input.address) })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'address_hash']).doUpdateSet({ last_at: sql<string>`excluded.last_at` }),
    )
    .execute()
}

/** The same password, kept otherwise. */
export async function rekeepPassword(db: Db, input: { userId: number; from: string; to: KeptPassword }): Promise<void> {
  await db
    .updateTable('users')
    .set(input.to)
    .where('id', '=', input.userId)
    .where('password_hash', '=', input.from)
    .execute()
}

export interface Allowance {
  key: string
  attempts: number
  seconds: number
}

export interface Reserved {
  key: string
  resets_at: string
  hits: number
}

/** Takes one attempt from each allowance that has one left, and says from which. */
export async function takeAttempts(db: Db, allowances: readonly Allowance[]): Promise<Reserved[]> {
  const keys = allowances.map(({ key }) => key)
  const { rows } = await sql<Reserved>`
    insert into rate_windows as w (key, hits, resets_at)
    select key, 1, now() + make_interval(secs => seconds)
    from unnest(${keys}::text[], ${allowances.map(({ seconds }) => seconds)}::int[]) t(key, seconds)
    order by key
    on conflict (key) do update set
      hits = case when w.resets_at <= now() then 1 else w.hits + 1 end,
      resets_at = case when w.resets_at <= now() then excluded.resets_at else w.resets_at end
    where w.resets_at <= now() or w.hits < (
      select attempts from unnest(${keys}::text[], ${allowances.map(({ attempts }) => attempts)}::int[]) a(key, attempts)
      where a.key = w.key)
    returning key, resets_at, hits`.execute(db)
  return rows
}

/** Gives attempts back that were not failures. A window that has begun anew owes nothing. */
export async function returnAttempts(db: Db, reserved: readonly Reserved[]): Promise<void> {
  await sql`
    with owed as (
      select w.key from rate_windows w
      join unnest(${reserved.map(({ key }) => key)}::text[], ${reserved.map(({ resets_at }) => resets_at)}::timestamptz[])
        r(key, resets_at) on r.key = w.key and r.resets_at = w.resets_at
      order by w.key for update of w)
    update rate_windows set hits = greatest(hits - 1, 0) from owed where rate_windows.key = owed.key`.execute(db)
}

export async function secondsUntilReset(db: Db, keys: readonly string[]): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(max(extract(epoch from resets_at - now())), 1)::float8 as seconds
    from rate_windows where key = any(${keys}::text[])`.execute(db)
  return rows[0]?.seconds ?? 1
}
