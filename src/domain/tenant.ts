/** Who is calling, and with that: what they may see. Every store function takes the tenant it works for. */

import type { Permission } from './permissions.ts'

interface TokenFacts {
  tokenId: number
  clientId: number
  scopes: readonly string[]
  /** Key of the rate window: the subject, never the token, so that a new token is no new allowance. */
  subject: string
  /** Whose idempotency keys it uses, where the subject speaks for several. */
  keysOf?: string
  /** How often it may call in a minute, where that is not what its kind may. */
  allowance?: number
  /** The user who acts for an app or an account, from the console. */
  onBehalfOf?: number
  permissions: ReadonlySet<Permission>
}

export interface UserCaller extends TokenFacts {
  kind: 'user'
  userId: number
  companyId: number | null
  /** The role `admin` reaches everything. */
  admin: boolean
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

export type Caller = UserCaller | ClientCaller | AccountCaller

export interface CallerByKind {
  user: UserCaller
  client: ClientCaller
  account: AccountCaller
}

export type UserTenant = Pick<UserCaller, 'userId' | 'companyId' | 'admin'>
export interface AppTenant {
  appId: number
}
export type AccountTenant = Pick<AccountCaller, 'appId' | 'accountId'>

/** Records made by a user belong to that user and to the company the user had at that time. */
export interface OwnedByUser {
  user_id: number | null
  company_id: number | null
}

export function owns(tenant: UserTenant, record: OwnedByUser): boolean {
  if (tenant.admin || record.user_id === tenant.userId) return true
  return tenant.companyId !== null && record.company_id === tenant.companyId
}
