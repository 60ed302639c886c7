import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { scriptedShop } from '../../../test/support/order-shop.ts'
import { syncedOrders } from '../../../test/support/synced-orders.ts'
import { credentialsRefused, refused, shopAway } from '../../commerce/remote.ts'
import { rightsMissing } from '../../commerce/rules/rights.ts'
import type { Context } from '../context.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { cancelRun, findRun, queuedResources, takeRun } from '../runs/run-store.ts'
import { recoverIntegrations } from '../shop/recover-integrations.ts'
import { performRun } from './perform-run.ts'
import { syncNow } from './sync-now.ts'
import { startTurn } from './work.ts'
import { workRun } from './work-run.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

const { connected, queued, rowsOf, present, expectCountersRight, eventsOf } = syncedOrders(() => tested)

const going = new AbortController().signal

test('a turn lasts for two seconds from its first page on, however long it took to get there', () => {
  let now = 0
  const turn = startTurn(() => now)
  now = 60_000
  expect(turn.pages).toBe(100)
  now += 2000
  expect(turn.pages--).toBe(100)
  expect(turn.pages).toBe(99)
  now += 1
  expect(turn.pages).toBe(0)
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
    expect(await eventsOf(integration)).toEqual(['run.waiting', 'run.completed'])
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
    expect([status, error]).toEqual(['failed', 'Internal error.'])
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

  test('goes on where it was when the shop is still away as the next turn begins', async () => {
    const shop = scriptedShop(30)
    const { context, integration } = await connected(shop)
    const run = await queued(context, integration)
    shop.beforePage = (_, nth) => {
      if (nth === 2 || nth === 3) throw shopAway(1)
    }
    expect(await workRun(context, run, going)).toBe(1)
    expect(await workRun(context, run, going)).toBeGreaterThan(0)
    expect(await workRun(context, run, going)).toBeNull()
    expect(shop.asked.filter(({ cursor }) => cursor === null)).toHaveLength(1)
    expect(await present(integration)).toEqual([...shop.orders.keys()])
  })

  test('reads a page again whose rows were lost with the connection', async () => {
    const shop = scriptedShop(30)
    // So that nobody counts afterwards, and reads everything once more.
    shop.total = null
    const { context: real, integration } = await connected(shop)
    let lost = 0
    const context: Context = {
      ...real,
      transaction: (work) =>
        real.transaction(async (trx) => {
          const result = await work(trx)
          const { rows } = await sql`select from orders where integration_id = ${integration.id} limit 1`.execute(trx)
          if (rows.length > 0 && lost++ === 0) throw new Error('The connection is gone.')
          return result
        }),
    }
    const run = await queued(context, integration)
    while ((await workRun(context, run, going)) !== null);
    expect(lost).toBeGreaterThan(1)
    expect(await present(integration)).toEqual([...shop.orders.keys()])
  })

  test('keeps the pages that had come before the shop went away', async () => {
    const shop = scriptedShop(50)
    const { context: real, integration } = await connected(shop)
    const fourth = Promise.withResolvers<void>()
    let transactions = 0
    // The first page is stored for as long as it takes to ask for the fourth.
    const context: Context = {
      ...real,
      transaction: async (work) => {
        if (++transactions === 2) await fourth.promise
        return await real.transaction(work)
      },
    }
    shop.beforePage = (_, nth) => {
      if (nth !== 4) return
      fourth.resolve()
      throw shopAway(60)
    }
    expect(await workRun(context, await queued(context, integration), going)).toBe(60)
    expect(await present(integration)).toHaveLength(30)
  })

  test('lets others have their turn after a hundred pages, or sooner', async () => {
    const shop = scriptedShop(105, { pageSize: 1 })
    const { context, integration } = await connected(shop)
    const run = await queued(context, integration)
    expect(await workRun(context, run, going)).toBe(0)
    const { status, done } = await findRun(context.db, integration.id, run.runId)
    expect([status, done > 0 && done <= 100]).toEqual(['running', true])
    // On a machine that is busy with other things, the time of a turn may be over first.
    while ((await workRun(context, run, going)) !== null);
    expect(shop.asked).toHaveLength(105)
  })
})

test('two runs that read the same do so one after the other, whoever has the turns', async () => {
  const shop = scriptedShop(250, { pageSize: 1 })
  const { context, integration } = await connected(shop)
  const runs = [await queued(context, integration), await queued(context, integration)]
  const over = new Set<number>()
  for (let turn = 0; over.size < runs.length; turn++) {
    expect(turn).toBeLessThan(200)
    for (const run of runs) if ((await workRun(context, run, going)) === null) over.add(run.runId)
  }
  for (const { runId } of runs) {
    expect(await findRun(context.db, integration.id, runId)).toMatchObject({ status: 'completed' })
  }
  expect(await present(integration)).toEqual([...shop.orders.keys()])
})

