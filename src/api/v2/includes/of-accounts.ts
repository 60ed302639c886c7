import type { Account } from '../../../domain/accounts/account.ts'
import type { Context } from '../../../domain/context.ts'
import { accountSchema, accountView } from '../views/account.ts'

export const accountIncludes: string[] = []

export const accountWithIncludesSchema = accountSchema

/** Accounts with what was asked for, in one read. */
export async function viewAccounts(_context: Context, accounts: readonly Account[], _include: ReadonlySet<string>) {
  return accounts.map(accountView)
}
