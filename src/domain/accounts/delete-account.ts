import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import type { AppTenant } from '../tenant.ts'
import { revokeTokens } from '../token-revocation-store.ts'
import { lockAccount, softDeleteAccount } from './account-store.ts'

/** `cascade` ends what hangs on the account and lies in folders above this one: its integrations. */
export async function deleteAccount(
  context: Pick<Context, 'transaction'>,
  tenant: AppTenant,
  input: { id: number; cascade: (trx: Db) => Promise<void> },
): Promise<void> {
  await context.transaction(async (trx) => {
    await lockAccount(trx, tenant, input.id)
    await softDeleteAccount(trx, tenant, input.id)
    await input.cascade(trx)
    await revokeTokens(trx, 'account', input.id)
  })
}
