import { sql } from 'kysely'
import { forbidden, notFound } from '../../../../lib/fault.ts'
import { digest } from '../../../../lib/secret.ts'
import type { Db } from '../../../../runtime/db/connection.ts'

export interface Passkey {
  id: number
  name: string
  /** Whether more than one device has it. */
  backed_up: boolean
  last_used_at: string | null
  created_at: string
}

const columns = ['id', 'name', 'backed_up', 'last_used_at', 'created_at'] as const

export async function listPasskeys(db: Db, userId: number): Promise<Passkey[]> {
  return await db.selectFrom('passkeys').select(columns).where('user_id', '=', userId).orderBy('id').execute()
}

export async function findPasskey(db: Db, userId: number, id: number): Promise<Passkey> {
  const found = await db
    .selectFrom('passkeys')
    .select([...columns, 'user_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow(notFound)
  const { user_id: owner, ...passkey } = found
  if (owner !== userId) throw forbidden()
  return passkey
}

/** What a signature is verified with. */
export interface StoredKey {
  id: number
  userId: number
  credentialId: Buffer
  publicKey: Buffer
  counter: number
}

const keyColumns = [
  'id',
  'user_id as userId',
  'credential_id as credentialId',
  'public_key as publicKey',
  'counter',
] as const

export async function readKeysOf(db: Db, userId: number): Promise<StoredKey[]> {
  return await db.selectFrom('passkeys').select(keyColumns).where('user_id', '=', userId).orderBy('id').execute()
}

export async function readKey(db: Db, credentialId: Buffer): Promise<StoredKey | undefined> {
  return await db.selectFrom('passkeys').select(keyColumns).where('credential_id', '=', credentialId).executeTakeFirst()
}

export interface NewPasskey {
  userId: number
  name: string
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  transports: readonly string[]
  backedUp: boolean
}

/** Null: the authenticator's key is known already. */
export async function insertPasskey(db: Db, passkey: NewPasskey): Promise<Passkey | null> {
  const inserted = await db
    .insertInto('passkeys')
    .values({
      user_id: passkey.userId,
      name: passkey.name,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: [...passkey.transports],
      backed_up: passkey.backedUp,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(columns)
    .executeTakeFirst()
  return inserted ?? null
}

export async function renamePasskey(db: Db, id: number, name: string): Promise<Passkey> {
  return await db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow(notFound)
}

export async function deletePasskey(db: Db, id: number): Promise<void> {
  await db.deleteFrom('passkeys').where('id', '=', id).execute()
}

/** False if somebody has used it with this count or a later one. Authenticators that do not count stay at nought. */
export async function countUse(db: Db, id: number, counter: number): Promise<boolean> {
  const result = await db
    .updateTable('passkeys')
    .set({ counter, last_used_at: sql<string>`now()` })
    .where('id', '=', id)
    .where(sql<boolean>`(counter < ${counter} or (counter = 0 and ${counter} = 0))`)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

const challengeSeconds = 300

export async function keepChallenge(db: Db, challenge: string, userId: number | null): Promise<void> {
  await sql`
    insert into passkey_challenges (challenge_hash, user_id, expires_at)
    values (${digest(challenge)}, ${userId}, now() + make_interval(secs => ${challengeSeconds}))`.execute(db)
}

/** True once, and only for what it was made for. */
export async function spendChallenge(db: Db, challenge: string, userId: number | null): Promise<boolean> {
  const { rows } = await sql<{ fits: boolean }>`
    delete from passkey_challenges where challenge_hash = ${digest(challenge)}
    returning expires_at > now() and user_id is not distinct from ${userId}::bigint as fits`.execute(db)
  return rows[0]?.fits ?? false
}
