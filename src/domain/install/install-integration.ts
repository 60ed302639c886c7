import type { Opened } from '../../commerce/connector/auth.ts'
import type { Connector } from '../../commerce/connector.ts'
import { connectorFor } from '../../commerce/connectors.ts'
import { isCredentialsRefusal, isNotTheShop } from '../../commerce/remote.ts'
import { isRightsMissing, rightsMissing } from '../../commerce/rules/rights.ts'
import { above } from '../../commerce/rules/shop-address.ts'
import type { AnyFields, Shop } from '../../commerce/shop.ts'
import { say } from '../../commerce/words/say.ts'
import { because, type Fault, invalidField, notFound } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { isWrongAddress } from '../../runtime/egress/egress-faults.ts'
import { findOwnApp } from '../apps/app-store.ts'
import type { Context } from '../context.ts'
import { checkShopInput, checkTyped } from '../integrations/check-install-input.ts'
import { keepConsent } from '../integrations/consent/consent-store.ts'
import { type CreatedIntegration, insertWithKey } from '../integrations/create-integration.ts'
import { saveCredentials } from '../integrations/credentials-store.ts'
import type { StatusReason } from '../integrations/integration.ts'
import { emitIntegration } from '../integrations/integration-events.ts'
import { idsOfSameShop } from '../integrations/integration-list-store.ts'
import { markInstalled, setGranted } from '../integrations/integration-store.ts'
import type { Place } from '../integrations/place-integration.ts'
import { assertRoomForIntegration } from '../quota-store.ts'
import { findOffered } from '../services/app-service-store.ts'
import type { Service } from '../services/service.ts'
import { findService } from '../services/service-store.ts'
import { checkRights } from '../shop/check-rights.ts'
import { remoteFor, shopWith } from '../shop/open-remote.ts'
import type { AppTenant, UserTenant } from '../tenant.ts'
import { opensByBrowser, startAuthorization } from './start-authorization.ts'
import { watchRefusals } from './watch-refusals.ts'

export interface InstallInput {
  name: string
  shop: string
  description?: string | null | undefined
  settings?: AnyFields | undefined
  credentials?: AnyFields | null | undefined
  return_url?: string | null | undefined
}

export interface StartedInstallation extends CreatedIntegration {
  /** Where the merchant lets us in; null where keys are typed. */
  authorizationUrl: string | null
  /** Other connections of the account to the same shop. */
  sameShopAs: readonly number[]
}

/** What is kept of a shop that its keys have opened. */
interface OpenedShop extends Opened<AnyFields, AnyFields> {
  granted: readonly string[] | null
}

/** `{resource}` of an install path names a service by its type: 404 if there is none, 403 if it is not for the caller. */
export const installableForApp = (db: Db, tenant: AppTenant, resource: string): Promise<Service> =>
  findOffered(db, tenant, typeIn(resource))

export const installableForUser = (db: Db, tenant: UserTenant, resource: string): Promise<Service> =>
  findService(db, tenant, typeIn(resource))

function typeIn(resource: string): string {
  if (/^\d+$/.test(resource)) throw notFound()
  return resource
}

/**
 * Starts the connection of a shop. Keys that come along are proved first, so that refused ones leave nothing behind;
 * without keys the integration waits, for the platform or for the merchant.
 */
export async function installIntegration(
  context: Pick<
    Context,
    'db' | 'transaction' | 'record' | 'keys' | 'connectors' | 'transport' | 'publicUrl' | 'quotas'
  >,
  place: Place,
  { service, input }: { service: Service; input: InstallInput },
): Promise<StartedInstallation> {
  const connector = connectorFor(context.connectors, service)
  const {
    shop,
    settings: asked,
    pasted,
  } = checkShopInput(connector, { shop: input.shop, settings: input.settings ?? {} })
  await assertRoomForIntegration(context.db, context.quotas, place)
  const returnUrl = await checkReturnUrl(context.db, place, input.return_url ?? null)
  if (!connector && input.credentials != null) throw invalidField('credentials', say('prohibited_credentials'))
  const opened = connector ? await openedBy(context, connector, { shop, settings: asked, pasted }, input) : null
  const settings = opened?.settings ?? (await foundFor(context, connector, { shop, settings: asked }, pasted))
  return await context.transaction(async (trx) => {
    const { integration, gatewayKey } = await insertWithKey(trx, {
      ...place,
      name: input.name,
      description: input.description ?? null,
      shop,
      settings,
      service_id: service.id,
      type: service.type,
      status: 'PENDING',
      status_reason: connector ? waitingFor(context, connector) : 'awaiting_installation',
    })
    const sameShopAs = await idsOfSameShop(trx, integration.id)
    if (opened === null) {
      const authorizationUrl = await startAuthorization(trx, context, integration, { returnUrl })
      return { integration, gatewayKey, authorizationUrl, sameShopAs }
    }
    await saveCredentials(trx, context.keys, integration, opened)
    await setGranted(trx, integration.id, opened.granted)
    await keepConsent(trx, integration.id, opened)
    await context.record(trx, 'integration.installed', { integrationId: integration.id })
    const installed = await markInstalled(trx, integration.id)
    await emitIntegration(trx, { integration: installed, was: integration.status, type: 'integration.installed' })
    return { integration: installed, gatewayKey, authorizationUrl: null, sameShopAs }
  })
}

