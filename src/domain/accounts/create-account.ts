import { invalidField } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import { assertRoomForAccount } from '../quota-store.ts'
import type { AppTenant } from '../tenant.ts'
import type { Account, AccountInput } from './account.ts'
import { insertAccount } from './account-store.ts'

export async function createAccount(
  context: Pick<Context, 'transaction' | 'quotas'>,
  tenant: AppTenant,
  input: AccountInput,
): Promise<Account> {
  return await context.transaction(async (trx) => {
    await assertRoomForAccount(trx, context.quotas, tenant)
    const account = await insertAccount(trx, tenant, input)
    if (!account) throw remoteIdTaken()
    return account
  })
}

export const remoteIdTaken = () => invalidField('remote_id', 'The remote id has already been taken.')
