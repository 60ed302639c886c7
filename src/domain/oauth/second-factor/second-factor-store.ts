import { sql } from 'kysely'
import { type KeyRing, open, seal } from '../../../lib/secret-box.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { holdRow } from '../../../runtime/db/rows/hold-row.ts'
import { recoveryCodeHash } from './recovery-codes.ts'

/** Whoever takes one of a user's factors away does so one after the other, until the transaction ends: the last one may have to stay. */
export async function holdFactors(trx: Db, userId: number): Promise<void> {
  await holdRow(trx, 'users', userId)
}

export const totpPlace = (userId: number): string => `totp_secrets.sealed:${userId}`

/** Begun anew each time; one that counts already stays until it is removed. False: there is one. */
export async function saveTotpSecret(
  db: Db,
  keys: KeyRing,
  input: { userId: number; secret: string },
): Promise<boolean> {
  const values = { sealed: seal(keys, input.secret, totpPlace(input.userId)), key_id: keys[0].id }
  const result = await db
    .insertInto('totp_secrets')
    .values({ user_id: input.userId, ...values })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ ...values, created_at: sql<string>`now()` })
        .where('totp_secrets.confirmed_at', 'is', null),
    )
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export interface TotpSecret {
  secret: string
  isConfirmed: boolean
  /** By the clock of the database, which is the same for all processes. */
  nowSeconds: number
}

export async function readTotpSecret(db: Db, keys: KeyRing, userId: number): Promise<TotpSecret | null> {
  const row = await db
    .selectFrom('totp_secrets')
    .select([
      'sealed',
      sql<boolean>`confirmed_at is not null`.as('isConfirmed'),
      sql<number>`extract(epoch from now())::float8`.as('nowSeconds'),
    ])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!row) return null
  const { sealed, isConfirmed, nowSeconds } = row
  return { secret: open(keys, sealed, totpPlace(userId)), isConfirmed, nowSeconds }
}

/** True for one caller, and never for an earlier step than that of the last code. */
export async function takeStep(db: Db, userId: number, step: number): Promise<boolean> {
  const result = await db
    .updateTable('totp_secrets')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .where(sql<boolean>`coalesce(last_step, 0) < ${step}`)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** True for one caller. */
export async function confirmTotpSecret(db: Db, userId: number, step: number): Promise<boolean> {
  const result = await db
    .updateTable('totp_secrets')
    .set({ confirmed_at: sql<string>`now()`, last_step: step })
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function replaceRecoveryCodes(db: Db, userId: number, codes: readonly string[]): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await db
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: recoveryCodeHash(code) })))
    .execute()
}

/** True for one caller. */
export async function spendRecoveryCode(db: Db, userId: number, code: string): Promise<boolean> {
  const result = await db
    .updateTable('recovery_codes')
    .set({ used_at: sql<string>`now()` })
    .where('user_id', '=', userId)
    .where('code_hash', '=', recoveryCodeHash(code))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Everything that the user could prove beside the password. */
export async function deleteSecondFactor(db: Db, userId: number): Promise<void> {
  await deleteTotpSecret(db, userId)
  await db.deleteFrom('passkeys').where('user_id', '=', userId).execute()
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

export async function deleteTotpSecret(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('totp_secrets').where('user_id', '=', userId).execute()
}

/** They stand in for something: where nothing is left, they are nothing. */
export async function dropUnusedRecoveryCodes(db: Db, userId: number): Promise<void> {
  await sql`
    delete from recovery_codes using users
    where recovery_codes.user_id = ${userId} and users.id = ${userId} and not ${sql.raw(secondFactorSql.has)}`.execute(
    db,
  )
}

export interface SecondFactorState {
  /** Since when codes are asked for. */
  totp_since: string | null
  passkeys: number
  recovery_codes_left: number
  /** The company demands one of everybody. */
  required: boolean
}

export async function readSecondFactor(db: Db, userId: number): Promise<SecondFactorState> {
  const { rows } = await sql<SecondFactorState>`
    select
      (select confirmed_at from totp_secrets where user_id = users.id) as totp_since,
      (select count(*)::int from passkeys where user_id = users.id) as passkeys,
      (select count(*)::int from recovery_codes where user_id = users.id and used_at is null) as recovery_codes_left,
      coalesce((select require_second_factor from companies where id = users.company_id), false) as required
    from users where users.id = ${userId}`.execute(db)
  return rows[0] ?? { totp_since: null, passkeys: 0, recovery_codes_left: 0, required: false }
}

const hasTotp = 'exists(select from totp_secrets where user_id = users.id and confirmed_at is not null)'
const hasPasskey = 'exists(select from passkeys where user_id = users.id)'

/** As columns of a statement that has a row of `users`. */
export const secondFactorSql = {
  has: `(${hasTotp} or ${hasPasskey})`,
  hasPasskey,
  isRequired: `coalesce((select require_second_factor from companies where id = users.company_id), false)`,
}
