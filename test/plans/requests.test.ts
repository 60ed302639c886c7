import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { endpoints } from '../../src/api/index.ts'
import { integrationsWithWork } from '../../src/domain/inbound/inbound-work-store.ts'
import { createSubscription } from '../../src/domain/webhooks/create-subscription.ts'
import { startSender } from '../../src/domain/webhooks/sender/start-sender.ts'
import { openListener } from '../../src/runtime/db/listener.ts'
import { createEgress } from '../../src/runtime/egress/egress.ts'
import { fullPath } from '../../src/runtime/http/endpoint.ts'
import { createMetrics } from '../../src/runtime/metrics.ts'
import { openHookReceiver } from '../support/hook-receiver.ts'
import { nodesIn, type Planned, plansOf } from '../support/read-plans.ts'
import { shopOrder, tellingShop } from '../support/telling-shop.ts'
import { bodyEndpoints, validCall } from '../support/valid-calls.ts'
import type { Sent } from '../support/watch-statements.ts'
import { callAs } from '../support/world.ts'
import { openPlans, type Plans } from './support.ts'

/** How the database goes about what endpoints and shops’ messages ask of it, among a thousand shops and with statistics that know of them. */

let plans: Plans

beforeAll(async () => {
  plans = await openPlans()
  // On shards it takes most of a minute.
})
afterAll(() => plans.close())

test('there are tables in which a walk would be felt', () => {
  for (const table of [
    'orders',
    'order_history',
    'products',
    'inventory',
    'webhook_deliveries_default',
    'row_counters',
    'operations',
    'shipments',
    'inbound_deliveries',
    'shop_messages_era_2',
  ]) {
    expect(plans.big).toContain(table)
  }
})

test('no endpoint has a big table walked', async () => {
  const { sent } = await plans.watch.during(async () => {
    for (const endpoint of endpoints.filter(({ method, group }) => method === 'GET' && group.caller !== null)) {
      await callAs(plans.server, plans.world, endpoint)
    }
    for (const [n, endpoint] of bodyEndpoints.entries()) {
      const { params, body } = await validCall(plans.server, plans.world, endpoint, n)
      await callAs(plans.server, plans.world, endpoint, { params, body })
    }
  })
  expect(new Set(sent.map(({ text }) => text)).size).toBeGreaterThan(80)
  // Parcels, refunds, notes and whatever else is done to orders went all the way to the shop.
  const changed = await plans.client.query<{ kind: string }>(
    `select distinct kind from operations where integration_id = $1 and status = 'confirmed' order by kind`,
    [plans.world.ids.integration],
  )
  expect(changed.rows.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['annotate_order', 'cancel_order_lines', 'cancel_shipment', 'create_refund', 'hold_order']),
  )
  expect(await plans.faultsIn(sent)).toEqual([])
  expect(await plans.faultsIn(sent, 'once')).toEqual([])
})

test('no message of a shop has a big table walked, on its way in, to the copy and to the webhook', async () => {
  const hooks = await openHookReceiver()
  const { context } = plans.server
  const { sent } = await plans.watch.during(async () => {
    const shop = await tellingShop({ ...context, webhookAllow: ['127.0.0.1'] })
    const owner = { appId: shop.integration.app_id ?? 0, integrationId: null }
    await createSubscription(shop.context, owner, { url: hooks.url, events: ['*'] })
    const egress = createEgress({ allow: ['127.0.0.1'], log: context.log })
    const listener = openListener({ url: plans.server.databaseUrl, log: context.log })
    const sending = { context: shop.context, send: egress.fetch, listener, metrics: createMetrics(), lookEveryMs: 50 }
    const sender = startSender(sending)
    for (const order of [shopOrder('1', 1), shopOrder('1', 2, { status: 'shipped' }), shopOrder('2', 1)]) {
      await shop.tell(order)
      await shop.work()
    }
    await integrationsWithWork(context.db)
    await expect.poll(() => hooks.received.length).toBeGreaterThan(2)
    await sender.stop({ timeoutMs: 1000 })
    await listener.close()
    await egress.close()
  })
  await hooks.close()
  expect(new Set(sent.map(({ text }) => text)).size).toBeGreaterThan(25)
  expect(await plans.faultsIn(sent)).toEqual([])
  expect(await plans.faultsIn(sent, 'once')).toEqual([])
})

// The last one, since from here on most orders are of one shop. Citus has no plan for everybody: each statement is planned with its values where the rows are.
test.skipIf(inject('onCitus'))(
  'a plan for everybody serves the largest shop too: what is read in order for it is not sorted for others’ sake',
  async () => {
    const orders = endpoints.find((one) => one.method === 'GET' && fullPath(one) === '/api/2.0/app/orders')
    const sorts = orders?.query && 'sort' in orders.query ? orders.query.sort : []
    await plans.client.query(
      `insert into orders (integration_id, id, remote_id, number, status, currency, total, items, remote_version, private,
       private_digest, private_words, placed_at, created_at, updated_at)
     select $1, 3000000000 + n, 'large-' || n, '#' || n, 'SHIPPED', 'EUR', n, '[]', '1', '\\x01', '\\x01', '{}',
       now() - make_interval(mins => n), now(), now() - make_interval(mins => n) from generate_series(1, 20000) n`,
      [plans.world.ids.integration],
    )
    await plans.client.query('analyze orders')
    const { sent } = await plans.watch.during(async () => {
      for (const sort of ['', ...sorts.flatMap((field) => [field, `-${field}`])]) {
        const path = `/api/2.0/app/orders?integration_id=${plans.world.ids.integration}&sort=${sort}`
        expect((await plans.server.call('GET', path, { token: plans.world.tenant.appToken })).status).toBe(200)
      }
    })
    const lists = sent.filter(({ text }) => /from orders\b.* order by /s.test(text))
    expect(lists.length).toBeGreaterThan(4)
    const isSorted = async (one: Sent, planned: Planned) =>
      nodesIn(await plansOf(plans.client, one, planned)).some((node) => node['Node Type'].endsWith('Sort'))
    const worse: string[] = []
    for (const one of lists) {
      if ((await isSorted(one, 'once')) && !(await isSorted(one, 'each time')))
        worse.push(one.text.replace(/\s+/g, ' '))
    }
    expect(worse).toEqual([])
  },
)
