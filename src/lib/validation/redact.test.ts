import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { choice, freeObject, logged, maybe, nullable, object, partial, text } from './fields.ts'
import { cutOff, hiddenText, redact } from './redact.ts'

const room = 4096

const order = object({
  id: Type.Integer(),
  total: Type.Number(),
  paid: Type.Boolean(),
  status: choice(['OPEN', 'CLOSED']),
  sku: logged(text()),
  note: maybe(text()),
  customer: freeObject(),
  lines: Type.Array(object({ sku: nullable(logged(text())), engraving: text() })),
})

test('numbers, flags, words of a list and texts that say so are kept, any other text is not', () => {
  const value = {
    ...{ id: 7, total: 1.5, paid: false, status: 'OPEN', sku: 'CUP', note: 'Ring twice' },
    lines: [
      { sku: 'CUP', engraving: 'Kingfisher' },
      { sku: null, engraving: '' },
    ],
  }
  expect(redact(order, value, room)).toEqual({
    ...{ id: 7, total: 1.5, paid: false, status: 'OPEN', sku: 'CUP', note: hiddenText },
    lines: [
      { sku: 'CUP', engraving: hiddenText },
      { sku: null, engraving: hiddenText },
    ],
  })
})

test('a word that is not on the list is any other text', () => {
  expect(redact(order, { status: 'kingfisher@example.com' }, room)).toEqual({ status: hiddenText })
})

test('of a field that nobody described not even the name is kept, nor what is in an object without one', () => {
  const value = { id: 1, kingfisher: 1, customer: { email: 'kingfisher@example.com', age: 40 } }
  expect(JSON.stringify(redact(order, value, room))).not.toMatch(/kingfisher|40/)
})

test.each([
  ['a number where a text is meant', { sku: 99887766 }],
  ['a text where a number is meant', { id: '99887766x' }],
  ['a list where a record is meant', { lines: { sku: 'x' } }],
  ['a record where a text is meant', { note: { text: 'Kingfisher' } }],
  ['a flag where a text is meant', { note: true }],
])('%s is not kept', (_, value) => {
  expect(JSON.stringify(redact(order, value, room))).not.toMatch(/9988|Kingfisher|true|"x"/)
})

test('without a schema nothing is kept', () => {
  expect(JSON.stringify(redact(undefined, { a: 1 }, room))).not.toContain('1')
  expect(redact(Type.Unknown(), 5, room)).toBeUndefined()
})

test('fields that may be left out are known by the same marks', () => {
  expect(redact(partial(order), { sku: 'CUP', note: 'x' }, room)).toEqual({ sku: 'CUP', note: hiddenText })
})

test('what is one of several records is known by the fields of all of them', () => {
  const either = Type.Union([object({ id: Type.Integer() }), object({ code: choice(['a']) }), Type.Null()])
  expect(redact(either, { code: 'a' }, room)).toEqual({ code: 'a' })
  expect(redact(Type.Intersect([object({ id: Type.Integer() }), order]), { id: 1, sku: 'C' }, room)).toEqual({
    id: 1,
    sku: 'C',
  })
})

test('the room is kept to, and its end is shown', () => {
  const value = { lines: Array.from({ length: 10_000 }, () => ({ sku: 'CUP', engraving: 'Kingfisher' })) }
  const kept = JSON.stringify(redact(order, value, 500))
  expect(kept.length).toBeLessThan(800)
  expect(kept).toContain(cutOff)
})

test('a long text is cut', () => {
  expect(JSON.stringify(redact(order, { sku: 'x'.repeat(100_000) }, room)).length).toBeLessThan(300)
})
