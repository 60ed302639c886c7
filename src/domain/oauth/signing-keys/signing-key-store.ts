import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'

export interface StoredSigningKey {
  kid: string
  private_key: Buffer
}

export interface PublicJwk {
  kty: string
  crv: string
  x: string
}

export async function readCurrentKeyId(db: Db): Promise<string | null> {
  const key = await db.selectFrom('signing_keys').select('kid').where('retired_at', 'is', null).executeTakeFirst()
  return key?.kid ?? null
}

export async function readSigningKey(db: Db, kid: string): Promise<StoredSigningKey> {
  return await db
    .selectFrom('signing_keys')
    .select(['kid', 'private_key'])
    .where('kid', '=', kid)
    .executeTakeFirstOrThrow()
}

export async function readSigningKeys(db: Db): Promise<StoredSigningKey[]> {
  return await db.selectFrom('signing_keys').select(['kid', 'private_key']).execute()
}

export async function replaceSealedKey(db: Db, kid: string, privateKey: Buffer): Promise<void> {
  await db.updateTable('signing_keys').set({ private_key: privateKey }).where('kid', '=', kid).execute()
}

/** False if another process was first: there is one current key, and the database waits to see whose it is. */
export async function insertSigningKey(
  db: Db,
  key: { kid: string; publicJwk: PublicJwk; privateKey: Buffer },
): Promise<boolean> {
  const inserted = await db
    .insertInto('signing_keys')
    .values({
      kid: key.kid,
      alg: 'EdDSA',
      public_jwk: JSON.stringify(key.publicJwk),
      private_key: key.privateKey,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('kid')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function retireCurrentKey(db: Db): Promise<void> {
  await db.updateTable('signing_keys').set({ retired_at: sql<string>`now()` }).where('retired_at', 'is', null).execute()
}

/** A retired key verifies for as long as the last token it may have signed lives, and a day for clocks that differ. */
const verifies = sql<boolean>`(retired_at is null or retired_at > now() - interval '366 days')`

export async function readPublicKeys(db: Db): Promise<{ kid: string; publicJwk: PublicJwk }[]> {
  const rows = await db
    .selectFrom('signing_keys')
    .select(['kid', sql<PublicJwk>`public_jwk`.as('publicJwk')])
    .where(verifies)
    .orderBy('created_at', 'desc')
    .execute()
  return rows
}

export async function readPublicKey(db: Db, kid: string): Promise<PublicJwk | null> {
  const row = await db
    .selectFrom('signing_keys')
    .select(sql<PublicJwk>`public_jwk`.as('publicJwk'))
    .where('kid', '=', kid)
    .where(verifies)
    .executeTakeFirst()
  return row?.publicJwk ?? null
}

export async function deleteSpentKeys(db: Db): Promise<void> {
  await db.deleteFrom('signing_keys').where(sql<boolean>`not ${verifies}`).execute()
}
