import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Transport } from '../../src/commerce/remote.ts'
import { etsy } from '../../src/connectors/etsy/index.ts'
import type { Context } from '../../src/domain/context.ts'
import { saveCredentials } from '../../src/domain/integrations/credentials-store.ts'
import { changeIntegration } from '../../src/domain/integrations/integration-store.ts'
import { dispatchReads } from '../../src/domain/reads/dispatch-reads.ts'
import { savePlatformClient } from '../../src/domain/services/platform-client-store.ts'
import { setShop } from '../../src/domain/stock/manage-pool.ts'
import { workRun } from '../../src/domain/sync/work-run.ts'
import { openSimulator } from '../../src/simulator/simulator.ts'
import { installClock, type VirtualClock } from '../prove/support/virtual-clock.ts'
import { createTestContext, type TestContext } from '../support/context.ts'
import { makeIntegration } from '../support/gateway.ts'
import { inMemory } from '../support/imitation.ts'
import { makePool } from '../support/stock-pool.ts'

/** Etsy counts the calls of all shops of an app together: 10,000 in a day. Two hours pass in moments, with calls in proportion. */

const count = 60
const sellers = 6
const hours = 2
const tickSeconds = 60
const perDay = 10_000
const quota = Math.floor((perDay * hours) / 24)

let tested: TestContext
let clock: VirtualClock
beforeAll(async () => {
  tested = await createTestContext('nobody')
  clock = await installClock(tested.url)
  await clock.setDefaults()
})
afterAll(async () => {
  await clock.close()
  await tested.close()
})

const openShops = () =>
  Array.from({ length: count }, (_, n) => {
    const simulator = openSimulator({ platform: 'etsy', orders: 3, products: 2, seed: `shop ${n}` })
    const credentials = simulator.keep(30 * 86_400)
    return { simulator, credentials, carry: inMemory(simulator), integrationId: 0, listed: 0 }
  })

test('60 shops of one app on Etsy are all asked within its day, those that sell most often, and none is turned away', async () => {
  const shops = openShops()
  const [first] = shops
  if (!first) throw new Error('There are no shops.')
  const seconds = () => first.simulator.world.clock.now() / 1e6
  const counts = { calls: 0, turnedAway: 0 }

  /** One day for all of them; whose call it is the token says. */
  const transport: Transport = async (call) => {
    const sent = call.request.headers?.['authorization'] ?? ''
    const shop = shops.find(({ credentials }) => sent.endsWith(String(credentials['access_token'])))
    if (!shop) throw new Error('Nobody knows who is asked.')
    counts.calls++
    if (counts.calls > quota) {
      counts.turnedAway++
      return { status: 429, headers: { 'retry-after': '60' }, body: { error: 'Rate limit exceeded' } }
    }
    if (call.url.endsWith('/receipts')) shop.listed++
    const answer = await shop.carry(call)
    const today = { 'x-limit-per-day': String(perDay), 'x-remaining-today': String(perDay - counts.calls) }
    return { ...answer, headers: { ...answer.headers, ...today } }
  }

  const waiting: { integrationId: number; runId: number; due: number }[] = []
  const context: Context = {
    ...tested.context,
    connectors: new Map([['etsy', etsy]]),
    transport,
    record: async (_, fact, about) => {
      if (fact === 'run.queued' && 'runId' in about) waiting.push({ ...about, due: seconds() })
    },
  }
  const query = (text: string, values: unknown[]) => tested.database.query(text, values)
  const running = { signal: new AbortController().signal, attempt: 1 }

  await clock.set(new Date(seconds() * 1000))
  const { pool, tenant } = await makePool(context)
  for (const [n, shop] of shops.entries()) {
    const { simulator, credentials } = shop
    const { shop: name, settings, client } = simulator.install
    const { integration } = await makeIntegration(context, tenant, { type: 'etsy', shop: name })
    shop.integrationId = integration.id
    const place = { serviceId: integration.service_id, appId: null }
    if (shop === first) await savePlatformClient(context.db, context.keys, place, Object(client))
    await changeIntegration(context.db, integration.id, { settings: Object(settings) })
    await saveCredentials(context.db, context.keys, integration, { credentials, expiresAt: null })
    if (n < sellers) await setShop(context, pool, integration, {})
    // As in the middle of some day: products and stock were asked for at some time or other.
    await query(
      `update integrations set next_read_at = now() + make_interval(secs => $2),
         catalogue_read_at = now() - make_interval(mins => $3) where id = $1`,
      [integration.id, n * 15, n * 5],
    )
  }

  const advance = async (by: number) => {
    for (const { simulator } of shops) simulator.advance(by)
    await clock.set(new Date(seconds() * 1000))
    return by
  }
  const goOn = async (one: (typeof waiting)[number]) => {
    const again = await workRun(context, one, running.signal)
    if (again !== null) waiting.push({ ...one, due: seconds() + again })
  }
  for (let tick = 0; tick < (hours * 3600) / tickSeconds; tick++) {
    await query('update stock_shops set sold_at = now() where pool_id = $1', [pool.id])
    await dispatchReads.run(context, {}, running)
    const now = seconds()
    const working = new Set<Promise<void>>()
    for (const one of waiting.filter(({ due }) => due <= now)) {
      waiting.splice(waiting.indexOf(one), 1)
      const work: Promise<void> = goOn(one).finally(() => working.delete(work))
      working.add(work)
    }
    let left = tickSeconds
    // Who waits for a limit does so in real time: the clock goes on for them.
    while (working.size > 0) {
      await Promise.race([Promise.all(working), sleep(100)])
      if (working.size > 0) left -= await advance(1)
    }
    await advance(Math.max(0, left))
  }

  expect(counts.turnedAway).toBe(0)
  // As often as usual, questions for orders alone would have been too many.
  expect((count * hours * 3600) / 300).toBeGreaterThan(quota)
  expect(counts.calls).toBeGreaterThan(quota / 3)
  const asked = shops.map(({ listed }) => listed)
  expect(Math.min(...asked)).toBeGreaterThanOrEqual(2)
  const [selling, quiet] = [asked.slice(0, sellers), asked.slice(sellers)]
  expect(Math.min(...selling)).toBeGreaterThan(2 * Math.max(...quiet))
  // Some 30 seconds by itself; what it shares the machine with may make it thrice as long.
})
