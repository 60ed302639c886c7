import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeIntegration } from '../../../../test/support/gateway.ts'
import { incomingOrder } from '../../../../test/support/orders.ts'
import { openWebhookLab, type WebhookLab } from '../../../../test/support/webhook-lab.ts'
import { hoursAfter, toTimestamp } from '../../../lib/timestamp.ts'
import { takeIds } from '../../../runtime/db/take-ids.ts'
import { events } from '../../events/event.ts'
import type { Integration, IntegrationStatus } from '../../integrations/integration.ts'
import { codeIn } from '../../logs/coded-context.ts'
import type { SyncedOrder } from '../order.ts'
import { lockOrders, moveOrders } from '../order-store.ts'
import { upsertOrders } from '../order-upsert-store.ts'
import { deleteOrder } from '../privacy/delete-order-store.ts'
import { takeDueOrders } from './due-order-store.ts'
import { notifyDueAcknowledgements } from './notify-due-acknowledgements.ts'

/** On Walmart, which waits four hours for orders that are `Created`. */

let lab: WebhookLab
beforeAll(async () => {
  lab = await openWebhookLab()
  await lab.subscribe('http://127.0.0.1:9/hook', ['order.acknowledgement_due'])
})
afterAll(() => lab.close())

const connect = async (type = 'walmart', status: IntegrationStatus = 'ACTIVE') =>
  (await makeIntegration(lab.context, { appId: lab.appId }, { type, status })).integration

const look = () => notifyDueAcknowledgements.run(lab.context, {}, { attempt: 1, signal: new AbortController().signal })

const minutesAgo = (minutes: number) => toTimestamp(new Date(Date.now() - minutes * 60_000))

/** What Walmart tells of orders, by how many minutes ago they were placed. */
async function sync(integration: Integration, orders: Record<string, Partial<SyncedOrder> & { ago: number }>) {
  const notified = Object.entries(orders).map(([id, { ago, ...more }]) =>
    incomingOrder(id, { placed_at: minutesAgo(ago), remote_status: 'Created', ...more }),
  )
  const ids = await takeIds(lab.context.db, 'orders', notified.length)
  const { inserted } = await lab.context.transaction((trx) =>
    upsertOrders(trx, integration.id, { ids, orders: notified }),
  )
  return { ids: inserted, notified }
}

async function acknowledge({ id }: Integration, orderIds: readonly number[]) {
  await lab.context.transaction(async (trx) => {
    const held = await lockOrders(trx, id, orderIds)
    const moves = orderIds.map((orderId) => ({
      ...{ id: orderId, status: 'ACKNOWLEDGED' as const },
      ...{ acknowledge: true, inShop: true, source: 'api' as const },
    }))
    await moveOrders(trx, id, held, moves)
  })
}

