import { Fault, invalidField, unavailable } from '../../../lib/fault.ts'
import { digest, randomSecret } from '../../../lib/secret.ts'
import type { Registration } from '../../../runtime/openid/open-id.ts'
import type { Context } from '../../context.ts'
import { findCompanyOfDomain } from './domain-store.ts'
import { domainOf, redirectUri } from './single-sign-on.ts'
import { insertTrip, type Provider, readProvider } from './single-sign-on-store.ts'

export const tripSeconds = 600

export interface BegunTrip {
  /** Where the browser goes. */
  url: string
  state: string
  /** Goes into a cookie of this browser, and nowhere else. */
  browser: string
}

/** What else the trip needs follows from the secret of the browser: there is nothing to keep. */
export const secretsOf = (browser: string) => ({
  nonce: digest(`${browser} nonce`).toString('base64url'),
  codeVerifier: digest(`${browser} verifier`).toString('base64url'),
})

export const registrationOf = (
  { publicUrl }: Pick<Context, 'publicUrl'>,
  companyId: number,
  { issuer, client_id: clientId, clientSecret }: Provider,
): Registration => ({ issuer, clientId, clientSecret, redirectUri: redirectUri(publicUrl, companyId) })

/** The domain decides and nothing else: whether there is such a user is not even looked at. */
export async function beginSingleSignOn(context: Context, email: string): Promise<BegunTrip> {
  const { db, keys, openId } = context
  if (!openId) throw unavailable()
  const domain = domainOf(email)
  const companyId = domain === null ? null : await findCompanyOfDomain(db, domain)
  const provider = companyId === null ? null : await readProvider(db, keys, companyId)
  if (companyId === null || !provider) {
    throw invalidField('email', 'There is no single sign-on for addresses of this domain.')
  }
  const trip = { state: randomSecret(), browser: randomSecret() }
  const { state, browser } = trip
  const wanted = { state, ...secretsOf(browser), loginHint: email }
  const url = await openId
    .addressFor(registrationOf(context, companyId, provider), wanted)
    .catch((error: unknown) => refuse(context, { companyId, error }))
  const common = { companyId, lifetimeSeconds: tripSeconds }
  await insertTrip(db, { ...common, stateHash: digest(state), browserHash: digest(browser) })
  return { url, ...trip }
}

/** Said to the person, and to the log: those who run the provider are the ones who can mend it. */
export function refuse(
  { log }: Pick<Context, 'log'>,
  { companyId, error }: { companyId: number; error: unknown },
): never {
  if (!(error instanceof Fault) || !error.kind.startsWith('upstream_')) throw error
  const { cause } = error
  // Never more of it than this: there are tokens in what the provider answered.
  const why = cause instanceof Error ? cause.message : error.message
  log.warn({ company_id: companyId, why }, 'single sign-on failed')
  throw invalidField('single_sign_on', error.message)
}
