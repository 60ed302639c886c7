import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { minute, putOrder, type ScriptedShop, scriptedShop } from '../../../test/support/order-shop.ts'
import { credentialsRefused, refused, shopAway } from '../../commerce/remote.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { cancelRun, findRun, insertRun, takeRun } from '../integrations/run-store.ts'
import { listOrders } from '../orders/order-list-store.ts'
import { deleteOrder } from '../orders/order-store.ts'
import { syncNow } from './sync-now.ts'
import { workRun } from './work-run.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

const going = new AbortController().signal

/** A shop, and an integration that is connected to it. */
async function connected(shop: ScriptedShop): Promise<{ context: Context; integration: Integration }> {
  const context = { ...tested.context, connectors: new Map([['sandbox', shop.connector]]) }
  const { integration } = await makeIntegration(context, { appId: null })
  return { context, integration }
}

async function queued(context: Context, integration: Integration, input: object = {}, resource = 'sync_orders') {
  const { id } = await insertRun(context.db, integration.id, { resource, input: { ...input } })
  return { integrationId: integration.id, runId: id }
}

const rowsOf = async ({ id }: Integration) =>
  (
    await tested.database.query<Record<string, string>>(
      `select remote_id, status, total, remote_version, id, xmin::text as xmin, ctid::text as ctid,
        (deleted_at is not null)::text as deleted
      from orders where integration_id = $1 order by id`,
      [id],
    )
  ).map((row) => row)

const present = async (integration: Integration) =>
  (await rowsOf(integration)).filter((row) => row['deleted'] === 'false').map((row) => row['remote_id'])

const listed = async (integration: Integration) => {
  const query = { page: 1, perPage: 100, filter: { acknowledged: ['all'] }, sort: [] }
  return (await listOrders(tested.context.reader, integration.id, query)).total
}

/** What the lists count and what is there. */
async function expectCountersRight(integration: Integration): Promise<void> {
  expect(await listed(integration)).toBe((await present(integration)).length)
}

const logsOf = async ({ id }: Integration) =>
  await tested.database.query<{ event: string; message: string; context: unknown }>(
    'select event, message, context from integration_logs where integration_id = $1 order by at, id',
    [id],
  )

describe('a sync of orders', () => {
  test('brings all of them, and says how many', async () => {
    const shop = scriptedShop(25)
    const { context, integration } = await connected(shop)
    const run = await syncNow(context, integration, 'sync_orders')
    expect(run).toMatchObject({ status: 'completed', error: null, done: 25, total: 25 })
    expect(run.result).toMatchObject({ mode: 'initial', read: 25, inserted: 25, updated: 0, unchanged: 0 })
    expect(await present(integration)).toEqual([...shop.orders.keys()])
    expect((await readIntegration(context.db, integration.id)).last_run_at).not.toBeNull()
    await expectCountersRight(integration)
  })

  test('the second time asks only for what is new, and writes nothing', async () => {
    const shop = scriptedShop(25)
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    const before = await rowsOf(integration)
    shop.asked.length = 0
    const second = await syncNow(context, integration, 'sync_orders')
    expect(second.result).toMatchObject({ mode: 'incremental', inserted: 0, updated: 0 })
    // The newest change, and ten minutes before it.
    expect(shop.asked[0]?.updatedSince).toBe(minute(15))
    const full = await syncNow(context, integration, 'sync_orders', { mode: 'full' })
    expect(full.result).toMatchObject({ mode: 'full', read: 25, unchanged: 25, deleted: 0 })
    expect(await rowsOf(integration)).toEqual(before)
  })

  test('changes come along, and an older version does not undo a newer one', async () => {
    const shop = scriptedShop(25)
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    putOrder(shop, { id: 'o3', updated: minute(30), total: '99.00', fulfillment: 'fulfilled' })
    putOrder(shop, { id: 'new', updated: minute(31) })
    expect((await syncNow(context, integration, 'sync_orders')).result).toMatchObject({ inserted: 1, updated: 1 })
    putOrder(shop, { id: 'o3', updated: minute(29), total: '1.00' })
    expect((await syncNow(context, integration, 'sync_orders')).result).toMatchObject({ inserted: 0, updated: 0 })
    const row = (await rowsOf(integration)).find((order) => order['remote_id'] === 'o3')
    expect(row).toMatchObject({ total: '99.00', status: 'SHIPPED' })
    await expectCountersRight(integration)
  })

  test('what changes while it is read is not passed over the next time', async () => {
    const shop = scriptedShop(25)
    const { context, integration } = await connected(shop)
    // Everything is read, and only then it turns out that one changed a while ago.
    shop.beforePage = (_, nth) => {
      if (nth === 3) putOrder(shop, { id: 'o25', updated: '2126-01-01T00:00:00.000000Z' })
    }
    await syncNow(context, integration, 'sync_orders')
    putOrder(shop, { id: 'late', updated: new Date().toISOString().replace('Z', '000Z') })
    await syncNow(context, integration, 'sync_orders')
    expect(await present(integration)).toContain('late')
  })

  test('a part of the past leaves the mark where it was', async () => {
    const shop = scriptedShop(25)
    const { context, integration } = await connected(shop)
    const part = await syncNow(context, integration, 'sync_orders', { updated_since: minute(20) })
    expect(part.result).toMatchObject({ mode: 'incremental', read: 6 })
    expect((await syncNow(context, integration, 'sync_orders')).result).toMatchObject({ mode: 'initial', inserted: 19 })
  })
})

