import { expect, test } from 'vitest'
import {
  addTo,
  aheadAfter,
  beginLook,
  beginPass,
  type Cursor,
  emptyTally,
  isWhole,
  later,
  looksWrong,
  marksSeen,
  type Pass,
  slotOf,
  watermarkAfter,
} from './sync.ts'

const at = '2026-11-15T12:00:00.000000Z'
const never: Cursor = { watermark: null, pass: null }
const asked = { run: 1, mode: 'incremental', since: null, at } as const
const pass = (more: Partial<Pass>): Pass => ({ ...beginPass(never, asked), ...more })

test('the first pass asks for everything, later ones for what changed since, and ten minutes more', () => {
  expect(beginPass(never, asked)).toMatchObject({ mode: 'initial', since: null, stage: 'reading', tally: emptyTally })
  const cursor = { watermark: '2026-11-15T11:00:00.500000Z', pass: null }
  expect(beginPass(cursor, asked)).toMatchObject({ mode: 'incremental', since: '2026-11-15T10:50:00.500000Z' })
  expect(beginPass(cursor, { ...asked, mode: 'full' })).toMatchObject({ mode: 'full', since: null })
  expect(beginPass(cursor, { ...asked, since: at })).toMatchObject({ mode: 'incremental', since: at })
})

test('a shop that is asked again and again is asked for the last minute, and now and then as far back as any', () => {
  const watermark = '2026-11-15T11:56:00.000000Z'
  const near = beginPass({ watermark, ahead: null, pass: null }, asked)
  expect(near).toMatchObject({ mode: 'incremental', since: '2026-11-15T11:55:00.000000Z', near: true })
  const ahead = aheadAfter({ watermark }, { ...near, newest: '2026-11-15T11:59:30.000000Z' })
  expect(ahead).toBe('2026-11-15T11:59:30.000000Z')
  const marks = { watermark, ahead }
  expect(aheadAfter(marks, { ...near, newest: '2026-11-15T12:10:00Z' })).toBe(at)
  expect(aheadAfter(marks, { ...near, newest: null })).toBe(ahead)
  expect(beginPass({ watermark, ahead, pass: null }, asked)).toMatchObject({ since: '2026-11-15T11:58:30.000000Z' })
  // It begins before the mark, and leaves it where it is: what is shown late is still to be looked for from there.
  expect(watermarkAfter(watermark, { ...near, newest: at })).toBe(watermark)
  const far = beginPass({ watermark, ahead, pass: null }, { ...asked, at: '2026-11-15T12:01:00.000000Z' })
  expect(far).toMatchObject({ since: '2026-11-15T11:46:00.000000Z' })
  expect(far.near).toBeUndefined()
  const newest = '2026-11-15T12:00:30.000000Z'
  expect([watermarkAfter(watermark, { ...far, newest }), aheadAfter(marks, { ...far, newest })]).toEqual([
    newest,
    ahead,
  ])
})

test('a long pass is interrupted for a look at what is newest, not too often and not too far back', () => {
  const watermark = '2026-11-15T11:40:00.000000Z'
  const far: Pass = { ...beginPass({ watermark, pass: null }, { ...asked, keptDays: 30 }), next: 'page 2' }
  const look = (cursor: Partial<Cursor>, last: Pass | null = null) =>
    beginLook({ watermark, pass: far, ...cursor }, { last, at })
  const first = look({})
  expect(first).toMatchObject({ run: 1, near: true, mode: 'incremental', since: '2026-11-15T11:58:00.000000Z' })
  expect(first?.keptFrom).toBe(far.keptFrom)
  // There is something between the mark and it.
  expect(first && aheadAfter({ watermark }, { ...first, newest: '2026-11-15T11:59:59Z' })).toBeNull()
  const ahead = '2026-11-15T11:59:30.000000Z'
  const joined = look({ ahead })
  expect(joined?.since).toBe('2026-11-15T11:58:30.000000Z')
  expect(joined && aheadAfter({ watermark, ahead }, { ...joined, newest: '2026-11-15T11:59:59Z' })).toBe(
    '2026-11-15T11:59:59Z',
  )
  const tally = { ...emptyTally, read: 3, inserted: 2 }
  const last = (startedAt: string) => ({ ...far, near: true, startedAt, tally })
  expect(look({}, last('2026-11-15T11:59:51.000000Z'))).toBeNull()
  expect(look({}, last('2026-11-15T11:59:50.000000Z'))?.tally).toEqual(tally)
  expect(look({}, { ...last('2026-11-15T11:59:59.000000Z'), run: 7 })?.tally).toEqual(emptyTally)
  for (const other of [
    { pass: null },
    { pass: { ...far, next: null } },
    { pass: { ...far, near: true } },
    { pass: { ...far, stage: 'settling' as const } },
    { pass: { ...far, mode: 'initial' as const } },
  ])
    expect(look(other)).toBeNull()
})

