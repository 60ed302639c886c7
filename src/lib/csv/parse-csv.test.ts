import { expect, test } from 'vitest'
import { drawLots } from '../../../test/support/chance.ts'
import { parseCsv } from './parse-csv.ts'

test('fields may be quoted, and hold commas, quotes and line ends', () => {
  expect(parseCsv('a,b\r\n"x, y","say ""hi""\nthere"\n')).toEqual([
    ['a', 'b'],
    ['x, y', 'say "hi"\nthere'],
  ])
  expect(parseCsv('\uFEFFa;b\n;""', ';')).toEqual([
    ['a', 'b'],
    ['', ''],
  ])
  expect(parseCsv('\n\n')).toEqual([])
})

test.each([
  ['"open', 'Line 1: a quoted field is not closed.'],
  ['a\nb"c', 'Line 2: a quote stands within a field.'],
  ['"a"b', 'Line 1: something stands behind a quoted field.'],
])('%j says what is wrong and where', (text, message) => {
  expect(() => parseCsv(text)).toThrow(message)
})

test('whatever is written as CSV is read as it was', () => {
  const chance = drawLots('csv')
  const letters = ['a', ',', '"', '\n', ' ', 'é', '\r\n']
  for (let n = 0; n < 200; n++) {
    const rows = Array.from({ length: 1 + chance.below(4) }, () =>
      Array.from({ length: 3 }, () => Array.from({ length: chance.below(5) }, () => chance.pick(letters)).join('')),
    )
    const text = rows.map((row) => row.map((field) => `"${field.replaceAll('"', '""')}"`).join(',')).join('\n')
    expect(parseCsv(text)).toEqual(rows)
  }
})
