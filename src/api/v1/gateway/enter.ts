import type { Context } from '../../../domain/context.ts'
import { enterGateway } from '../../../domain/integrations/enter-gateway-store.ts'
import type { Integration } from '../../../domain/integrations/integration.ts'
import type { Right } from '../../../domain/rights.ts'
import type { Scope } from '../../../domain/scopes.ts'
import { forbidden, unauthenticated } from '../../../lib/fault.ts'
import type { RequestFacts } from '../../../runtime/http/endpoint.ts'
import { bearer, mayCall } from '../../../runtime/http/guard.ts'
import { gatewayKeyHeader } from './group.ts'

/** The integration of a caller with a user's token and a gateway key, on routes that also open by other means. */
export async function enter(
  context: Context,
  request: RequestFacts,
  needs: { scope: Scope; right: Right },
): Promise<Integration> {
  const token = bearer(request.header('authorization'))
  const caller = token === null ? null : await context.identify(token)
  if (caller?.kind !== 'user') throw unauthenticated()
  if (!mayCall(needs, caller)) throw forbidden()
  return await enterGateway(context.reader, caller.within?.(needs.right) ?? caller, request.header(gatewayKeyHeader))
}

export const bringsToken = (request: RequestFacts): boolean => request.header('authorization') !== undefined

/** Some platforms sign in the header that is meant for tokens: one word, and no scheme before it. */
export const bringsSignature = (request: RequestFacts): boolean =>
  /^\s*\S+\s*$/.test(request.header('authorization') ?? '')
