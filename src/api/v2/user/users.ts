import { Type } from 'typebox'
import { makeResetLink } from '../../../domain/oauth/reset/make-reset-link.ts'
import { changePassword } from '../../../domain/oauth/sign-in/change-password.ts'
import { roles } from '../../../domain/rights.ts'
import { assignRoles } from '../../../domain/users/assign-roles.ts'
import { findUser } from '../../../domain/users/user-store.ts'
import { recordId } from '../../../lib/record-id.ts'
import { choice, id, list, maybe, object, optional, text } from '../../../lib/validation/fields.ts'
import { nothing, page, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { confirmed, newPassword } from '../../new-password.ts'
import { pageOfUsers } from '../includes/of-users.ts'
import { timestamp } from '../views/record.ts'
import { userSchema, userView } from '../views/user.ts'

const listUsers = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/users',
  permission: 'read-user',
  summary: 'List users',
  description: 'Colleagues of the same company; an admin sees everybody.',
  query: listQuery({
    filter: ['active', 'company_id', 'email'],
    sort: ['id', 'name', 'email', 'created_at', 'updated_at'],
  }),
  returns: page(userSchema),
  handle: ({ context, caller, query }) => pageOfUsers(context, caller, query),
})

const assign = endpoint({
  group: groups.user,
  method: 'PUT',
  path: '/users/{user}/roles',
  right: 'update-user',
  extension: true,
  summary: 'Set the roles of a user',
  description:
    'In the company, and for single apps of it, where such a role counts in the place of the first. A role that gives more than the caller has cannot be given; the last owner stays one.',
  find: ({ context, caller, params }) => findUser(context.db, caller, recordId(params.user)),
  body: object({
    company_role: maybe(choice(roles, 'Null: only permissions say what the user may')),
    app_roles: optional(list(object({ app_id: id(), role: choice(roles) }), { max: 200 })),
  }),
  example: { company_role: 'operator', app_roles: [{ app_id: 1, role: 'admin' }] },
  returns: record(userSchema),
  handle: async ({ context, caller, found, body }) =>
    userView(await assignRoles(context, caller, { id: found.id, changes: body })),
})

const changeOwnPassword = endpoint({
  group: groups.user,
  method: 'PUT',
  path: '/password',
  extension: true,
  summary: 'Change your own password',
  description: 'Ends all other sessions and tokens of the user; the one that is used for it stays.',
  status: 204,
  body: object({
    current_password: text({ max: 1024, trim: false }),
    password: newPassword,
    password_confirmation: maybe(text({ max: 1024, trim: false })),
  }),
  example: { current_password: 'correct horse battery', password: 'a long password' },
  returns: nothing,
  handle: async ({ context, caller, body, request }) => {
    const { current_password: current, password: wanted } = confirmed(body)
    await changePassword(context, caller, { current, wanted, address: request.address })
  },
})

const passwordLink = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/users/{user}/password-link',
  right: 'update-user',
  extension: true,
  audits: 'secret',
  summary: 'Create a password reset link for a user',
  description:
    'To hand to that person, shown only here; where the service has a mail server it is sent as well, and `mailed` says so. It is good once, for half an hour. Not for somebody who may more than the caller.',
  find: ({ context, caller, params }) => findUser(context.db, caller, recordId(params.user)),
  returns: record(Type.Object({ url: Type.String(), expires_at: timestamp, mailed: Type.Boolean() })),
  handle: ({ context, caller, found }) => makeResetLink(context, caller, found),
})

export const userUsers = [listUsers, assign, changeOwnPassword, passwordLink]
