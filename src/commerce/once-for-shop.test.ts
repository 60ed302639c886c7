import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { justLookedAt, lackedLately, onceForShop } from './once-for-shop.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('is asked once for each opening of a shop, by whoever uses it', async () => {
  let asked = 0
  const placesOf = onceForShop(async (_shop: { opening?: object }) => ++asked)
  const first = { opening: {} }
  expect([await placesOf(first), await placesOf({ ...first })]).toEqual([1, 1])
  expect(await placesOf({ opening: {} })).toBe(2)
  const bare = {}
  expect([await placesOf(bare), await placesOf(bare), await placesOf({})]).toEqual([3, 3, 4])
})

test('what failed is asked again', async () => {
  let asked = 0
  const placesOf = onceForShop(async (_shop: { opening?: object }) => {
    if (++asked === 1) throw new Error('away')
    return asked
  })
  const shop = { opening: {} }
  await expect(placesOf(shop)).rejects.toThrow('away')
  expect(await placesOf(shop)).toBe(2)
})

test('what was looked at is good for one change of the same articles, soon', () => {
  const looked = justLookedAt<{ opening?: object }, string>()
  const shop = { opening: {} }
  looked.keep(shop, ['A', 'B'], 'seen')
  expect([looked.take({ ...shop }, ['A']), looked.take(shop, ['A'])]).toEqual(['seen', null])
  looked.keep(shop, ['A'], 'seen')
  expect(looked.take(shop, ['A', 'C'])).toBeNull()
  looked.keep(shop, ['A'], 'seen')
  expect(looked.take({ opening: {} }, ['A'])).toBeNull()
  vi.advanceTimersByTime(2001)
  expect(looked.take(shop, ['A'])).toBeNull()
})

test('what a shop lacked is not asked for by the next who opens it, for five minutes', () => {
  const plugIn = lackedLately<{ opening?: object; lasting?: object }>()
  const lasting = {}
  expect(plugIn.by({ opening: {}, lasting })).toBe(false)
  plugIn.note({ opening: {}, lasting })
  expect(plugIn.by({ opening: {}, lasting })).toBe(true)
  expect(plugIn.by({ opening: {}, lasting: {} })).toBe(false)
  expect(lackedLately().by({ opening: {}, lasting })).toBe(false)
  vi.advanceTimersByTime(5 * 60_000)
  expect(plugIn.by({ opening: {}, lasting })).toBe(false)
})
