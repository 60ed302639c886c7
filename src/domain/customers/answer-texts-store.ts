import { sql } from 'kysely'
import { leavesOf, readable } from '../../lib/sealing/person-text.ts'
import { open } from '../../lib/secret-box.ts'
import { answerPlace, type KeptAnswer } from '../../runtime/db/idempotency-keys.ts'
import { vaultOf } from '../../runtime/db/vault/bind-vault.ts'
import type { TextTable } from '../text-table.ts'

/**
 * Answers that are kept under an `Idempotency-Key`, of the callers who may have asked for something of this integration. Forgotten
 * ones were carried out, and nobody knows the answer any longer.
 */
export const answerTexts: TextTable = {
  name: 'idempotency_keys',
  isOfCallers: true,
  async read(db, integrationId, { after, limit }) {
    const { rows } = await sql<{ id: number; caller: string; answer: Buffer }>`
      select k.id, k.caller, k.answer from idempotency_keys k
      where k.id > ${after ?? '0'}::bigint and k.answer is not null and (
        k.caller like 'user:%' or k.caller in (
          select 'account:' || account_id from integrations where id = ${integrationId}
          union all select 'client:' || c.id from integrations i join oauth_clients c on c.app_id = i.app_id
          where i.id = ${integrationId}))
      order by k.id limit ${limit}`.execute(db)
    const { keys } = vaultOf(db)
    return rows.map(({ id, caller, answer }) => {
      const { body, headers }: KeptAnswer = JSON.parse(open(keys, answer, answerPlace(id, caller)))
      const text = body === null ? '' : Buffer.from(body, 'base64').toString()
      return { place: String(id), says: [readable(text), ...leavesOf(headers)].join('\n'), orders: [] }
    })
  },
  async forget(trx, _integrationId, places) {
    await sql`
      update idempotency_keys set answer = null, committed_at = coalesce(committed_at, now())
      where id = any(${[...places]}::bigint[])`.execute(trx)
  },
}
