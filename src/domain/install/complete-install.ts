import type { Exchanged } from '../../commerce/connector-auth.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import { invalid, invalidField, unauthenticated } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import { checkCredentials } from '../integrations/check-install-input.ts'
import type { Integration } from '../integrations/integration.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { connectorOf, factsOf, remoteFor, shopWith } from '../shop/open-remote.ts'
import { platformClient } from '../shop/platform-client.ts'
import { activateIntegration } from './activate-integration.ts'
import { checkShop, testCredentials } from './install-integration.ts'
import { endTrip, readEndedTrip, type Trip } from './install-state.ts'
import { callbackUrl } from './start-authorization.ts'

type InstallContext = Pick<Context, 'db' | 'transaction' | 'record' | 'keys' | 'connectors' | 'transport' | 'publicUrl'>

export interface CompletionInput {
  credentials?: AnyFields | null | undefined
  /** What the platform put behind our address when it sent the browser back. */
  query?: AnyFields | null | undefined
}

/** The end of an installation from inside the app: keys that were typed, or what the platform sent back. */
export async function completeInstall(
  context: InstallContext,
  integration: Integration,
  input: CompletionInput,
): Promise<Integration> {
  if (input.query) {
    const query = Object.fromEntries(Object.entries(input.query).map(([name, value]) => [name, String(value)]))
    const { integration: completed } = await completeAuthorization(context, {
      type: integration.type,
      query,
      expected: integration.id,
    })
    return completed
  }
  const connector = connectorOf(context, integration)
  if (connector.auth.kind === 'oauth2' && !connector.auth.typed)
    throw invalidField('query', 'The query field is required.')
  const facts = factsOf(connector, integration)
  const opened = await testCredentials(context, connector, facts, input.credentials ?? {})
  return await activateIntegration(context, integration.id, opened)
}

export interface CompletedAuthorization {
  integration: Integration
  returnUrl: string | null
}

/**
 * The way back from the platform by browser. The state vouches for who set out; the platform's own signature, where it
 * has one, for what it brings. An unknown, used or foreign state is 401.
 */
export async function completeAuthorization(
  context: InstallContext,
  input: { type: string; query: Readonly<Record<string, string>>; expected?: number },
): Promise<CompletedAuthorization> {
  const { type, query } = input
  const connector = connectorOfType(context, type)
  const { auth } = connector
  if (auth.kind !== 'oauth2') throw invalidField('query', 'The service is not installed this way.')
  const trip = await tripOf(context, type, query['state'])
  const integration = await integrationOf(context, trip)
  if (input.expected !== undefined && input.expected !== integration.id) throw unauthenticated()
  const client = await platformClient(context.db, context.keys, connector, integration)
  const facts = factsOf(connector, integration)
  if (auth.verifyReturn && !auth.verifyReturn(query, client, facts)) throw unauthenticated()
  if (query['error'] || !query[auth.codeName ?? 'code']) {
    throw invalid({ code: [query['error_description'] ?? query['error'] ?? 'The code field is required.'] })
  }
  const granted = await auth.exchange({
    ...facts,
    client,
    query,
    callbackUrl: callbackUrl(context, connector, client),
    codeVerifier: trip.codeVerifier,
    remote: remoteFor(context, connector, facts, null),
  })
  return { integration: await admit(context, integration, granted), returnUrl: trip.returnUrl }
}

/** The shop itself posts the keys. Nothing signs that, so they are checked against the shop that we expect. */
export async function completeHandover(
  context: InstallContext,
  input: { type: string; body: unknown },
): Promise<CompletedAuthorization> {
  const connector = connectorOfType(context, input.type)
  const { auth } = connector
  const handed = auth.kind === 'key_handover' ? auth.readHandover(input.body) : null
  if (!handed) throw unauthenticated()
  const trip = await tripOf(context, input.type, handed.state)
  const integration = await integrationOf(context, trip)
  const granted = { credentials: handed.credentials, expiresAt: null }
  return { integration: await admit(context, integration, granted), returnUrl: trip.returnUrl }
}

/**
 * The browser after the shop has posted the keys, or was not allowed to: null where the platform sends it elsewhere. It
 * brings the state that the keys have used up, which shows it the way back and opens nothing.
 */
export async function arriveAfterHandover(
  context: InstallContext,
  { type, query }: { type: string; query: Readonly<Record<string, string>> },
): Promise<CompletedAuthorization | null> {
  const { auth } = connectorOfType(context, type)
  const arrived = auth.kind === 'key_handover' ? auth.readReturn?.(query) : null
  if (!arrived) return null
  if (!arrived.allowed) {
    await tripOf(context, type, arrived.state)
    throw invalid({ code: ['The merchant declined the connection.'] })
  }
  const ended = await readEndedTrip(context.db, type, arrived.state)
  if (!ended) throw unauthenticated()
  return { integration: await readIntegration(context.db, ended.integrationId), returnUrl: ended.returnUrl }
}

/** Services that are described are opened with typed keys: nobody comes back from them. */
const connectorOfType = (context: InstallContext, type: string) => connectorOf(context, { type, definition: null })

async function tripOf(context: InstallContext, type: string, state: string | undefined): Promise<Trip> {
  const trip = state ? await endTrip(context.db, context.keys, type, state) : null
  if (!trip) throw unauthenticated()
  return trip
}

/** The trip is bound to the shop it set out for. */
async function integrationOf(context: InstallContext, trip: Trip): Promise<Integration> {
  const integration = await readIntegration(context.db, trip.integrationId)
  if (integration.shop !== trip.shop || integration.type !== trip.type) throw unauthenticated()
  return integration
}

async function admit(
  context: InstallContext,
  integration: Integration,
  granted: Exchanged<AnyFields, AnyFields>,
): Promise<Integration> {
  const connector = connectorOf(context, integration)
  const credentials = checkCredentials(connector, granted.credentials)
  const settings = { ...Object(integration.settings), ...granted.settings }
  const facts = factsOf(connector, { ...integration, settings, granted: granted.scopes ?? null })
  const scopes = await checkShop(connector, shopWith(context, connector, facts, credentials))
  return await activateIntegration(context, integration.id, { ...granted, credentials, granted: scopes })
}
