import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RemoteRequest } from '../src/commerce/remote.ts'
import { ebay } from '../src/connectors/ebay/index.ts'
import { bucketOf } from '../src/domain/budgets/budget.ts'
import { takeShared } from '../src/domain/budgets/budget-store.ts'
import { saveCredentials } from '../src/domain/integrations/credentials-store.ts'
import { changeIntegration } from '../src/domain/integrations/integration-store.ts'
import { insertRun } from '../src/domain/runs/run-store.ts'
import { savePlatformClient } from '../src/domain/services/platform-client-store.ts'
import { openShop } from '../src/domain/shop/open-remote.ts'
import { completeOrders } from '../src/domain/sync/outlines/complete-orders.ts'
import { workRun } from '../src/domain/sync/work-run.ts'
import { createTestContext, type TestContext } from './support/context.ts'
import { makeIntegration } from './support/gateway.ts'
import { openImitation } from './support/imitation.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

describe('on eBay, which counts the calls of all sellers of an application together,', () => {
  const running = { signal: new AbortController().signal, attempt: 1 }
  let application: string

  async function connectSeller(seed: string, orders: number) {
    const { simulator, transport, asked, facts, credentials } = openImitation(ebay, { orders, seed })
    const context = { ...tested.context, connectors: new Map([['ebay', ebay]]), transport }
    const { shop, settings } = facts
    const { integration: made } = await makeIntegration(context, { appId: null }, { type: 'ebay', shop })
    const integration = await changeIntegration(context.db, made.id, { settings })
    await saveCredentials(context.db, context.keys, integration, { credentials, expiresAt: null })
    const client = Object(simulator.install.client)
    application = client.client_id
    await savePlatformClient(context.db, context.keys, { serviceId: integration.service_id, appId: null }, client)
    const news = async () => {
      const { id: runId } = await insertRun(context.db, integration.id, { resource: 'sync_orders', input: {} })
      for (;;) {
        const seconds = await workRun(context, { integrationId: integration.id, runId }, running.signal)
        // Zero: its turn is over, and it has the next one.
        if (seconds !== 0) return seconds
      }
    }
    const held = () =>
      tested.database.query<{ remote_id: string; part: boolean; parcels: number }>(
        `select remote_id, incomplete as part,
           (select count(*)::int from shipments s where s.integration_id = o.integration_id and s.order_id = o.id) as parcels
         from orders o where integration_id = $1 order by remote_id`,
        [integration.id],
      )
    const truth = () => simulator.truth().toSorted((a, b) => (a.remote_id < b.remote_id ? -1 : 1))
    const ask = async (request: Omit<RemoteRequest, 'method'>) => {
      const { shop: opened } = await openShop(context, integration)
      return await opened.remote.request({ method: 'GET', ...request })
    }
    const request = () => ask({ path: '/sell/fulfillment/v1/order' })
    const complete = () => completeOrders.run(context, { integrationId: integration.id }, running)
    return { simulator, asked, news, held, truth, complete, request, ask }
  }

  /** As if so many had asked a moment ago, and this much was left. */
  async function share({ sharers, left }: { sharers: number; left: number }): Promise<void> {
    const { db } = tested.context
    await tested.database.query('delete from budget_shares')
    const plain = { cost: 0, reserve: 0, spare: 0, probes: false, plenty: 0.5 }
    for (let n = 0; n < sharers; n++) {
      const bucket = bucketOf(ebay, { shop: `other-${n}`, application })
      await takeShared(db, { ...bucket, ...plain, sharer: `other-${n}` })
    }
    await tested.database.query('update rate_budgets set tokens = $1', [left])
  }

  test('orders of a seller are here although each that was sent costs a call more than its share allows', async () => {
    const { asked, news, held, truth, complete } = await connectSeller('part', 60)
    await share({ sharers: 30, left: 90 })
    expect(await news()).toBe(null)
    expect(asked.length).toBeLessThan(5)
    expect((await held()).map(({ remote_id: id }) => id)).toEqual(truth().map(({ remote_id: id }) => id))
    const sent = truth().filter(({ parcels }) => parcels > 0)
    expect((await held()).filter(({ part }) => part).length).toBeGreaterThanOrEqual(sent.length)

    await share({ sharers: 0, left: 200 })
    await complete()
    expect((await held()).map(({ part, parcels }) => ({ part, parcels }))).toEqual(
      truth().map(({ parcels }) => ({ part: false, parcels })),
    )
  })

  test('what is new pays before what is imported', async () => {
    const known = await connectSeller('known', 20)
    const beginner = await connectSeller('beginner', 60)
    await share({ sharers: 0, left: 200 })
    await known.news()
    await share({ sharers: 30, left: 40 })
    expect(await beginner.news()).toBeGreaterThan(5)
    expect(await beginner.held()).toEqual([])
    known.simulator.change({ new_orders: 3 })
    expect(await known.news()).toBe(null)
    expect(await known.held()).toHaveLength(23)
  })

  test('an order that was known stays as it was until the rest is told, and is asked for again if it changes meanwhile', async () => {
    const { simulator, news, held, complete, asked } = await connectSeller('changed', 12)
    await share({ sharers: 0, left: 200 })
    await news()
    await complete()
    expect((await held()).filter(({ part }) => part)).toEqual([])
    const before = asked.length
    await news()
    await complete()
    // Nothing has changed: a list, and not a call more.
    expect(asked.length - before).toBe(1)
    simulator.change({ orders: 12 })
    await news()
    await complete()
    expect((await held()).filter(({ part }) => part)).toEqual([])
  })

  test('what eBay says is left counts more than what we believe, and nothing is sent beyond it', async () => {
    const { simulator, asked, request } = await connectSeller('limits', 5)
    // A hundred thousand calls are ten.
    simulator.weather({ limit_scale: 0.0001 })
    await tested.database.query('delete from rate_budgets')
    await request()
    const answers = await Promise.allSettled(Array.from({ length: 30 }, request))
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBe(9)
    expect(asked.filter(({ url }) => url.includes('rate_limit'))).toHaveLength(1)
    expect(asked.filter(({ url }) => url.includes('/sell/'))).toHaveLength(10)
  })

  test('returns have calls of their own, of which eBay says how many are left', async () => {
    const { simulator, asked, ask } = await connectSeller('returns', 5)
    // Five thousand calls are five, and a hundred thousand for orders a hundred.
    simulator.weather({ limit_scale: 0.001 })
    await tested.database.query('delete from rate_budgets')
    const search = { path: '/post-order/v2/return/search', budget: 'post_order' }
    const request = () => ask({ ...search, headers: { 'x-ebay-c-marketplace-id': 'EBAY_DE' } })
    await request()
    const answers = await Promise.allSettled(Array.from({ length: 20 }, request))
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBe(4)
    expect(asked.filter(({ url }) => url.includes('/post-order/'))).toHaveLength(5)
    expect((await ask({ path: '/sell/fulfillment/v1/order' })).status).toBe(200)
  })

  test('who is turned away asks what is left, and all wait until there is more', async () => {
    const { simulator, asked, request } = await connectSeller('turned away', 5)
    await tested.database.query('delete from rate_budgets')
    expect((await request()).status).toBe(200)
    simulator.weather({ limit_scale: 0.000_01 })
    for (const _ of [1, 2, 3]) await expect(request()).rejects.toMatchObject({ kind: 'upstream_retryable' })
    expect(asked.filter(({ url }) => url.includes('/sell/'))).toHaveLength(2)
    const [{ hours } = { hours: 0 }] = await tested.database.query<{ hours: number }>(
      `select extract(epoch from blocked_until - now())::float8 / 3600 as hours from rate_budgets
       where key like 'ebay|application%|default|%'`,
    )
    const left = 24 - ((simulator.world.clock.now() / 3.6e9) % 24)
    expect(hours).toBeCloseTo(left, 1)
  })
})
