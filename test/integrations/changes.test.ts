import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Connector } from '../../src/commerce/connector.ts'
import { shopAway, type Transport } from '../../src/commerce/remote.ts'
import type { Shop } from '../../src/commerce/shop.ts'
import { runAction } from '../../src/domain/actions/run-action.ts'
import type { Context } from '../../src/domain/context.ts'
import type { Integration } from '../../src/domain/integrations/integration.ts'
import { setInventory } from '../../src/domain/inventory/set-inventory.ts'
import { acknowledgeOrders } from '../../src/domain/orders/acknowledgement/acknowledge-orders.ts'
import { cancelOrder } from '../../src/domain/orders/cancel-order.ts'
import { findOrder } from '../../src/domain/orders/order-store.ts'
import { upsertOrders } from '../../src/domain/orders/order-upsert-store.ts'
import { exportProducts } from '../../src/domain/products/export-products.ts'
import { recordShipment } from '../../src/domain/shipments/record-shipment.ts'
import { takeIds } from '../../src/runtime/db/take-ids.ts'
import { createTestContext, type TestContext } from '../support/context.ts'
import { earlier } from '../support/earlier.ts'
import { minute, type ScriptedOrder, toRemoteOrder } from '../support/order-shop.ts'
import { incomingOrder } from '../support/orders.ts'
import { connectShops, scriptedPlatform } from '../support/scripted-shop.ts'

/** Every way to change something in a shop, when the shop's answer is lost or ours cannot be kept: one effect. */

type Fault = 'none' | 'lost' | 'away'

/** Makes every change as often as it comes, and can be asked whether it has made one. */
function ledgerShop() {
  const state = { fault: 'none' as Fault, effects: [] as string[] }
  const made = new Map<string, unknown>()
  const transport: Transport = async ({ url, request }) => {
    const id = new URL(url).pathname.slice(1)
    if (request.method === 'GET') return { status: made.has(id) ? 200 : 404, headers: {}, body: made.get(id) ?? null }
    if (state.fault === 'away') return { status: 502, headers: {}, body: '' }
    state.effects.push(id)
    made.set(id, request.body)
    if (state.fault === 'lost') throw shopAway()
    return { status: 200, headers: {}, body: request.body }
  }
  const write = <Input, Result>(resultOf: (input: Input) => Result) => ({
    repeatable: false as const,
    async send({ remote }: Shop, input: Input, { id }: { id: string }): Promise<Result> {
      await remote.request({ method: 'POST', path: `/${id}`, body: input })
      return resultOf(input)
    },
    async confirm({ remote }: Shop, input: Input, { id }: { id: string }): Promise<Result | null> {
      const { status } = await remote.request({ method: 'GET', path: `/${id}` })
      return status === 404 ? null : resultOf(input)
    },
  })
  const reads = { list: async () => ({ items: [], next: null, total: 0 }), translate: (raw: unknown) => raw as never }
  const some = { remote_id: 'made', lines: [], refunds: [] } as never
  const there = { updated: minute(0), placed: minute(0), total: '10.00', status: 'open', fulfillment: 'unfulfilled' }
  const price = { amount: '3.00', currency: 'EUR' }
  const line = {
    ...{ remote_id: 'l1', sku: 'A-1', product_remote_id: null, variant_remote_id: null, title: 'Kettle' },
    ...{ variant_title: null, quantity: 3, quantity_fulfilled: 0, quantity_cancelled: 0, quantity_refunded: 0 },
    ...{ unit_price: price, discount: price, tax: price, total: price, requires_shipping: true, attributes: [] },
  }
  const orderNow = (id: string) => ({ ...toRemoteOrder({ ...there, id } as ScriptedOrder), lines: [line] })
  const platform = scriptedPlatform()
  const connector: Connector = {
    ...platform.connector,
    orders: {
      ...reads,
      get: async (_, id) => ({ ...there, id }),
      translate: (raw) => orderNow((raw as ScriptedOrder).id),
      statuses: async () => [],
      create: write(() => some),
      cancel: write(() => some),
      cancelLines: write(({ order_remote_id: id }) => orderNow(id)),
      annotate: { notes: true, tags: true, ...write(({ order_remote_id: id }) => orderNow(id)) },
      hold: write(({ order_remote_id: id }) => orderNow(id)),
    },
    refunds: {
      by: ['amount', 'lines'],
      restock: true,
      paidFor: () => '10.00',
      create: write(({ order_remote_id: id }) => orderNow(id)),
    },

    products: {
      ...reads,
      export: write(() => some),
      prices: {
        compareAt: true,
        set: write((items) => items.map(({ sku = null }) => ({ sku, ok: true, error: null }))),
      },
    },
    inventory: {
      ...reads,
      locations: false,
      set: write((items) => items.map(({ sku = null }) => ({ sku, location: null, ok: true, error: null }))),
    },
    shipments: { create: write(() => some), partial: true },
    acknowledgement: write(({ remoteIds }) => remoteIds.map((remoteId) => ({ remoteId, ok: true, error: null }))),
  }
  return { state, transport, platform, connector }
}

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

interface Scene {
  context: Context
  integration: Integration
  orderId: number
  productId: number
}

