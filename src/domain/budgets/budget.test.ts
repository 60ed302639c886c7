import { describe, expect, test } from 'vitest'
import { afterReport, bucketOf, estimateSeconds, hasSharedBudget, type Lane, maxWaits, reserves } from './budget.ts'

const remote = {
  origin: () => 'https://shop.example',
  authenticate: (request: never) => request,
  budgets: { default: { capacity: 100, perSecond: 2 }, bulk: { capacity: 10, perSecond: 0.5 } },
}
const acme = { type: 'acme', remote }

const a = { shop: 'a.example', application: null }

describe('lanes', () => {
  test('leave the more to others the longer they can wait; who waits in person takes everything', () => {
    const lanes: Lane[] = ['interactive', 'orders', 'inventory', 'catalogue']
    const left = lanes.map((lane) => reserves[lane])
    expect(left).toEqual([...new Set(left)].sort((a, b) => a - b))
    expect(reserves.interactive).toBe(0)
    expect(lanes.every((lane) => maxWaits[lane] >= maxWaits.interactive)).toBe(true)
  })
})

describe('a bucket', () => {
  test('is that of the limit which pays, and the common one where the platform has no such limit', () => {
    expect(bucketOf(acme, a, 'bulk')).toMatchObject({ capacity: 10, perSecond: 0.5 })
    for (const name of [undefined, 'default', 'unheard-of', 'toString']) {
      expect(bucketOf(acme, a, name)).toMatchObject({ capacity: 100, perSecond: 2 })
    }
    expect(bucketOf(acme, a, 'unheard-of').key).toBe(bucketOf(acme, a).key)
  })

  test('is one for each platform, shop and limit, and a new one where the platform changes its figures', () => {
    const corrected = { ...acme, remote: { ...remote, budgets: { default: { capacity: 100, perSecond: 4 } } } }
    const keys = [
      bucketOf(acme, a),
      bucketOf(acme, { shop: 'b.example', application: null }),
      bucketOf(acme, a, 'bulk'),
      bucketOf({ ...acme, type: 'other' }, a),
      bucketOf(corrected, a),
    ].map(({ key }) => key)
    expect(new Set(keys).size).toBe(5)
    expect(bucketOf(acme, a).key).toBe(keys[0])
  })
})

describe('a limit of our registration with the platform', () => {
  const shared = {
    default: { capacity: 100, perSecond: 2 },
    day: { capacity: 10, perSecond: 1, scope: 'application' },
  } as const
  const ebay = { type: 'ebay', remote: { ...remote, budgets: shared } }
  const of = (shop: string, application: string | null, name = 'day') => bucketOf(ebay, { shop, application }, name)

  test('is one bucket for all shops that came by it, and each shop’s own where there is none to share', () => {
    expect(of('a', 'us').key).toBe(of('b', 'us').key)
    expect(new Set([of('a', 'us'), of('a', 'them'), of('a', null), of('b', null)].map(({ key }) => key)).size).toBe(4)
    expect([of('a', 'us').sharer, of('a', null).sharer]).toEqual(['a', null])
    expect(of('a', 'us').ownKey).not.toBe(of('b', 'us').ownKey)
  })

  test('leaves its other limits to each shop', () => {
    expect(of('a', 'us', 'default')).toEqual(of('a', null, 'default'))
    expect([hasSharedBudget(ebay), hasSharedBudget(acme)]).toEqual([true, false])
  })
})

describe('a limit that the platform reports', () => {
  const day = { name: 'day', limit: 86_400, windowSeconds: 86_400 }
  test.each([
    ['lets what is left last until there is more', 100, 3600, { perSecond: 100 / 3600, blockedSeconds: 0 }],
    ['is never faster than even, however much is left', 80_000, 600, { perSecond: 0.99, nextSeconds: 600 }],
    ['of which nothing is left is waited for', 0, 7200, { blockedSeconds: 7200, nextSeconds: 3600 }],
  ])('%s', (_, remaining, resetsInSeconds, after) => {
    expect(afterReport({ ...day, remaining, resetsInSeconds })).toMatchObject(after)
  })
})

describe('long work', () => {
  test.each([
    ['that the full bucket pays for takes no time', 60, undefined, 0],
    ['of one more waits for it', 61, undefined, 1],
    ['waits for whole seconds', 62, undefined, 1],
    ['takes as long as the rest needs to flow in', 260, undefined, 100],
    ['of a better lane begins with more', 260, 'orders', 85],
    ['that costs nothing takes no time', 0, 'inventory', 0],
  ] as const)('%s', (_, cost, lane, seconds) => {
    expect(estimateSeconds(acme, 'default', cost, lane)).toBe(seconds)
  })

  test('is reckoned by its own limit', () => {
    expect(estimateSeconds(acme, 'bulk', 16)).toBe(20)
  })
})
