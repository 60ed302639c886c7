import type { Account } from '../../../domain/accounts/account.ts'
import {
  accountList,
  accountScope,
  findAccount,
  findAccountByRemoteId,
} from '../../../domain/accounts/account-store.ts'
import { createAccount } from '../../../domain/accounts/create-account.ts'
import { updateAccount } from '../../../domain/accounts/update-account.ts'
import { recordId } from '../../../lib/record-id.ts'
import { flag, freeObject, maybe, nameText, object, optional, partial, text } from '../../../lib/validation/fields.ts'
import { page, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { listOf } from '../../list.ts'
import { appTenant } from '../../tenants.ts'
import { accountIncludes, accountWithIncludesSchema, viewAccounts } from '../includes/of-accounts.ts'
import { accountSchema, accountView } from '../views/account.ts'

export const accountBody = object({
  remote_id: text({ description: "The app's own name for the account; unique in the app" }),
  name: maybe(nameText()),
  email: maybe(text({ format: 'email' })),
  active: optional(flag('While it is off, its tokens are rejected')),
  settings: optional(freeObject()),
})

const list = endpoint({
  group: groups.app,
  method: 'GET',
  path: '/accounts',
  scope: 'app:account-read',
  summary: 'List accounts',
  find: async ({ caller }) => appTenant(caller),
  query: listQuery({
    filter: ['active', 'remote_id'],
    sort: ['id', 'name', 'remote_id', 'created_at', 'updated_at'],
    include: accountIncludes,
  }),
  returns: page(accountWithIncludesSchema),
  async handle({ context, found, query }) {
    const accounts = await listOf(context, accountList, accountScope(found), query, (account: Account) => account)
    return { rows: await viewAccounts(context, accounts.rows, query.include), total: accounts.total }
  },
})

const get = endpoint({
  group: groups.app,
  method: 'GET',
  path: '/accounts/{account}',
  scope: 'app:account-read',
  summary: 'Get an account',
  description: '`{account}` is the `remote_id` of the account.',
  find: async ({ context, caller, params }) =>
    await findAccountByRemoteId(context.db, appTenant(caller), params.account),
  query: listQuery({ sort: [], include: accountIncludes }),
  returns: record(accountWithIncludesSchema),
  async handle({ context, found, query }) {
    const [account] = await viewAccounts(context, [found], query.include)
    return account ?? accountView(found)
  },
})

const create = endpoint({
  group: groups.app,
  method: 'POST',
  path: '/accounts',
  scope: 'app:account-create',
  summary: 'Create an account',
  find: async ({ caller }) => appTenant(caller),
  body: accountBody,
  example: { remote_id: 'merchant-42', name: 'Analytical Engines', email: 'ada@example.com' },
  returns: record(accountSchema),
  handle: async ({ context, found, body }) => accountView(await createAccount(context, found, body)),
})

const update = endpoint({
  group: groups.app,
  method: 'PUT',
  path: '/accounts/{accountId}',
  scope: 'app:account-update',
  summary: 'Update an account',
  find: async ({ context, caller, params }) =>
    await findAccount(context.db, appTenant(caller), recordId(params.accountId)),
  body: partial(accountBody),
  example: { name: 'Analytical Engines Ltd' },
  returns: record(accountSchema),
  handle: async ({ context, found, body }) =>
    accountView(await updateAccount(context, { appId: found.app_id }, { id: found.id, changes: body })),
})

export const appAccounts = [list, get, create, update]
