import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { syncNow } from '../../src/domain/sync/sync-now.ts'
import { orderTrace } from '../../src/runtime/telemetry/trace.ts'
import { makeIntegration } from '../support/gateway.ts'
import { makeTenant, startTestServer, type TestServer } from '../support/server.ts'

interface SentSpan {
  traceId: string
  name: string
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[]
}

const spans: SentSpan[] = []
const collector = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const { resourceSpans } = JSON.parse(Buffer.concat(parts).toString())
    spans.push(...resourceSpans[0].scopeSpans[0].spans)
    response.end('{}')
  })
})

let server: TestServer
beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  server = await startTestServer({ telemetry: { endpoint, headers: {}, serviceName: 'entrepot' } })
})
afterAll(() => {
  collector.close()
})

test('the steps of an order stand in one trace, those of a run in another, and none tells of the customer', async () => {
  const tenant = await makeTenant(server.context)
  const { integration, gatewayKey } = await makeIntegration(server.context, tenant, { orders: 8 })
  const run = await syncNow(server.context, integration, 'sync_orders')
  const gateway = { token: tenant.userToken, headers: { 'x-gateway-key': gatewayKey } }
  const { json } = await server.call('GET', '/api/1.0/orders?status=PENDING', gateway)
  const [order] = json['data'] as { id: number; remote_id: string; customer: { email: string } }[]
  if (!order) throw new Error('There is no order.')
  const shipment = { order_id: order.id, tracking_number: 'T-1', carrier: 'DHL' }
  await server.call('POST', '/api/1.0/orders/acknowledge', { ...gateway, body: { orders: [order.id] } })
  await server.call('POST', '/api/1.0/shipments', { ...gateway, body: shipment })
  const passport = await server.call(
    'GET',
    `/api/2.0/app/orders/${order.id}/passport?integration_id=${integration.id}`,
    { token: tenant.appToken },
  )
  await server.close()

  const ofOrder = spans.filter(({ traceId }) => traceId === orderTrace(integration.id, order.remote_id))
  expect(ofOrder.map(({ name }) => name)).toEqual(['operation', 'operation'])
  expect((passport.json['data'] as { trace_id: string }).trace_id).toBe(ofOrder[0]?.traceId)
  const pages = spans.filter(({ name }) => name === 'page.stored')
  expect(pages.length).toBeGreaterThan(0)
  expect(pages[0]?.attributes).toContainEqual({ key: 'entrepot.run_id', value: { intValue: String(run.id) } })
  expect(order.customer.email).toContain('@')
  expect(JSON.stringify(spans)).not.toContain(order.customer.email)
})
