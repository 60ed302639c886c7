import { describe, expect, test } from 'vitest'
import { incomingOrder } from '../../../test/support/orders.ts'
import type { OrderRecord } from '../orders/order-record-store.ts'
import type { OrderHistory } from '../orders/privacy/history-store.ts'
import type { InboundRow, RunRow } from './passport-store.ts'
import { inboundSteps, orderSteps, runSteps, shipmentSteps } from './steps-of-order.ts'

const [first, second, third] = [1, 2, 3].map((n) => `2026-11-15T12:00:0${n}.000000Z`) as [string, string, string]

describe('a message of the shop', () => {
  const row: InboundRow = {
    id: 4,
    topic: 'order.updated',
    verified: true,
    attempts: 1,
    outcome: 'stored',
    error: null,
    reason: null,
    received_at: first,
    processed_at: second,
  }

  test('came, was verified and was processed', () => {
    const steps = inboundSteps([row])
    expect(steps.map(({ at, kind, status, title }) => [at, kind, status, title])).toEqual([
      [first, 'inbound.received', 'done', 'The shop sent a webhook: order.updated.'],
      [first, 'inbound.verified', 'done', 'Webhook signature verified.'],
      [second, 'inbound.processed', 'done', 'Webhook processed; changes stored.'],
    ])
    expect(steps.map(({ details }) => details)).toEqual([
      { topic: 'order.updated' },
      { signed: true },
      { outcome: 'stored', attempts: 1, error: null, reason: null },
    ])
    expect(new Set(steps.map(({ references }) => references.inbound_delivery_id))).toEqual(new Set([4]))
  })

  test('waits until it is processed, and says why', () => {
    const reason = { code: 'not_active', parameters: {} }
    const failure = { error: 'The shop is away.', reason }
    const waiting = { ...row, ...failure, topic: null, attempts: 3, outcome: null, processed_at: null }
    expect(inboundSteps([waiting])).toMatchObject([
      {
        kind: 'inbound.received',
        status: 'waiting',
        title: 'The shop sent a webhook.',
        details: { topic: null, attempts: 3, ...failure },
      },
      { kind: 'inbound.verified', status: 'done' },
    ])
    expect(inboundSteps([waiting])).toHaveLength(2)
  })

  test('that came with a token is not called signed', () => {
    expect(inboundSteps([{ ...row, verified: false }])[1]).toMatchObject({
      title: 'The webhook came with a token instead of a signature; checking with the shop.',
      details: { signed: false },
    })
  })

  test.each([
    ['unchanged', 'done', 'Webhook processed; no changes.'],
    ['removed', 'done', 'Webhook processed; the order was deleted in the shop.'],
    ['acted', 'done', 'Webhook processed.'],
    ['ignored', 'done', 'Webhook ignored; nothing to do.'],
    ['failed', 'failed', 'The webhook could not be processed.'],
    ['set_aside', 'failed', 'The webhook brought an order that failed validation; it was quarantined.'],
    [null, 'done', 'Webhook processed.'],
  ] as const)('that ended as %s is %s', (outcome, status, title) => {
    expect(inboundSteps([{ ...row, outcome }])[2]).toMatchObject({ status, title })
  })
})

describe('a run that found the order', () => {
  const run: RunRow = {
    id: 9,
    resource: 'sync_orders',
    status: 'completed',
    error: null,
    reason: null,
    created_at: first,
    started_at: second,
    finished_at: third,
  }

  test('is shown when it began', () => {
    expect(runSteps([run])).toMatchObject([
      {
        at: second,
        kind: 'run.started',
        status: 'done',
        title: 'Order found by a run (sync_orders).',
        details: { resource: 'sync_orders', status: 'completed', finished_at: third, error: null, reason: null },
        references: { run_id: 9 },
      },
    ])
    expect(runSteps([{ ...run, started_at: null }])).toMatchObject([{ at: first }])
  })

  test.each([
    ['failed', third, 'failed'],
    ['running', null, 'waiting'],
    ['cancelled', third, 'done'],
  ])('that is %s, ended at %s, is %s', (status, finished_at, shown) => {
    expect(runSteps([{ ...run, status, finished_at }])).toMatchObject([{ status: shown }])
  })
})

