import { describe, expect, test } from 'vitest'
import { bare, whole } from '../../../test/support/bare-connector.ts'
import { type FieldWordings, invalid } from '../../lib/fault.ts'
import { fieldIn, nextRunAt, problemsOf } from './schedule.ts'

const now = new Date('2026-11-15T12:00:00Z')
const nightly = { cron: '0 3 * * *', timezone: 'Europe/Vienna', active: true }

test('a schedule runs next by the clocks of its time zone, and never while it rests', () => {
  expect(nextRunAt(nightly, now)).toBe('2026-11-16T02:00:00.000000Z')
  expect(nextRunAt({ ...nightly, active: false }, now)).toBeNull()
})

test('a field stands alone, or in the nth of many', () => {
  expect(fieldIn(null, 'cron')).toBe('cron')
  expect(fieldIn(0, 'cron')).toBe('schedules.0.cron')
})

const textsOf = (wordings: FieldWordings) => invalid(wordings).errors

describe('a schedule is refused', () => {
  const orders = { resource: 'sync_orders', ...nightly }
  const alone = { now, index: null }
  const noAction = { resource: ['The selected resource is invalid.'] }
  const noTime = { cron: ['The cron field format is invalid.'] }

  test.each([
    ['for nothing, where all is right', whole, orders, {}],
    ['for an action that the shop does not have', bare, orders, noAction],
    ['for an action that nobody has', whole, { ...orders, resource: 'toString' }, noAction],
    ['for any action on a service without a connector', undefined, orders, noAction],
    ['for a time that is none', whole, { ...orders, cron: 'soon' }, noTime],
    ['for a day that never comes', whole, { ...orders, cron: '0 0 30 2 *' }, noTime],
    ['for a time zone that is none', whole, { ...orders, timezone: 'Moon/Base' }, noTime],
    ['for both', bare, { ...orders, cron: '' }, { ...noAction, ...noTime }],
  ])('%s', (_, connector, schedule, errors) => {
    expect(textsOf(problemsOf(connector, schedule, alone))).toEqual(errors)
  })

  test('by its place in the list', () => {
    expect(textsOf(problemsOf(bare, { ...orders, cron: '' }, { now, index: 2 }))).toEqual({
      'schedules.2.resource': ['The selected schedules.2.resource is invalid.'],
      'schedules.2.cron': ['The schedules.2.cron field format is invalid.'],
    })
  })
})
