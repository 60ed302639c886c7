import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Write } from '../../src/commerce/connector/parts.ts'
import type { Connector } from '../../src/commerce/connector.ts'
import type { AnyFields } from '../../src/commerce/shop.ts'
import { runAction } from '../../src/domain/actions/run-action.ts'
import type { Context } from '../../src/domain/context.ts'
import { orderMaking } from '../../src/domain/operations/operation.ts'
import { upsertOrders } from '../../src/domain/orders/order-upsert-store.ts'
import { syncedOrder } from '../../src/domain/orders/synced-order.ts'
import { openShop } from '../../src/domain/shop/open-remote.ts'
import { takeIds } from '../../src/runtime/db/take-ids.ts'
import { until } from '../support/until.ts'
import { type Gateway, openGateway } from './support.ts'

/** Refunds and single lines called off, through version 2.0 and actions: what the shop has then, and what we show. */

let gateway: Gateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.server.close())

let made = 0

/** A paid order in the shop of two and one pieces, and our copy of it. */
async function newOrder() {
  const { context, integration } = gateway
  const { connector, shop } = await openShop(context, integration)
  const lines = [
    { sku: 'SKU-00001-1', quantity: 2, unit_price: '10.00' },
    { sku: 'SKU-00002-1', quantity: 1, unit_price: '5.00' },
  ]
  const draft = { reference: `refunds ${++made}`, currency: 'EUR', lines }
  const order = await orderMaking(connector)?.send(shop, draft, { id: draft.reference })
  if (!order) throw new Error('The shop makes no orders.')
  const [id = 0] = await takeIds(context.db, 'orders', 1)
  await context.transaction((trx) =>
    upsertOrders(trx, integration.id, { ids: [id], orders: [syncedOrder(integration, order)] }),
  )
  return { id, remoteId: order.remote_id, total: order.total.amount }
}

async function inShop(remoteId: string) {
  const { connector, shop } = await openShop(gateway.context, gateway.integration)
  return connector.orders?.translate(await connector.orders.get(shop, remoteId), shop)
}

type Answered = { status: number; data: Record<string, unknown>; errors?: Record<string, string[]> }

async function call(id: number, what: 'refunds' | 'cancel', body: object, key?: string): Promise<Answered> {
  const { server, tenant, integration } = gateway
  const { status, json } = await server.call(
    'POST',
    `/api/2.0/app/orders/${id}/${what}?integration_id=${integration.id}`,
    {
      token: tenant.appToken,
      body,
      ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    },
  )
  return { status, data: json['data'] as Answered['data'], errors: json['errors'] as Record<string, string[]> }
}

const passportOf = async (id: number) => {
  const { server, tenant, integration } = gateway
  const path = `/api/2.0/app/orders/${id}/passport?integration_id=${integration.id}`
  const { json } = await server.call('GET', path, { token: tenant.appToken })
  return (json['data'] as { steps: { kind: string; title: string; details: Record<string, unknown> }[] }).steps
}

test('an amount is refunded in the shop, and our copy shows it at once', async () => {
  const { id, remoteId } = await newOrder()
  const { status, data } = await call(id, 'refunds', { amount: '3.50', reason: 'Goodwill' })
  expect([status, data]).toMatchObject([
    201,
    {
      payment_status: 'partially_refunded',
      refunded_total: '3.50',
      refunds: [{ amount: '3.50', reason: 'Goodwill', lines: [] }],
    },
  ])
  expect((await inShop(remoteId))?.refunded_total).toEqual({ amount: '3.50', currency: 'EUR' })
  const steps = await passportOf(id)
  expect(steps.map(({ title }) => title)).toEqual(
    expect.arrayContaining(['3.50 EUR was refunded.', 'The shop confirmed the refund.']),
  )
})

test('pieces of a line are refunded with what was paid for them, and go back into stock', async () => {
  const { id, remoteId } = await newOrder()
  const lines = [{ order_line_remote_id: `${remoteId}-1`, quantity: 1 }]
  const { data } = await call(id, 'refunds', { lines, restock: true })
  expect(data).toMatchObject({
    refunds: [{ lines: [{ order_line_remote_id: `${remoteId}-1`, quantity: 1 }] }],
    items: [{ quantity_refunded: 1 }, { quantity_refunded: 0 }],
  })
  const raw = (await inShop(remoteId))?.raw as { refunds: { restocked: boolean }[] }
  expect(raw.refunds).toMatchObject([{ restocked: true }])
})

