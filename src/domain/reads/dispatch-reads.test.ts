import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { putOrder, scriptedShop } from '../../../test/support/order-shop.ts'
import { followedOrders, line } from '../../../test/support/stock-orders.ts'
import { addShop, makePool } from '../../../test/support/stock-pool.ts'
import type { Context } from '../context.ts'
import { markInstalled, readIntegration } from '../integrations/integration-store.ts'
import { minutesWhereShared, nextRead, type ReadReason, readingOf } from '../integrations/reading.ts'
import { updateIntegration } from '../integrations/update-integration.ts'
import { pruneRuns } from '../runs/prune-runs.ts'
import { matchArticles } from '../stock/articles/link-articles.ts'
import { workRun } from '../sync/work-run.ts'
import { dispatchReads } from './dispatch-reads.ts'

let tested: TestContext
let context: Context
const running = { attempt: 1, signal: new AbortController().signal }

beforeAll(async () => {
  tested = await createTestContext()
  context = { ...tested.context, record: async () => undefined }
})
afterAll(() => tested.close())
// What other tests have left is not due.
beforeEach(() => tested.database.query(`update integrations set next_read_at = now() + interval '1 hour'`))

const change = (id: number, columns: string) =>
  tested.database.query(`update integrations set ${columns} where id = $1`, [id])
const dispatch = () => dispatchReads.run(context, {}, running)
const runsOf = (id: number) =>
  tested.database.query<{ id: number; resource: string; automatic: boolean; quiet: boolean }>(
    'select id, resource, automatic, quiet from runs where integration_id = $1 order by id',
    [id],
  )
const resourcesOf = async (id: number) => (await runsOf(id)).map(({ resource }) => resource)
const made = async (columns: string) => {
  const { integration } = await makeIntegration(context, { appId: null })
  await change(integration.id, columns)
  return integration.id
}
const due = `next_read_at = now() - interval '1 second'`
const minutesUntilNext = async (id: number) => {
  const { next_read_at: at } = await readIntegration(context.db, id)
  return at === null ? null : (Date.parse(at) - Date.now()) / 60_000
}

test('A shop that has just been connected is asked again within five minutes, or as often as was chosen', async () => {
  const id = await made('read_every_minutes = null')
  await markInstalled(context.db, id)
  expect(await minutesUntilNext(id)).toBeLessThanOrEqual(5)
  await change(id, 'read_every_minutes = 1')
  await markInstalled(context.db, id)
  expect(await minutesUntilNext(id)).toBeLessThanOrEqual(1)
})

describe('a shop that is due', () => {
  test('is asked for orders without a schedule, and again within five minutes', async () => {
    const id = await made(due)
    await dispatch()
    expect(await runsOf(id)).toMatchObject([{ resource: 'sync_orders', automatic: true }])
    const minutes = await minutesUntilNext(id)
    expect(minutes).toBeGreaterThan(0)
    expect(minutes).toBeLessThanOrEqual(5)
  })

  test('is asked for products and stock once an hour', async () => {
    const id = await made(`${due}, catalogue_read_at = now() - interval '61 minutes'`)
    await dispatch()
    expect(await resourcesOf(id)).toEqual(['sync_orders', 'sync_products', 'sync_inventory'])
    await tested.database.query(`update runs set status = 'completed' where integration_id = $1`, [id])
    await change(id, due)
    await dispatch()
    expect(await resourcesOf(id)).toEqual(['sync_orders', 'sync_products', 'sync_inventory', 'sync_orders'])
  })

  test('is not asked while the same waits or runs', async () => {
    const id = await made(due)
    await dispatch()
    await change(id, due)
    await dispatch()
    expect(await resourcesOf(id)).toEqual(['sync_orders'])
    expect(await minutesUntilNext(id)).toBeGreaterThan(0)
  })

  test('is left alone when it rests, is broken, or was connected only now', async () => {
    const resting = await made(`${due}, active = false`)
    const broken = await made(`${due}, status = 'ERROR'`)
    const { integration } = await makeIntegration(context, { appId: null })
    await dispatch()
    for (const id of [resting, broken, integration.id]) expect(await runsOf(id)).toEqual([])
    expect(await minutesUntilNext(integration.id)).toBeGreaterThan(4)
  })

  test('whose messages arrive is asked once an hour', async () => {
    const id = await made(`${due}, messages = 'arriving', messages_since = now()`)
    let left = 0
    for (let n = 0; n < 2; n++) {
      await change(id, due)
      await dispatch()
      left = Math.max(left, (await minutesUntilNext(id)) ?? 0)
    }
    expect(left).toBeLessThanOrEqual(60)
    expect(
      readingOf({ messages: 'arriving', read_every_minutes: null, service_read_minutes: null }, undefined),
    ).toEqual({
      minutes: 60,
      reason: 'messages_arrive',
    })
  })
})

test('its owner says how often, or never', async () => {
  const id = await made(due)
  const set = async (minutes: number | null) =>
    await updateIntegration(context, await readIntegration(context.db, id), { read_every_minutes: minutes })
  expect((await set(0)).next_read_at).toBeNull()
  await dispatch()
  expect(await runsOf(id)).toEqual([])
  await set(15)
  await change(id, due)
  await dispatch()
  expect(await resourcesOf(id)).toEqual(['sync_orders'])
  expect(await minutesUntilNext(id)).toBeLessThanOrEqual(15)
  await set(null)
  expect(await minutesUntilNext(id)).toBeLessThanOrEqual(5)
})

