import { describe, expect, test } from 'vitest'
import { inOrder, refer, type Step, type StepKind, stepKinds } from './step.ts'

const step = (kind: StepKind, at: string): Step => ({
  at: `2026-11-15T12:00:${at}Z`,
  kind,
  title: kind,
  status: 'done',
  details: {},
  references: refer({}),
})

test('a step refers to what it names, and to nothing else', () => {
  expect(refer({ run_id: 5 })).toEqual({
    run_id: 5,
    inbound_delivery_id: null,
    shipment_id: null,
    operation_id: null,
    event_id: null,
    webhook_id: null,
    webhook_delivery_id: null,
  })
})

describe('steps are shown', () => {
  test('by time, each with how long it took to get there', () => {
    const steps = [
      step('order.stored', '02.500000'),
      step('order.placed', '00.000000'),
      step('webhook.queued', '02.750000'),
      step('order.changed', '04.000000'),
    ]
    expect(inOrder(steps).map(({ kind, duration_ms: ms }) => [kind, ms])).toEqual([
      ['order.placed', null],
      ['order.stored', 2500],
      ['webhook.queued', 250],
      ['order.changed', 1250],
    ])
  })

  test('as they follow on from each other, where they are of the same moment', () => {
    const natural = [
      'order.placed',
      'inbound.received',
      'inbound.verified',
      'run.started',
      'order.stored',
      'order.changed',
      'inbound.processed',
      'order.acknowledged',
      'order.return_requested',
      'order.refunded',
      'writeback.planned',
      'writeback.sent',
      'writeback.ended',
      'shipment.recorded',
      'webhook.queued',
      'webhook.attempted',
    ]
    const steps = stepKinds.map((kind) => step(kind, '00.000000')).reverse()
    expect(inOrder(steps).map(({ kind }) => kind)).toEqual(natural)
    expect(inOrder(steps).map((one) => one.duration_ms)).toEqual([null, ...Array(15).fill(0)])
  })

  test('without being moved where they lie', () => {
    const steps = [step('order.stored', '02.000000'), step('order.placed', '00.000000')]
    inOrder(steps)
    expect(steps.map(({ kind }) => kind)).toEqual(['order.stored', 'order.placed'])
  })
})