describe('a run that is interrupted', () => {
  test('goes on from the page where it stood: nothing lost, nothing twice, nothing read again', async () => {
    const shop = scriptedShop(50)
    const { context, integration } = await connected(shop)
    const run = await queued(context, integration)
    let page = 0
    shop.beforePage = () => {
      if (++page % 3 === 0) throw new Error('The worker died.')
    }
    let turns = 0
    while ((await workRun(context, run, going)) !== null) turns++
    expect(turns).toBeGreaterThan(1)
    expect(await present(integration)).toEqual([...shop.orders.keys()])
    expect(shop.asked.filter((query) => query.cursor === null)).toHaveLength(1)
    const { status, done, total, result } = await findRun(context.db, integration.id, run.runId)
    expect({ status, done, total }).toEqual({ status: 'completed', done: 50, total: 50 })
    expect(result).toMatchObject({ read: 50, inserted: 50, updated: 0, unchanged: 0 })
    await expectCountersRight(integration)
  })

  test('waits for a shop that is away for as long as that says, and is then where it was', async () => {
    const shop = scriptedShop(30)
    const { context, integration } = await connected(shop)
    const run = await queued(context, integration)
    shop.beforePage = (_, nth) => {
      if (nth === 2) throw shopAway(77)
    }
    expect(await workRun(context, run, going)).toBe(77)
    expect(await findRun(context.db, integration.id, run.runId)).toMatchObject({
      status: 'running',
      done: 10,
      total: 30,
    })
    expect(await workRun(context, run, going)).toBeNull()
    expect(await findRun(context.db, integration.id, run.runId)).toMatchObject({ status: 'completed', done: 30 })
    expect((await logsOf(integration)).map(({ event }) => event)).toEqual(['run.waiting', 'run.completed'])
  })

  test('gives up when the shop never comes back, sooner when it never gets on', async () => {
    const shop = scriptedShop(5)
    const { context, integration } = await connected(shop)
    const waiting = await queued(context, integration)
    shop.beforePage = () => {
      throw shopAway(1)
    }
    const delays: number[] = []
    for (;;) {
      const seconds = await workRun(context, waiting, going)
      if (seconds === null) break
      delays.push(seconds)
    }
    expect(delays).toEqual([1, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900, 900])
    expect(await findRun(context.db, integration.id, waiting.runId)).toMatchObject({ status: 'failed' })
    const crashing = await queued(context, integration)
    shop.beforePage = () => {
      throw new Error('A bug.')
    }
    for (let n = 0; n < 4; n++) expect(await workRun(context, crashing, going)).toBeGreaterThan(0)
    expect(await workRun(context, crashing, going)).toBeNull()
    const { status, error } = await findRun(context.db, integration.id, crashing.runId)
    expect([status, error]).toEqual(['failed', 'Something went wrong on our side.'])
  })

  test('of which only the claims are left ends after five', async () => {
    const { context, integration } = await connected(scriptedShop(5))
    const { integrationId, runId } = await queued(context, integration)
    for (let n = 0; n < 5; n++) await context.transaction((trx) => takeRun(trx, integrationId, runId))
    expect(await workRun(context, { integrationId, runId }, going)).toBeNull()
    expect(await findRun(context.db, integrationId, runId)).toMatchObject({ status: 'failed' })
  })

  test('starts over when the shop has forgotten the cursor', async () => {
    const shop = scriptedShop(30)
    const { context, integration } = await connected(shop)
    const run = await queued(context, integration)
    shop.beforePage = ({ cursor }, nth) => {
      if (nth === 2) throw shopAway(1)
      if (nth === 3 && cursor !== null) throw refused('The cursor has expired.')
    }
    await workRun(context, run, going)
    expect(await workRun(context, run, going)).toBeNull()
    expect(await present(integration)).toEqual([...shop.orders.keys()])
  })

  test('lets others have their turn after a hundred pages', async () => {
    const shop = scriptedShop(105, { pageSize: 1 })
    const { context, integration } = await connected(shop)
    const run = await queued(context, integration)
    expect(await workRun(context, run, going)).toBe(0)
    expect(await findRun(context.db, integration.id, run.runId)).toMatchObject({ status: 'running', done: 100 })
    expect(await workRun(context, run, going)).toBeNull()
    expect(shop.asked).toHaveLength(105)
  })
})

