import { addressBlock } from '../../../lib/addresses/address-block.ts'
import { cut, withoutBidiControls } from '../../../lib/clean-text.ts'
import { invalidField, unavailable } from '../../../lib/fault.ts'
import { digest, randomSecret } from '../../../lib/secret.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { Person, Redeemed } from '../../../runtime/openid/open-id.ts'
import type { Context } from '../../context.ts'
import { changeUser, insertUser } from '../../users/user-store.ts'
import { type BegunSignIn, type From, openFor } from '../sign-in/console-session.ts'
import { rememberAddress } from '../sign-in/login-store.ts'
import { refuse, registrationOf, secretsOf } from './begin-single-sign-on.ts'
import { hasProved } from './domain-store.ts'
import { findMemberOfEmail, findUserOfSubject, holdMember, keepSubject } from './member-store.ts'
import { domainOf, hasSecondFactor, type SingleSignOn } from './single-sign-on.ts'
import { holdProvider, readProvider, spendTrip } from './single-sign-on-store.ts'

interface Arrival extends From {
  companyId: number
  /** The query that the provider sent the browser back with. */
  answer: URLSearchParams
  /** What the browser has kept of a trip with this state. */
  browserOf(state: string): string | null
}

const failed = (words: string) => invalidField('single_sign_on', words)
const tooLate = () => failed('This took too long, or began in another browser. Sign in again.')
const switchedOff = () => failed('Your company does not sign in this way any more.')
const notLetIn = () =>
  failed('There is nobody in this company with the address that you have there. Ask whoever manages the team.')
const unverified = () => failed('The provider does not say that your address is yours. Ask whoever runs it.')
const somebodyElse = () =>
  failed('Whoever has this address signs in there as somebody else. Ask whoever manages the team.')

export async function finishSingleSignOn(context: Context, arrival: Arrival): Promise<BegunSignIn> {
  const { db, keys, openId } = context
  const { companyId, answer, address, agent = null } = arrival
  if (!openId) throw unavailable()
  const state = answer.get('state') ?? ''
  const browser = arrival.browserOf(state)
  const trip = { stateHash: digest(state), browserHash: digest(browser ?? ''), companyId }
  if (browser === null || !(await spendTrip(db, trip))) throw tooLate()
  const provider = await readProvider(db, keys, companyId)
  if (!provider) throw switchedOff()
  const asked = async (): Promise<[Redeemed, Person | null]> => {
    const registration = registrationOf(context, companyId, provider)
    const redeemed = await openId.redeem(registration, { state, ...secretsOf(browser), answer })
    const isKnown = (await findUserOfSubject(db, { companyId, subject: redeemed.subject })) !== null
    return [redeemed, isKnown ? null : await redeemed.person()]
  }
  const [{ subject, session, methods }, person] = await asked().catch((error: unknown) =>
    refuse(context, { companyId, error }),
  )

  const secret = randomSecret()
  let userId = 0
  const begun = await context.transaction(async (trx) => {
    const now = await holdProvider(trx, companyId)
    if (now?.issuer !== provider.issuer || now.client_id !== provider.client_id) throw switchedOff()
    const found = await findUserOfSubject(trx, { companyId, subject })
    const id = found ?? (await joined(trx, { companyId, person, settings: now }))
    context.say?.({ userId: id, detail: 'single sign-on' })
    const member = await holdMember(trx, { companyId, userId: id })
    if (!member) throw notLetIn()
    if (!(await keepSubject(trx, { companyId, subject, userId: id }))) throw somebodyElse()
    userId = id
    const isProved = now.trust_second_factor || hasSecondFactor(methods)
    const isEnough = isProved || (!member.hasSecondFactor && !member.needsSecondFactor)
    const at = { companyId, session, secondFactor: isProved }
    return await openFor(trx, { user: member, secret, isEnough, provider: at, address, agent })
  })
  if ('session' in begun) await rememberAddress(db, { userId, address: addressBlock(address) })
  return begun
}

/** Whoever is a member already, by an address of the company's own that the provider has verified; or somebody new. */
async function joined(
  trx: Db,
  input: { companyId: number; person: Person | null; settings: Omit<SingleSignOn, 'has_client_secret'> },
): Promise<number> {
  const { companyId, person, settings } = input
  const email = person?.email ?? null
  if (person === null || email === null) throw notLetIn()
  if (!(person.isEmailVerified ?? settings.trust_addresses)) throw unverified()
  const domain = domainOf(email)
  if (domain === null || !(await hasProved(trx, companyId, domain))) throw notLetIn()
  const found = await findMemberOfEmail(trx, { companyId, email })
  if (found !== null) return found
  if (!settings.create_users) throw notLetIn()
  const made = await insertUser(trx, {
    created_by: null,
    company_id: companyId,
    name: nameOf(person.name, email),
    email: cut(email, 255),
    password_hash: null,
    active: true,
    isVerified: true,
  })
  // Somebody was quicker, and it may have been the same person in another window.
  if (made === null) throw failed('Sign in again.')
  await changeUser(trx, made, { company_role: settings.default_role })
  return made
}

function nameOf(said: string | null, email: string): string {
  const name = cut((said ?? '').trim(), 255)
  return name !== '' && new RegExp(withoutBidiControls, 'u').test(name) ? name : email
}
