import type { Context } from '../../../domain/context.ts'
import { enterGateway } from '../../../domain/integrations/enter-gateway-store.ts'
import type { UserCaller } from '../../../domain/tenant.ts'
import type { ErasedInput } from '../../../runtime/http/endpoint.ts'
import { groups } from '../../groups.ts'

export const gatewayKeyHeader = 'x-gateway-key'

/** What works on the data of one integration: a user's token, and the integration's gateway key, which selects it. */
export const gateway = {
  ...groups.v1,
  name: 'Version 1.0, integration',
  description:
    'Legacy operations on one integration. Beside the user’s token they take the gateway key of the integration, which selects it.',
  admitHeader: {
    name: 'X-Gateway-Key',
    description: 'A gateway key of the integration: shown once when it is made, and when the key is replaced.',
  },
  admit: async (input: ErasedInput) => {
    // The server treats all groups alike; that this one has users as callers is said above.
    const { context, caller, request } = input as ErasedInput & { context: Context; caller: UserCaller }
    return await enterGateway(context.reader, caller, request.header(gatewayKeyHeader))
  },
} as const
