import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { makeApp } from '../../../test/support/identity.ts'
import { addShop, makePool } from '../../../test/support/stock-pool.ts'
import { etsy } from '../../connectors/etsy/index.ts'
import { bucketOf } from '../budgets/budget.ts'
import { correctBucket, takeShared } from '../budgets/budget-store.ts'
import { plannable } from '../budgets/share-out.ts'
import type { Context } from '../context.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { readWithin } from '../integrations/messages-store.ts'
import { savePlatformClient } from '../services/platform-client-store.ts'
import { dispatchReads } from './dispatch-reads.ts'
import { sharersOf } from './sharers-store.ts'

let tested: TestContext
/** Begins without a plan each time. */
let context: Context
let serviceId: number
const client = { client_id: 'the-registration', client_secret: 'secret' }
const running = { attempt: 1, signal: new AbortController().signal }

beforeAll(async () => {
  tested = await createTestContext()
  const { integration } = await makeIntegration(tested.context, { appId: null }, { type: 'etsy' })
  serviceId = integration.service_id
  await savePlatformClient(tested.context.db, tested.context.keys, { serviceId, appId: null }, client)
})
afterAll(() => tested.close())
beforeEach(async () => {
  // A plan stands for half a minute, for whoever has this object.
  context = { ...tested.context, db: tested.database.db.withoutPlugins(), record: async () => undefined }
  await tested.database.query(`delete from stock_shops`)
  await tested.database.query(`update integrations set deleted_at = now() where type = 'etsy' and deleted_at is null`)
  await tested.database.query('delete from rate_budgets')
})

const query = <Row extends object>(text: string, values: unknown[] = []) => tested.database.query<Row>(text, values)

/** So many at once, as rows: whoever connects a shop is not what is tried here. */
async function connect(
  shops: number,
  { appId = null, messages = 'none' }: { appId?: number | null; messages?: string } = {},
) {
  const rows = await query<{ id: number }>(
    `insert into integrations (app_id, service_id, name, type, shop, status, next_read_at, catalogue_read_at, messages)
     select $1, $2, 'Shop', 'etsy', 'shop-' || n || '.etsy.com', 'ACTIVE', now(), now(), $4
     from generate_series(1, $3::int) n returning id`,
    [appId, serviceId, shops, messages],
  )
  const ids = rows.map(({ id }) => Number(id))
  await query('insert into integration_state (integration_id, app_id) select unnest($1::bigint[]), $2', [ids, appId])
  return ids
}

async function dispatch(): Promise<void> {
  await dispatchReads.run(context, {}, running)
}

const nextOf = async (ids: readonly number[]) =>
  await query<{
    id: number
    seconds: number
    share: { every_seconds: number; selling_seconds: number; shops: number } | null
  }>(
    `select id, extract(epoch from next_read_at - now())::float8 as seconds, read_share as share
     from integrations where id = any($1::bigint[]) order by id`,
    [ids],
  )
const perDay = (rows: readonly { seconds: number }[]) => rows.reduce((sum, { seconds }) => sum + 86_400 / seconds, 0)
const runsOf = async (ids: readonly number[], resource: string) =>
  (await query(`select from runs where integration_id = any($1::bigint[]) and resource = $2`, [ids, resource])).length

describe('shops of one registration with Etsy, which counts their calls of a day together,', () => {
  test('are asked as usual while the day has enough for all', async () => {
    const ids = await connect(15)
    await dispatch()
    const next = await nextOf(ids)
    expect(next.every(({ seconds }) => seconds <= 300)).toBe(true)
    expect(await runsOf(ids, 'sync_orders')).toBe(15)
  })

  test.each([36, 60, 400])(
    '%i of them plan no more in a day than it has for that, and each is asked',
    async (shops) => {
      const ids = await connect(shops)
      await dispatch()
      expect(await runsOf(ids, 'sync_orders')).toBe(shops)
      const next = await nextOf(ids)
      expect(perDay(next)).toBeLessThanOrEqual(5000)
      expect(perDay(next)).toBeGreaterThan(4000)
      expect(next[0]?.share).toMatchObject({ shops, calls_per_day: 10_000 })
    },
  )

  test('whose messages arrive take little, and leave the rest to the others', async () => {
    const [told, asked] = [await connect(30, { messages: 'arriving' }), await connect(30)]
    await dispatch()
    const seconds = (await nextOf(asked)).map((one) => one.share?.every_seconds)
    expect(new Set(seconds)).toEqual(new Set([Math.ceil(86_400 / ((5000 - 30 * 24) / 30))]))
    expect((await nextOf(told)).every(({ seconds: wait }) => wait > 0 && wait <= 3600)).toBe(true)
  })

  test('are asked for products and stock as seldom as what that takes demands', async () => {
    const ids = await connect(60)
    const asked = async (minutes: number) => {
      await query(`update runs set status = 'completed' where integration_id = any($1::bigint[])`, [ids])
      await query(
        `update integrations set next_read_at = now(), catalogue_read_at = now() - make_interval(mins => $2)
         where id = any($1::bigint[])`,
        [ids, minutes],
      )
      await dispatch()
      return await runsOf(ids, 'sync_inventory')
    }
    // Ten calls for each of 60 shops, of a quarter of 10,000 a day: every 346 minutes.
    expect([await asked(61), await asked(340), await asked(347)]).toEqual([0, 0, 60])
  })

  test('are asked more often once Etsy allows more', async () => {
    const ids = await connect(60)
    const bucket = bucketOf(etsy, { shop: 'a', application: client.client_id })
    await takeShared(context.db, { ...bucket, cost: 1, reserve: 0, spare: 0, probes: false, plenty: 0.5, sharer: 'a' })
    await correctBucket(context.db, bucket, { perDay: 100_000, dayLeft: 99_000 })
    await dispatch()
    expect((await nextOf(ids)).every(({ seconds, share }) => seconds <= 300 && share?.every_seconds === 300)).toBe(true)
  })

  test('count as one although the registration was entered for two apps, and not with those of another', async () => {
    const apps = [await makeApp(context), await makeApp(context), await makeApp(context)]
    for (const [n, appId] of apps.entries()) {
      await query('insert into app_services (app_id, service_id) values ($1, $2)', [appId, serviceId])
      const own = n === 2 ? { ...client, client_id: 'another' } : client
      await savePlatformClient(context.db, context.keys, { serviceId, appId }, own)
    }
    const [one, two, other] = [
      await connect(30, { appId: apps[0] ?? 0 }),
      await connect(30, { appId: apps[1] ?? 0 }),
      await connect(10, { appId: apps[2] ?? 0 }),
    ]
    await dispatch()
    for (const next of await nextOf([...one, ...two])) expect(next.share).toMatchObject({ shops: 60 })
    expect((await nextOf(other)).every(({ seconds }) => seconds <= 300)).toBe(true)
  })
})

