import { describe, expect, test } from 'vitest'
import { bare, whole } from '../../../test/support/bare-connector.ts'
import { type FlowDefinition, flowErrors, flowEvents, nextFlowRun, triggerOf } from './flow.ts'

const now = new Date('2026-11-15T12:00:00Z')
const nightly: FlowDefinition = {
  name: 'Nightly',
  description: null,
  type: 'schedule',
  service_id: null,
  trigger: { cron: '0 3 * * *' },
  steps: [{ action: 'sync_orders' }],
  active: true,
}
const onOrder: FlowDefinition = { ...nightly, type: 'webhook', trigger: { event: 'order.created' } }
const byHand: FlowDefinition = { ...nightly, type: 'manual', trigger: {} }
const errorsOf = (more: Partial<FlowDefinition>) => flowErrors({ ...nightly, ...more }, null)

test('anything that a shop reports can start a flow, but for its having thrown us out', () => {
  expect(flowEvents).toContain('order.created')
  expect(flowEvents).toContain('privacy.shop_redact')
  expect(flowEvents).not.toContain('app.uninstalled')
})

describe('what is kept of a trigger', () => {
  test.each([
    ['the clock’s, in UTC by default', nightly, { cron: '0 3 * * *', timezone: 'UTC' }],
    [
      'the clock’s, where it says so',
      { ...nightly, trigger: { cron: '0 3 * * *', timezone: 'Europe/Vienna', event: 'order.created' as const } },
      { cron: '0 3 * * *', timezone: 'Europe/Vienna' },
    ],
    ['the clock’s, not said yet', { ...nightly, trigger: {} }, { cron: '', timezone: 'UTC' }],
    ['a webhook’s', { ...onOrder, trigger: { cron: '0 3 * * *', ...onOrder.trigger } }, { event: 'order.created' }],
    ['a webhook’s, not said yet', { ...onOrder, trigger: {} }, { event: '' }],
    ['nothing, where somebody starts it', { ...byHand, trigger: { cron: '0 3 * * *' } }, {}],
  ])('is %s', (_, flow, kept) => {
    expect(triggerOf(flow)).toEqual(kept)
  })
})

describe('a flow runs next', () => {
  test('when the clock of its time zone says so', () => {
    expect(nextFlowRun(nightly, now)).toBe('2026-11-16T03:00:00.000000Z')
    const vienna = { ...nightly, trigger: { cron: '0 3 * * *', timezone: 'Europe/Vienna' } }
    expect(nextFlowRun(vienna, now)).toBe('2026-11-16T02:00:00.000000Z')
  })

  test.each([
    ['while it rests', { ...nightly, active: false }],
    ['where a webhook starts it', { ...onOrder, trigger: nightly.trigger }],
    ['where somebody starts it', { ...byHand, trigger: nightly.trigger }],
    ['without a time', { ...nightly, trigger: {} }],
  ])('never %s', (_, flow) => {
    expect(nextFlowRun(flow, now)).toBeNull()
  })
})

describe('a flow is refused', () => {
  test('never when it is right in all its parts', () => {
    for (const flow of [nightly, onOrder, byHand]) expect(flowErrors(flow, whole)).toEqual({})
    expect(errorsOf({ trigger: { cron: '0 3 * * *', timezone: 'Europe/Vienna' } })).toEqual({})
  })

  test.each([
    ['without a time', nightly, {}, 'trigger.cron', 'The trigger.cron field is required.'],
    [
      'with nonsense for a time',
      nightly,
      { cron: 'soon' },
      'trigger.cron',
      'The trigger.cron field format is invalid.',
    ],
    [
      'for a day that never comes',
      nightly,
      { cron: '0 0 30 2 *' },
      'trigger.cron',
      'The trigger.cron field format is invalid.',
    ],
    [
      'in a time zone that nobody lives in',
      nightly,
      { cron: '0 3 * * *', timezone: 'Moon/Base' },
      'trigger.cron',
      'The trigger.cron field format is invalid.',
    ],
    ['without an event', onOrder, {}, 'trigger.event', 'The trigger.event field is required.'],
  ])('%s', (_, flow, trigger, field, message) => {
    expect(flowErrors({ ...flow, trigger }, null)).toEqual({ [field]: [message] })
  })

  test('for actions that are not on the list, or that the shop does not have', () => {
    const steps = [{ action: 'sync_orders' }, { action: 'rm -rf' }]
    const second = { 'steps.1.action': ['The selected steps.1.action is invalid.'] }
    expect(errorsOf({ steps })).toEqual(second)
    expect(flowErrors({ ...nightly, steps }, whole)).toEqual(second)
    const first = { 'steps.0.action': ['The selected steps.0.action is invalid.'] }
    expect(flowErrors(nightly, bare)).toEqual(first)
  })

  test('for parameters that the action does not take, by their place in the body', () => {
    const steps = [
      { action: 'sync_orders', parameters: { mode: 'half' } },
      { action: 'cancel_order', parameters: { reason: 5 } },
      { action: 'get_order' },
    ]
    expect(errorsOf({ steps })).toEqual({
      'steps.0.parameters.mode': ['The selected steps.0.parameters.mode is invalid.'],
      'steps.1.parameters.remote_id': ['The steps.1.parameters.remote_id field is required.'],
      'steps.1.parameters.reason': ['The steps.1.parameters.reason field must be a string.'],
      'steps.2.parameters.remote_id': ['The steps.2.parameters.remote_id field is required.'],
    })
  })

  test('for several reasons at once', () => {
    expect(Object.keys(errorsOf({ trigger: {}, steps: [{ action: '' }] }))).toEqual(['trigger.cron', 'steps.0.action'])
  })

  test('for a part of a list, by its place there', () => {
    const parameters = { remote_ids: ['1', 5, '1'] }
    expect(errorsOf({ steps: [{ action: 'acknowledge_orders', parameters }] })).toEqual({
      'steps.0.parameters.remote_ids.0': ['The steps.0.parameters.remote_ids.0 field has a duplicate value.'],
      'steps.0.parameters.remote_ids.2': ['The steps.0.parameters.remote_ids.2 field has a duplicate value.'],
      'steps.0.parameters.remote_ids.1': ['The steps.0.parameters.remote_ids.1 field must be a string.'],
    })
  })
})
