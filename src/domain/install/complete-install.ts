import type { Exchanged } from '../../commerce/connector/auth.ts'
import type { Connector } from '../../commerce/connector.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import { say } from '../../commerce/words/say.ts'
import { invalid, invalidField, unauthenticated } from '../../lib/fault.ts'
import { complaint } from '../../lib/validation/complaints.ts'
import type { Wording } from '../../lib/words/wording.ts'
import type { Context } from '../context.ts'
import { checkCredentials } from '../integrations/check-install-input.ts'
import type { Integration } from '../integrations/integration.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { connectorOf, factsOf, remoteFor, shopWith } from '../shop/open-remote.ts'
import { platformClient } from '../shop/platform-client.ts'
import { activateIntegration } from './activate-integration.ts'
import { checkShop, testCredentials } from './install-integration.ts'
import { type Beginner, dropTrip, endTrip, type HandedKeys, keepHanded, readTrip, type Trip } from './install-state.ts'
import { callbackUrl } from './start-authorization.ts'

type InstallContext = Pick<Context, 'db' | 'transaction' | 'record' | 'keys' | 'connectors' | 'transport' | 'publicUrl'>

export interface CompletionInput {
  credentials?: AnyFields | null | undefined
  /** What the platform put behind our address when it sent the browser back. */
  query?: AnyFields | null | undefined
}

/** The end of an installation by a token that opens the integration: keys that were typed, or what the platform sent back. */
export async function completeInstall(
  context: InstallContext,
  integration: Integration,
  input: CompletionInput,
): Promise<Integration> {
  if (input.query) {
    const query = Object.fromEntries(Object.entries(input.query).map(([name, value]) => [name, String(value)]))
    const arrival = { type: integration.type, query, beginnerOf: () => ({ integrationId: integration.id }) }
    const arrived = (await arriveAfterHandover(context, arrival)) ?? (await completeAuthorization(context, arrival))
    return arrived.integration
  }
  const connector = connectorOf(context, integration)
  if (connector.auth.kind === 'oauth2' && !connector.auth.typed)
    throw invalidField('query', 'The query field is required.')
  const facts = factsOf(connector, integration)
  const opened = await testCredentials(context, connector, facts, input.credentials ?? {})
  return await activateIntegration(context, integration, opened)
}

export interface CompletedAuthorization {
  integration: Integration
  returnUrl: string | null
}

/** What a browser has come back with from the platform, and who is said to have begun the trip with such a state. */
export interface WayBack {
  type: string
  query: Readonly<Record<string, string>>
  beginnerOf: (state: string) => Beginner
}

/**
 * The way back from the platform. The state says which trip it was and counts only for who began it; the platform's own
 * signature, where it has one, vouches for what it brings. An unknown, used or foreign state is 401.
 */
export async function completeAuthorization(context: InstallContext, way: WayBack): Promise<CompletedAuthorization> {
  const { type, query } = way
  const connector = await connectorComingBack(context, type, query['state'])
  const { auth } = connector
  if (auth.kind !== 'oauth2') throw invalidField('query', 'The service is not installed this way.')
  const trip = await tripOf(context, way, query['state'])
  const integration = await integrationOf(context, trip)
  const client = await platformClient(context.db, context.keys, connector, integration)
  const facts = factsOf(connector, integration)
  if (auth.verifyReturn && !auth.verifyReturn(query, client, facts)) throw unauthenticated()
  if (query['error'] || !query[auth.codeName ?? 'code']) {
    throw invalid({ code: [whyNoCode(query)] })
  }
  const granted = await auth.exchange({
    ...facts,
    client,
    query,
    callbackUrl: callbackUrl(context, connector, client),
    codeVerifier: trip.codeVerifier,
    remote: remoteFor(context, connector, facts, null),
  })
  const opened = await prove(context, integration, granted)
  return await arrived(context, integration, { trip, opened })
}

/**
 * The shop itself posts the keys. Nothing signs that, so they are checked against the shop that we expect; and nothing says
 * who is at its page, so they wait for whoever began the trip.
 */
