import { findAccountByRemoteId } from '../../../domain/accounts/account-store.ts'
import type { AccountTenant, ClientCaller } from '../../../domain/tenant.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { appTenant } from '../../tenants.ts'
import { customerErasure, customerExport, customerFind, findErasureOf, oneErasure } from '../includes/of-customers.ts'

const account = async ({ context, caller, params }: Finding<ClientCaller, 'account'>): Promise<AccountTenant> => {
  const tenant = appTenant(caller)
  return { ...tenant, accountId: (await findAccountByRemoteId(context.db, tenant, params.account)).id }
}

const reading = { group: groups.app, scope: 'app:integration-read' } as const

const find = endpoint({ ...reading, path: '/accounts/{account}/customers/find', find: account, ...customerFind })

const exported = endpoint({
  ...reading,
  path: '/accounts/{account}/customers/export',
  find: account,
  ...customerExport,
})

const erase = endpoint({
  group: groups.app,
  scope: 'app:integration-action',
  path: '/accounts/{account}/customers/erasures',
  find: account,
  ...customerErasure,
})

const erasure = endpoint({
  ...reading,
  path: '/accounts/{account}/customers/erasures/{erasure}',
  find: async (input: Finding<ClientCaller, 'account' | 'erasure'>) =>
    await findErasureOf(input.context, await account(input), input.params.erasure),
  ...oneErasure,
})

export const appCustomers = [find, exported, erase, erasure]
