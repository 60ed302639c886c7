import { expect, test } from 'vitest'
import { jsonRows } from './json-rows.ts'

const read = (bytes: Buffer) => [bytes[0], JSON.parse(bytes.subarray(1).toString())]

test('rows become one document, with what is written already as it is', () => {
  const rows = [
    { id: 1, name: 'ä "q" 漢', payload: '{"a":[1,null]}' },
    { id: 2, name: 'x', payload: null },
    { id: 3, name: 'y', payload: 'null', gone: undefined },
  ]
  expect(read(jsonRows(rows, 'payload'))).toEqual([
    1,
    [
      { id: 1, name: 'ä "q" 漢', payload: { a: [1, null] } },
      { id: 2, name: 'x', payload: null },
      { id: 3, name: 'y', payload: null },
    ],
  ])
  expect(read(jsonRows([]))).toEqual([1, []])
  expect(read(jsonRows([{ payload: '"as text"' }]))).toEqual([1, [{ payload: '"as text"' }]])
})

test('many large rows, one after the other and again', () => {
  const rows = Array.from({ length: 300 }, (_, id) => ({ id, text: '€'.repeat(10_000) }))
  const small = [{ id: 1, text: 'a' }]
  expect(read(jsonRows(rows))[1]).toEqual(rows)
  expect(read(jsonRows(small))[1]).toEqual(small)
  const [first, second] = [jsonRows(small), jsonRows([{ id: 2, text: 'b' }])]
  expect([read(first)[1], read(second)[1]]).toEqual([small, [{ id: 2, text: 'b' }]])
})
