import { expect, test } from 'vitest'
import { drawLots } from '../../../test/support/chance.ts'
import { parseCsv } from './parse-csv.ts'

const fieldsOf = (...given: Parameters<typeof parseCsv>) => parseCsv(...given).map(({ fields }) => fields)

test('fields may be quoted, and hold commas, quotes and line ends', () => {
  expect(fieldsOf('a,b\r\n"x, y","say ""hi""\nthere"\n')).toEqual([
    ['a', 'b'],
    ['x, y', 'say "hi"\nthere'],
  ])
  expect(fieldsOf('\uFEFFa;b\n;""', ';')).toEqual([
    ['a', 'b'],
    ['', ''],
  ])
  expect(parseCsv('\n\n')).toEqual([])
})

test('rows say in which line they begin, also behind empty ones and fields of several lines', () => {
  const lines = parseCsv('\na,b\r\n\r\n"x\ny","z"\nc,d').map(({ line, fields }) => [line, fields[0]])
  expect(lines).toEqual([
    [2, 'a'],
    [4, 'x\ny'],
    [6, 'c'],
  ])
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
    expect(fieldsOf(text)).toEqual(rows)
  }
})