async function logsOf({ id }: Integration) {
  const rows = await lab.context.db
    .selectFrom('integration_logs')
    .select(['level', 'event', 'message', 'context'])
    .where('integration_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, context: codeIn(row.context).context }))
}

async function eventsOf({ id }: Integration) {
  const rows = await lab.context.db
    .selectFrom('webhook_events')
    .select(['type', 'subject', 'data'])
    .where('integration_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, data: JSON.parse(row.data) as Record<string, unknown> }))
}

const notifiedOf = async (integration: Integration) =>
  (await eventsOf(integration)).map(({ data }) => data['remote_id'])

describe('an order whose time is nearly over', () => {
  test('is reported in the log and to webhooks, the most urgent first', async () => {
    const integration = await connect()
    const { ids, notified } = await sync(integration, {
      soon: { ago: 3 * 60 + 5 },
      late: { ago: 5 * 60, number: null },
    })
    await look()
    const due = events['order.acknowledgement_due'].data
    const [late, soon, ...more] = await eventsOf(integration)
    expect([...Value.Errors(due, late?.data), ...Value.Errors(due, soon?.data), ...more]).toEqual([])
    expect(late?.data).toMatchObject({ remote_id: 'late', number: null })
    expect(soon).toMatchObject({
      type: 'order.acknowledgement_due',
      subject: `order:${integration.id}:${ids[0]}`,
      data: {
        ...{ id: ids[0], remote_id: 'soon', number: '#soon', status: 'PENDING', previous_status: 'PENDING' },
        acknowledge_by: hoursAfter(notified[0]?.placed_at ?? '', 4),
      },
    })
    const by = soon?.data['acknowledge_by']
    const [first, second] = await logsOf(integration)
    expect(first).toMatchObject({ message: expect.stringContaining('Order late '), context: { number: null } })
    expect(second).toEqual({
      level: 'warning',
      event: 'order.acknowledgement_due',
      message: `Order #soon has not been acknowledged; the platform’s deadline is ${by}.`,
      context: { order_id: ids[0], number: '#soon', remote_id: 'soon', acknowledge_by: by },
    })
  })

  test('is reported once, however many look at the same time and again, and the feed of changes does not show it', async () => {
    const integration = await connect()
    const orders = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`o${n}`, { ago: 200 + (n % 7) }]))
    await sync(integration, orders)
    const changed = async () =>
      await lab.context.db
        .selectFrom('orders')
        .select((eb) => [
          eb.fn.max('updated_at').as('last'),
          eb.fn.count<number>('acknowledgement_reported_at').as('notified'),
        ])
        .where('integration_id', '=', integration.id)
        .executeTakeFirstOrThrow()
    const before = await changed()
    await Promise.all([look(), look(), look(), look()])
    await look()
    expect((await notifiedOf(integration)).toSorted()).toEqual(Object.keys(orders).toSorted())
    expect(await logsOf(integration)).toHaveLength(250)
    expect([before.notified, await changed()]).toEqual([0, { last: before.last, notified: 250 }])
  })

  test('is taken from its own shop, however many are due elsewhere', async () => {
    const [mine, theirs] = [await connect(), await connect()]
    // Theirs were placed before.
    await sync(theirs, { a: { ago: 250 }, b: { ago: 249 } })
    await sync(mine, { a: { ago: 240 }, b: { ago: 239 } })
    const clock = { hours: 4, runsIn: ['Created'] }
    const take = ({ id }: Integration) => lab.context.transaction((trx) => takeDueOrders(trx, id, { clock, limit: 1 }))
    for (const integration of [mine, theirs]) {
      expect((await take(integration)).map((order) => [order.integration_id, order.remote_id])).toEqual([
        [integration.id, 'a'],
      ])
    }
    expect((await take(mine)).map(({ remote_id: id }) => id)).toEqual(['b'])
    expect(await take(mine)).toEqual([])
  })

  test('is reported also if the shop sends it again, and then not once more', async () => {
    const integration = await connect()
    await sync(integration, { a: { ago: 200 } })
    await look()
    await sync(integration, { a: { ago: 200, total: '11.00', remote_version: '2' } })
    await look()
    expect(await notifiedOf(integration)).toEqual(['a'])
  })

  test('is reported for a shop that refuses us at the moment, and not of one that is gone', async () => {
    const [refusing, gone] = [await connect('walmart', 'ERROR'), await connect('walmart', 'UNINSTALLED')]
    for (const integration of [refusing, gone]) await sync(integration, { a: { ago: 200 } })
    await look()
    expect([await notifiedOf(refusing), await notifiedOf(gone)]).toEqual([['a'], []])
  })
})

describe('nothing is reported of an order', () => {
  test('that was acknowledged in time, here or on the platform', async () => {
    const integration = await connect()
    const { ids } = await sync(integration, {
      here: { ago: 200 },
      there: { ago: 200, remote_status: 'Acknowledged' },
      neither: { ago: 200 },
    })
    await acknowledge(integration, ids.slice(0, 1))
    await look()
    expect(await notifiedOf(integration)).toEqual(['neither'])
  })

  test('that is no longer open', async () => {
    const integration = await connect()
    const { ids } = await sync(integration, {
      gone: { ago: 200 },
      cancelled: { ago: 200, status: 'CANCELLED' },
      open: { ago: 200 },
    })
    await lab.context.transaction((trx) => deleteOrder(trx, integration.id, ids[0] ?? 0))
    await look()
    expect(await notifiedOf(integration)).toEqual(['open'])
  })

  test('that has more than an hour, or whose time was over more than a day ago', async () => {
    const integration = await connect()
    await sync(integration, {
      early: { ago: 3 * 60 - 2 },
      timely: { ago: 3 * 60 + 1 },
      late: { ago: 28 * 60 - 2 },
      over: { ago: 28 * 60 + 1 },
      undated: { ago: 200, placed_at: null },
    })
    await look()
    expect(await notifiedOf(integration)).toEqual(['late', 'timely'])
  })

  test('of a platform that does not count', async () => {
    const others = [await connect('shopify'), await connect('sandbox')]
    for (const integration of others) await sync(integration, { a: { ago: 200 } })
    await look()
    for (const integration of others) {
      expect([await eventsOf(integration), await logsOf(integration)]).toEqual([[], []])
    }
  })

  test('of a service that somebody has described under the same name', async () => {
    const integration = await connect()
    await sync(integration, { a: { ago: 200 } })
    const service = lab.context.db
      .insertInto('services')
      .values({ type: 'walmart-of-mine', name: 'Mine', auth_type: 'none', definition: '{}' })
      .returning('id')
    const { id } = await service.executeTakeFirstOrThrow()
    await lab.context.db.updateTable('integrations').set({ service_id: id }).where('id', '=', integration.id).execute()
    await look()
    expect(await eventsOf(integration)).toEqual([])
  })
})
