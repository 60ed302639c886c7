import { Fault, invalidField } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { holdLive } from '../../runtime/db/rows/hold-row.ts'
import type { Account } from '../accounts/account.ts'
import { findAccount, findAccountByRemoteId, findAccountOfUser } from '../accounts/account-store.ts'
import { findApp } from '../apps/app-store.ts'
import { type AccountTenant, type AppTenant, type OwnedByUser, reaches, type UserTenant } from '../tenant.ts'

/** Whom a new integration belongs to. Without an app it is unclaimed, and its maker alone reaches it. */
export interface Place extends OwnedByUser {
  app_id: number | null
  account_id: number | null
}

export interface AccountReference {
  account_id?: number | null | undefined
  remote_id?: string | null | undefined
}

const nobody: OwnedByUser = { user_id: null, company_id: null }

export const placeForAccount = (tenant: AccountTenant): Place => ({
  ...nobody,
  app_id: tenant.appId,
  account_id: tenant.accountId,
})

export async function placeForApp(db: Db, tenant: AppTenant, reference: AccountReference): Promise<Place> {
  const account = await referredAccount(db, tenant, reference)
  return { ...nobody, app_id: tenant.appId, account_id: account?.id ?? null }
}

/** A user names the app, or an account of it, or neither. */
export async function placeForUser(
  db: Db,
  tenant: UserTenant,
  reference: AccountReference & { app_id?: number | null | undefined },
): Promise<Place> {
  const owner = { user_id: tenant.userId, company_id: tenant.companyId }
  const { app_id: appId, account_id: accountId } = reference
  if (appId) {
    await orInvalid('app_id', findApp(db, tenant, appId))
    return { ...(await placeForApp(db, { appId }, reference)), ...owner }
  }
  if (!accountId) {
    if (!reaches(tenant, null)) throw selected('app_id')
    return { ...owner, app_id: null, account_id: null }
  }
  const account = await orInvalid('account_id', findAccountOfUser(db, tenant, accountId))
  return { ...owner, app_id: account.app_id, account_id: account.id }
}

/** The account of the app that a body names; null if it names none. */
export async function referredAccount(db: Db, tenant: AppTenant, reference: AccountReference): Promise<Account | null> {
  const { account_id: id, remote_id: remoteId } = reference
  const named = remoteId ? await orInvalid('remote_id', findAccountByRemoteId(db, tenant, remoteId)) : null
  const numbered = id ? await orInvalid('account_id', findAccount(db, tenant, id)) : null
  if (named && numbered && named.id !== numbered.id) throw selected('account_id')
  return named ?? numbered
}

/**
 * Whose it is are not removed until the transaction ends; false where one of them has been. Who was let in may go while a shop is
 * asked, and what was connected for them then would be read for ever, for nobody. Held before the integration where that can be:
 * whoever removes them takes them in this order.
 */
export const holdOwners = async (
  trx: Db,
  { app_id: appId, account_id: accountId }: Pick<Place, 'app_id' | 'account_id'>,
): Promise<boolean> =>
  (appId === null || (await holdLive(trx, 'apps', appId))) &&
  (accountId === null || (await holdLive(trx, 'accounts', accountId)))

const selected = (field: string) => invalidField(field, `The selected ${field.replaceAll('_', ' ')} is invalid.`)

/** A record that a body names and that is not there, or not the caller's, is a wrong value of that field. */
export async function orInvalid<T>(field: string, found: Promise<T>): Promise<T> {
  try {
    return await found
  } catch (error) {
    if (error instanceof Fault && (error.kind === 'not_found' || error.kind === 'forbidden')) throw selected(field)
    throw error
  }
}
