import { expect, test } from 'vitest'
import { createShares } from './share.ts'

test('a tenant holds so many slots and no more, and others theirs', () => {
  const shares = createShares(2)
  const first = shares.take('one', 1)
  shares.take('one', 2)
  expect(shares.take('one', 3)).toEqual({ againInSeconds: 0.5 })
  expect(shares.take('other', 4)).toHaveProperty('release')
  if ('release' in first) first.release()
  expect(shares.take('one', 3)).toHaveProperty('release')
})

test('the more of a tenant wait, the later they ask again, however often they have asked', () => {
  let clock = 0
  const shares = createShares(2, () => clock)
  shares.take('one', 1)
  shares.take('one', 2)
  for (let n = 0; n < 50; n++) expect(shares.take('one', 3)).toEqual({ againInSeconds: 0.5 })
  // A second has gone by, and what is under way is not done.
  clock = 1000
  const waits = Array.from({ length: 1000 }, (_, n) => shares.take('one', 4 + n))
  expect([waits[9], waits[99], waits[999]]).toEqual([5.5, 50.5, 120].map((againInSeconds) => ({ againInSeconds })))
})

test('those whose tenant is quickly done ask again soon, those whose shops let us wait later', () => {
  let clock = 0
  const shares = createShares(1, () => clock)
  const work = (tenant: string, seconds: number) => {
    for (let n = 0; n < 40; n++) {
      const slot = shares.take(tenant, 1)
      clock += seconds * 1000
      const keeps = shares.take(tenant, 2)
      expect(keeps).toHaveProperty('againInSeconds')
      if ('release' in slot) slot.release()
    }
    shares.take(tenant, 1)
    return Array.from({ length: 40 }, (_, n) => shares.take(tenant, 10 + n)).at(-1)
  }
  expect(work('quick', 0.05)).toEqual({ againInSeconds: 2.5 })
  expect(work('slow', 30)).toEqual({ againInSeconds: 120 })
})
