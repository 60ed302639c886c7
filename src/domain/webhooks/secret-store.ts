import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'

/** How long a replaced secret still signs. */
const overlap = sql`interval '24 hours'`

export async function countOldSecrets(db: Db, webhookId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from webhook_old_secrets where webhook_id = ${webhookId} and expires_at > now()`.execute(db)
  return rows[0]?.n ?? 0
}

/** Part of a transaction that holds the webhook. `reseal` binds the old secret to the place where it lies from now on. */
export async function replaceSecret(
  trx: Db,
  webhookId: number,
  fresh: { secret: Buffer; keyId: string; reseal: (sealed: Buffer) => Buffer },
): Promise<void> {
  const { secret } = await trx
    .selectFrom('webhook_subscriptions')
    .select('secret')
    .where('id', '=', webhookId)
    .executeTakeFirstOrThrow()
  await sql`delete from webhook_old_secrets where webhook_id = ${webhookId} and expires_at <= now()`.execute(trx)
  await sql`
    insert into webhook_old_secrets (webhook_id, secret, key_id, expires_at)
    values (${webhookId}, ${fresh.reseal(secret)}, ${fresh.keyId}, now() + ${overlap})`.execute(trx)
  await sql`
    update webhook_subscriptions set secret = ${fresh.secret}, key_id = ${fresh.keyId}, updated_at = now()
    where id = ${webhookId}`.execute(trx)
}
