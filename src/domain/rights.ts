import { type Permission, permissions } from './permissions.ts'
import type { AppScope, WebcomponentScope } from './scopes.ts'

/**
 * Who may what, in one place. The specification names 22 permissions and the endpoints that need them; where it states
 * none, and on endpoints of our own, an endpoint needs a right: one of those permissions, or one of these.
 */
const ownRights = [
  /** Apps, the services they offer, their webhooks without secrets. */
  'read-app',
  'create-app',
  'update-app',
  'delete-app',
  /** What lets data out or others in: gateway keys, webhooks and their secrets. */
  'manage-access',
  /** What is read and changed in shops by name: actions. */
  'run-action',
  /** Requests to the shop as they are, unread by us. */
  'call-shop',
  /** Somebody is forgotten in all shops of a merchant. */
  'erase-customer',
  'read-usage',
  /** Who did what. */
  'read-audit',
  'create-company',
  'update-company',
  /** How members of the company sign in. */
  'manage-sign-in',
  /** Who says who they are: whoever chooses it could come in as any of them. */
  'manage-single-sign-on',
] as const

export type OwnRight = (typeof ownRights)[number]
export type Right = Permission | OwnRight
export const rights: readonly Right[] = [...permissions, ...ownRights]

export const roles = ['owner', 'admin', 'operator', 'support', 'billing'] as const
/** What somebody is in a company, or for one of its apps. */
export type Role = (typeof roles)[number]

/** What a role for a single app can give: the others concern the company as a whole. */
const appRights: ReadonlySet<Right> = new Set<Right>([
  ...permissions.filter((permission) => /-(integration|schedule|order)$/.test(permission)),
  ...(['read-app', 'update-app', 'delete-app', 'manage-access', 'run-action', 'call-shop', 'erase-customer'] as const),
])

const reading = ['read-integration', 'read-schedule', 'read-order', 'read-app'] as const

/** What each role may, from the most to the least. */
export const rightsOfRole: Readonly<Record<Role, readonly Right[]>> = {
  owner: rights,
  admin: rights.filter((right) => right !== 'delete-app' && right !== 'manage-single-sign-on'),
  operator: [
    ...reading,
    'create-integration',
    'update-integration',
    'create-schedule',
    'update-schedule',
    'delete-schedule',
    'create-order',
    'update-order',
    'run-action',
    'read-usage',
  ],
  support: reading,
  billing: ['read-usage', 'update-company'],
}

/** What a role gives to whoever has it for one app. */
export const rightsForApp = (role: Role): Right[] => rightsOfRole[role].filter((right) => appRights.has(right))

/**
 * Permissions that were given one by one say nothing of rights of our own: whoever holds all of these has the right.
 * Where others get to see orders by it, reading orders is among them.
 */
const impliedBy: Readonly<Record<OwnRight, readonly Permission[]>> = {
  'read-app': [],
  'create-app': ['create-integration'],
  'update-app': ['update-integration'],
  'delete-app': ['delete-integration'],
  'manage-access': ['update-integration', 'read-order'],
  'run-action': ['update-integration', 'read-order'],
  'call-shop': ['update-integration', 'read-order', 'update-order'],
  'erase-customer': ['read-order', 'update-order', 'delete-order'],
  'read-usage': ['read-client'],
  'read-audit': ['read-user', 'read-client', 'read-order'],
  'create-company': ['create-user'],
  'update-company': ['update-user'],
  'manage-sign-in': ['create-user', 'update-user', 'delete-user'],
  'manage-single-sign-on': permissions,
}

/** The permissions that amount to a right of our own; null for what is a permission itself. */
export const amountsTo = (right: Right): readonly Permission[] | null => (isPermission(right) ? null : impliedBy[right])

const isPermission = (right: Right): right is Permission => permissions.some((permission) => permission === right)

export interface Standing {
  admin: boolean
  companyId: number | null
  /** What the user is in the company; null if only permissions say what the user may. */
  role: Role | null
  /** Given one by one, or by a role of the whole instance. */
  permissions: readonly Permission[]
}

export function rightsOf({ admin, companyId, role, permissions: given }: Standing): Set<Right> {
  if (admin) return new Set(rights)
  const held = new Set<Right>(given)
  const implied = given.length === 0 ? [] : ownRights.filter((own) => impliedBy[own].every((one) => held.has(one)))
  // Whoever has no company may found one.
  const alone: readonly Right[] = companyId === null ? ['create-company'] : []
  return new Set([...given, ...implied, ...alone, ...(role ? rightsOfRole[role] : [])])
}

export const permissionsOfRole = (role: Role): Permission[] => rightsOfRole[role].filter(isPermission)

/** Both ways of being allowed something, in the words of the specification. */
export const permissionsOf = (held: ReadonlySet<Right>): Set<Permission> => new Set([...held].filter(isPermission))

/** Where the console calls as an app or an account: what the user needs, unless the endpoint says otherwise. */
const rightForScope: Readonly<Record<AppScope | WebcomponentScope, Right>> = {
  'app:account-read': 'read-integration',
  'app:account-create': 'create-integration',
  'app:account-update': 'update-integration',
  'app:intent-create': 'create-integration',
  'app:integration-read': 'read-integration',
  'app:integration-action': 'run-action',
  'app:integration-claim': 'update-integration',
  'app:integration-update': 'update-integration',
  'app:integration-delete': 'delete-integration',
  'app:integration-create': 'create-integration',
  'app:service-attach': 'read-app',
  'app:flow-read': 'read-integration',
  'webcomponent:app-read': 'read-app',
  'webcomponent:integration-read': 'read-integration',
  'webcomponent:integration-update': 'update-integration',
  'webcomponent:integration-event': 'run-action',
  'webcomponent:integration-create': 'create-integration',
  'webcomponent:integration-install': 'create-integration',
  'webcomponent:integration-schedule': 'update-schedule',
}

export const rightFor = (scope: string | undefined): Right | undefined =>
  Object.entries(rightForScope).find(([name]) => name === scope)?.[1]