describe('a worker that was overtaken', () => {
  test('stores nothing any more, and stops', async () => {
    const shop = scriptedShop(30)
    const { context, integration } = await connected(shop)
    const { integrationId, runId } = await queued(context, integration)
    let after: unknown
    shop.beforePage = async (_, nth) => {
      if (nth !== 3) return
      await context.transaction((trx) => takeRun(trx, integrationId, runId))
      after = await rowsOf(integration)
    }
    expect(await workRun(context, { integrationId, runId }, going)).toBeNull()
    expect(await rowsOf(integration)).toEqual(after)
    expect((await rowsOf(integration)).length).toBeLessThan(30)
    expect(await workRun(context, { integrationId, runId }, going)).toBeNull()
    expect(await present(integration)).toHaveLength(30)
  })

  test('by another run of the integration comes back later', async () => {
    const shop = scriptedShop(30)
    const { context, integration } = await connected(shop)
    const first = await queued(context, integration)
    let other = false
    shop.beforePage = async (_, nth) => {
      if (nth !== 2 || other) return
      other = true
      expect((await syncNow(context, integration, 'sync_orders')).status).toBe('completed')
    }
    expect(await workRun(context, first, going)).toBe(5)
    expect(await workRun(context, first, going)).toBeNull()
    expect(await present(integration)).toHaveLength(30)
  })

  test('by a cancellation ends at the next page', async () => {
    const shop = scriptedShop(30)
    const { context, integration } = await connected(shop)
    const { integrationId, runId } = await queued(context, integration)
    shop.beforePage = async (_, nth) => {
      if (nth === 2) await cancelRun(context.db, integrationId, runId)
    }
    expect(await workRun(context, { integrationId, runId }, going)).toBeNull()
    expect(await findRun(context.db, integrationId, runId)).toMatchObject({ status: 'cancelled' })
    // The second page is asked for while the first, of ten, is being stored: that one may be there, nothing after it.
    expect([0, 10]).toContain((await present(integration)).length)
    expect(await workRun(context, { integrationId, runId }, going)).toBeNull()
    expect(shop.asked.length).toBeLessThanOrEqual(3)
  })

  test('an integration that is switched off is not asked about any further', async () => {
    const shop = scriptedShop(50)
    const { context, integration } = await connected(shop)
    const run = await queued(context, integration)
    shop.beforePage = async (_, nth) => {
      if (nth === 2)
        await context.db.updateTable('integrations').set({ active: false }).where('id', '=', integration.id).execute()
    }
    expect(await workRun(context, run, going)).toBeNull()
    expect(await findRun(context.db, integration.id, run.runId)).toMatchObject({
      status: 'cancelled',
      error: 'The integration is not active.',
    })
    expect(shop.asked.length).toBeLessThanOrEqual(2)
  })

  test('a shop that refuses the keys ends the run and puts the integration out of order', async () => {
    const shop = scriptedShop(5)
    const { context, integration } = await connected(shop)
    shop.beforePage = () => {
      throw credentialsRefused(['api_key'])
    }
    expect((await syncNow(context, integration, 'sync_orders')).status).toBe('failed')
    expect(await readIntegration(context.db, integration.id)).toMatchObject({
      status: 'ERROR',
      status_reason: 'credentials_rejected',
    })
  })
})