test('what was missed while something is being read is asked for after that, also where nobody asks by the clock', async () => {
  const id = await made(`${due}, read_every_minutes = 0, catalogue_read_at = now()`)
  const end = () => tested.database.query(`update runs set status = 'completed' where integration_id = $1`, [id])
  await tested.database.query(
    `insert into runs (integration_id, resource, status) values ($1, 'sync_products', 'running')`,
    [id],
  )
  await change(id, 'catalogue_read_at = null')
  await dispatch()
  expect(await resourcesOf(id)).toEqual(['sync_products', 'sync_orders'])
  expect(await minutesUntilNext(id)).toBeLessThanOrEqual(5)
  await end()
  await change(id, due)
  await dispatch()
  const [, , ...after] = await resourcesOf(id)
  expect(after).toEqual(['sync_orders', 'sync_products', 'sync_inventory'])
  await end()
  expect(await minutesUntilNext(id)).toBeNull()
})

test('a service says it for all of its shops, unless the owner of one says otherwise', async () => {
  const [asked, own] = [await made(due), await made(`${due}, read_every_minutes = 7`)]
  const say = (minutes: number | null) =>
    tested.database.query(
      `update services set settings = jsonb_build_object('read_every_minutes', $1::int) where type = 'sandbox'`,
      [minutes],
    )
  await say(0)
  await dispatch()
  expect([await resourcesOf(asked), await resourcesOf(own)]).toEqual([[], ['sync_orders']])
  await say(30)
  await change(asked, due)
  await dispatch()
  expect(await resourcesOf(asked)).toEqual(['sync_orders'])
  const { service_read_minutes: ofService } = await readIntegration(context.db, asked)
  expect(ofService).toBe(30)
  await say(null)
})

describe('a shop that shares its stock with others', () => {
  test('is asked every two seconds while it sells, every ten where messages arrive, else every minute; what was chosen stays', () => {
    const minutes = (reason: ReadReason, isSelling: boolean, chosen: number | null = 5) =>
      minutesWhereShared({ minutes: chosen, reason }, { isSelling })
    expect([minutes('no_messages', true), minutes('no_messages', false)]).toEqual([1 / 60, 1])
    expect([minutes('messages_arrive', true, 60), minutes('messages_arrive', false, 60)]).toEqual([1 / 6, 5])
    expect([minutes('chosen', true, 30), minutes('platform', true, 10), minutes('off', true, null)]).toEqual([
      30,
      10,
      null,
    ])
  })

  test('an order of it makes the next read come soon', async () => {
    const sharing = await makePool(context)
    const shop = await addShop(context, sharing, { CUP: 10 })
    await matchArticles(context, sharing.pool, { create: true, dry: false })
    await change(shop.id, due)
    await dispatch()
    expect(await minutesUntilNext(shop.id)).toBeLessThanOrEqual(1)
    await tested.database.query(`update runs set status = 'completed' where integration_id = $1`, [shop.id])
    await followedOrders(() => context).order(shop, 'o1', [line(1)])
    expect(await minutesUntilNext(shop.id)).toBeLessThanOrEqual(1 / 6)
    await change(shop.id, due)
    await dispatch()
    expect(await resourcesOf(shop.id)).toEqual(['sync_orders', 'sync_orders'])
    expect(await minutesUntilNext(shop.id)).toBeLessThanOrEqual(1 / 6)
  })
})

test('why a shop is read as often as it is', () => {
  const why = (messages: 'none' | 'late', chosen: number | null, platform?: number) =>
    readingOf(
      { messages, read_every_minutes: chosen, service_read_minutes: null },
      platform === undefined ? {} : { readEveryMinutes: platform },
    )
  expect(why('none', null)).toEqual({ minutes: 5, reason: 'no_messages' })
  expect(why('late', null)).toEqual({ minutes: 5, reason: 'messages_missing' })
  expect(why('none', null, 10)).toEqual({ minutes: 10, reason: 'platform' })
  expect(why('none', 7, 10)).toEqual({ minutes: 7, reason: 'chosen' })
  expect(why('none', 0)).toEqual({ minutes: null, reason: 'off' })
})

test('a thousand shops that come due together are spread over the interval, each at its own moment', () => {
  const now = new Date('2026-11-15T12:00:00Z')
  const minutes = Array.from({ length: 1000 }, (_, id) => nextRead(id, 5, now).getTime() - now.getTime())
  const inEach = [0, 1, 2, 3, 4].map((n) => minutes.filter((ms) => Math.floor(ms / 60_000) === n).length)
  for (const count of inEach) expect(count).toBeGreaterThan(190)
  const at = nextRead(7, 5, now)
  expect(nextRead(7, 5, at).getTime() - at.getTime()).toBe(300_000)
})

test('a read that found nothing is quiet, and gone after a day; one that found an order is not', async () => {
  const shop = scriptedShop(3)
  const mine: Context = { ...context, connectors: new Map([['sandbox', shop.connector]]) }
  const { integration } = await makeIntegration(mine, { appId: null })
  const read = async () => {
    await change(integration.id, due)
    await dispatchReads.run(mine, {}, running)
    const { id: runId } = (await runsOf(integration.id)).at(-1) ?? { id: 0 }
    await workRun(mine, { integrationId: integration.id, runId }, running.signal)
  }
  await read()
  await read()
  putOrder(shop, { id: 'new', updated: '2026-11-01T00:00:00.000000Z' })
  await read()
  expect((await runsOf(integration.id)).map(({ quiet }) => quiet)).toEqual([false, true, false])
  const logged = await tested.database.query('select from integration_logs where integration_id = $1', [integration.id])
  expect(logged).toHaveLength(2)
  await tested.database.query(`update runs set finished_at = now() - interval '25 hours' where integration_id = $1`, [
    integration.id,
  ])
  await pruneRuns.run(context, {}, running)
  expect((await runsOf(integration.id)).map(({ quiet }) => quiet)).toEqual([false, false])
})
