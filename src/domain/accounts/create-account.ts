import { invalidField } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import type { AppTenant } from '../tenant.ts'
import type { Account, AccountInput } from './account.ts'
import { insertAccount } from './account-store.ts'

export async function createAccount(
  context: Pick<Context, 'db'>,
  tenant: AppTenant,
  input: AccountInput,
): Promise<Account> {
  const account = await insertAccount(context.db, tenant, input)
  if (!account) throw remoteIdTaken()
  return account
}

export const remoteIdTaken = () => invalidField('remote_id', 'The remote id has already been taken.')