describe('a record that cannot be used', () => {
  test('is set aside with its reason, and the others are stored', async () => {
    const shop = scriptedShop(30)
    const { context, integration } = await connected(shop)
    putOrder(shop, { id: 'o4', broken: true })
    putOrder(shop, { id: 'o7', total: 'a lot' })
    putOrder(shop, { id: 'o21', note: 'a\0b' })
    putOrder(shop, { id: 'o22', placed: 'some day' })
    const run = await syncNow(context, integration, 'sync_orders')
    expect(run).toMatchObject({ status: 'completed', done: 30 })
    expect(run.result).toMatchObject({ read: 30, inserted: 26, set_aside: 4 })
    expect(await present(integration)).toHaveLength(26)
    const aside = await tested.database.query<Record<string, string>>(
      'select kind, remote_id, reason, payload from set_aside where integration_id = $1 order by remote_id',
      [integration.id],
    )
    expect(aside.map(({ kind, remote_id }) => [kind, remote_id])).toEqual(
      ['o21', 'o22', 'o4', 'o7'].map((id) => ['orders', id]),
    )
    expect(aside.find(({ remote_id }) => remote_id === 'o4')).toMatchObject({ reason: 'The order makes no sense.' })
    expect(aside.find(({ remote_id }) => remote_id === 'o7')?.['reason']).toContain('numeric')
    expect((await logsOf(integration)).filter(({ event }) => event === 'run.set_aside').length).toBeGreaterThan(0)
    await expectCountersRight(integration)
  })

  test('is taken back when the shop has mended it', async () => {
    const shop = scriptedShop(12)
    const { context, integration } = await connected(shop)
    putOrder(shop, { id: 'o4', broken: true })
    await syncNow(context, integration, 'sync_orders')
    putOrder(shop, { id: 'o4', broken: false, updated: minute(40) })
    expect((await syncNow(context, integration, 'sync_orders')).result).toMatchObject({ inserted: 1, set_aside: 0 })
    const left = await tested.database.query('select from set_aside where integration_id = $1', [integration.id])
    expect(left).toHaveLength(0)
  })
})

describe('what the shop no longer has', () => {
  test('leaves the lists after a full sync, and comes back with the shop', async () => {
    const shop = scriptedShop(60)
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    const lost = shop.orders.get('o5')
    for (const id of ['o5', 'o6', 'o7']) shop.orders.delete(id)
    expect((await syncNow(context, integration, 'sync_orders')).result).toMatchObject({ deleted: 0 })
    const full = await syncNow(context, integration, 'sync_orders', { mode: 'full' })
    expect(full.result).toMatchObject({ deleted: 3, suspicious_deletes: 0 })
    expect(shop.got.sort()).toEqual(['o5', 'o6', 'o7'])
    expect(await present(integration)).toEqual([...shop.orders.keys()])
    await expectCountersRight(integration)
    if (lost) shop.orders.set('o5', lost)
    expect((await syncNow(context, integration, 'sync_orders', { mode: 'full' })).result).toMatchObject({ updated: 1 })
    expect(await present(integration)).toContain('o5')
    await expectCountersRight(integration)
    const seen = await tested.database.query('select from sync_seen where integration_id = $1', [integration.id])
    expect(seen).toHaveLength(0)
  })

  test('is left alone when too much is missing at once', async () => {
    const shop = scriptedShop(60)
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    for (let n = 1; n <= 20; n++) shop.orders.delete(`o${n}`)
    const full = await syncNow(context, integration, 'sync_orders', { mode: 'full' })
    expect(full).toMatchObject({ status: 'completed' })
    expect(full.result).toMatchObject({ deleted: 0, suspicious_deletes: 20 })
    expect(await present(integration)).toHaveLength(60)
    expect((await logsOf(integration)).map(({ event }) => event)).toContain('run.suspicious_deletes')
  })

  test('is not what was only passed over', async () => {
    const shop = scriptedShop(60)
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    // The page in which they stand leaves them out, though the shop still has them.
    const hidden = ['o11', 'o12'].map((id) => shop.orders.get(id))
    shop.total = null
    shop.beforePage = ({ cursor }) => {
      for (const order of hidden) {
        if (!order) continue
        if (cursor === null) shop.orders.delete(order.id)
        else if (cursor > `${minute(20)}|`) shop.orders.set(order.id, order)
      }
    }
    const full = await syncNow(context, integration, 'sync_orders', { mode: 'full' })
    expect(full.result).toMatchObject({ deleted: 0, suspicious_deletes: 0 })
    expect(shop.got.sort()).toEqual(['o11', 'o12'])
    expect(await present(integration)).toHaveLength(60)
  })

  test('does not bring back what was deleted here', async () => {
    const shop = scriptedShop(12)
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    const [first] = await rowsOf(integration)
    await context.transaction((trx) => deleteOrder(trx, integration.id, Number(first?.['id'])))
    await syncNow(context, integration, 'sync_orders', { mode: 'full' })
    expect(await present(integration)).toHaveLength(11)
    await expectCountersRight(integration)
  })

  test('a shop whose pages slip is read once more', async () => {
    const shop = scriptedShop(60)
    const { context, integration } = await connected(shop)
    const slipped = shop.orders.get('o15')
    shop.orders.delete('o15')
    shop.total = () => 60
    shop.beforePage = ({ cursor }) => {
      if (slipped && cursor !== null && cursor > `${minute(20)}|`) shop.orders.set('o15', slipped)
    }
    const run = await syncNow(context, integration, 'sync_orders')
    expect(run).toMatchObject({ status: 'completed', done: 60, total: 60 })
    expect(run.result).toMatchObject({ inserted: 60 })
    expect(await present(integration)).toHaveLength(60)
  })
})
