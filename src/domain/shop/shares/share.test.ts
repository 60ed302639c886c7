import { expect, test } from 'vitest'
import { createShares } from './share.ts'

test('a tenant holds so many slots and no more, and others theirs', () => {
  const shares = createShares(2)
  const first = shares.take('one', 1)
  shares.take('one', 2)
  expect(shares.take('one', 3)).toEqual({ againInSeconds: 1 })
  expect(shares.take('other', 4)).toHaveProperty('release')
  if ('release' in first) first.release()
  expect(shares.take('one', 3)).toHaveProperty('release')
})

test('the more of a tenant wait, the later they ask again, however often they have asked', () => {
  const shares = createShares(2)
  shares.take('one', 1)
  shares.take('one', 2)
  for (let n = 0; n < 50; n++) expect(shares.take('one', 3)).toEqual({ againInSeconds: 1 })
  const waits = Array.from({ length: 100 }, (_, n) => shares.take('one', 4 + n))
  expect([waits[9], waits[99]]).toEqual([{ againInSeconds: 6 }, { againInSeconds: 30 }])
})
