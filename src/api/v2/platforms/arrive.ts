import type { Context } from '../../../domain/context.ts'
import {
  type CompletedAuthorization,
  completeAuthorization,
  type WayBack,
} from '../../../domain/install/complete-install.ts'
import { receiveCode, receiveReturn } from '../../../domain/install/platform-side/receive-code.ts'
import { findRegistration, ownCallbackUrl } from '../../../domain/install/platform-side/registration.ts'
import type { Integration } from '../../../domain/integrations/integration.ts'
import { Fault, tooMany } from '../../../lib/fault.ts'
import type { Answer, RequestFacts } from '../../../runtime/http/endpoint.ts'
import { integrationView } from '../views/integration.ts'
import { platformPage } from './platform-page.ts'
import { beginnerIn } from './trip-cookie.ts'

/** Addresses with codes and states in them are nobody's to keep. */
export const unkept = { 'cache-control': 'no-store' }

export const redirect = (location: string): Answer => ({ status: 302, headers: { ...unkept, location } })

export const shown = (context: Context, integration: Integration): Answer => ({
  status: 200,
  headers: unkept,
  body: { data: integrationView(context, integration) },
})

export const end = (context: Context, { integration, returnUrl }: CompletedAuthorization): Answer =>
  returnUrl === null ? shown(context, integration) : backTo(returnUrl, integration)

function backTo(returnUrl: string, integration: Integration): Answer {
  const url = new URL(returnUrl)
  url.searchParams.set('integration_id', String(integration.id))
  url.searchParams.set('status', integration.status)
  return redirect(url.href)
}

/**
 * What a browser brings from the platform: a state of a trip that somebody began here, or by opening the app there; or
 * a code without one, from the platform's own pages. Null for anything else.
 */
export async function arriveFromPlatform(
  context: Context,
  {
    type,
    registration,
    request,
    beginnerOf = beginnerIn(request),
  }: { type: string; registration: string; request: RequestFacts; beginnerOf?: WayBack['beginnerOf'] },
): Promise<Answer | null> {
  const query = request.queryString
  if (query['state']) {
    const returned = await receiveReturn(context, { type, query })
    if (returned) return platformPage(returned)
    return end(context, await completeAuthorization(context, { type, query, beginnerOf }))
  }
  const auth = context.connectors.get(type)?.auth
  const shop = auth?.kind === 'oauth2' && query['code'] ? auth.platformSide?.shopOfCode?.(query) : null
  if (!shop) return null
  const found = await findRegistration(context, type, registration)
  const own = found.appId === null ? {} : { callbackUrl: ownCallbackUrl(context, found) }
  // Nobody but the platform can judge the code: who brings wrong ones may not make us ask for ever.
  if (request.isSuspect()) throw tooMany(60)
  try {
    return platformPage(await receiveCode(context, found, { shop, query, ...own }))
  } catch (error) {
    if (error instanceof Fault && error.kind === 'upstream_refused') request.countRefusal()
    throw error
  }
}
