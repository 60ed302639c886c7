import { sql } from 'kysely'
import { digest } from '../../../lib/secret.ts'
import type { Db } from '../../../runtime/db/connection.ts'

export const resetMinutes = 30

/** The secret stands behind the #, which browsers send to nobody: it is in no log and no referrer. */
export const resetUrl = (publicUrl: string, secret: string): string => `${publicUrl}/console/new-password#${secret}`

/** Those that the same person made before are no longer good. Says when it ends. */
export async function insertReset(
  db: Db,
  { userId, madeBy, secret }: { userId: number; madeBy: number | null; secret: string },
): Promise<string> {
  if (madeBy !== null) {
    await db.deleteFrom('password_resets').where('user_id', '=', userId).where('made_by', '=', madeBy).execute()
  }
  const { expires_at } = await db
    .insertInto('password_resets')
    .values({
      user_id: userId,
      made_by: madeBy,
      token_hash: digest(secret),
      expires_at: sql<string>`now() + make_interval(mins => ${resetMinutes})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return expires_at
}

export interface OpenReset {
  userId: number
  name: string
  email: string
  companyId: number | null
}

/** By its secret: whoever holds it has proved nothing else. Neither over, nor of somebody who has gone, nor made by such. */
export async function findOpenReset(db: Db, secret: string): Promise<OpenReset | undefined> {
  return await db
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .leftJoin('users as maker', 'maker.id', 'password_resets.made_by')
    .select(['users.id as userId', 'users.name', 'users.email', 'users.company_id as companyId'])
    .where('token_hash', '=', digest(secret))
    .where('expires_at', '>', sql<string>`now()`)
    .where('users.active', '=', true)
    .where('users.deleted_at', 'is', null)
    .where((has) =>
      has.or([
        has('made_by', 'is', null),
        has.and([has('maker.active', '=', true), has('maker.deleted_at', 'is', null)]),
      ]),
    )
    .executeTakeFirst()
}

/** True for exactly one caller. */
export async function spendReset(db: Db, secret: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('password_resets')
    .where('token_hash', '=', digest(secret))
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
