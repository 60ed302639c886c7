import { Fault } from '../../../lib/fault.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { Caller, UserCaller } from '../../tenant.ts'
import { readAccountOf, readOwnedApp } from '../sign-in/console-session-store.ts'
import { rightsInApp, type UserFacts } from './rights-of-user.ts'

/** A user who speaks for one of their apps, or for an account of it: in the console, or at a command line. */
export async function actFor(
  db: Db,
  { user, facts: held }: { user: UserCaller; facts: UserFacts },
  { app, account }: { app: string; account?: string | undefined },
): Promise<Caller> {
  const appId = isId(app) ? await readOwnedApp(db, user, Number(app)) : null
  if (appId === null) throw notThere('app')
  const { tokenId, clientId, subject, userId: onBehalfOf, scopes } = user
  const allowance = user.allowance === undefined ? {} : { allowance: user.allowance }
  // No more scopes than the token has, and no more than the user may in this app: each endpoint says which right that is.
  const rights = rightsInApp(held, appId)
  const facts = { tokenId, clientId, subject, ...allowance, onBehalfOf, scopes, permissions: new Set<never>(), rights }
  const keysOf = `${subject}/app:${appId}`
  if (account === undefined) return { kind: 'client', ...facts, keysOf, appId }
  const accountId = isId(account) ? await readAccountOf(db, appId, Number(account)) : null
  if (accountId === null) throw notThere('account')
  return { kind: 'account', ...facts, keysOf: `${keysOf}/account:${accountId}`, appId, accountId }
}

const isId = (text: string): boolean => /^\d{1,15}$/.test(text)

/** Whoever is signed in stays so: it is what they want to see that is gone, or was never theirs. */
const notThere = (what: 'app' | 'account') =>
  new Fault('not_found', `This ${what} does not exist, or you have no access to it.`)
