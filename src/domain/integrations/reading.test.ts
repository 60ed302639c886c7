import { describe, expect, test } from 'vitest'
import { catalogueEvery, nextRead, readingOf } from './reading.ts'

const asked = { read_every_minutes: null, service_read_minutes: null, messages: 'none' } as const
const slow = { readEveryMinutes: 30 }

describe('a shop is asked for news', () => {
  test.each([
    ['often where it sends nothing', asked, undefined, 5, 'no_messages'],
    ['often where its messages are late', { ...asked, messages: 'late' }, undefined, 5, 'messages_missing'],
    ['often where they stay out', { ...asked, messages: 'not_arriving' }, {}, 5, 'messages_missing'],
    ['rarely where they arrive', { ...asked, messages: 'arriving' }, slow, 60, 'messages_arrive'],
    ['as often as the platform allows', { ...asked, messages: 'late' }, slow, 30, 'platform'],
    ['as the service says', { ...asked, service_read_minutes: 15 }, slow, 15, 'service'],
    ['as its owner says', { ...asked, read_every_minutes: 7, service_read_minutes: 15 }, slow, 7, 'chosen'],
    [
      'as its owner says, where messages arrive too',
      { ...asked, read_every_minutes: 7, messages: 'arriving' },
      slow,
      7,
      'chosen',
    ],
    ['never where the service says so', { ...asked, service_read_minutes: 0 }, slow, null, 'off'],
    ['never where its owner says so', { ...asked, read_every_minutes: 0, service_read_minutes: 15 }, slow, null, 'off'],
    [
      'where its owner wants it and the service does not',
      { ...asked, read_every_minutes: 5, service_read_minutes: 0 },
      slow,
      5,
      'chosen',
    ],
  ] as const)('%s', (_, integration, connector, minutes, reason) => {
    expect(readingOf(integration, connector)).toEqual({ minutes, reason })
  })

  test.each([
    [1, 60],
    [5, 60],
    [6, 72],
    [15, 180],
    [60, 720],
    [1440, 720],
  ])('every %i minutes, and for products and stock every %i', (minutes, every) => {
    expect(catalogueEvery(minutes)).toBe(every)
  })
})

describe('the next time of an integration', () => {
  const at = (text: string) => new Date(`2026-11-15T${text}Z`)
  const minutesOf = (date: Date) => date.getTime() / 60_000

  test('is later, by no more than the interval', () => {
    for (let id = 1; id <= 200; id++) {
      const wait = minutesOf(nextRead(id, 5, at('12:00:00'))) - minutesOf(at('12:00:00'))
      expect(wait).toBeGreaterThan(0)
      expect(wait).toBeLessThanOrEqual(5)
    }
  })

  test('is the same moment of every interval, whenever it is asked for', () => {
    const first = nextRead(7, 5, at('12:00:00'))
    const before = new Date(first.getTime() - 1)
    expect(nextRead(7, 5, before)).toEqual(first)
    const second = nextRead(7, 5, first)
    expect(minutesOf(second) - minutesOf(first)).toBe(5)
    expect(minutesOf(nextRead(7, 5, at('15:00:00'))) - minutesOf(first)).toBe(180)
  })

  test('is spread evenly over the interval, however ids were given out', () => {
    for (const step of [1, 2, 10, 64]) {
      const ids = Array.from({ length: 60 }, (_, n) => 1000 + n * step)
      const seconds = ids.map((id) => (nextRead(id, 5, at('12:00:00')).getTime() - at('12:00:00').getTime()) / 1000)
      for (let from = 0; from < 300; from += 60) {
        const there = seconds.filter((second) => second > from && second <= from + 60).length
        expect(there).toBeGreaterThan(5)
        expect(there).toBeLessThan(20)
      }
    }
  })
})
