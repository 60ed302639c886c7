import { invalidField } from '../../../lib/fault.ts'
import { digest, randomSecret } from '../../../lib/secret.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { Context } from '../../context.ts'
import { everyScope } from '../../scopes.ts'
import type { Caller, UserCaller } from '../../tenant.ts'
import { actFor } from '../callers/act-for.ts'
import { rightsOfUser } from '../callers/rights-of-user.ts'
import { invalidCredentials } from '../oauth-faults.ts'
import { holdActiveUser } from '../token-store.ts'
import {
  type AtProvider,
  endSession,
  insertSession,
  type LiveSession,
  readLiveSession,
} from './console-session-store.ts'
import { logIn } from './log-in.ts'
import { insertSignInStep } from './sign-in-step-store.ts'

/** A working day; whoever comes back tomorrow signs in again. */
export const sessionSeconds = 12 * 3600

/** Ten minutes to find the phone. */
const stepSeconds = 600

/** Where somebody signs in from, as the list of sessions shows it. */
export interface From {
  address: string
  agent?: string | null
}

export type BegunSignIn =
  /** The secret goes into the cookie, and nowhere else. */
  | { session: string }
  /** What goes on with this ticket: a code, or setting a second factor up first. */
  | { ticket: string; enrols: boolean; passkey: boolean }

export async function beginSignIn(
  context: Context,
  input: { email: string; password: string } & From,
): Promise<BegunSignIn> {
  const { email: username, password, address, agent = null } = input
  const user = await logIn(context, { username, password, address })
  if (user.mustUseSingleSignOn) throw signsInElsewhere()
  const secret = randomSecret()
  const isEnough = !user.hasSecondFactor && !user.needsSecondFactor
  if (!isEnough) context.say?.({ detail: 'password' })
  return await context.transaction(async (trx) => {
    if (!(await holdActiveUser(trx, user.id, user.passwordHash))) throw invalidCredentials()
    return await openFor(trx, { user, secret, isEnough, address, agent })
  })
}

/** Said to whoever has proved to be that user, and to nobody else. */
export const signsInElsewhere = () => invalidField('email', 'Your company signs in by single sign-on only.')

interface Opening extends From {
  user: { id: number; hasSecondFactor: boolean; hasPasskey: boolean }
  secret: string
  /** Nothing else is asked for. */
  isEnough: boolean
  /** Where somebody signed in elsewhere. */
  provider?: AtProvider & { secondFactor: boolean }
}

/** The session, or what goes on with a second factor. */
export async function openFor(trx: Db, opening: Opening): Promise<BegunSignIn> {
  const { user, secret, isEnough, provider, address, agent = null } = opening
  const common = { secretHash: digest(secret), userId: user.id, provider: provider ?? null }
  if (isEnough) {
    const secondFactor = provider?.secondFactor ?? false
    await insertSession(trx, { ...common, lifetimeSeconds: sessionSeconds, secondFactor, address, agent })
    return { session: secret }
  }
  await insertSignInStep(trx, { ...common, lifetimeSeconds: stepSeconds })
  return { ticket: secret, enrols: !user.hasSecondFactor, passkey: user.hasPasskey }
}

export async function closeSession(context: Context, caller: Pick<UserCaller, 'tokenId'>): Promise<void> {
  await context.transaction((trx) => endSession(trx, -caller.tokenId))
}

/**
 * How the server hands on what a cookie says: `console.<secret>`, and behind it the app that the user acts for, if any,
 * and one of the accounts of that app.
 */
const form = /^console\.([A-Za-z0-9]{43})(?:\.(\d{1,15})(?:\.(\d{1,15}))?)?$/

export const isSessionToken = (token: string): boolean => token.startsWith('console.')

/** Who that is: the user, or one of the user's apps or accounts with no more rights than the user has. */
export async function readSessionCaller(
  db: Context['db'],
  token: string,
): Promise<{ caller: Caller; secondsLeft: number } | null> {
  const [, secret, app, account] = form.exec(token) ?? []
  const session = secret ? await readLiveSession(db, digest(secret)) : null
  if (!session) return null
  const user = userOf(session)
  const { secondsLeft } = session
  if (app === undefined) return { caller: user, secondsLeft }
  return { caller: await actFor(db, { user, facts: session }, { app, account }), secondsLeft }
}

/** Pages that keep themselves up to date ask more often than programs should. */
const requestsPerMinute = 1200

const userOf = ({ id, userId, ...facts }: LiveSession): UserCaller & { allowance: number } => ({
  kind: 'user',
  // Sessions are no tokens, but are forgotten like them: below zero they never meet.
  tokenId: -id,
  clientId: 0,
  subject: `console:${userId}`,
  allowance: requestsPerMinute,
  scopes: [everyScope],
  userId,
  ...rightsOfUser(facts),
})
