import { userList, userScope } from '../../../domain/users/user-store.ts'
import { page } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { listOf } from '../../list.ts'
import { userSchema, userView } from '../views/user.ts'

const list = endpoint({
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
  handle: ({ context, caller, query }) => listOf(context, userList, userScope(caller), query, userView),
})

export const userUsers = [list]