test('a pass begins at the beginning, with nothing counted', () => {
  const cursor = { watermark: '2026-11-15T11:00:00.500000Z', pass: null }
  for (const mode of ['incremental', 'full', 'compare'] as const) {
    expect(beginPass(cursor, { ...asked, run: 7, mode })).toMatchObject({
      run: 7,
      startedAt: at,
      stage: 'reading',
      next: null,
      newest: null,
      total: null,
      rounds: 0,
      tally: emptyTally,
    })
  }
  expect(new Set(Object.values(emptyTally))).toEqual(new Set([0]))
})

test.each([
  ['incremental', null, 'pass'],
  ['incremental', at, 'aside'],
  ['full', null, 'aside'],
  ['compare', null, 'aside'],
  ['compare', at, 'aside'],
])('news has a place of its own: %s since %s goes by %s', (mode, since, slot) => {
  expect(slotOf({ mode, since })).toBe(slot)
})

test.each([
  ['initial', null, false, true],
  ['incremental', at, false, false],
  ['full', null, true, true],
  ['compare', null, true, true],
  ['compare', at, true, false],
] as const)(
  'a pass that is %s since %s writes down what it has seen: %s, and reads everything: %s',
  (mode, since, marks, whole) => {
    expect([marksSeen(pass({ mode, since })), isWhole(pass({ mode, since }))]).toEqual([marks, whole])
  },
)

test('the mark follows the shop’s own time, but never past the start of the pass', () => {
  expect(watermarkAfter(null, pass({ newest: '2026-11-15T11:59:00Z' }))).toBe('2026-11-15T11:59:00Z')
  expect(watermarkAfter(null, pass({ newest: '2026-11-15T12:30:00Z' }))).toBe(at)
  expect(watermarkAfter(null, pass({ newest: null }))).toBeNull()
})

test('a pass that begins where the mark stands moves it, and one that begins a moment later does not', () => {
  const mark = '2026-11-15T11:00:00.000000Z'
  const newest = '2026-11-15T11:45:00Z'
  expect(watermarkAfter(mark, pass({ since: mark, newest }))).toBe(newest)
  expect(watermarkAfter(mark, pass({ since: '2026-11-15T11:00:00.001Z', newest }))).toBe(mark)
})

test('the mark never goes back, and does not jump over what was not read', () => {
  const mark = '2026-11-15T11:00:00.000000Z'
  const older = pass({ newest: '2026-11-15T10:00:00Z' })
  expect(watermarkAfter(mark, older)).toBe(mark)
  const gap = pass({ since: '2026-11-15T11:30:00Z', newest: '2026-11-15T11:45:00Z' })
  expect(watermarkAfter(mark, gap)).toBe(mark)
  expect(watermarkAfter(null, gap)).toBeNull()
  const joined = pass({ since: '2026-11-15T10:50:00Z', newest: '2026-11-15T11:45:00Z' })
  expect(watermarkAfter(mark, joined)).toBe('2026-11-15T11:45:00Z')
})

test('what is no time does not count', () => {
  expect(later('2026-11-15T11:00:00Z', 'soon')).toBe('2026-11-15T11:00:00Z')
  expect(later(null, 'soon')).toBeNull()
  expect(later('2026-11-15T11:00:00Z', null)).toBe('2026-11-15T11:00:00Z')
  // Equal moments: what was there stays.
  expect(later('2026-11-15T11:00:00Z', '2026-11-15T12:00:00+01:00')).toBe('2026-11-15T11:00:00Z')
  expect(later('2026-11-15T11:00:00Z', '2026-11-15T11:00:00.001Z')).toBe('2026-11-15T11:00:00.001Z')
})

test('a few may go from a small shop, a fifth from a large one', () => {
  expect(looksWrong({ held: 10, unseen: 10 })).toBe(false)
  expect(looksWrong({ held: 12, unseen: 11 })).toBe(true)
  expect(looksWrong({ held: 1000, unseen: 200 })).toBe(false)
  expect(looksWrong({ held: 1000, unseen: 201 })).toBe(true)
})

test('counts add up, and what is not named stays', () => {
  const sum = addTo({ ...emptyTally, read: 5, stale: 2 }, { read: 3, missing: 1 })
  expect(sum).toEqual({ ...emptyTally, read: 8, stale: 2, missing: 1 })
})

test('counts of a pass that was begun before there was such a count begin at nothing', () => {
  const { uncertain: _, ...old } = emptyTally
  expect(addTo(old as typeof emptyTally, { uncertain: 2 })).toEqual({ ...emptyTally, uncertain: 2 })
})
