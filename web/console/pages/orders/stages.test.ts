import { expect, test } from 'vitest'
import type { PassportSteps } from '../../../parts/timeline.ts'
import { stagesOf } from './stages.ts'

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 1, 12, minutes)).toISOString()
const step = (kind: string, minutes: number, status = 'done'): PassportSteps[number] => ({
  at: at(minutes),
  kind,
  title: kind,
  status,
  duration_ms: null,
  details: {},
})

const facts: Omit<Parameters<typeof stagesOf>[0], 'steps'> = {
  status: 'PENDING',
  shipBy: null,
  connectedAt: at(-60),
  now: Date.parse(at(100)),
}
const stagesFor = (steps: PassportSteps, more: Partial<typeof facts> = {}) => stagesOf({ ...facts, ...more, steps })
const states = (stages: ReturnType<typeof stagesOf>) => stages.map(({ state }) => state)

const arrived = [step('order.placed', 0), step('inbound.received', 1), step('order.stored', 1)]

test('an order that goes its way is done up to where it is, with the times between', () => {
  const stages = stagesFor([
    ...arrived,
    step('webhook.queued', 1),
    step('webhook.attempted', 1),
    step('shipment.recorded', 60),
  ])
  expect(states(stages)).toEqual(['done', 'done', 'done', 'done', 'done'])
  expect(stages.map(({ ms }) => ms)).toEqual([null, 60_000, 0, 0, 59 * 60_000])
})

test('what took long is slow, unless it was placed before the shop was connected', () => {
  const late = [step('order.placed', 0), step('run.started', 40), step('order.stored', 45)]
  expect(states(stagesFor(late)).slice(0, 3)).toEqual(['done', 'slow', 'slow'])
  expect(states(stagesFor(late, { connectedAt: at(30) })).slice(0, 2)).toEqual(['done', 'done'])
})

test('a webhook that accepts nothing is what is broken, and one that is awaited waits', () => {
  const told = (status?: string) =>
    stagesFor([...arrived, step('webhook.queued', 1), ...(status ? [step('webhook.attempted', 2, status)] : [])])[3]
      ?.state
  expect([told(), told('failed'), told('done')]).toEqual(['waiting', 'failed', 'done'])
  expect(stagesFor(arrived)[3]?.state).toBe('none')
})

test('an order that should have left, or that the shop refused to change, says so', () => {
  const shipped = (more: Parameters<typeof stagesFor>[1], steps: PassportSteps = arrived) =>
    stagesFor(steps, more)[4]?.state
  expect(shipped({})).toBe('waiting')
  expect(shipped({ shipBy: at(90) })).toBe('failed')
  expect(shipped({ shipBy: at(110) })).toBe('waiting')
  expect(shipped({}, [...arrived, step('writeback.ended', 5, 'failed')])).toBe('failed')
  expect(shipped({ status: 'CANCELLED' })).toBe('none')
  expect(shipped({ shipBy: at(10) }, [...arrived, step('shipment.recorded', 20)])).toBe('slow')
})
