import { describe, expect, test } from 'vitest'
import { completenessOf, provenAt, syncResult, wholeAt } from './completeness.ts'
import { emptyTally, type Pass } from './sync.ts'

const at = '2026-11-15T12:00:00.000000Z'
const earlier = '2026-11-14T12:00:00.000000Z'
const pass = (more: Partial<Pass> = {}): Pass => ({
  run: 1,
  mode: 'compare',
  since: null,
  startedAt: '2026-11-15T11:00:00.000000Z',
  stage: 'done',
  next: null,
  newest: null,
  total: null,
  rounds: 0,
  tally: emptyTally,
  ...more,
})
const tally = {
  read: 1,
  inserted: 2,
  updated: 3,
  unchanged: 4,
  set_aside: 5,
  deleted: 6,
  suspicious_deletes: 7,
  missing: 8,
  stale: 9,
  rechecked: 10,
  uncertain: 11,
  expired: 12,
}

describe('what a comparison has shown', () => {
  test('is said for each kind, and in all', () => {
    const orders = pass({ tally })
    const products = pass({ tally: { ...emptyTally, read: 100, updated: 1 } })
    const ofOrders = {
      compared: 1,
      missing: 8,
      stale: 9,
      rechecked: 10,
      uncertain: 11,
      healed: 5,
      deleted: 6,
      set_aside: 5,
      suspicious_deletes: 7,
      expired: 12,
    }
    const shown = completenessOf(
      [
        ['orders', orders],
        ['products', products],
      ],
      { at, before: null },
    )
    expect(shown).toMatchObject({ ...ofOrders, compared: 101, healed: 6, proven_at: at })
    expect(shown.resources).toEqual({
      orders: { proven_at: at, from: null, ...ofOrders },
      products: expect.objectContaining({ compared: 100, healed: 1, missing: 0 }),
    })
  })

  test('is said of kinds that were compared before as it was then', () => {
    const before = completenessOf([['orders', pass({ tally })]], { at: earlier, before: null })
    const { resources } = completenessOf([['products', pass()]], { at, before })
    expect(resources).toMatchObject({ orders: { proven_at: earlier, compared: 1 }, products: { proven_at: at } })
    expect([provenAt(before, 'orders'), provenAt(before, 'products'), provenAt(null, 'orders')]).toEqual([
      earlier,
      null,
      null,
    ])
    const odd = { resources: { orders: { proven_at: 5 }, cheese: { proven_at: at } } }
    expect(provenAt(odd, 'orders')).toBeNull()
    expect(completenessOf([], { at, before: odd }).resources).not.toHaveProperty('cheese')
  })

  test('begins where the platform no longer shows anything older', () => {
    const oldest = '2026-09-01T00:00:00.000000Z'
    const since = '2026-10-01T00:00:00.000000Z'
    const fromOf = (more: Partial<Pass>) => completenessOf([['orders', pass(more)]], { at, before: null })
    expect(fromOf({ oldest })).toMatchObject({
      whole_at: at,
      window: { from: oldest },
      resources: { orders: { from: oldest } },
    })
    expect(fromOf({ oldest, since }).window.from).toBe(since)
    expect(fromOf({ oldest: since, since: oldest }).window.from).toBe(since)
  })

  test('is about all from the earliest beginning to the earliest start', () => {
    const [one, other] = [
      pass({ since: '2026-11-03T00:00:00.000000Z', startedAt: '2026-11-15T11:00:00.000000Z' }),
      pass({ since: '2026-11-02T00:00:00.000000Z', startedAt: '2026-11-15T10:00:00.000000Z' }),
    ]
    for (const passes of [
      [one, other],
      [other, one],
    ] as const) {
      const { window } = completenessOf(
        [
          ['orders', passes[0]],
          ['products', passes[1]],
        ],
        { at, before: null },
      )
      expect(window).toEqual({ from: '2026-11-02T00:00:00.000000Z', to: '2026-11-15T10:00:00.000000Z' })
    }
  })

  test('is about nothing where nothing was compared', () => {
    expect(completenessOf([], { at, before: null })).toMatchObject({ window: { from: null, to: at }, compared: 0 })
  })

  test('is the whole only where everything was read; else that stays as it was', () => {
    const before = { whole_at: earlier }
    const some = pass({ since: '2026-11-03T00:00:00.000000Z' })
    expect(completenessOf([['orders', pass()]], { at, before }).whole_at).toBe(at)
    expect(
      completenessOf(
        [
          ['orders', pass()],
          ['products', some],
        ],
        { at, before },
      ).whole_at,
    ).toBe(earlier)
    expect(completenessOf([['orders', some]], { at, before: null }).whole_at).toBeNull()
  })

  test.each([
    [{ whole_at: earlier, compared: 5 }, earlier],
    [{ whole_at: null }, null],
    [{ whole_at: 5 }, null],
    [{}, null],
    [null, null],
    [undefined, null],
    ['whole_at', null],
  ])('is read off what the integration says: %j', (completeness, when) => {
    expect(wholeAt(completeness)).toBe(when)
  })
})

test('what a sync has done is told without what only a comparison finds', () => {
  const done = pass({ mode: 'incremental', since: earlier, tally })
  const { missing: _, stale: __, rechecked: ___, uncertain: ____, ...counts } = tally
  expect(syncResult(done)).toEqual({ mode: 'incremental', since: earlier, ...counts })
  expect(syncResult({ ...done, unreported: { count: 3, since: earlier } })).toMatchObject({ unreported: 3 })
})
