import type { Connector } from '../../commerce/connector.ts'
import { connectorFor } from '../../commerce/connectors.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import { invalidField } from '../../lib/fault.ts'
import type { KeyRing } from '../../lib/secret-box.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { readPlatformClient } from '../services/platform-client-store.ts'
import { beginTrip } from './install-state.ts'
import type { Integration } from './integration.ts'
import { factsOf } from './shop-remote.ts'

type StartContext = Pick<Context, 'keys' | 'connectors' | 'publicUrl'>

/** Where platforms answer; one address per type, so that no platform can pass for another. */
export const callbackUrl = (context: Pick<Context, 'publicUrl'>, type: string): string =>
  `${context.publicUrl}/api/1.0/app_callback/${type}`

/**
 * The address at which the merchant lets us in, or null where keys are typed. `returnUrl` must have been checked
 * against the app. Belongs into the transaction that makes or changes the integration.
 */
export async function startAuthorization(
  trx: Db,
  context: StartContext,
  integration: Integration,
  options: { returnUrl: string | null; scopes?: readonly string[] },
): Promise<string | null> {
  const connector = connectorFor(context.connectors, integration)
  if (!connector || connector.auth.kind === 'keys') return null
  const { auth } = connector
  const oauth = auth.kind === 'oauth2' ? auth : null
  const client = await platformClient(trx, context.keys, connector, integration)
  const { state, codeChallenge } = await beginTrip(trx, context.keys, integration, {
    returnUrl: options.returnUrl,
    pkce: oauth?.pkce ?? false,
  })
  return auth.authorizeUrl({
    ...factsOf(connector, integration),
    client,
    state,
    codeChallenge,
    callbackUrl: callbackUrl(context, integration.type),
    scopes: options.scopes ?? oauth?.scopes ?? [],
  })
}

/** How the platform knows us: what was kept for the app, else for the service. */
export async function platformClient(
  db: Db,
  keys: KeyRing,
  connector: Connector,
  { app_id: appId, service_id: serviceId }: Pick<Integration, 'app_id' | 'service_id'>,
): Promise<AnyFields> {
  if (connector.auth.kind !== 'oauth2') return {}
  const client = await readPlatformClient(db, keys, { serviceId, appId })
  if (client) return client
  throw invalidField('service', 'The service is not set up for this app: the settings of its client are missing.')
}
