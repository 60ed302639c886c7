import type { Context } from '../../src/domain/context.ts'
import type { Integration } from '../../src/domain/integrations/integration.ts'
import { makeIntegration } from '../support/gateway.ts'
import { makeTenant, startTestServer, type TestAnswer, type TestServer, type TestTenant } from '../support/server.ts'

type Data = Record<string, unknown>

export interface Gateway {
  server: TestServer
  context: Context
  tenant: TestTenant
  /** Connected to a sandbox shop that holds orders 1001 to 1005. */
  integration: Integration
  key: string
  /** A call of version 1.0 by the user, with the key of that integration by default; `''` is none. */
  call(
    method: string,
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<TestAnswer & { data: Data; errors: Record<string, string[]> | undefined }>
}

export async function openGateway(): Promise<Gateway> {
  const server = await startTestServer()
  const tenant = await makeTenant(server.context)
  const { integration, gatewayKey } = await makeIntegration(server.context, tenant)
  return {
    ...{ server, context: server.context, tenant, integration, key: gatewayKey },
    async call(method, path, body, key = gatewayKey) {
      const answer = await server.call(method, `/api/1.0${path}`, {
        token: tenant.userToken,
        headers: key === '' ? {} : { 'x-gateway-key': key },
        ...(body === undefined ? {} : { body }),
      })
      const errors = answer.json['errors'] as Record<string, string[]> | undefined
      return { ...answer, data: answer.json['data'] as Data, errors }
    },
  }
}

/** A parcel of an order, or news of it. */
export async function reportParcel({ call }: Gateway, orderId: number, fields: Record<string, unknown>) {
  const { status, data, errors } = await call('POST', '/shipments', { order_id: orderId, carrier: 'DHL', ...fields })
  return { status, data, errors }
}
