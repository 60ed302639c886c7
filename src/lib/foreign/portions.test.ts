import { expect, test } from 'vitest'
import { countParts, portionsOf } from './portions.ts'

test('values are counted however deep they lie, and not beyond what matters', () => {
  expect(countParts({ a: [1, { b: 2 }], c: 'text' }, 100)).toBe(5)
  expect(countParts('text', 100)).toBe(0)
  expect(countParts(Array.from({ length: 1000 }), 100)).toBe(101)
})

test('records come in their order, a hundred at a time, and large ones by themselves', async () => {
  const small = Array.from({ length: 250 }, (_, id) => ({ id }))
  const large = { lines: Array.from({ length: 20_000 }, (_, n) => n) }
  const huge = { lines: Array.from({ length: 90_000 }, (_, n) => n) }
  const portions = await portionsOf([...small, large, large, huge, { id: 250 }])
  expect(portions.map(({ length }) => length)).toEqual([100, 100, 51, 1, 1, 1])
  expect(portions.flat()).toEqual([...small, large, large, huge, { id: 250 }])
  expect(await portionsOf([])).toEqual([])
})
