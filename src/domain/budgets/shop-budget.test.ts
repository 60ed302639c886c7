import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { faultOf } from '../../../test/support/identity.ts'
import { patience } from '../../../test/support/patience.ts'
import { connectShops, scriptedPlatform } from '../../../test/support/scripted-shop.ts'
import { type Database, openDatabase } from '../../runtime/db/connection.ts'
import { wasNeverSent } from '../../runtime/egress/egress-faults.ts'
import type { Context } from '../context.ts'
import { savePlatformClient } from '../services/platform-client-store.ts'
import { openShop } from '../shop/open-remote.ts'
import { estimateSeconds, type Lane, type Payer } from './budget.ts'
import { shopBudget } from './shop-budget.ts'

let tested: TestContext
const databases: Database[] = []
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(async () => {
  for (const database of databases) await database.close()
  await tested.close()
})

const request = { method: 'GET', path: '/' } as const
let shops = 0
const newShop = () => ({ shop: `shop-${++shops}.example.com`, application: null })

/** Another process: it shares the database and nothing else. */
function anotherDb() {
  const database = openDatabase({ url: tested.url, log: tested.context.log, max: 4, ...patience })
  databases.push(database)
  return database.db
}

const connectorWith = (capacity: number, perSecond: number) =>
  scriptedPlatform({ budget: { capacity, perSecond } }).connector

/** How many of so many requests at once are let through without delay worth the name. */
async function letThrough(shop: Payer, lane: Lane, connector = connectorWith(20, 0.001), times = 40) {
  const { db } = tested.context
  const budget = shopBudget(db, connector, shop, lane)
  let passed = 0
  for (let n = 0; n < times; n++) {
    const error = await faultOf(budget.pay(request)).catch(() => null)
    if (error) break
    passed++
  }
  return passed
}

describe('a bucket', () => {
  test('gives what it holds and no more, whoever asks', async () => {
    const shop = newShop()
    const connector = connectorWith(100, 0.001)
    const dbs = [tested.context.db, anotherDb(), anotherDb()]
    const budgets = dbs.map((db) => shopBudget(db, connector, shop, 'interactive'))
    const results = await Promise.allSettled(
      Array.from({ length: 300 }, (_, n) => (budgets[n % 3] ?? budgets[0])?.pay(request)),
    )
    const passed = results.filter(({ status }) => status === 'fulfilled').length
    expect(passed).toBeLessThanOrEqual(100)
    expect(passed).toBeGreaterThanOrEqual(90)
  })

  test('is asked a few times only while there is plenty', async () => {
    const shop = newShop()
    const budget = shopBudget(tested.context.db, connectorWith(1000, 1000), shop, 'interactive')
    for (let n = 0; n < 20; n++) await budget.pay(request)
    const rows = await tested.database.query<{ tokens: number }>('select tokens from rate_budgets where key like $1', [
      `%${shop.shop}%`,
    ])
    expect(rows[0]?.tokens).toBeLessThan(1000 - 20)
  })

  test('leaves a part to those who go first', async () => {
    const shop = newShop()
    expect(await letThrough(shop, 'catalogue')).toBe(12)
    expect(await letThrough(shop, 'inventory')).toBe(3)
    expect(await letThrough(shop, 'orders')).toBe(3)
    expect(await letThrough(shop, 'interactive')).toBe(2)
  })

  test('of one serves every lane', async () => {
    expect(await letThrough(newShop(), 'catalogue', connectorWith(1, 0.001))).toBe(1)
  })

  test('that fills soon is waited for', async () => {
    const budget = shopBudget(tested.context.db, connectorWith(1, 20), newShop(), 'orders')
    const start = performance.now()
    for (let n = 0; n < 5; n++) await budget.pay(request)
    expect(performance.now() - start).toBeGreaterThanOrEqual(190)
  })

  test('is asked once for each request, however long that has to wait', async () => {
    let asked = 0
    const counting: KyselyPlugin = {
      transformQuery({ node }) {
        asked++
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const budget = shopBudget(tested.context.db.withPlugin(counting), connectorWith(1, 10), newShop(), 'orders')
    for (let n = 0; n < 10; n++) await budget.pay(request)
    expect(asked).toBeLessThan(13)
  })

  test('that fills late sends the work away, with the time to come back, and nothing has been sent', async () => {
    const budget = shopBudget(tested.context.db, connectorWith(1, 0.01), newShop(), 'orders')
    await budget.pay(request)
    const error = await budget.pay(request).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ kind: 'upstream_retryable', retryAfterSeconds: 100 })
    expect(wasNeverSent(error)).toBe(true)
  })

  test('follows what the platform says', async () => {
    const shop = newShop()
    const connector = connectorWith(100, 0.001)
    const budget = shopBudget(tested.context.db, connector, shop, 'interactive')
    await budget.pay(request)
    await budget.learn({ name: 'default', remaining: 3 })
    // What was in hand before is spent first, and then what is left.
    expect(await letThrough(shop, 'interactive', connector)).toBeLessThanOrEqual(5)
    await budget.learn({ name: 'default', remaining: 0, capacity: 500, perSecond: 1000 })
    await budget.pay({ ...request, cost: 150 })
  })

  test('fills as fast as the platform says, where it says nothing of what is left', async () => {
    const shop = newShop()
    const connector = connectorWith(10, 0.001)
    const budget = shopBudget(tested.context.db, connector, shop, 'interactive')
    await budget.pay({ ...request, cost: 9 })
    await budget.learn({ name: 'default', perSecond: 0.002 })
    expect(await letThrough(shop, 'interactive', connector)).toBeLessThanOrEqual(1)
    await budget.learn({ name: 'default', perSecond: 1000 })
    await budget.pay({ ...request, cost: 8 })
  })
})

