import type { OAuth2, PlatformSide } from '../../../commerce/connector/auth.ts'
import type { Connector } from '../../../commerce/connector.ts'
import type { AnyFields } from '../../../commerce/shop.ts'
import { notFound } from '../../../lib/fault.ts'
import { appsById } from '../../apps/app-store.ts'
import { type Brand, brandOf } from '../../apps/brand.ts'
import type { Context } from '../../context.ts'
import { readOwnPlatformClient } from '../../services/platform-client-store.ts'
import { readService } from '../../services/service-store.ts'
import { callbackUrl } from '../start-authorization.ts'

/** How a platform knows us, and whom its merchants believe to let in: the service for all, or one app. */
export interface Registration {
  serviceId: number
  /** Null: that of the service. */
  appId: number | null
  type: string
  connector: Connector
  auth: OAuth2<AnyFields, AnyFields, OAuth2Credentials>
  platformSide: PlatformSide
  client: AnyFields
  /** Where the platform answers it. */
  callbackUrl: string
  /** Where the merchant finds what was installed; nobody for the service's own. */
  app: (Brand & { returnUrl: string | null }) | null
}

type OAuth2Credentials = Extract<Connector['auth'], { kind: 'oauth2' }>['credentials']

type RegistrationContext = Pick<Context, 'db' | 'keys' | 'connectors' | 'publicUrl'>

/** `service`, or the id of an app, as addresses that are entered at the platform name it. Unknown ones are 404. */
export async function findRegistration(
  context: RegistrationContext,
  type: string,
  reference: string,
): Promise<Registration> {
  const appId = reference === 'service' ? null : Number(/^[1-9]\d{0,14}$/.exec(reference)?.[0] ?? Number.NaN)
  if (Number.isNaN(appId) || !platformSideOf(context, type)) throw notFound()
  const { id: serviceId } = await readService(context.db, type)
  return await readRegistration(context, { type, serviceId, appId })
}

export async function readRegistration(
  context: RegistrationContext,
  { type, serviceId, appId }: { type: string; serviceId: number; appId: number | null },
): Promise<Registration> {
  const connector = platformSideOf(context, type)
  const client = connector && (await readOwnPlatformClient(context.db, context.keys, { serviceId, appId }))
  if (!connector || !client) throw notFound()
  const { auth, platformSide } = connector
  const app = appId === null ? null : (await appsById(context.db, [appId])).get(appId)
  if (app === undefined) throw notFound()
  return {
    ...{ serviceId, appId, type, auth, platformSide, client },
    connector: connector.connector,
    callbackUrl: callbackUrl(context, connector.connector, client),
    app: app && { ...brandOf(app), returnUrl: app.return_urls[0] ?? null },
  }
}

/** Where platforms that know one address only bring the codes of one app. */
export const ownCallbackUrl = (
  { publicUrl }: Pick<Context, 'publicUrl'>,
  { type, appId }: Pick<Registration, 'type' | 'appId'>,
): string => `${publicUrl}/api/2.0/platforms/${type}/${appId ?? 'service'}/callback`

function platformSideOf({ connectors }: Pick<Context, 'connectors'>, type: string) {
  const connector = connectors.get(type)
  const auth = connector?.auth
  if (!connector || auth?.kind !== 'oauth2' || !auth.platformSide) return null
  return { connector, auth, platformSide: auth.platformSide }
}
