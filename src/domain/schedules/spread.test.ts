import { expect, test } from 'vitest'
import { rushSeconds, spreadOf } from './spread.ts'

const at = '2026-11-16T09:00:00.000000Z'
const spreads = (cron: string, rush: number, ids = 3000) =>
  Array.from({ length: ids }, (_, id) => spreadOf({ id, cron, timezone: 'UTC' }, at, rush))

test('few schedules keep the standard half minute', () => {
  expect(new Set(spreads('*/15 * * * *', rushSeconds(1200)))).toEqual(new Set([null]))
})

test('those of many are spread evenly over the time that they take', () => {
  const taken = spreads('0 * * * *', rushSeconds(4000), 1000)
  expect(new Set(taken)).toEqual(new Set(Array.from({ length: 100 }, (_, second) => second)))
  for (const second of [0, 50, 99]) expect(taken.filter((spread) => spread === second)).toHaveLength(10)
})

test.each([
  ['* * * * *', 59],
  ['*/5 * * * *', 299],
  ['*/15 * * * *', 899],
  ['0 * * * *', 899],
  ['0 9 * * 1', 899],
])('%s never runs after its next appointment, nor a quarter of an hour late', (cron, latest) => {
  expect(Math.max(...spreads(cron, rushSeconds(1_000_000)).map(Number))).toBe(latest)
})

test('it is whole seconds, whenever the appointment is', () => {
  const spread = spreadOf({ id: 1234, cron: '*/15 * * * *', timezone: 'UTC' }, '2026-11-16T09:01:00.045000Z', 900)
  expect(Number.isInteger(spread)).toBe(true)
})

test('one without a next appointment has none to be spread after', () => {
  expect(spreadOf({ id: 7, cron: '*/15 * * * *', timezone: 'UTC' }, null, 900)).toBeNull()
})
