import { expect, test } from 'vitest'
import { createShares, type Shares } from './share.ts'

/** Eight pieces of work that are done at once. */
function earnTrust(shares: Shares, tenant: string): void {
  const slots = [shares.take(tenant, 0)]
  for (let n = 1; n < 8; n++) {
    slots.push(shares.take(tenant, n))
    const [done] = slots.splice(0, 1)
    if (done && 'release' in done) done.release()
  }
  for (const slot of slots) if ('release' in slot) slot.release()
}

const twoOfFour = { share: 2, together: 2 }

test('a tenant holds so many slots and no more, and others theirs', () => {
  const shares = createShares(twoOfFour)
  const first = shares.take('one', 1)
  shares.take('one', 2)
  expect(shares.take('one', 3)).toMatchObject({ againInSeconds: 0.5 })
  expect(shares.take('other', 4)).toHaveProperty('release')
  if ('release' in first) first.release()
  expect(shares.take('one', 3)).toHaveProperty('release')
})

test('the more of a tenant wait, the later they ask again, however often they have asked', () => {
  let clock = 0
  const shares = createShares(twoOfFour, () => clock)
  shares.take('one', 1)
  shares.take('one', 2)
  for (let n = 0; n < 50; n++) expect(shares.take('one', 3)).toMatchObject({ againInSeconds: 0.5 })
  // A second has gone by, and what is under way is not done. That is no reason yet to take its shops for slow ones.
  clock = 1000
  const waits = Array.from({ length: 1000 }, (_, n) => shares.take('one', 4 + n))
  expect([waits[9], waits[99], waits[999]]).toMatchObject([5.5, 15, 15].map((againInSeconds) => ({ againInSeconds })))
})

test('those whose tenant is quickly done ask again soon, those whose shops let us wait later', () => {
  let clock = 0
  const shares = createShares({ share: 1, together: 1 }, () => clock)
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
  expect(work('quick', 0.05)).toMatchObject({ againInSeconds: 2.5 })
  expect(work('slow', 30)).toMatchObject({ againInSeconds: 120 })
})

const fourOfTwelve = { share: 4, together: 8 }

test('a tenant whose shops answer at once uses what nobody else needs, and always leaves others a share', () => {
  const shares = createShares(fourOfTwelve)
  const taken = (tenant: string) =>
    Array.from({ length: 20 }, (_, n) => shares.take(tenant, n)).flatMap((slot) => ('release' in slot ? [slot] : []))
  // Nobody knows yet how long its shops take.
  for (const slot of taken('one').reverse()) slot.release()
  earnTrust(shares, 'one')
  const held = taken('one')
  expect(held).toHaveLength(8)
  // All twelve are held now, four of them by one who came later.
  expect(taken('other')).toHaveLength(4)
  for (const slot of held.slice(4)) slot.release()
  expect(taken('one')).toEqual([])
  for (const slot of held.slice(0, 4)) slot.release()
  expect(taken('third')).toHaveLength(4)
})

test('a tenant whose shops let us wait has its share and no more', () => {
  let clock = 0
  const shares = createShares(fourOfTwelve, () => clock)
  earnTrust(shares, 'one')
  const first = shares.take('one', 0)
  clock = 2001
  const taken = () => Array.from({ length: 20 }, (_, n) => shares.take('one', n)).filter((slot) => 'release' in slot)
  expect(taken()).toHaveLength(3)
  // What has been learned of it is remembered while anything of it is under way.
  clock = 60_000
  if ('release' in first) first.release()
  clock = 60_001
  expect(taken()).toHaveLength(1)
})

test('one who waits for a moment is the next to go on, and nobody waits so for shops that let us wait', async () => {
  let clock = 0
  const shares = createShares(twoOfFour, () => clock)
  shares.take('other', 1)
  shares.take('other', 2)
  // Nobody knows yet how long its shops take.
  expect(shares.take('other', 3)).toMatchObject({ soon: false })
  earnTrust(shares, 'one')
  const first = shares.take('one', 1)
  shares.take('one', 2)
  expect(shares.take('one', 3)).toMatchObject({ soon: true })
  const order: string[] = []
  const waiting = ['second', 'third'].map((name) => shares.nextRelease().then(() => order.push(name)))
  if ('release' in first) first.release()
  await waiting[0]
  expect(order).toEqual(['second'])
  // Nobody gives anything back any more: it is over all the same.
  await waiting[1]
  expect(order).toEqual(['second', 'third'])
  shares.take('one', 3)
  clock = 2001
  expect(shares.take('one', 4)).toMatchObject({ soon: false })
})
