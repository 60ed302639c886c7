import { announce } from '../announce-store.ts'
import type { Context } from '../context.ts'
import type { AppTenant } from '../tenant.ts'
import type { Account, AccountInput } from './account.ts'
import { changeAccount, lockAccount } from './account-store.ts'
import { remoteIdTaken } from './create-account.ts'

/** An account that is switched off loses its tokens at once. */
export async function updateAccount(
  context: Pick<Context, 'transaction'>,
  tenant: AppTenant,
  input: { id: number; changes: Partial<AccountInput> },
): Promise<Account> {
  return await context.transaction(async (trx) => {
    const before = await lockAccount(trx, tenant, input.id)
    const account = await changeAccount(trx, tenant, input)
    if (!account) throw remoteIdTaken()
    if (account.active !== before.active) await announce(trx, 'account', account.id)
    return account
  })
}
