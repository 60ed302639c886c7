import { expect, test } from 'vitest'
import { expiryOf } from './expiry.ts'

const answer = (headers: Record<string, string>) => ({ status: 200, headers, body: null })
const given = { date: 'Thu, 01 Oct 2026 08:00:00 GMT' }

test('tokens end so many seconds after the shop has given them', () => {
  expect(expiryOf(answer(given), { expires_in: 3600 })).toBe('2026-10-01T09:00:00.000000Z')
})

test.each([
  ['nobody knows when they were given', {}, 3600],
  ['nobody knows when, by what is said', { date: 'yesterday' }, 3600],
  ['they do not say', given, undefined],
  ['they say it in words', given, '3600'],
  ['they have ended', given, 0],
  ['they ended long ago', given, -5],
])('there is no end where %s', (_, headers, seconds) => {
  expect(expiryOf(answer(headers), { expires_in: seconds })).toBeNull()
})
