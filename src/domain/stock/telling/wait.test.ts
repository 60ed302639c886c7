import { expect, test } from 'vitest'
import { waitAfter, waitAfterNo } from './wait.ts'

test('a shop that does not answer is told again soon, then every few seconds, and after minutes ever less often', () => {
  expect([0, 1, 2, 3, 4, 5, 25].map(waitAfter)).toEqual([0.5, 1, 2, 4, 8, 8, 8])
  expect([26, 27, 40, 1000].map(waitAfter)).toEqual([16, 32, 600, 600])
})

test('one that has said no is asked less and less often', () => {
  expect([0, 1, 2, 6, 7, 1000].map(waitAfterNo)).toEqual([8, 16, 32, 512, 600, 600])
})
