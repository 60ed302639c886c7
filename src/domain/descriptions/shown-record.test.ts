import { expect, test } from 'vitest'
import { cut, shownRecord } from './shown-record.ts'

const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ id: n, sku: `A-${n}` }))

test('a record that a description reads is shown as it is', () => {
  const record = { id: 1, text: 'x'.repeat(900_000), rows: rows(3000), nothing: null }
  expect(shownRecord(record)).toBe(record)
})

test.each([
  ['a text of megabytes', { id: 1, text: 'x'.repeat(2_000_000) }],
  ['rows without end', { id: 1, rows: rows(100_000) }],
  ['names without end', Object.fromEntries(rows(20_000).map(({ id, sku }) => [sku, id]))],
])('of %s only the beginning is shown', (_, record) => {
  const shown = shownRecord(record)
  expect(JSON.stringify(shown).length).toBeLessThan(20_000)
  const [name = '', value] = Object.entries(record)[0] ?? []
  expect(shown).toHaveProperty([name], value)
})

test('what is cut says so, and what is small stays', () => {
  expect(cut({ text: 'x'.repeat(2001), list: [1, 'a', null, true] })).toEqual({
    text: `${'x'.repeat(2000)}…`,
    list: [1, 'a', null, true],
  })
  const deep = Array.from({ length: 20 }).reduce<unknown>((inner) => [inner], 1)
  expect(JSON.stringify(cut(deep))).toBe(`${'['.repeat(8)}"…"${']'.repeat(8)}`)
})
