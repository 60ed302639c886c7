import { describe, expect, test } from 'vitest'
import { type Channel, dueAt, wants } from './channel.ts'

const channel: Channel = {
  ...{ id: 1, app_id: 1, type: 'slack', name: 'Chat', hint: 'hooks.example.com', severity: 'warning', active: true },
  ...{ delivery: 'immediate', daily_at: null, quiet_from: null, quiet_to: null, time_zone: 'Europe/Berlin' },
  ...{ confirmed_at: null, last_sent_at: null, failing_since: null, last_error: null, created_at: '', updated_at: '' },
}
const quiet = { ...channel, quiet_from: '22:00', quiet_to: '07:00' }
const at = (text: string) => new Date(text)
const due = (of: Channel, now: string, critical = false) => dueAt(of, at(now), critical).toISOString()

describe('what comes up is told', () => {
  test('after ten seconds, together with what else comes up', () => {
    expect(due(channel, '2026-11-16T12:00:00Z')).toBe('2026-11-16T12:00:10.000Z')
  })

  test.each([
    // Berlin is an hour ahead in winter, two in summer.
    ['2026-11-16T21:30:00Z', '2026-11-17T06:00:00.000Z'],
    ['2026-11-17T02:00:00Z', '2026-11-17T06:00:00.000Z'],
    ['2026-07-16T20:30:00Z', '2026-07-17T05:00:00.000Z'],
  ])('when quiet hours end, over midnight and in the time zone of the channel: %s', (now, then) => {
    expect(due(quiet, now)).toBe(then)
  })

  test('at once in quiet hours if it is critical, and outside of them', () => {
    expect(due(quiet, '2026-11-17T02:00:00Z', true)).toBe('2026-11-17T02:00:10.000Z')
    expect(due(quiet, '2026-11-17T06:00:00Z')).toBe('2026-11-17T06:00:10.000Z')
    expect(due({ ...quiet, quiet_from: '12:00', quiet_to: '13:00' }, '2026-11-17T02:00:00Z')).toBe(
      '2026-11-17T02:00:10.000Z',
    )
  })

  test('once a day, at eight if nothing else is said', () => {
    expect(due({ ...channel, delivery: 'daily' }, '2026-11-17T08:00:00Z', true)).toBe('2026-11-18T07:00:00.000Z')
    expect(due({ ...channel, delivery: 'daily', daily_at: '17:30' }, '2026-11-17T08:00:00Z')).toBe(
      '2026-11-17T16:30:00.000Z',
    )
  })
})

test('nothing below its severity', () => {
  expect(wants(channel, { severity: 'critical' })).toBe(true)
  expect(wants(channel, { severity: 'warning' })).toBe(true)
  expect(wants(channel, { severity: 'info' })).toBe(false)
})
