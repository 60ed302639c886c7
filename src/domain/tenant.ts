/** Who is calling, and with that: what they may see. Every store function takes the tenant it works for. */

import type { Permission } from './permissions.ts'
import type { Right, Role } from './rights.ts'

interface TokenFacts {
  tokenId: number
  clientId: number
  scopes: readonly string[]
  /** Key of the rate window: the subject, never the token, so that a new token is no new allowance. */
  subject: string
  /** Whose idempotency keys it uses, where the subject speaks for several. */
  keysOf?: string
  /** With whom it shares connections to the database, where that is not it alone: clients of an app with each other. */
  sharesWith?: string
  /** How often it may call in a minute, where that is not what its kind may. */
  allowance?: number
  /** The user who acts for an app or an account, from the console. */
  onBehalfOf?: number
  permissions: ReadonlySet<Permission>
  /** What the user may who calls, or for whom the console calls; null where an app or an account speaks for itself. */
  rights: ReadonlySet<Right> | null
}

export interface UserCaller extends TokenFacts {
  kind: 'user'
  userId: number
  companyId: number | null
  /** The role `admin` reaches everything. */
  admin: boolean
  rights: ReadonlySet<Right>
  role: Role | null
  /** Where single apps have roles of their own: which apps are meant by what an endpoint needs. */
  within?: (need: Right | undefined) => UserCaller
  reach?: Reach
}

/** All apps of the company but `apps`, or none but those. */
export interface Reach {
  everywhere: boolean
  apps: readonly number[]
}

export interface ClientCaller extends TokenFacts {
  kind: 'client'
  /** A client that is bound to no app has no tenant: every APP route refuses it. */
  appId: number | null
}

export interface AccountCaller extends TokenFacts {
  kind: 'account'
  appId: number
  accountId: number
}

/** A program that a person lets act for an app, within bounds. It opens `/mcp` and nothing else. */
export interface AgentCaller extends TokenFacts {
  kind: 'agent'
  grantId: number
  appId: number
  userId: number
  companyId: number | null
  admin: boolean
  rights: ReadonlySet<Right>
  bounds: {
    shops: readonly number[] | null
    tools: readonly string[]
    customer_data: boolean
    calls_per_hour: number
    writes_per_day: number
  }
}

export type Caller = UserCaller | ClientCaller | AccountCaller | AgentCaller

export interface CallerByKind {
  user: UserCaller
  client: ClientCaller
  account: AccountCaller
}

export type UserTenant = Pick<UserCaller, 'userId' | 'companyId' | 'admin' | 'reach'>
export interface AppTenant {
  appId: number
}
export type AccountTenant = Pick<AccountCaller, 'appId' | 'accountId'>

/** Records belong to the company that their maker had at that time; to the maker, if there was none. */
export interface OwnedByUser {
  user_id: number | null
  company_id: number | null
}

/** Membership decides, not who made it. `app` is the app that the record is part of. */
export function owns(tenant: UserTenant, record: OwnedByUser, app: number | null = null): boolean {
  if (tenant.admin) return true
  const own = record.company_id === null ? record.user_id === tenant.userId : record.company_id === tenant.companyId
  return own && reaches(tenant, app)
}

/** Null is what belongs to no app. */
export function reaches({ reach }: Pick<UserTenant, 'reach'>, app: number | null): boolean {
  if (!reach) return true
  return app === null ? reach.everywhere : reach.everywhere !== reach.apps.includes(app)
}

/** `owns` as a condition on rows, without the apps; `of` is the table where several are joined. */
export const ownedSql = (of = ''): string =>
  `(${of}company_id = ?::bigint or (${of}company_id is null and ${of}user_id = ?))`

export const ownedParams = (tenant: UserTenant): (number | null)[] => [tenant.companyId, tenant.userId]
