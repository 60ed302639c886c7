import { expect, test } from 'vitest'
import { beginPass, type Cursor, emptyTally, later, looksWrong, type Pass, watermarkAfter } from './sync.ts'

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

test('the mark follows the shop’s own time, but never past the start of the pass', () => {
  expect(watermarkAfter(null, pass({ newest: '2026-11-15T11:59:00Z' }))).toBe('2026-11-15T11:59:00Z')
  expect(watermarkAfter(null, pass({ newest: '2026-11-15T12:30:00Z' }))).toBe(at)
  expect(watermarkAfter(null, pass({ newest: null }))).toBeNull()
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
  expect(later('2026-11-15T11:00:00Z', '2026-11-15T11:00:00.001Z')).toBe('2026-11-15T11:00:00.001Z')
})

test('a few may go from a small shop, a fifth from a large one', () => {
  expect(looksWrong({ held: 10, unseen: 10 })).toBe(false)
  expect(looksWrong({ held: 12, unseen: 11 })).toBe(true)
  expect(looksWrong({ held: 1000, unseen: 200 })).toBe(false)
  expect(looksWrong({ held: 1000, unseen: 201 })).toBe(true)
})