async function setUp() {
  const shop = ledgerShop()
  const context: Context = {
    ...tested.context,
    connectors: new Map([[shop.connector.type, shop.connector]]),
    transport: shop.transport,
  }
  const [integration] = await connectShops(context, shop.platform, { count: 1, endsInSeconds: null })
  if (!integration) throw new Error('There is no integration.')
  const [orderId = 0] = await takeIds(context.db, 'orders', 1)
  await upsertOrders(context.db, integration.id, { ids: [orderId], orders: [incomingOrder('1001')] })
  const { id: productId } = await context.db
    .insertInto('products')
    .values({ integration_id: integration.id, sku: 'A-1', name: 'Kettle', price: '10.00', currency: 'EUR' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { ...shop, scene: { context, integration, orderId, productId } }
}

const action =
  (resource: string, fields: object) =>
  ({ context, integration }: Scene) =>
    runAction(context, integration, { resource, ...fields })

const draft = {
  currency: 'EUR',
  lines: [{ sku: 'A-1', quantity: 1, unit_price: '10.00' }],
  customer: { email: 'ada@example.com' },
}
const parcel = { tracking_number: 'T1', carrier: 'Post' }

const ways: Record<string, (scene: Scene) => Promise<unknown>> = {
  'cancelling an order': async ({ context, integration, orderId }) =>
    cancelOrder(context, integration, {
      order: await findOrder(context.db, integration.id, orderId),
      reason: null,
    }),
  'acknowledging orders': ({ context, integration, orderId }) => acknowledgeOrders(context, integration, [orderId]),
  'recording a shipment': ({ context, integration, orderId }) =>
    recordShipment(context, integration, { order_id: orderId, ...parcel }),
  'setting stock levels': ({ context, integration }) =>
    setInventory(context, integration, [{ sku: 'A-1', quantity: 5 }]),
  'exporting products': ({ context, integration, productId }) => exportProducts(context, integration, [productId]),
  'the action create_order': action('create_order', draft),
  'the action create_order with a reference': action('create_order', { ...draft, reference: 'R-1' }),
  'the action cancel_order': action('cancel_order', { remote_id: '1001' }),
  'the action create_refund': action('create_refund', { order_remote_id: '1001', amount: '2.50' }),
  'the action cancel_order_lines': action('cancel_order_lines', {
    order_remote_id: '1001',
    lines: [{ order_line_remote_id: 'l1', quantity: 1 }],
  }),
  'the action annotate_order': action('annotate_order', { order_remote_id: '1001', note: 'Ring twice.' }),
  'the action hold_order': action('hold_order', { order_remote_id: '1001' }),
  'the action acknowledge_orders': action('acknowledge_orders', { remote_ids: ['1001'] }),
  'the action create_shipment': action('create_shipment', { order_remote_id: '1001', ...parcel }),
  'the action set_inventory': action('set_inventory', { items: [{ sku: 'A-1', quantity: 5 }] }),
  'the action set_prices': action('set_prices', { items: [{ sku: 'A-1', price: '5.00', currency: 'EUR' }] }),
  'the action export_products': action('export_products', {
    products: [{ sku: 'A-1', title: 'Kettle', price: '10.00', currency: 'EUR' }],
  }),
}

/** As if some minutes had gone by. */
const pass = ({ integration }: Scene) =>
  tested.database.query(
    `update operations set lease_until = ${earlier('lease_until', 300)}, sent_at = ${earlier('sent_at', 300)},
       updated_at = ${earlier('updated_at', 300)} where integration_id = $1`,
    [integration.id],
  )

describe.each(Object.entries(ways))('%s', (_name, change) => {
  test.each(['lost', 'away'] as const)('makes one change when the first answer is %s', async (fault) => {
    const { state, scene } = await setUp()
    state.fault = fault
    await change(scene).then(
      () => expect.fail('It went well.'),
      () => undefined,
    )
    state.fault = 'none'
    await pass(scene)
    await change(scene)
    expect(state.effects).toHaveLength(1)
  })

  test('makes one change when ours cannot be kept', async () => {
    const { state, scene } = await setUp()
    let failures = 1
    const failing: Context = {
      ...scene.context,
      transaction: async (work) => {
        if (failures-- > 0) throw new Error('The database is gone.')
        return await scene.context.transaction(work)
      },
    }
    const first = await change({ ...scene, context: failing }).then(
      () => 'well',
      () => 'failed',
    )
    // Actions keep no copy of their own.
    if (first === 'failed') await change(scene)
    expect(state.effects).toHaveLength(1)
  })
})

test('orders of a batch whose end nobody saw are not acknowledged as part of another', async () => {
  const { state, scene } = await setUp()
  const { context, integration } = scene
  state.fault = 'lost'
  await action('acknowledge_orders', { remote_ids: ['1', '2'] })(scene).catch(() => undefined)
  state.fault = 'none'
  await pass(scene)
  const outcome = await runAction(context, integration, { resource: 'acknowledge_orders', remote_ids: ['2', '3'] })
  expect(outcome).toMatchObject({
    result: [
      { remote_id: '2', ok: true },
      { remote_id: '3', ok: true },
    ],
  })
  expect(state.effects).toHaveLength(2)
  expect(new Set(state.effects).size).toBe(2)
})