test('a run that waits for another is found by whoever wants the same, and one that is reading is not', async () => {
  const shop = scriptedShop(250, { pageSize: 1 })
  const { context, integration } = await connected(shop)
  const waiting = () => queuedResources(context.db, integration.id)
  const [first, second] = [await queued(context, integration), await queued(context, integration)]
  expect(await workRun(context, first, going)).toBe(0)
  expect(await workRun(context, second, going)).toBe(5)
  expect(await waiting()).toEqual(new Set(['sync_orders']))
  // Put off for long, as its shop is away: somebody who has news of the shop does not wait for it.
  const waited = (times: number) =>
    sql`update runs set waits = ${times} where integration_id = ${integration.id} and id = ${second.runId}`.execute(
      context.db,
    )
  await waited(3)
  expect(await waiting()).toEqual(new Set())
  await waited(0)
  while ((await workRun(context, first, going)) !== null);
  const seen: Set<string>[] = []
  shop.beforePage = async () => void seen.push(await waiting())
  expect(await workRun(context, second, going)).toBeNull()
  expect(seen.length).toBeGreaterThan(0)
  for (const one of seen) expect(one).toEqual(new Set())
  expect(await waiting()).toEqual(new Set())
})

describe('a worker that was overtaken', () => {
  test('stores nothing any more, and stops', async () => {
    const shop = scriptedShop(30)
    const { context, integration } = await connected(shop)
    const { integrationId, runId } = await queued(context, integration)
    let after: Promise<unknown> | undefined
    shop.beforePage = async (_, nth) => {
      if (nth !== 3) return
      after = context.transaction((trx) => takeRun(trx, integrationId, runId)).then(() => rowsOf(integration))
      await after
    }
    expect(await workRun(context, { integrationId, runId }, going)).toBeNull()
    expect(await rowsOf(integration)).toEqual(await after)
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

  test('a shop that refuses what was asked ends the run, and the integration stays in order', async () => {
    const shop = scriptedShop(5)
    const { context, integration } = await connected(shop)
    shop.beforePage = () => {
      throw refused('The filter is not known.')
    }
    expect(await syncNow(context, integration, 'sync_orders')).toMatchObject({
      status: 'failed',
      error: 'The filter is not known.',
    })
    expect((await readIntegration(context.db, integration.id)).status).toBe('ACTIVE')
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

  test('one that lacks a right is out of order for that, and comes back when the right is given, not before', async () => {
    const shop = scriptedShop(5)
    const missing = [{ name: 'addresses (GET)', where: 'Webservice' }]
    const checkRights = async () => missing
    shop.connector = { ...shop.connector, auth: { ...shop.connector.auth, checkRights } }
    const { context, integration } = await connected(shop)
    shop.beforePage = () => {
      throw rightsMissing(missing)
    }
    const sentence = 'The credentials lack rights in the shop: addresses (GET). Grant them under Webservice.'
    expect(await syncNow(context, integration, 'sync_orders')).toMatchObject({ status: 'failed', error: sentence })
    const now = async () => {
      await sql`update integrations set updated_at = now() - interval '1 day' where id = ${integration.id}`.execute(
        context.db,
      )
      await sql`update credentials set failed_at = null where integration_id = ${integration.id}`.execute(context.db)
      await recoverIntegrations.run(context, {}, { signal: new AbortController().signal, attempt: 1 })
      const { status, status_reason: reason } = await readIntegration(context.db, integration.id)
      return [status, reason]
    }
    expect(await now()).toEqual(['ERROR', 'missing_rights'])
    missing.splice(0)
    expect(await now()).toEqual(['ACTIVE', null])
  })
})

test('after an outage of a platform all of its shops are tried again in one pass', async () => {
  const shop = scriptedShop(1)
  const { context, integration } = await connected(shop)
  const ids = [integration.id]
  while (ids.length < 60) ids.push((await connected(shop)).integration.id)
  await sql`update integrations set status = 'ERROR', status_reason = 'credentials_rejected',
    updated_at = now() - interval '1 day' where id = any(${ids})`.execute(context.db)
  await recoverIntegrations.run(context, {}, { signal: going, attempt: 1 })
  const { rows } = await sql<{ status: string }>`
    select distinct status from integrations where id = any(${ids})`.execute(context.db)
  expect(rows).toEqual([{ status: 'ACTIVE' }])
})

describe('the job', () => {
  test('waits in the queue for a shop that is away, and stands in line again after its turn', async () => {
    const shop = scriptedShop(102, { pageSize: 1 })
    const { context, integration } = await connected(shop)
    const run = await queued(context, integration)
    const next: unknown[] = []
    const noting: Context = {
      ...context,
      enqueue: async (_, { name }, input, options) => void next.push([name, input, options]),
      record: async (_, fact, about) => void next.push([fact, about]),
    }
    shop.beforePage = (_, nth) => {
      if (nth === 1) throw shopAway(33)
    }
    for (let n = 0; n < 3; n++) await performRun.run(noting, run, { attempt: 1, signal: going })
    expect(next).toEqual([
      ['perform-run', run, { startAfterSeconds: 33 }],
      ['run.queued', run],
    ])
    expect(await findRun(context.db, integration.id, run.runId)).toMatchObject({ status: 'completed', done: 102 })
  })

  test('is given back when the worker stops', async () => {
    const shop = scriptedShop(30)
    const { context, integration } = await connected(shop)
    const run = await queued(context, integration)
    const stop = new AbortController()
    shop.beforePage = (_, nth) => {
      if (nth === 2) stop.abort(new Error('The worker stops.'))
    }
    await expect(performRun.run(context, run, { attempt: 1, signal: stop.signal })).rejects.toThrow('The worker stops.')
    expect(await findRun(context.db, integration.id, run.runId)).toMatchObject({ status: 'running' })
    await performRun.run(context, run, { attempt: 2, signal: going })
    expect(await present(integration)).toHaveLength(30)
  })
})
