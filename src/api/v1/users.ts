import { permissions } from '../../domain/permissions.ts'
import type { UserCaller } from '../../domain/tenant.ts'
import { createUser } from '../../domain/users/create-user.ts'
import { deleteUser } from '../../domain/users/delete-user.ts'
import { updateUser } from '../../domain/users/update-user.ts'
import { findUser } from '../../domain/users/user-store.ts'
import { recordId } from '../../lib/record-id.ts'
import { flag, id, list, maybe, nameText, object, optional, partial, text } from '../../lib/validation/fields.ts'
import { nothing, page, record } from '../../runtime/http/endpoint.ts'
import { listQuery } from '../../runtime/http/input/list-query.ts'
import { endpoint, type Finding } from '../define.ts'
import { groups } from '../groups.ts'
import { confirmed, newPassword } from '../new-password.ts'
import { pageOfUsers } from '../v2/includes/of-users.ts'
import { userSchema, userView } from './views/user.ts'

const body = object({
  name: nameText(),
  email: text({ format: 'email' }),
  password: newPassword,
  password_confirmation: maybe(text({ max: 1024, trim: false })),
  active: optional(flag()),
  company_id: maybe(id()),
  roles: optional(list(text(), { unique: true })),
  permissions: optional(list(text(), { max: permissions.length, unique: true })),
})

const find = ({ context, caller, params }: Finding<UserCaller, 'user'>) =>
  findUser(context.db, caller, recordId(params.user))

const listUsers = endpoint({
  group: groups.v1,
  method: 'GET',
  path: '/users',
  permission: 'read-user',
  summary: 'List users',
  query: listQuery({
    filter: ['active', 'company_id', 'email'],
    sort: ['id', 'name', 'email', 'created_at', 'updated_at'],
  }),
  returns: page(userSchema),
  handle: ({ context, caller, query }) => pageOfUsers(context, caller, query),
})

const information = endpoint({
  group: groups.v1,
  method: 'GET',
  path: '/users/information',
  summary: 'Get the current user',
  returns: record(userSchema),
  handle: async ({ context, caller }) => userView(await findUser(context.db, caller, caller.userId)),
})

const get = endpoint({
  group: groups.v1,
  method: 'GET',
  path: '/users/{user}',
  permission: 'read-user',
  summary: 'Get a user',
  find,
  returns: record(userSchema),
  handle: async ({ found }) => userView(found),
})

const create = endpoint({
  group: groups.v1,
  method: 'POST',
  path: '/users',
  permission: 'create-user',
  summary: 'Create a user',
  description: 'Roles and permissions that the caller does not hold cannot be granted.',
  body,
  example: { name: 'Ada', email: 'ada@example.com', password: 'a long password', permissions: ['read-order'] },
  returns: record(userSchema),
  handle: async ({ context, caller, body }) => userView(await createUser(context, caller, confirmed(body))),
})

const update = endpoint({
  group: groups.v1,
  method: 'PUT',
  path: '/users/{user}',
  permission: 'update-user',
  summary: 'Update a user',
  description: 'A new password ends all tokens of the user.',
  find,
  body: partial(body),
  example: { name: 'Ada Lovelace' },
  returns: record(userSchema),
  handle: async ({ context, caller, found, body }) =>
    userView(await updateUser(context, caller, { id: found.id, changes: confirmed(body) })),
})

const remove = endpoint({
  group: groups.v1,
  method: 'DELETE',
  path: '/users/{user}',
  permission: 'delete-user',
  summary: 'Delete a user',
  find,
  returns: nothing,
  handle: ({ context, caller, found }) => deleteUser(context, caller, found.id),
})

export const v1Users = [listUsers, information, get, create, update, remove]