test('what cannot be refunded is 422 at its field, and the shop is told nothing', async () => {
  const { id, remoteId, total } = await newOrder()
  const line = (part: object) => ({ lines: [{ order_line_remote_id: `${remoteId}-1`, quantity: 1, ...part }] })
  const cases: [object, string][] = [
    [{}, 'amount'],
    [{ amount: '1', ...line({}) }, 'amount'],
    [{ amount: '99999' }, 'amount'],
    [{ amount: '0' }, 'amount'],
    [{ amount: '1', restock: true }, 'restock'],
    [line({ quantity: 3 }), 'lines.0.quantity'],
    [line({ order_line_remote_id: 'no-such-line' }), 'lines.0.order_line_remote_id'],
  ]
  for (const [body, field] of cases) {
    const { status, errors } = await call(id, 'refunds', body)
    expect([status, Object.keys(errors ?? {})]).toEqual([422, [field]])
  }
  expect((await inShop(remoteId))?.refunds).toEqual([])
  expect((await call(id, 'refunds', { amount: total })).status).toBe(201)
  const { status, errors } = await call(id, 'refunds', { amount: '1' })
  expect([status, errors]).toMatchObject([422, { amount: [expect.stringContaining('more than is left')] }])
})

test('an order that is kept here only cannot be refunded, nor one of another integration', async () => {
  const { data } = await gateway.call('POST', '/orders', {
    ...{ remote_id: 'ours-1', currency: 'EUR', total: '1', items: [{ sku: 'A', quantity: 1, price: '1' }] },
  })
  const { status, errors } = await call(Number(data['id']), 'refunds', { amount: '1' })
  expect([status, errors]).toMatchObject([422, { order: [expect.stringContaining('kept here only')] }])
  expect((await call(999_999, 'refunds', { amount: '1' })).status).toBe(404)
})

test('the same request under one key pays back once, and under another key again', async () => {
  const { id, remoteId } = await newOrder()
  for (const key of ['refund-key-1', 'refund-key-1', 'refund-key-2']) {
    expect((await call(id, 'refunds', { amount: '2' }, `${key}-${remoteId}`)).status).toBe(201)
  }
  expect((await inShop(remoteId))?.refunds).toHaveLength(2)
})

test('a line is called off in part, and the order is cancelled when nothing is left of it', async () => {
  const { id, remoteId } = await newOrder()
  const part = (line: number, quantity: number) => ({ order_line_remote_id: `${remoteId}-${line}`, quantity })
  const first = await call(id, 'cancel', { lines: [part(1, 1)], reason: 'Out of stock' })
  expect([first.status, first.data]).toMatchObject([
    200,
    { status: 'PENDING', items: [{ quantity_cancelled: 1 }, { quantity_cancelled: 0 }] },
  ])
  const more = await call(id, 'cancel', { lines: [part(1, 2)] })
  expect([more.status, Object.keys(more.errors ?? {})]).toEqual([422, ['lines.0.quantity']])
  const rest = await call(id, 'cancel', { lines: [part(1, 1), part(2, 1)] })
  expect(rest.data).toMatchObject({ status: 'CANCELLED' })
  expect((await passportOf(id)).map(({ title }) => title)).toContain('The shop confirmed the cancellation of lines.')
})

test('without lines the whole order is cancelled', async () => {
  const { id, remoteId } = await newOrder()
  expect((await call(id, 'cancel', {})).data).toMatchObject({ status: 'CANCELLED' })
  expect(await inShop(remoteId)).toMatchObject({ status: 'cancelled' })
})

test('the actions do the same, and answer with the order of the shop', async () => {
  const { context, integration } = gateway
  const { id, remoteId } = await newOrder()
  const refunded = await runAction(context, integration, {
    ...{ resource: 'create_refund', order_remote_id: remoteId, amount: '4' },
  })
  expect(refunded).toMatchObject({ result: { status: 'PENDING', refunded_total: { amount: '4.00' } } })
  const lines = [{ order_line_remote_id: `${remoteId}-2`, quantity: 1 }]
  await runAction(context, integration, { resource: 'cancel_order_lines', order_remote_id: remoteId, lines })
  expect((await gateway.call('GET', `/orders/${id}`)).data).toMatchObject({
    refunded_total: '4.00',
    items: [{ quantity_cancelled: 0 }, { quantity_cancelled: 1 }],
  })
  await expect(
    runAction(context, integration, { resource: 'create_refund', order_remote_id: 'none', amount: '1' }),
  ).rejects.toMatchObject({ kind: 'invalid' })
})

test('while nobody knows what became of a refund, no other one of the order is sent', async () => {
  const { context, integration } = gateway
  const { id, remoteId } = await newOrder()
  const sent = { integration_id: integration.id, kind: 'create_refund', key: 'other', status: 'unknown' }
  const input = JSON.stringify({ order_remote_id: remoteId })
  await context.db
    .insertInto('operations')
    .values({ ...sent, input })
    .execute()
  expect((await call(id, 'refunds', { amount: '1' })).status).toBe(503)
  expect((await inShop(remoteId))?.refunds).toEqual([])
  await context.db.deleteFrom('operations').where('key', '=', 'other').execute()
  expect((await call(id, 'refunds', { amount: '1' })).status).toBe(201)
})