const waitingFor = (context: Pick<Context, 'publicUrl' | 'egressRoutes'>, connector: Connector): StatusReason =>
  opensByBrowser(context, connector) ? 'awaiting_authorization' : 'awaiting_credentials'

/** Null if there are none and some are needed; they may come later. */
async function openedBy(
  context: Pick<Context, 'transport'>,
  connector: Connector,
  { pasted, ...facts }: { shop: string; settings: AnyFields; pasted: boolean },
  { credentials }: InstallInput,
): Promise<OpenedShop | null> {
  const needed = Object.keys(connector.auth.credentials.properties).length > 0
  if (needed && (credentials === undefined || credentials === null)) return null
  const opened = await testCredentials(context, connector, facts, credentials ?? {}, pasted)
  return { ...opened, settings: { ...facts.settings, ...opened.settings } }
}

/**
 * The shop itself says whether they open it. Where the address was copied from a page, the shop may be above that: its
 * path is then shortened until there is one.
 */
export async function testCredentials(
  context: Pick<Context, 'transport'>,
  connector: Connector,
  facts: { shop: string; settings: AnyFields },
  credentials: AnyFields,
  pasted = false,
): Promise<OpenedShop> {
  const checked = checkTyped(connector, credentials, facts)
  const watched = watchRefusals(context)
  try {
    return await upwards(facts, pasted, (at) => openWith(watched.context, connector, at, checked))
  } catch (error) {
    throw wrongShop(connector, error) ?? (isCredentialsRefusal(error) ? await watched.explain(error) : error)
  }
}

/** Where the merchant agrees on pages of the shop itself, these are looked for before the browser is sent there. */
async function foundFor(
  context: Pick<Context, 'transport'>,
  connector: Connector | undefined,
  facts: FoundAt,
  pasted: boolean,
): Promise<AnyFields> {
  const find = connector?.auth.kind === 'key_handover' ? connector.auth.find : undefined
  if (!connector || !find || !pasted) return facts.settings
  try {
    return await upwards(facts, pasted, (at) => find({ ...at, remote: remoteFor(context, connector, at, null) }))
  } catch (error) {
    const wrong = wrongShop(connector, error)
    if (wrong) throw wrong
    // Away for now: the browser shows what is there.
    return facts.settings
  }
}

interface FoundAt {
  shop: string
  settings: AnyFields
}

async function upwards<T>(facts: FoundAt, pasted: boolean, work: (at: FoundAt) => Promise<T>): Promise<T> {
  try {
    return await work(facts)
  } catch (error) {
    const address = pasted && isNotTheShop(error) ? above(String(facts.settings['base_url'])) : null
    if (address === null) throw error
    return await upwards({ ...facts, settings: { ...facts.settings, base_url: address } }, pasted, work)
  }
}

/** Most likely a slip in what was just typed; null for what is none. */
function wrongShop({ name }: Connector, error: unknown): Fault | null {
  if (isWrongAddress(error)) return invalidField('shop', because(error))
  if (!isNotTheShop(error)) return null
  return invalidField(
    'shop',
    error.kind === 'upstream_refused' ? say('no_platform_here', { platform: name }) : because(error),
  )
}

async function openWith(
  context: Pick<Context, 'transport'>,
  connector: Connector,
  facts: { shop: string; settings: AnyFields },
  checked: AnyFields,
): Promise<OpenedShop> {
  const { auth } = connector
  const typed: Opened<AnyFields, AnyFields> = { credentials: checked, expiresAt: null, settings: facts.settings }
  const open = auth.kind === 'keys' ? auth.open : auth.typed?.open
  const first = shopWith(context, connector, facts, checked)
  const opened = open ? await namingAll(connector, first, () => open(first)) : typed
  const found = { ...facts, settings: opened.settings, granted: opened.scopes ?? null }
  return { ...opened, granted: await checkShop(connector, shopWith(context, connector, found, opened.credentials)) }
}

/** Whether the shop takes the credentials, for all that we will do there; and what was granted. */
export async function checkShop(connector: Connector, shop: Shop): Promise<readonly string[] | null> {
  await namingAll(connector, shop, () => connector.auth.checkAccess(shop))
  return await checkRights(connector, shop)
}

/** Where one right was in the way: whoever gives it wants to know of the others as well. */
async function namingAll<T>({ auth }: Connector, shop: Shop, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const missing = (isRightsMissing(error) && (await auth.checkRights?.(shop))) || []
    throw missing.length > 0 ? rightsMissing(missing) : error
  }
}

/** Only where the app has said that its merchants may be sent, letter by letter: anything else is an open redirect. */
export async function checkReturnUrl(
  db: Db,
  { app_id: appId }: Pick<Place, 'app_id'>,
  returnUrl: string | null,
): Promise<string | null> {
  if (returnUrl === null) return null
  const allowed = appId === null ? [] : (await findOwnApp(db, { appId })).return_urls
  if (!allowed.includes(returnUrl)) throw invalidField('return_url', 'The selected return url is invalid.')
  return returnUrl
}
