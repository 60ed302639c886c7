import { type Static, Type } from 'typebox'
import type { Account } from '../../../domain/accounts/account.ts'
import type { Context } from '../../../domain/context.ts'
import { integrationsOfOwners } from '../../../domain/integrations/integration-list-store.ts'
import { accountSchema, accountView } from '../views/account.ts'
import { integrationSchema, integrationView } from '../views/integration.ts'

export const accountIncludes = ['integrations']

export const accountWithIncludesSchema = Type.Object({
  ...accountSchema.properties,
  integrations: Type.Optional(Type.Array(integrationSchema, { description: 'The first hundred' })),
})

/** Accounts with what was asked for, in one read. */
export async function viewAccounts(
  context: Context,
  accounts: readonly Account[],
  include: ReadonlySet<string>,
): Promise<Static<typeof accountWithIncludesSchema>[]> {
  if (!include.has('integrations')) return accounts.map(accountView)
  const ids = accounts.map((account) => account.id)
  const integrations = await integrationsOfOwners(context.db, 'account_id', ids)
  return accounts.map((account) => ({
    ...accountView(account),
    integrations: integrations.filter((of) => of.account_id === account.id).map((of) => integrationView(context, of)),
  }))
}
