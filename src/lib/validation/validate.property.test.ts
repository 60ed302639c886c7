import fc from 'fast-check'
import { type TSchema, Type } from 'typebox'
import { expect, test } from 'vitest'
import { seedFor } from '../../../test/support/chance.ts'
import {
  anything,
  choice,
  flag,
  freeObject,
  id,
  integer,
  list,
  maybe,
  nullable,
  object,
  optional,
  requiredWithout,
  text,
} from './fields.ts'
import { validate } from './validate.ts'

/** Every word of the vocabulary, alone and inside of each other. */
const leaf = fc.constantFrom<TSchema>(
  text(),
  text({ min: 2, max: 5 }),
  text({ trim: false }),
  text({ pattern: '^[a-z ]*$' }),
  text({ format: 'email' }),
  text({ format: 'url' }),
  text({ format: 'https-url' }),
  text({ format: 'uuid' }),
  text({ format: 'timezone' }),
  text({ format: 'date-time' }),
  integer(),
  integer({ minimum: -3, maximum: 3 }),
  Type.Number(),
  id(),
  flag(),
  choice(['a', 'b', '1']),
  freeObject(),
  anything(),
)
const { schema } = fc.letrec<{ schema: TSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    leaf,
    tie('schema').map((inner) => nullable(inner)),
    // Alternatives are something simple or something named; two simple ones could both claim a value.
    fc.tuple(leaf, tie('schema')).map(([simple, a]) => Type.Union([simple, object({ a })])),
    fc.tuple(tie('schema'), fc.boolean()).map(([inner, unique]) => list(inner, { unique, max: 4 })),
    fc
      .tuple(tie('schema'), tie('schema'), tie('schema'))
      .map(([a, b, c]) => object({ a, b: optional(b), c: maybe(c), d: requiredWithout('b', text()) })),
  ),
}))

/** Values near the schemas: the right keys, and texts that look like numbers, flags, dates and addresses. */
const telling = fc.constantFrom<unknown>(
  '',
  ' ',
  ' a ',
  'a',
  '1',
  '0',
  '-0',
  '5.0',
  0,
  1,
  -0,
  2 ** 53,
  1e308,
  true,
  null,
)
const shaped = fc.constantFrom('a@b.co', 'https://a.b', 'Europe/Berlin', '2024-02-29', '2024-02-30T10:00:00Z', '\ud83d')
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    telling,
    shaped,
    fc.jsonValue(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'constructor'), tie('value')),
  ),
}))

test('whatever comes, the answer is a value or at least one message', () => {
  fc.assert(
    fc.property(schema, value, (schema, value) => {
      const checked = validate(object({ x: schema }), { x: value })
      if (checked.ok) return
      const messages = Object.values(checked.errors)
      expect(messages.length).toBeGreaterThan(0)
      for (const list of messages) expect(list.length).toBeGreaterThan(0)
      for (const path of Object.keys(checked.errors)) expect(path).toMatch(/^x(\.(\d+|[abcd]))*$/)
    }),
    { numRuns: 2000, seed: seedFor('validate') },
  )
})

test('what was accepted once is accepted again, unchanged', () => {
  fc.assert(
    fc.property(schema, value, (schema, value) => {
      const body = object({ x: schema })
      const first = validate(body, { x: value })
      fc.pre(first.ok)
      expect(validate(body, first.ok && first.value)).toEqual(first)
    }),
    { numRuns: 2000, maxSkipsPerRun: 1000, seed: seedFor('validate 2') },
  )
})

test('the input is never changed', () => {
  fc.assert(
    fc.property(schema, value, (schema, value) => {
      const input = { x: value }
      const before = structuredClone(input)
      validate(object({ x: schema }), input)
      expect(input).toEqual(before)
    }),
    { seed: seedFor('validate 3') },
  )
})
