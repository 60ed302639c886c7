import { unauthenticated } from '../../../lib/fault.ts'
import { codeHashOf, newOneTimeCode } from '../../../lib/identity/one-time-code.ts'
import { digest, randomSecret } from '../../../lib/secret.ts'
import { routedAddress } from '../../../runtime/egress/egress-routes.ts'
import type { Context } from '../../context.ts'
import { connectedBy } from '../../integrations/registration-store.ts'
import { factsOf } from '../../shop/shop-remote.ts'
import { beginArrival, renewOneTimeCode } from './arrival-store.ts'
import type { PlatformArrival } from './receive-code.ts'
import type { Registration } from './registration.ts'

export type OpenedApp =
  | PlatformArrival
  /** Nobody has let us in, or nobody has come for it in time: the platform asks again. */
  | { kind: 'unknown'; registration: Registration; shop: string; authorizationUrl: string }

type Query = Readonly<Record<string, string>>

/** A call may be shown again for as long as the platform says; a new code comes from one that has just been made. */
const freshSeconds = 600

/** Somebody opens the app on the platform. */
export async function openApp(
  context: Pick<Context, 'db' | 'egressRoutes'>,
  registration: Registration,
  { query, seconds }: { query: Query; seconds: number },
): Promise<OpenedApp> {
  const call = readCall(registration, 'open', { query, seconds })
  const { shop } = call
  if ((await connectedBy(context.db, { ...registration, shop })).length > 0) {
    return { kind: 'connected', registration, shop }
  }
  const code = newOneTimeCode()
  const isFresh = seconds - Date.parse(call.at) / 1000 <= freshSeconds
  if (isFresh && (await renewOneTimeCode(context.db, registration, { shop, codeHash: codeHashOf(code) }))) {
    return { kind: 'held', registration, shop, code }
  }
  return { kind: 'unknown', registration, shop, authorizationUrl: await setOut(context, registration, shop) }
}

/** What the platform has signed for this registration; everybody else is 401. */
export function readCall(
  { platformSide, client }: Registration,
  kind: Parameters<typeof platformSide.readCall>[0]['kind'],
  { query, seconds }: { query: Query; seconds: number },
): { shop: string; at: string } {
  const call = platformSide.readCall({ kind, query, seconds }, client)
  if (!call) throw unauthenticated()
  return call
}

async function setOut(
  context: Pick<Context, 'db' | 'egressRoutes'>,
  registration: Registration,
  shop: string,
): Promise<string> {
  const { auth, client, callbackUrl, connector, app } = registration
  const state = randomSecret()
  await beginArrival(context.db, { ...registration, shop }, digest(state))
  const address = auth.authorizeUrl({
    ...factsOf(connector, { shop, settings: {}, granted: null }),
    ...{ client, state, callbackUrl },
    appName: app?.name ?? null,
    codeChallenge: null,
    scopes: auth.scopes,
  })
  return routedAddress(address, context.egressRoutes)
}
