import { describe, expect, test } from 'vitest'
import { type FormSchema, fieldsOf } from './form-fields.ts'

const names = (fields: readonly { name: string }[]) => fields.map(({ name }) => name)

describe('a form shows', () => {
  const schema: FormSchema = {
    required: ['shop_key'],
    properties: {
      shop_key: { type: 'string' },
      page_size: { type: 'integer' },
      statuses: { type: 'array' },
      reported: { type: 'string', 'x-unlisted': true },
      either: { anyOf: [{ type: 'string' }, { type: 'null' }], 'x-required-without': 'other' },
    },
  }

  test('what has to be answered; the rest is folded away, and what no field can hold is not asked for', () => {
    const { inSight, folded } = fieldsOf(schema, { secret: false })
    expect([names(inSight), names(folded)]).toEqual([['shop_key', 'either'], ['page_size']])
  })

  test('all keys where any of them may be the one', () => {
    const { inSight, folded } = fieldsOf({ ...schema, required: [], properties: { a: {}, b: {} } }, { secret: true })
    expect([names(inSight), names(folded)]).toEqual([['a', 'b'], []])
  })

  test('no settings where none has to be answered', () => {
    expect(names(fieldsOf({ properties: { a: {} } }, { secret: false }).inSight)).toEqual([])
  })
})
