import { expect, test } from 'vitest'
import { forbidden, malformed, unauthenticated } from '../../../lib/fault.ts'
import { createRefusals, orTooMany } from './refusals.ts'

function count(limit: number) {
  let now = 0
  const refusals = createRefusals(limit, () => now)
  return { refusals, hit: refusals.count, pass: (ms: number) => (now += ms) }
}

test('what goes beyond the limit waits for the end of the minute', () => {
  const { hit, pass } = count(2)
  expect([hit('203.0.113.1'), hit('203.0.113.1')]).toEqual([null, null])
  pass(45_000)
  expect(hit('203.0.113.1')).toBe(15)
  pass(15_000)
  expect(hit('203.0.113.1')).toBeNull()
})

test('addresses do not answer for each other, but the halves of one subscriber do', () => {
  const { hit } = count(1)
  expect([hit('203.0.113.1'), hit('203.0.113.2')]).toEqual([null, null])
  expect([hit('2001:db8:1:2::1'), hit('2001:db8:1:2::ffff')]).toEqual([null, 60])
})

test('a million addresses find room, and the newest is still counted', () => {
  const { hit } = count(1)
  for (let n = 0; n < 30_000; n++) hit(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`)
  const { hit: other } = count(1)
  other('198.51.100.1')
  for (let n = 0; n < 9_000; n++) other(`10.0.${n >> 8}.${n & 255}`)
  expect(other('198.51.100.1')).toBe(60)
  for (let n = 0; n < 2_000; n++) other(`10.1.${n >> 8}.${n & 255}`)
  expect(other('198.51.100.1')).toBeNull()
})

test('whose bearable refusals are used up is known without counting', () => {
  const { refusals, hit, pass } = count(2)
  const over = () => refusals.isOver('203.0.113.1')
  hit('203.0.113.1')
  expect([over(), over(), over()]).toEqual([false, false, false])
  hit('203.0.113.1')
  expect([over(), refusals.isOver('203.0.113.2')]).toEqual([true, false])
  pass(60_000)
  expect(over()).toBe(false)
})

test('only refusals are counted, and every other error stays as it is', () => {
  const { refusals } = count(2)
  const errors = [malformed('x'), new Error('x'), unauthenticated(), forbidden()]
  for (const error of errors) expect(orTooMany(refusals, '203.0.113.1', error)).toBe(error)
  expect(orTooMany(refusals, '203.0.113.1', unauthenticated())).toMatchObject({ kind: 'too_many' })
  expect(orTooMany(refusals, '203.0.113.1', errors[0])).toBe(errors[0])
})