export async function receiveHandover(
  context: InstallContext,
  input: { type: string; body: unknown },
): Promise<Integration> {
  const { auth } = connectorOfType(context, input.type)
  const handed = auth.kind === 'key_handover' ? auth.readHandover(input.body) : null
  if (!handed) throw unauthenticated()
  const trip = await readTrip(context.db, context.keys, handed.state)
  if (!trip?.departed || trip.type !== input.type || trip.handed) throw unauthenticated()
  const integration = await integrationOf(context, trip)
  const opened = await prove(context, integration, { credentials: handed.credentials, expiresAt: null })
  if (!(await keepHanded(context.db, context.keys, handed.state, opened))) throw unauthenticated()
  return integration
}

/** The browser after the shop has posted the keys, or was not allowed to; null for what no such shop sends. */
export async function arriveAfterHandover(
  context: InstallContext,
  way: WayBack,
): Promise<CompletedAuthorization | null> {
  const auth = context.connectors.get(way.type)?.auth
  const back = auth?.kind === 'key_handover' ? auth.readReturn(way.query) : null
  if (!back) return null
  const trip = await tripOf(context, way, back.state)
  if (!back.allowed) throw invalid({ code: ['Access was declined in the shop: nothing was connected.'] })
  if (!trip.handed) throw invalid({ code: ['The shop has not sent its keys.'] })
  const integration = await integrationOf(context, trip)
  return await arrived(context, integration, { trip, opened: trip.handed })
}

/** No service that is described hands keys over. */
const connectorOfType = (context: InstallContext, type: string) => connectorOf(context, { type, definition: null })

/**
 * Of what comes with us the type alone says it. Services that are described may share a type with those of others: the trip
 * knows whose it is. An unknown state tells nobody whether there is such a type.
 */
async function connectorComingBack(
  context: InstallContext,
  type: string,
  state: string | undefined,
): Promise<Connector> {
  if (context.connectors.has(type)) return connectorOfType(context, type)
  const trip = state ? await readTrip(context.db, context.keys, state) : null
  if (trip?.type !== type) throw unauthenticated()
  return connectorOf(context, await readIntegration(context.db, trip.integrationId))
}

async function tripOf(
  context: InstallContext,
  { type, beginnerOf }: WayBack,
  state: string | undefined,
): Promise<Trip> {
  if (!state) throw unauthenticated()
  const beginner = beginnerOf(state)
  const trip = await endTrip(context.db, context.keys, state, { type, beginner })
  if (trip) return trip
  if ('browser' in beginner) await strandTrip(context, { type, state })
  throw unauthenticated()
}

/**
 * Whoever allowed it is not who began it: the trip is over, with whatever the shop has posted. The beginner may be waiting for
 * just that, so nothing is left to wait for.
 */
const strandTrip = (context: InstallContext, { type, state }: { type: string; state: string }): Promise<void> =>
  context.transaction(async (trx) => {
    const integrationId = await dropTrip(trx, type, state)
    if (integrationId === null) return
    await appendLog(trx, integrationId, {
      level: 'warning',
      event: 'integration.trip_refused',
      words: logWords('integration.trip_refused'),
    })
  })

/** In the words of the platform; that somebody has said no there can be said in any language. */
function whyNoCode({ error, error_description: said = error }: WayBack['query']): string | Wording {
  if (said === undefined) return complaint('field_required', { field: 'code' })
  return error === 'access_denied' ? { ...say('access_denied'), text: said } : said
}

/** The trip is bound to the shop it set out for. */
async function integrationOf(context: InstallContext, trip: Trip): Promise<Integration> {
  const integration = await readIntegration(context.db, trip.integrationId)
  if (integration.shop !== trip.shop || integration.type !== trip.type) throw unauthenticated()
  return integration
}

/** The shop says whether it takes them. */
async function prove(
  context: InstallContext,
  integration: Integration,
  granted: Exchanged<AnyFields, AnyFields>,
): Promise<HandedKeys> {
  const connector = connectorOf(context, integration)
  const credentials = checkCredentials(connector, granted.credentials)
  const settings = { ...Object(integration.settings), ...granted.settings }
  const facts = factsOf(connector, { ...integration, settings, granted: granted.scopes ?? null })
  const scopes = await checkShop(connector, shopWith(context, connector, facts, credentials))
  return { ...granted, credentials, granted: scopes }
}

async function arrived(
  context: InstallContext,
  begun: Integration,
  { trip, opened }: { trip: Trip; opened: HandedKeys },
): Promise<CompletedAuthorization> {
  return { integration: await activateIntegration(context, begun, opened), returnUrl: trip.returnUrl }
}
