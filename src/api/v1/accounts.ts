import { accountList, accountsOfUserScope, findAccountOfUser } from '../../domain/accounts/account-store.ts'
import { createAccount } from '../../domain/accounts/create-account.ts'
import { deleteAccount } from '../../domain/accounts/delete-account.ts'
import { updateAccount } from '../../domain/accounts/update-account.ts'
import { ownsAppWithId } from '../../domain/apps/app-store.ts'
import { uninstallOfAccount } from '../../domain/integrations/uninstall-cascade.ts'
import type { UserCaller } from '../../domain/tenant.ts'
import { invalidField } from '../../lib/fault.ts'
import { recordId } from '../../lib/record-id.ts'
import { id, object, partial } from '../../lib/validation/fields.ts'
import { nothing, page, record } from '../../runtime/http/endpoint.ts'
import { listQuery } from '../../runtime/http/input/list-query.ts'
import { endpoint, type Finding } from '../define.ts'
import { groups } from '../groups.ts'
import { listOf } from '../list.ts'
import { accountBody } from '../v2/app/accounts.ts'
import { accountSchema, accountView } from './views/account.ts'

const find = ({ context, caller, params }: Finding<UserCaller, 'account'>) =>
  findAccountOfUser(context.db, caller, recordId(params.account))

const list = endpoint({
  group: groups.v1,
  method: 'GET',
  path: '/accounts',
  right: 'read-integration',
  summary: 'List accounts',
  description: "The accounts of all of the caller's apps.",
  query: listQuery({
    filter: ['active', 'remote_id', 'app_id'],
    sort: ['id', 'name', 'remote_id', 'created_at', 'updated_at'],
  }),
  returns: page(accountSchema),
  handle: ({ context, caller, query }) => listOf(context, accountList, accountsOfUserScope(caller), query, accountView),
})

const get = endpoint({
  group: groups.v1,
  method: 'GET',
  path: '/accounts/{account}',
  right: 'read-integration',
  summary: 'Get an account',
  find,
  returns: record(accountSchema),
  handle: async ({ found }) => accountView(found),
})

const create = endpoint({
  group: groups.v1,
  method: 'POST',
  path: '/accounts',
  right: 'create-integration',
  summary: 'Create an account',
  body: object({ app_id: id("One of the caller's apps"), ...accountBody.properties }),
  example: { app_id: 1, remote_id: 'merchant-42', name: 'Analytical Engines' },
  returns: record(accountSchema),
  async handle({ context, caller, body: { app_id: appId, ...input } }) {
    const owned = await ownsAppWithId(context.db, caller, appId)
    if (!owned) throw invalidField('app_id', 'The selected app id is invalid.')
    return accountView(await createAccount(context, { appId }, input))
  },
})

const update = endpoint({
  group: groups.v1,
  method: 'PUT',
  path: '/accounts/{account}',
  right: 'update-integration',
  summary: 'Update an account',
  find,
  body: partial(accountBody),
  example: { name: 'Analytical Engines Ltd' },
  returns: record(accountSchema),
  handle: async ({ context, found, body }) =>
    accountView(await updateAccount(context, { appId: found.app_id }, { id: found.id, changes: body })),
})

const remove = endpoint({
  group: groups.v1,
  method: 'DELETE',
  path: '/accounts/{account}',
  right: 'delete-integration',
  summary: 'Delete an account',
  description: 'Its tokens end, and its integrations are uninstalled.',
  find,
  returns: nothing,
  handle: ({ context, found }) =>
    deleteAccount(
      context,
      { appId: found.app_id },
      { id: found.id, cascade: (trx) => uninstallOfAccount(trx, found.id) },
    ),
})

export const v1Accounts = [list, get, create, update, remove]
