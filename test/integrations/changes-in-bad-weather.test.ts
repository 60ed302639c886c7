import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectors } from '../../src/connectors/index.ts'
import { runAction } from '../../src/domain/actions/run-action.ts'
import type { Context } from '../../src/domain/context.ts'
import { testCredentials } from '../../src/domain/install/install-integration.ts'
import { saveCredentials } from '../../src/domain/integrations/credentials-store.ts'
import type { Integration } from '../../src/domain/integrations/integration.ts'
import { insertIntegration } from '../../src/domain/integrations/integration-store.ts'
import { createTransport } from '../../src/domain/shop/transport.ts'
import { Fault } from '../../src/lib/fault.ts'
import { createEgress } from '../../src/runtime/egress/egress.ts'
import type { Egress } from '../../src/runtime/egress/egress-request.ts'
import { type Simulator, startSimulator } from '../../src/simulator/start.ts'
import { createTestContext, type TestContext } from '../support/context.ts'
import { earlier } from '../support/earlier.ts'
import { makeApp } from '../support/identity.ts'
import { routesOf } from '../support/simulated.ts'

/** Shops that lose half of their answers: whoever asks again and again until it is done changes everything once. */

const platforms = ['shopify', 'squarespace', 'woocommerce', 'walmart', 'amazon', 'tiktok_shop', 'wix'] as const

let tested: TestContext
const open: (Simulator | Egress)[] = []
beforeAll(async () => {
  tested = await createTestContext()
  for (const type of platforms)
    await tested.context.db.insertInto('services').values({ type, name: type, auth_type: 'api_key' }).execute()
})
afterAll(async () => {
  for (const one of open) await one.close()
  await tested.close()
})

async function connect(simulator: Simulator): Promise<{ context: Context; integration: Integration }> {
  const routes = routesOf(simulator)
  const egress = createEgress({ allow: [new URL(simulator.baseUrl).host], routes, log: tested.context.log })
  open.push(simulator, egress)
  const context = { ...tested.context, transport: createTransport(egress) }
  const { type, shop, settings, credentials } = simulator.install
  const connector = connectors.get(type)
  if (!connector) throw new Error(`There is no connector "${type}".`)
  const opened = await testCredentials(context, connector, { shop, settings }, credentials ?? {})
  const service = await context.db.selectFrom('services').select('id').where('type', '=', type).executeTakeFirst()
  const integration = await insertIntegration(context.db, {
    app_id: await makeApp(context),
    account_id: null,
    user_id: null,
    company_id: null,
    service_id: service?.id ?? 0,
    type,
    name: shop,
    shop,
    status: 'ACTIVE',
    status_reason: null,
    settings: opened.settings,
  })
  const given = { credentials: opened.credentials, expiresAt: null }
  await saveCredentials(context.db, context.keys, integration, given)
  // Given long ago, so that a refusal of theirs has to do with their age.
  await ageCredentials(integration)
  return { context, integration }
}

const ageCredentials = ({ id }: Integration) =>
  tested.database.query(
    `update credentials set failed_at = null, updated_at = now() - interval '1 hour' where integration_id = $1`,
    [id],
  )

/** Whether it was done or refused for good; minutes go by between two tries. */
async function untilDone(context: Context, integration: Integration, fields: Record<string, unknown>) {
  for (let attempt = 1; attempt <= 40; attempt++) {
    try {
      await runAction(context, integration, fields)
      return 'done'
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      if (error.kind === 'invalid') return 'refused'
    }
    await tested.database.query(
      `update operations set lease_until = ${earlier('lease_until', 300)}, sent_at = ${earlier('sent_at', 300)}
        where integration_id = $1`,
      [integration.id],
    )
    const own = `${integration.type}|`
    await tested.database.query(
      'update rate_budgets set blocked_until = null, tokens = capacity where starts_with(key, $1)',
      [own],
    )
    await ageCredentials(integration)
  }
  return 'never'
}

// Most of the time goes into waiting before the next try: the platforms do that together.
test.concurrent.each(platforms)('%s', async (platform) => {
  const simulator = await startSimulator({ platform, orders: 60, products: 10, seed: '11' })
  const { context, integration } = await connect(simulator)
  const weather = { error_500: 0.15, error_502: 0.15, truncated_body: 0.15, html_200: 0.1, throttled: 0.05 }
  simulator.weather({ preset: 'calm', ...weather, retry_after_seconds: 60 })
  const pending = simulator.truth().filter(({ status }) => status === 'PENDING')
  const goThrough = async (resource: string, inputs: readonly Record<string, unknown>[]) => {
    const ends: string[] = []
    for (const input of inputs) ends.push(await untilDone(context, integration, { resource, ...input }))
    expect(ends).not.toContain('never')
    return ends.filter((end) => end === 'done').length
  }
  const parcels = pending
    .slice(0, 8)
    .map(({ remote_id }) => ({ order_remote_id: remote_id, tracking_number: `T-${remote_id}`, carrier: 'DHL' }))
  const shipped = await goThrough('create_shipment', parcels)
  const lines = [{ sku: simulator.truthOfInventory()[0]?.sku ?? '', quantity: 1, unit_price: '5.00' }]
  const orders = [1, 2, 3, 4, 5, 6].map((n) => ({ currency: 'EUR', lines, note: `Order ${n}` }))
  const made = await goThrough('create_order', orders)
  await goThrough(
    'cancel_order',
    pending.slice(8, 12).map(({ remote_id }) => ({ remote_id })),
  )
  const refunds = pending.slice(12, 20).map(({ remote_id: id }) => ({ order_remote_id: id, amount: '1' }))
  const refunded = await goThrough('create_refund', refunds)
  const effects = simulator.ledger().flatMap((entry) => (entry.kind === 'effect' ? [entry.operation] : []))
  const countOf = (operation: string) => effects.filter((effect) => effect === operation).length
  // What is refused was not made, and what was made is not refused because it is there already.
  expect([countOf('shipment.create'), countOf('order.create'), countOf('refund.create')]).toEqual([
    shipped,
    made,
    refunded,
  ])
  expect(refunded > 0).toBe(connectors.get(platform)?.refunds?.by.includes('amount') ?? false)
  expect(shipped).toBeGreaterThanOrEqual(4)
  expect(made).toBe(connectors.get(platform)?.orders?.create ? 6 : 0)
  expect(simulator.doubles()).toEqual([])
})
