import { expect, test } from 'vitest'
import type { Sighting, ToldValue } from './passport-store.ts'
import { historyOf } from './shop-history.ts'

const at = (second: number) => `2026-11-17T06:00:${String(second).padStart(2, '0')}.000000Z`
const told = (second: number, quantity: number, more: Partial<ToldValue> = {}): ToldValue => ({
  ...{ link_id: 1, quantity, was: null, sent_at: at(second), error: null },
  ...{ accepted_at: at(second + 1), confirmed_at: at(second + 2), ...more },
})
const seen = (second: number, found: number, resolution: Sighting['resolution'] = null): Sighting => ({
  ...{ link_id: 1, at: at(second), expected: 0, found, resolution },
})
const brief = (tellings: readonly ToldValue[], sightings: readonly Sighting[] = [], limit = 100) =>
  historyOf(tellings, sightings, limit).map((one) => [Number(one.at.slice(17, 19)), one.told, one.shows, one.drift])

test('a shop shows what it showed until it has confirmed what it was told', () => {
  expect(brief([told(10, 5, { was: 7 }), told(0, 7)])).toEqual([
    [0, 7, null, null],
    [2, 7, 7, null],
    [10, 5, 7, null],
    [12, 5, 5, null],
  ])
})

test('what was refused was not told, and what is on its way was', () => {
  expect(brief([told(0, 7), told(5, 6, { accepted_at: null, confirmed_at: null, error: 'No.' })])).toHaveLength(2)
  expect(brief([told(0, 7), told(5, 6, { accepted_at: null, confirmed_at: null })]).at(-1)).toEqual([5, 6, 7, null])
})

test('a hand in the shop, and what was made of it', () => {
  expect(brief([told(20, 7, { was: 3 }), told(0, 7)], [seen(10, 3), seen(15, 3, 'corrected')])).toEqual([
    [0, 7, null, null],
    [2, 7, 7, null],
    [10, 7, 3, null],
    [15, 7, 3, 'corrected'],
    [22, 7, 7, null],
  ])
})

test('the newest are kept, with what held before them', () => {
  const many = Array.from({ length: 20 }, (_, n) => told(n * 3, n, { was: n - 1 }))
  expect(brief(many, [], 3)).toEqual([
    [56, 18, 18, null],
    [57, 19, 18, null],
    [59, 19, 19, null],
  ])
})