describe('a shop that is asked', () => {
  async function shopWith(capacity: number, perSecond: number) {
    const platform = scriptedPlatform({ budget: { capacity, perSecond } })
    const context: Context = {
      ...tested.context,
      connectors: new Map([[platform.connector.type, platform.connector]]),
      transport: platform.transport,
    }
    const [integration] = await connectShops(context, platform, { count: 1, endsInSeconds: null })
    if (!integration) throw new Error('There is no integration.')
    return { platform, context, integration }
  }

  test.each([
    [429, 60],
    [503, 30],
  ])('and says %d and when to come back is left alone for %d seconds at most', async (status, seconds) => {
    const { platform, context, integration } = await shopWith(100, 100)
    platform.before = async () => ({ status, headers: { 'retry-after': '60' }, body: '' })
    const { shop } = await openShop(context, integration)
    expect(await faultOf(shop.remote.request(request))).toMatchObject({
      kind: 'upstream_retryable',
      retryAfterSeconds: seconds,
    })
    const other = await openShop({ ...context, db: anotherDb() }, integration, { lane: 'orders' })
    expect(await faultOf(other.shop.remote.request(request))).toMatchObject({ kind: 'upstream_retryable' })
    expect(platform.asked).toHaveLength(1)
  })

  test('for maintenance says so, as a page or as data', async () => {
    const { platform, context, integration } = await shopWith(100, 100)
    const message = 'Briefly unavailable for scheduled maintenance.'
    for (const body of [`<title>${message}</title>`, { code: 'wp_die', message, data: { status: 503 } }]) {
      platform.before = async () => ({ status: 503, headers: {}, body })
      const { shop } = await openShop(context, integration)
      const fault = await faultOf(shop.remote.request(request))
      expect(fault.message).toBe(`The shop is under maintenance. The shop says: "${message}"`)
    }
  })

  test('and is back sooner than it said is found back by whoever looks, for all', async () => {
    const { platform, context, integration } = await shopWith(100, 100)
    const body = '<title>Maintenance</title>Briefly unavailable for scheduled maintenance.'
    platform.before = async () => ({ status: 503, headers: { 'retry-after': '600' }, body })
    const background = await openShop(context, integration, { lane: 'orders' })
    const fault = await faultOf(background.shop.remote.request({ ...request, method: 'POST' }))
    expect(fault.message).toBe('The shop is under maintenance. The shop says: "Maintenance"')
    platform.before = async () => undefined
    expect(await faultOf(background.shop.remote.request(request))).toMatchObject({ kind: 'upstream_retryable' })
    const { shop } = await openShop(context, integration)
    expect((await shop.remote.request(request)).status).toBe(200)
    expect((await background.shop.remote.request(request)).status).toBe(200)
  })

  test('and is busy for a moment is asked again when that is over', async () => {
    const { platform, context, integration } = await shopWith(100, 100)
    const answers = [429, 200]
    const at: number[] = []
    platform.before = async () => {
      at.push(performance.now())
      return { status: answers.shift() ?? 200, headers: { 'retry-after': '1' }, body: '' }
    }
    const { shop } = await openShop(context, integration)
    expect((await shop.remote.request({ ...request, method: 'POST' })).status).toBe(200)
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(1000)
  })
})

test('shops of one registration with the platform share its limit; those of another do not', async () => {
  const platform = scriptedPlatform({ budget: { capacity: 100, perSecond: 100, scope: 'application' } })
  const context: Context = {
    ...tested.context,
    connectors: new Map([[platform.connector.type, platform.connector]]),
    transport: platform.transport,
  }
  const [one, other] = await connectShops(context, platform, { count: 2, endsInSeconds: null })
  const [foreign] = await connectShops(context, platform, { count: 1, endsInSeconds: null })
  if (!one || !other || !foreign) throw new Error('There are no integrations.')
  await savePlatformClient(
    context.db,
    context.keys,
    { serviceId: foreign.service_id, appId: null },
    { client_id: 'them' },
  )
  platform.before = async () => ({ status: 429, headers: { 'retry-after': '3600' }, body: '' })
  const first = await openShop(context, one)
  expect(await faultOf(first.shop.remote.request(request))).toMatchObject({ kind: 'upstream_retryable' })
  platform.before = async () => undefined
  const second = await openShop({ ...context, db: anotherDb() }, other)
  expect(await faultOf(second.shop.remote.request(request))).toMatchObject({ retryAfterSeconds: 3600 })
  expect(platform.asked.map(({ host }) => host)).toEqual([one.shop])
  expect((await (await openShop(context, foreign)).shop.remote.request(request)).status).toBe(200)
})

test('long work is estimated by what the bucket gives', () => {
  const connector = connectorWith(100, 2)
  expect(estimateSeconds(connector, 'default', 50)).toBe(0)
  expect(estimateSeconds(connector, 'default', 1060)).toBe(500)
})
