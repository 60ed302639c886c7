import type { Permission } from '../../permissions.ts'
import { permissionsOf, type Right, type Role, rightsForApp, rightsOf } from '../../rights.ts'
import type { UserCaller } from '../../tenant.ts'

/** What is read of a user together with a token or a session. */
export interface UserFacts {
  company_id: number | null
  admin: boolean
  role: Role | null
  permissions: Permission[]
  /** Roles for single apps, by the app's id. */
  app_roles: Record<string, Role> | null
}

/** As columns of a statement that has a row of `users`. */
export const userFactsSql = `users.company_id, users.company_role as role,
  (select json_object_agg(app_id, role) from app_roles where app_roles.user_id = users.id) as app_roles`

type Rights = Pick<UserCaller, 'companyId' | 'admin' | 'role' | 'rights' | 'permissions' | 'within'>

/**
 * Where single apps have roles of their own, `rights` is what the user may anywhere: that lets the user in at the door.
 * `within` then says which apps are behind it.
 */
export function rightsOfUser(facts: UserFacts): Rights {
  const { company_id: companyId, admin, role, permissions } = facts
  const everywhere = rightsOf({ admin, companyId, role, permissions })
  const common = { companyId, admin, role }
  const byApp = rightsByApp(facts)
  if (byApp.size === 0 || admin) return { ...common, rights: everywhere, permissions: permissionsOf(everywhere) }
  const rights = new Set([...everywhere, ...[...byApp.values()].flatMap((held) => [...held])])
  return {
    ...common,
    rights,
    permissions: permissionsOf(rights),
    within(this: UserCaller, need) {
      const isEverywhere = need === undefined || everywhere.has(need)
      const others = [...byApp].filter(([, held]) => (need === undefined || held.has(need)) !== isEverywhere)
      return { ...this, reach: { everywhere: isEverywhere, apps: others.map(([app]) => app) } }
    },
  }
}

const rightsByApp = ({ app_roles: roles }: Pick<UserFacts, 'app_roles'>): Map<number, ReadonlySet<Right>> =>
  new Map(Object.entries(roles ?? {}).map(([app, role]) => [Number(app), new Set(rightsForApp(role))]))

/** What a caller may wherever no role for the app says otherwise. */
export const rightsEverywhere = (caller: UserCaller): Right[] =>
  [...caller.rights].filter((right) => caller.within?.(right).reach?.everywhere ?? true)

/** What the user may in one app. */
export function rightsInApp(facts: UserFacts, app: number): ReadonlySet<Right> {
  const { company_id: companyId, admin, role, permissions } = facts
  const own = admin ? undefined : rightsByApp(facts).get(app)
  return own ?? rightsOf({ admin, companyId, role, permissions })
}
