import { describe, expect, test } from 'vitest'
import type { AttemptRow, DeliveryRow, OperationRow } from './passport-store.ts'
import { webhookSteps, writeBackSteps } from './steps-outwards.ts'

const [first, second, third, fourth] = [1, 2, 3, 4].map((n) => `2026-11-15T12:00:0${n}.000000Z`) as [
  string,
  string,
  string,
  string,
]

describe('a change in the shop', () => {
  const operation: OperationRow = {
    id: 3,
    kind: 'create_shipment',
    status: 'confirmed',
    error: null,
    reason: null,
    attempts: 2,
    created_at: first,
    updated_at: fourth,
    sent_at: second,
    settled_at: third,
  }
  const shown = (more: Partial<OperationRow>) =>
    writeBackSteps([{ ...operation, ...more }]).map(({ kind, status, title }) => [kind, status, title])

  test('was planned, sent and confirmed', () => {
    const steps = writeBackSteps([operation])
    expect(steps.map(({ at, kind, status, title }) => [at, kind, status, title])).toEqual([
      [first, 'writeback.planned', 'done', 'Scheduled the shipment to be sent to the shop.'],
      [second, 'writeback.sent', 'done', 'Sent the shipment to the shop.'],
      [third, 'writeback.ended', 'done', 'The shop confirmed the shipment.'],
    ])
    expect(steps.map(({ details }) => details)).toEqual([
      { change: 'create_shipment' },
      { change: 'create_shipment', attempts: 2 },
      { change: 'create_shipment', result: 'confirmed', error: null, reason: null },
    ])
    expect(new Set(steps.map(({ references }) => references.operation_id))).toEqual(new Set([3]))
  })

  test('was rejected, with the shop’s reason', () => {
    const reason = { code: 'no_such_order', parameters: {} }
    const refusal = { status: 'refused', error: 'No such order.', reason, settled_at: null }
    const [, , ended] = writeBackSteps([{ ...operation, ...refusal }])
    expect(ended).toMatchObject({
      at: fourth,
      status: 'failed',
      title: 'The shop rejected the shipment.',
      details: { result: 'refused', error: 'No such order.', reason },
    })
  })

  test('waits to be sent, or for an answer', () => {
    expect(shown({ status: 'planned', sent_at: null })).toEqual([
      ['writeback.planned', 'waiting', 'Scheduled the shipment to be sent to the shop.'],
    ])
    const unanswered = writeBackSteps([{ ...operation, status: 'unknown', error: 'The shop is away.' }])
    expect(unanswered.map(({ status }) => status)).toEqual(['done', 'waiting'])
    expect(unanswered[1]?.details).toEqual({
      change: 'create_shipment',
      attempts: 2,
      error: 'The shop is away.',
      reason: null,
    })
  })

  test('that ended without being sent is over', () => {
    expect(shown({ status: 'refused', sent_at: null }).map(([kind, status]) => [kind, status])).toEqual([
      ['writeback.planned', 'done'],
      ['writeback.ended', 'failed'],
    ])
  })

  test.each([
    ['amend_shipment', 'the correction of a shipment'],
    ['cancel_order', 'the cancellation'],
    ['cancel_order_lines', 'the cancellation of lines'],
    ['create_refund', 'the refund'],
    ['acknowledge_orders', 'the acknowledgement'],
    ['something_new', 'something_new'],
  ])('that is %s is called %s', (kind, words) => {
    expect(shown({ kind })[1]?.[2]).toBe(`Sent ${words} to the shop.`)
  })
})

describe('a delivery to an app', () => {
  const delivery: DeliveryRow = {
    id: 8,
    event_id: 7,
    webhook_id: 6,
    type: 'order.created',
    state: 'delivered',
    attempts: 2,
    error: null,
    response_status: null,
    reason: null,
    created_at: first,
  }
  const attempt: AttemptRow = {
    delivery_id: 8,
    number: 1,
    trigger: 'schedule',
    response_status: 500,
    error: 'The endpoint answered 500.',
    reason: null,
    duration_ms: 12,
    at: second,
  }
  const references = { event_id: 7, webhook_id: 6, webhook_delivery_id: 8 }

  test('was queued, rejected and accepted', () => {
    const accepted = { ...attempt, number: 2, trigger: 'replay', response_status: 204, error: null, at: third }
    expect(webhookSteps([delivery], [attempt, accepted])).toMatchObject([
      {
        at: first,
        kind: 'webhook.queued',
        status: 'done',
        title: 'Queued order.created for webhook 6.',
        details: { event: 'order.created', state: 'delivered', attempts: 2, error: null },
        references,
      },
      {
        at: second,
        kind: 'webhook.attempted',
        status: 'failed',
        title: 'Webhook 6 rejected order.created (attempt 1).',
        details: {
          event: 'order.created',
          attempt: 1,
          trigger: 'schedule',
          response_status: 500,
          answered_in_ms: 12,
          error: 'The endpoint answered 500.',
          reason: { code: 'attempt.answered', parameters: { status: 500 } },
        },
        references,
      },
      {
        at: third,
        status: 'done',
        title: 'Webhook 6 accepted order.created.',
        details: { attempt: 2, trigger: 'replay' },
      },
    ])
  })

  test.each([
    ['pending', 'waiting'],
    ['held', 'waiting'],
    ['delivered', 'done'],
    ['failed', 'failed'],
    ['cancelled', 'failed'],
  ])('that is %s is %s', (state, status) => {
    expect(webhookSteps([{ ...delivery, state }], [])).toMatchObject([{ status }])
  })

  test('that did not get there says why by what was kept of it', () => {
    const reason = { code: 'attempt.timed_out', parameters: {} }
    const failed = { ...attempt, response_status: null, error: 'The endpoint did not answer in time.', reason }
    const forgotten = { ...failed, error: null }
    const shown = webhookSteps([delivery], [failed, forgotten]).slice(1)
    expect(shown.map(({ details }) => details['reason'])).toEqual([reason, null])
  })

  test('of which nothing is left does not show its attempts', () => {
    expect(webhookSteps([], [attempt])).toEqual([])
  })
})
