import { invalid, unauthenticated } from '../../../lib/fault.ts'
import { codeHashOf, newOneTimeCode } from '../../../lib/identity/one-time-code.ts'
import { digest } from '../../../lib/secret.ts'
import type { Context } from '../../context.ts'
import { checkCredentials, checkShopInput } from '../../integrations/check-install-input.ts'
import { readCredentials } from '../../integrations/credentials-store.ts'
import { connectedBy } from '../../integrations/registration-store.ts'
import { factsOf, remoteFor, shopWith } from '../../shop/shop-remote.ts'
import { renewAccess } from '../activate-integration.ts'
import { checkShop } from '../install-integration.ts'
import { type HeldGrant, holdArrival, takeArrivalState } from './arrival-store.ts'
import { type Registration, readRegistration } from './registration.ts'

type ReceiveContext = Pick<Context, 'db' | 'transaction' | 'record' | 'keys' | 'connectors' | 'transport' | 'publicUrl'>

type Query = Readonly<Record<string, string>>

/** How a shop stands that was let in, or opened, from the platform's own pages. */
export type PlatformArrival = { registration: Registration; shop: string } & (
  | { kind: 'connected' }
  /** Whoever shows the code to the app is the merchant. */
  | { kind: 'held'; code: string }
)

/** The way back of somebody who had opened the app on the platform; null for states that are none of these. */
export async function receiveReturn(
  context: ReceiveContext,
  { type, query }: { type: string; query: Query },
): Promise<PlatformArrival | null> {
  const arrival = await takeArrivalState(context.db, type, digest(query['state'] ?? ''))
  if (!arrival) return null
  const registration = await readRegistration(context, arrival)
  return await receiveCode(context, registration, { shop: arrival.shop, query })
}

/**
 * A code that somebody's browser brings without any state: the platform's own pages sent it. Nobody knows who that is, so
 * nothing but the shop's consent counts. Where the shop is connected already its credentials are renewed, by whose
 * registration they came; where it is not, they are held, sealed, for the account that brings the code of the page.
 */
export async function receiveCode(
  context: ReceiveContext,
  registration: Registration,
  { shop, query, callbackUrl = registration.callbackUrl }: { shop: string; query: Query; callbackUrl?: string },
): Promise<PlatformArrival> {
  const grant = await exchange(context, registration, { shop, query, callbackUrl })
  if (await renew(context, registration, shop, grant)) return { kind: 'connected', registration, shop }
  const code = newOneTimeCode()
  await holdArrival(context.db, context.keys, { ...registration, shop }, { grant, codeHash: codeHashOf(code) })
  return { kind: 'held', registration, shop, code }
}

async function exchange(
  context: ReceiveContext,
  { connector, auth, client }: Registration,
  { shop: named, query, callbackUrl }: { shop: string; query: Query; callbackUrl: string },
): Promise<HeldGrant> {
  const { shop, settings } = checkShopInput(connector, { shop: named })
  const facts = factsOf(connector, { shop, settings: {}, granted: null })
  if (auth.verifyReturn && !auth.verifyReturn(query, client, facts)) throw unauthenticated()
  if (query['error'] || !query[auth.codeName ?? 'code']) {
    throw invalid({ code: [query['error_description'] ?? query['error'] ?? 'The code field is required.'] })
  }
  const remote = remoteFor(context, connector, facts, null)
  const granted = await auth.exchange({ ...facts, client, query, callbackUrl, codeVerifier: null, remote })
  const credentials = checkCredentials(connector, granted.credentials)
  const all = { ...settings, ...granted.settings }
  const opened = factsOf(connector, { shop, settings: Object(all), granted: granted.scopes ?? null })
  const scopes = await checkShop(connector, shopWith(context, connector, opened, credentials))
  return { credentials, settings: all, expiresAt: granted.expiresAt, granted: scopes }
}

/** The platform may have ended the ones before. Those that a merchant has typed are none of this registration. */
async function renew(
  context: ReceiveContext,
  registration: Registration,
  shop: string,
  grant: HeldGrant,
): Promise<boolean> {
  return await context.transaction(async (trx) => {
    let renewed = false
    for (const integration of await connectedBy(trx, { ...registration, shop })) {
      const held = await readCredentials(trx, context.keys, integration)
      if (held && !registration.platformSide.isGranted(held.credentials)) continue
      await renewAccess(trx, context, integration.id, grant)
      renewed = true
    }
    return renewed
  })
}
