import type { Context } from '../../../domain/context.ts'
import type { UserTenant } from '../../../domain/tenant.ts'
import { rememberedRoles } from '../../../domain/users/stored-user-store.ts'
import type { User } from '../../../domain/users/user.ts'
import { listUsers, listUserVersions, readUsersAsOf } from '../../../domain/users/user-store.ts'
import type { Version } from '../../../runtime/db/lists/paginate.ts'
import type { ListQuery } from '../../../runtime/http/input/list-query.ts'
import { firstPage } from '../first-pages.ts'
import { userView } from '../views/user.ts'

/** Version 1.0 lists users as version 2.0 does. */
export async function pageOfUsers(context: Context, tenant: UserTenant, query: ListQuery) {
  const roles = await rememberedRoles(context.reader)
  const first = await firstPage<User & Version>(context, query, {
    name: 'user',
    versions: (reader, asked) => listUserVersions(reader, tenant, asked),
    byIds: (reader, ids) => readUsersAsOf(reader, ids, roles),
    versionOf: ({ version }) => version,
    shownBy: roles,
    view: (users) => users.map(userView),
  })
  if (first) return first
  const { rows, total } = await listUsers(context.reader, tenant, query)
  return { rows: rows.map(userView), total }
}
