import type { Context } from '../../../domain/context.ts'
import { enterGateway } from '../../../domain/integrations/enter-gateway-store.ts'
import type { Integration } from '../../../domain/integrations/integration.ts'
import { unauthenticated } from '../../../lib/fault.ts'
import type { RequestFacts } from '../../../runtime/http/endpoint.ts'
import { bearer } from '../../../runtime/http/guard.ts'
import { gatewayKeyHeader } from './group.ts'

/** The integration of a caller with a user's token and a gateway key, on routes that also open by other means. */
export async function enter(context: Context, request: RequestFacts): Promise<Integration> {
  const token = bearer(request.header('authorization'))
  const caller = token === null ? null : await context.identify(token)
  if (caller?.kind !== 'user') throw unauthenticated()
  return await enterGateway(context.reader, caller, request.header(gatewayKeyHeader))
}

export const bringsToken = (request: RequestFacts): boolean => request.header('authorization') !== undefined
