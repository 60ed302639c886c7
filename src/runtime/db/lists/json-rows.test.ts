import { expect, test } from 'vitest'
import { jsonRows } from './json-rows.ts'

const read = (bytes: Buffer) => [bytes[0], JSON.parse(bytes.subarray(1).toString())]

test('rows become one document', async () => {
  const rows = [
    { id: 1, name: 'ä "q" 漢', payload: { a: [1, null] } },
    { id: 2, name: 'x', payload: null },
    { id: 3, name: 'y', gone: undefined },
  ]
  expect(read(await jsonRows(rows))).toEqual([1, [rows[0], rows[1], { id: 3, name: 'y' }]])
  expect(read(await jsonRows([]))).toEqual([1, []])
})

test('many large rows, several at once, one after the other and again', async () => {
  const rows = Array.from({ length: 300 }, (_, id) => ({ id, text: '€'.repeat(10_000) }))
  const small = [{ id: 1, text: 'a' }]
  const [large, first, second] = await Promise.all([jsonRows(rows), jsonRows(small), jsonRows([{ id: 2, text: 'b' }])])
  expect([large, first, second].map((bytes) => read(bytes)[1])).toEqual([rows, small, [{ id: 2, text: 'b' }]])
  expect(read(await jsonRows(small))[1]).toEqual(small)
})