describe('an order', () => {
  const { parcels: _, remote_payload: __, ...facts } = incomingOrder('1', { placed_at: first })
  const order: OrderRecord = {
    ...facts,
    returns: [],
    integration_id: 1,
    id: 5,
    acknowledged_at: null,
    cancelled_at: null,
    created_at: first,
    updated_at: first,
    deleted_at: null,
  }
  const entry = (more: Partial<OrderHistory>): OrderHistory => ({
    id: 1,
    order_id: 5,
    status: 'PENDING',
    remote_status: 'open',
    source: 'shop',
    note: null,
    reason: null,
    run_id: null,
    at: second,
    ...more,
  })
  const titles = (...history: readonly OrderHistory[]) =>
    orderSteps({ ...order, placed_at: null }, history).map(({ kind, title }) => [kind, title])

  test('was placed and stored', () => {
    expect(orderSteps(order, [entry({ run_id: 9, note: 'New' })])).toMatchObject([
      { at: first, kind: 'order.placed', title: 'The customer placed the order.', status: 'done', details: {} },
      {
        at: second,
        kind: 'order.stored',
        title: 'Order stored as PENDING.',
        status: 'done',
        details: { status: 'PENDING', remote_status: 'open', source: 'shop', note: 'New' },
        references: { run_id: 9 },
      },
    ])
    expect(titles(entry({ source: 'api' }))).toEqual([['order.stored', 'Order created through the API as PENDING.']])
    expect(titles()).toEqual([])
  })

  test.each([
    ['api', { status: 'CANCELLED' }, 'Changed through the API: PENDING became CANCELLED.'],
    ['shop', { status: 'SHIPPED', remote_status: 'sent' }, 'Changed in the shop: PENDING became SHIPPED.'],
    ['webhook', { remote_status: 'packed' }, 'Changed in the shop (webhook); shop status: packed.'],
    ['shipment', {}, 'Updated by a shipment.'],
    ['shop', { note: 'The address was changed.' }, 'The address was changed.'],
    ['somebody', {}, 'The order was updated.'],
  ])('was changed by %s, %j', (source, more, title) => {
    expect(titles(entry({}), entry({ source, at: third, ...more }))[1]).toEqual(['order.changed', title])
  })

  test('was acknowledged, which is said once', () => {
    const history = [entry({}), entry({ status: 'ACKNOWLEDGED', source: 'api', at: third })]
    const steps = orderSteps({ ...order, acknowledged_at: third }, history)
    expect(steps.map(({ kind, at }) => [kind, at])).toEqual([
      ['order.placed', first],
      ['order.stored', second],
      ['order.acknowledged', third],
    ])
    expect(steps[2]).toMatchObject({ title: 'The order was acknowledged.', status: 'done', details: {} })
    // An entry of another moment, or of another status, is another thing.
    expect(orderSteps({ ...order, acknowledged_at: second }, history).map(({ kind }) => kind)).toContain(
      'order.changed',
    )
    const sent = [entry({}), entry({ status: 'SHIPPED', at: third })]
    expect(orderSteps({ ...order, acknowledged_at: third }, sent).map(({ kind }) => kind)).toContain('order.changed')
  })

  test('is to come back, as far as the platform says since when, and without the reason', () => {
    const back = { remote_id: 'B1', status: 'approved' as const, remote_status: 'OPEN', requested_at: third }
    const lines = [{ order_line_remote_id: 'L1', quantity: 1, reason: 'Ada grew' }]
    const returns = [
      { ...back, lines },
      { ...back, requested_at: null, lines },
    ]
    const steps = orderSteps({ ...order, returns }, [])
    expect(steps).toHaveLength(2)
    expect(steps[1]).toMatchObject({ at: third, kind: 'order.return_requested', title: 'A return was requested.' })
    expect(steps[1]?.details).toEqual({
      ...{ remote_id: 'B1', status: 'approved' },
      lines: [{ order_line_remote_id: 'L1', quantity: 1 }],
    })
  })

  test('was refunded, as far as the platform says when, and without the reason', () => {
    const refund = { remote_id: 'R1', amount: '8.00', reason: 'Ada was unhappy', refunded_at: third }
    const lines = [{ order_line_remote_id: 'L1', quantity: 1, amount: '8.00' }]
    const refunds = [
      { ...refund, lines },
      { ...refund, refunded_at: null, lines: [] },
    ]
    const steps = orderSteps({ ...order, refunds }, [])
    expect(steps).toHaveLength(2)
    expect(steps[1]).toMatchObject({
      at: third,
      kind: 'order.refunded',
      status: 'done',
      title: '8.00 EUR was refunded.',
    })
    expect(steps[1]?.details).toEqual({
      remote_id: 'R1',
      amount: '8.00',
      currency: 'EUR',
      lines: [{ order_line_remote_id: 'L1', quantity: 1 }],
    })
  })
})

test('a parcel was recorded, with its carrier where that is known', () => {
  const shipment = {
    ...{ integration_id: 1, id: 6, order_id: 5, remote_id: 'F1', tracking_number: 'T1', carrier: 'Post' },
    ...{ tracking_url: null, status: 'SHIPPED', items: [], shipped_at: first, created_at: second, updated_at: third },
  }
  expect(shipmentSteps([shipment, { ...shipment, carrier: '' }])).toMatchObject([
    {
      at: second,
      kind: 'shipment.recorded',
      title: 'A shipment with Post was recorded.',
      status: 'done',
      details: { tracking_number: 'T1', carrier: 'Post', status: 'SHIPPED', shipped_at: first, remote_id: 'F1' },
      references: { shipment_id: 6 },
    },
    { title: 'A shipment was recorded.' },
  ])
})
