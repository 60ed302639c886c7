import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Integration } from '../../src/domain/integrations/integration.ts'
import { lockOrders, moveOrders } from '../../src/domain/orders/order-store.ts'
import { upsertOrders } from '../../src/domain/orders/order-upsert-store.ts'
import { takeIds } from '../../src/runtime/db/take-ids.ts'
import { makeIntegration } from '../support/gateway.ts'
import { incomingOrder } from '../support/orders.ts'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'
import { untilHolds } from '../support/until.ts'

/** How long a platform waits for an acknowledgement, as version 2.0 shows it. */

let server: TestServer
let tenant: TestTenant
beforeAll(async () => {
  server = await startTestServer()
  tenant = await makeTenant(server.context)
})
afterAll(() => server.close())

async function shopWith(type: string, remoteStatus: string): Promise<{ integration: Integration; order: number }> {
  const { context } = server
  const { integration } = await makeIntegration(context, tenant, { type })
  const ids = await takeIds(context.db, 'orders', 1)
  const orders = [incomingOrder('a', { placed_at: '2026-11-14T22:00:00.123456Z', remote_status: remoteStatus })]
  await context.transaction((trx) => upsertOrders(trx, integration.id, { ids, orders }))
  return { integration, order: ids[0] ?? 0 }
}

type Row = Record<string, unknown>
const dataOf = async (path: string) => (await server.call('GET', path, { token: tenant.appToken })).json['data']

/** In the list, in the feed and alone. */
async function acknowledgeBy({ integration, order }: { integration: Integration; order: number }) {
  const of = `integration_id=${integration.id}`
  const list = (await dataOf(`/api/2.0/app/orders?${of}`)) as Row[]
  // It waits for transactions that are still open, whoever's they are.
  const feed = await untilHolds(async () => {
    const rows = (await dataOf(`/api/2.0/app/orders?${of}&updated_since=2000-01-01`)) as Row[]
    expect(rows).toHaveLength(1)
    return rows
  })
  const one = (await dataOf(`/api/2.0/app/orders/${order}?${of}`)) as Row
  return [list[0], feed[0], one].map((row) => row?.['acknowledge_by'])
}

const always = <T>(value: T): T[] => [value, value, value]

describe('acknowledge_by', () => {
  test('is there until the order has been acknowledged', async () => {
    const shop = await shopWith('walmart', 'Created')
    expect(await acknowledgeBy(shop)).toEqual(always('2026-11-15T02:00:00.123456Z'))
    await server.context.transaction(async (trx) => {
      const held = await lockOrders(trx, shop.integration.id, [shop.order])
      const move = { id: shop.order, status: 'ACKNOWLEDGED', acknowledge: true, inShop: true, source: 'api' } as const
      await moveOrders(trx, shop.integration.id, held, [move])
    })
    expect(await acknowledgeBy(shop)).toEqual(always(null))
  })

  test('is null for an order that was acknowledged on the platform, and where the platform does not count', async () => {
    expect(await acknowledgeBy(await shopWith('walmart', 'Acknowledged'))).toEqual(always(null))
    expect(await acknowledgeBy(await shopWith('sandbox', 'Created'))).toEqual(always(null))
  })
})

test('services say in how many hours they want orders acknowledged', async () => {
  const { json } = await server.call('GET', '/api/1.0/services?per_page=100', { token: tenant.userToken })
  const rows = json['data'] as { type: string; capabilities: Row }[]
  const hours = new Map(rows.map(({ type, capabilities }) => [type, capabilities['acknowledge_within_hours']]))
  expect([hours.get('walmart'), hours.get('shopify'), hours.get('sandbox')]).toEqual([4, null, null])
})