describe('two changes of an order at the same moment are never under way together:', () => {
  const kinds = {
    create_refund: { order: (remoteId: string) => ({ order_remote_id: remoteId, amount: '1' }) },
    cancel_order_lines: {
      order: (remoteId: string) => ({
        order_remote_id: remoteId,
        lines: [{ order_line_remote_id: `${remoteId}-1`, quantity: 1 }],
      }),
    },
  } as const
  type Kind = keyof typeof kinds

  /** The shop, of which something waits where it says. */
  function shopThatWaits({ reading, sending }: { reading?: () => Promise<void>; sending?: () => Promise<void> }) {
    const { context } = gateway
    const connector = context.connectors.get('sandbox')
    const { orders, refunds } = connector ?? {}
    if (!connector || !orders?.cancelLines || !refunds) throw new Error('There is no sandbox.')
    const waiting = <Input, Result>(write: Write<AnyFields, AnyFields, Input, Result>): typeof write => ({
      ...write,
      async send(shop, input, operation) {
        await sending?.()
        return await write.send(shop, input, operation)
      },
    })
    const get: typeof orders.get = async (shop, id) => {
      const order = await orders.get(shop, id)
      await reading?.()
      return order
    }
    const own: Connector = {
      ...connector,
      orders: { ...orders, get, cancelLines: waiting(orders.cancelLines) },
      refunds: { ...refunds, create: waiting(refunds.create) },
    }
    return { ...context, connectors: new Map([...context.connectors, ['sandbox', own]]) }
  }
  const change = (context: Context, kind: Kind, remoteId: string, workKey: string) =>
    runAction(context, gateway.integration, { resource: kind, ...kinds[kind].order(remoteId) }, workKey)
  const made = async (kind: Kind, remoteId: string) => {
    const order = await inShop(remoteId)
    return kind === 'create_refund' ? order?.refunds.length : order?.lines[0]?.quantity_cancelled
  }

  test.each(['create_refund', 'cancel_order_lines'] as const)('%s', async (kind) => {
    const { remoteId } = await newOrder()
    const gate = Promise.withResolvers<void>()
    let underWay = 0
    const sending = () => {
      underWay++
      return gate.promise
    }
    const context = shopThatWaits({ sending })
    let refusals = 0
    const both = ['one', 'two'].map((name) =>
      change(context, kind, remoteId, name).catch((error: unknown) => {
        refusals++
        return error
      }),
    )
    await until(() => underWay + refusals === 2)
    gate.resolve()
    const ends = await Promise.all(both)
    expect([underWay, refusals, await made(kind, remoteId)]).toEqual([1, 1, 1])
    expect(ends).toContainEqual(expect.objectContaining({ kind: 'upstream_retryable' }))
    // Whoever was refused has changed nothing, and may come again.
    for (const name of ['one', 'two']) await change(gateway.context, kind, remoteId, name)
    expect(await made(kind, remoteId)).toBe(2)
  })

  test.each(['create_refund', 'cancel_order_lines'] as const)(
    '%s, of which one read the order before the other was made',
    async (kind) => {
      const { remoteId } = await newOrder()
      const gate = Promise.withResolvers<void>()
      let reads = 0
      const reading = () => {
        reads++
        return gate.promise
      }
      const slow = change(shopThatWaits({ reading }), kind, remoteId, 'slow').catch((error: unknown) => error)
      await until(() => reads > 0)
      await change(gateway.context, kind, remoteId, 'quick')
      gate.resolve()
      expect(await slow).toMatchObject({ kind: 'upstream_retryable' })
      expect(await made(kind, remoteId)).toBe(1)
      await change(gateway.context, kind, remoteId, 'slow')
      expect(await made(kind, remoteId)).toBe(2)
    },
  )
})

test('the passport shows a parcel under the number that it was sent with, and its correction', async () => {
  const { id } = await newOrder()
  const parcel = { order_id: id, carrier: 'DHL' }
  await gateway.call('POST', '/shipments', { ...parcel, tracking_number: 'W-1' })
  const right = { ...parcel, tracking_number: 'R-1', previous_tracking_number: 'W-1' }
  expect((await gateway.call('POST', '/shipments', right)).status).toBe(200)
  expect((await passportOf(id)).map(({ title }) => title)).toEqual(
    expect.arrayContaining(['The shop confirmed the shipment.', 'The shop confirmed the correction of a shipment.']),
  )
})
