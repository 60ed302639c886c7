import { describe, expect, test } from 'vitest'
import { fromLocalTime, isZone, toLocalTime } from './local-time.ts'

describe('times of a shop’s own clock', () => {
  test.each([
    ['2026-07-01 12:00:00', 'Europe/Paris', '2026-07-01T10:00:00.000000Z'],
    ['2026-01-01 12:00:00', 'Europe/Paris', '2026-01-01T11:00:00.000000Z'],
    ['2026-01-01 00:30:00', 'America/Sao_Paulo', '2026-01-01T03:30:00.000000Z'],
    ['2026-06-01 00:00:00', 'Asia/Kolkata', '2026-05-31T18:30:00.000000Z'],
    ['2026-06-01 00:00:00', 'UTC', '2026-06-01T00:00:00.000000Z'],
    // Shown by no clock; the one that was not put forward would.
    ['2026-03-29 02:30:00', 'Europe/Paris', '2026-03-29T00:30:00.000000Z'],
  ])('%s in %s is %s', (local, zone, greenwich) => {
    expect(fromLocalTime(local, zone)).toBe(greenwich)
  })

  test('of the hour that is shown twice are all the same, and between what is before and after', () => {
    const zone = 'Europe/Paris'
    const local = ['01:59:59', '02:00:00', '02:30:00', '02:59:59', '03:00:00'].map((clock) =>
      fromLocalTime(`2026-10-25 ${clock}`, zone),
    )
    expect(local).toEqual([
      '2026-10-24T23:59:59.000000Z',
      '2026-10-25T00:00:00.000000Z',
      '2026-10-25T00:00:00.000000Z',
      '2026-10-25T00:00:00.000000Z',
      '2026-10-25T02:00:00.000000Z',
    ])
  })

  test('are asked for never too late', () => {
    expect(toLocalTime('2026-07-01T10:00:00.000000Z', 'Europe/Paris')).toBe('2026-07-01T12:00:00')
    for (const minute of [0, 30, 60, 90, 120, 150, 180]) {
      const instant = Date.parse('2026-10-24T23:00:00Z') + minute * 60_000
      const shown = new Date(instant).toLocaleTimeString('en-GB', { timeZone: 'Europe/Paris' })
      expect(toLocalTime(new Date(instant).toISOString(), 'Europe/Paris').slice(11) <= shown).toBe(true)
    }
  })

  test.each([
    // The clock is put back at one o'clock in Greenwich: from three to two.
    ['22:59:59', '2026-10-25T00:59:59'],
    ['23:00:00', '2026-10-25T00:00:00'],
    ['23:59:59', '2026-10-25T00:59:59'],
  ])('an hour less from two hours before it is put back: %s', (clock, shown) => {
    expect(toLocalTime(`2026-10-24T${clock}.000000Z`, 'Europe/Paris')).toBe(shown)
  })

  test.each([
    ['00:59:59', '2026-10-25T01:59:59'],
    ['01:00:00', '2026-10-25T02:00:00'],
    ['03:30:00', '2026-10-25T04:30:00'],
  ])('and until it has been: %s', (clock, shown) => {
    expect(toLocalTime(`2026-10-25T${clock}.000000Z`, 'Europe/Paris')).toBe(shown)
  })

  test.each([
    // In spring, from two to three at one o'clock.
    ['00:59:59', '2026-03-29T01:59:59'],
    ['01:00:00', '2026-03-29T02:00:00'],
    ['02:59:59', '2026-03-29T03:59:59'],
    ['03:00:01', '2026-03-29T05:00:01'],
  ])('and for two hours after it was put forward: %s', (clock, shown) => {
    expect(toLocalTime(`2026-03-29T${clock}.000000Z`, 'Europe/Paris')).toBe(shown)
  })

  test('that are none, and zones that nobody knows, are errors', () => {
    const more = ['+012026-01-01 00:00:00', '2026-01-01 00:00:00.5']
    for (const local of ['0000-00-00 00:00:00', 'soon', '2026-13-01 00:00:00', ...more]) {
      expect(() => fromLocalTime(local, 'UTC')).toThrow(`"${local}" is no time.`)
    }
    expect([isZone('Europe/Paris'), isZone('Moon/Base')]).toEqual([true, false])
  })
})