describe('a shop that sells from a stock that it shares', () => {
  async function selling(quiet: number) {
    const ids = await connect(quiet)
    const sharing = await makePool(context)
    const shop = await addShop(context, sharing, { CUP: 10 })
    await query(
      `update integrations set type = 'etsy', service_id = $2, next_read_at = now(), catalogue_read_at = now() where id = $1`,
      [shop.id, serviceId],
    )
    await query('update stock_shops set sold_at = now() where integration_id = $1', [shop.id])
    return { ids, id: shop.id }
  }

  test('is asked as often as its share allows, which is more than the others have, and nobody plans too much', async () => {
    const { ids, id } = await selling(59)
    await dispatch()
    const [one] = await nextOf([id])
    const others = await nextOf(ids)
    expect(one?.share?.every_seconds).toBe(Math.ceil(86_400 / (2500 / 60 + 2500)))
    for (const { share } of others) expect(share?.every_seconds).toBe(Math.ceil(86_400 / (2500 / 60)))
    expect(perDay([...others, ...(one ? [one] : [])])).toBeLessThanOrEqual(5000)
  })

  test('is not asked sooner for a sale than its share allows', async () => {
    const { id } = await selling(59)
    await dispatch()
    await query(`update integrations set next_read_at = now() + interval '1 hour' where id = $1`, [id])
    await readWithin(context.db, id, 0)
    const [after] = await nextOf([id])
    expect(after?.share?.selling_seconds).toBe(34)
    expect(after?.seconds).toBeGreaterThan(24)
    expect(after?.seconds).toBeLessThanOrEqual(34)
  })

  test('alone with a limit is asked as often as half of the day allows, and never more often than any', async () => {
    const { id } = await selling(0)
    await dispatch()
    const [one] = await nextOf([id])
    expect(one?.share?.every_seconds).toBe(Math.ceil(86_400 / plannable(etsy.remote.budgets.default, 'orders')))
  })
})

test('a registration that nobody can open keeps no other shop from being asked', async () => {
  const appId = await makeApp(context)
  await query(`insert into app_services (app_id, service_id, client, client_key_id) values ($1, $2, '\\x00', 'lost')`, [
    appId,
    serviceId,
  ])
  const [lost, ids] = [await connect(1, { appId }), await connect(60)]
  await dispatch()
  expect((await nextOf(ids)).every(({ share }) => share?.shops === 60)).toBe(true)
  expect((await nextOf(lost))[0]?.share).toBeNull()
})

test('where no limit is shared, nothing is said of one', async () => {
  const { integration } = await makeIntegration(context, { appId: null })
  await query('update integrations set next_read_at = now() where id = $1', [integration.id])
  await dispatch()
  expect((await readIntegration(context.db, integration.id)).read_share).toBeNull()
})

test('the shops of a thousand tenants with registrations of their own have a plan each', async () => {
  const [first] = await query<{ id: number }>(`select coalesce(max(id), 0) as id from apps where id < 1000000000`)
  const from = Number(first?.id ?? 0) + 1
  await query(
    `insert into apps (id, name) overriding system value select $1::bigint + n, 'App' from generate_series(0, 999) n`,
    [from],
  )
  await query(
    `insert into app_services (app_id, service_id) select $1::bigint + n, $2 from generate_series(0, 999) n`,
    [from, serviceId],
  )
  const apps = Array.from({ length: 1000 }, (_, n) => from + n)
  for (const appId of apps)
    await savePlatformClient(context.db, context.keys, { serviceId, appId }, { ...client, client_id: `of ${appId}` })
  await query(
    `insert into integrations (app_id, service_id, name, type, shop, status, next_read_at, catalogue_read_at)
     select $1::bigint + n % 1000, $2, 'Shop', 'etsy', 'shop-' || n || '.etsy.com', 'ACTIVE', now() + interval '1 day', now()
     from generate_series(0, 9999) n`,
    [from, serviceId],
  )
  const ids = await connect(60, { appId: from })
  await dispatch()
  for (const { share } of await nextOf(ids)) expect(share).toMatchObject({ shops: 70 })
  const groups = await sharersOf(context.db, ['etsy'])
  expect(groups.filter(({ app_id: app }) => app !== null)).toHaveLength(1000)
})
