import { waysIn } from '../../commerce/capabilities.ts'
import type { Connector } from '../../commerce/connector.ts'
import { connectorFor } from '../../commerce/connectors.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { routedAddress } from '../../runtime/egress/egress-routes.ts'
import { appsById } from '../apps/app-store.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { platformClient } from '../shop/platform-client.ts'
import { factsOf } from '../shop/shop-remote.ts'
import { beginTrip } from './install-state.ts'

type StartContext = Pick<Context, 'keys' | 'connectors' | 'publicUrl' | 'egressRoutes'>

/** Where platforms answer; one address per type, so that no platform can pass for another. */
export const callbackUrl = (
  { publicUrl }: Pick<Context, 'publicUrl'>,
  { type, auth }: Connector,
  client: AnyFields,
): string =>
  (auth.kind === 'oauth2' && auth.platformSide?.callbackUrl?.(client)) || `${publicUrl}/api/1.0/app_callback/${type}`

/** Whether shops can hand us keys: by TLS, or because they are imitated on this machine. */
export const takesKeys = ({ publicUrl, egressRoutes }: Pick<Context, 'publicUrl' | 'egressRoutes'>): boolean =>
  publicUrl.startsWith('https:') || (egressRoutes?.size ?? 0) > 0

export const opensByBrowser = (context: Pick<Context, 'publicUrl' | 'egressRoutes'>, connector: Connector): boolean =>
  waysIn(connector, { takesKeys: takesKeys(context) }).includes('browser')

/**
 * The address at which the merchant sets out to let us in, or null where keys are typed: a page of ours, which says what
 * is connected to what and leads on to the platform. `returnUrl` must have been checked against the app. Belongs into the transaction that makes or changes the integration.
 */
export async function startAuthorization(
  trx: Db,
  context: StartContext,
  integration: Integration,
  options: { returnUrl: string | null; scopes?: readonly string[] },
): Promise<string | null> {
  const connector = connectorFor(context.connectors, integration)
  if (!connector || connector.auth.kind === 'keys' || !opensByBrowser(context, connector)) return null
  const { auth } = connector
  const oauth = auth.kind === 'oauth2' ? auth : null
  const client = await platformClient(trx, context.keys, connector, integration)
  const appName = await appNameOf(trx, integration.app_id)
  const state = await beginTrip(trx, context.keys, integration, {
    returnUrl: options.returnUrl,
    pkce: oauth?.pkce ?? false,
    addressWith: (way) => {
      const address = auth.authorizeUrl({
        ...factsOf(connector, integration),
        ...{ client, appName, ...way },
        callbackUrl: callbackUrl(context, connector, client),
        scopes: options.scopes ?? oauth?.scopes ?? [],
      })
      // A platform that is imitated on this machine has its pages there too.
      return routedAddress(address, context.egressRoutes)
    },
  })
  return `${context.publicUrl}/api/2.0/platforms/trips/${state}`
}

const appNameOf = async (db: Db, appId: number | null): Promise<string | null> =>
  appId === null ? null : ((await appsById(db, [appId])).get(appId)?.name ?? null)
