import { describe, expect, test } from 'vitest'
import { orderStatuses, returnStatuses } from '../src/commerce/order.ts'
import { outcomes } from '../src/domain/inbound/inbound-work-store.ts'
import { type StepKind, stepKinds } from '../src/domain/passport/step.ts'
import { changes } from '../src/domain/passport/steps-outwards.ts'
import { runStatuses } from '../src/domain/runs/run.ts'
import { shipmentStates } from '../src/domain/shipments/shipment.ts'
import { deliveryStates } from '../src/domain/webhooks/delivery.ts'
import type { StepWords } from '../web/components/steps/index.ts'
import { detailOf, titleOf } from '../web/components/steps/index.ts'
import { otherLanguages } from '../web/components/words/languages.ts'

/** What the service says in English is said in other languages by the code of a step and its details. */

const english = 'What the service says in English.'
const step = (kind: StepKind, details: Record<string, unknown>, status = 'done') => ({
  ...{ at: '2026-11-15T12:00:00Z', kind, title: english, status, duration_ms: null, details },
})

/** Every kind of step, in each of its forms. */
const forms: Readonly<Record<StepKind, readonly ReturnType<typeof step>[]>> = {
  'order.placed': [step('order.placed', {})],
  'inbound.received': [
    step('inbound.received', { topic: null }),
    step('inbound.received', { topic: 'order.updated' }, 'waiting'),
  ],
  'inbound.verified': [step('inbound.verified', { signed: true }), step('inbound.verified', { signed: false })],
  'inbound.processed': ['stored', 'unchanged', 'removed', 'set_aside', 'acted', 'ignored', 'failed', null].map(
    (outcome) => step('inbound.processed', { outcome }),
  ),
  'run.started': [step('run.started', { resource: 'sync_orders' })],
  'order.stored': orderStatuses.flatMap((status) =>
    ['api', 'shop'].map((source) => step('order.stored', { status, source })),
  ),
  'order.changed': ['api', 'shop', 'webhook', 'shipment', 'something new'].flatMap((source) => [
    step('order.changed', { status: 'SHIPPED', previous_status: 'PENDING', remote_status: 'x', source, note: null }),
    step('order.changed', { status: 'SHIPPED', remote_status: 'packed', source, note: null }),
    step('order.changed', { status: 'SHIPPED', remote_status: 'packed', source, note: 'A word' }),
  ]),
  'order.acknowledged': [step('order.acknowledged', {})],
  'order.return_requested': [step('order.return_requested', { status: 'requested' })],
  'order.refunded': [step('order.refunded', { amount: '12.50', currency: 'EUR' })],
  'writeback.planned': Object.keys(changes).map((change) => step('writeback.planned', { change }, 'waiting')),
  'writeback.sent': Object.keys(changes).map((change) => step('writeback.sent', { change })),
  'writeback.ended': Object.keys(changes).flatMap((change) => [
    step('writeback.ended', { change, result: 'confirmed' }),
    step('writeback.ended', { change, result: 'refused' }, 'failed'),
  ]),
  'shipment.recorded': [step('shipment.recorded', { carrier: '' }), step('shipment.recorded', { carrier: 'DHL' })],
  'webhook.queued': [step('webhook.queued', { event: 'order.created' })],
  'webhook.attempted': [
    step('webhook.attempted', { event: 'order.created', attempt: 1 }),
    step('webhook.attempted', { event: 'order.created', attempt: 7 }, 'failed'),
  ],
}

/** Codes among the details, by their names. */
const codes: Readonly<Record<string, readonly string[]>> = {
  signed: ['true', 'false'],
  outcome: outcomes,
  status: [...orderStatuses, ...runStatuses, ...shipmentStates, ...returnStatuses],
  previous_status: orderStatuses,
  result: ['confirmed', 'refused'],
  state: deliveryStates,
  trigger: ['schedule', 'replay'],
  source: ['api', 'shop', 'webhook', 'shipment'],
}

describe.each(otherLanguages)('%s', (code) => {
  const load = async () =>
    ((await import(/* @vite-ignore */ `../web/components/steps/${code}.ts`)) as { steps: StepWords }).steps

  test.each(stepKinds)('says what %s is', async (kind) => {
    const words = await load()
    const titles = forms[kind].map((one) => titleOf(one, words))
    for (const title of titles) {
      expect(title).not.toBe(english)
      expect(title).toMatch(/^\S.{6,}[.]$/)
      expect(title).not.toMatch(/undefined|\bnull\b|\[object|[A-Z]{4,}|_/)
    }
  })

  test('says what it was given', async () => {
    const words = await load()
    const said = (kind: StepKind, n: number) => {
      const one = forms[kind][n]
      return one ? titleOf(one, words) : ''
    }
    expect(said('order.refunded', 0)).toContain('12.50 EUR')
    expect(said('shipment.recorded', 1)).toContain('DHL')
    expect(said('webhook.attempted', 1)).toMatch(/order[.]created.*7/)
    expect(said('order.changed', 0)).toContain(words.states.PENDING)
    expect(said('order.changed', 0)).toContain(words.states.SHIPPED)
    expect(said('order.changed', 1)).toContain('packed')
  })

  test('tells what ended well from what did not', async () => {
    const words = await load()
    const [well, badly] = forms['writeback.ended'].map((one) => titleOf(one, words))
    expect(well).not.toBe(badly)
  })

  test('names every detail, and leaves what it does not know as it is', async () => {
    const { name, value } = detailOf(await load())
    expect(name('tracking_number')).not.toMatch(/tracking number|_/)
    expect(name('something_new')).toBe('something new')
    expect(value('status', 'PENDING')).not.toBe('PENDING')
    const raw = Object.entries(codes).flatMap(([detail, all]) => all.filter((code) => value(detail, code) === code))
    expect(raw).toEqual([])
    expect(value('carrier', 'Hermes')).toBe('Hermes')
    expect(value('remote_status', 'failed')).toBe('failed')
  })
})

test('a kind that nobody has words for is said as the service says it', async () => {
  const { steps } = await import('../web/components/steps/de.ts')
  expect(titleOf({ ...step('order.placed', {}), kind: 'order.painted' }, steps)).toBe(english)
  expect(titleOf(step('writeback.sent', { change: 'paint_order' }), steps)).toBe(english)
})
