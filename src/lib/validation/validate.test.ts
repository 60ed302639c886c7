import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { invalid } from '../fault.ts'
import {
  anything,
  choice,
  flag,
  freeObject,
  id,
  integer,
  list,
  maybe,
  nameText,
  nullable,
  object,
  optional,
  partial,
  requiredWithout,
  text,
} from './fields.ts'
import { validate } from './validate.ts'

/** The errors of one field `x`, given this value. */
function errorsOf(schema: Parameters<typeof validate>[0], value: unknown): unknown {
  const checked = validate(object({ x: schema }), { x: value })
  return checked.ok ? null : checked.errors
}

const only = (message: string) => ({ x: [message] })

describe('the texts', () => {
  const texts: [name: string, Parameters<typeof validate>[0], value: unknown, message: string][] = [
    ['required, null', text(), null, 'The x field is required.'],
    ['required, empty text', text(), '', 'The x field is required.'],
    ['required, only spaces', text(), ' \t\n', 'The x field is required.'],
    ['required, empty list', list(text()), [], 'The x field is required.'],
    ['string, number', text(), 5, 'The x field must be a string.'],
    ['string, list', text(), ['a'], 'The x field must be a string.'],
    ['string, null where it may be absent', optional(text()), null, 'The x field must be a string.'],
    ['string, empty text where it may be absent', optional(text()), '', 'The x field must be a string.'],
    ['integer, word', integer(), 'five', 'The x field must be an integer.'],
    ['integer, fraction', integer(), 1.5, 'The x field must be an integer.'],
    ['integer, fraction as text', integer(), '5.0', 'The x field must be an integer.'],
    ['integer, beyond what a number holds', integer(), 2 ** 53, 'The x field must be an integer.'],
    ['integer, infinite', integer(), Number.POSITIVE_INFINITY, 'The x field must be an integer.'],
    ['integer, true', integer(), true, 'The x field must be an integer.'],
    ['number, word', Type.Number(), 'much', 'The x field must be a number.'],
    ['number, infinite', Type.Number(), Number.POSITIVE_INFINITY, 'The x field must be a number.'],
    ['boolean, word', flag(), 'yes', 'The x field must be true or false.'],
    ['boolean, "true"', flag(), 'true', 'The x field must be true or false.'],
    ['boolean, 2', flag(), 2, 'The x field must be true or false.'],
    ['array, text', list(text()), 'a', 'The x field must be an array.'],
    ['array, object', list(text()), { 0: 'a' }, 'The x field must be an array.'],
    ['array for an object, text', freeObject(), 'a', 'The x field must be an array.'],
    ['array for an object, list', freeObject(), [1], 'The x field must be an array.'],
    ['email', text({ format: 'email' }), 'nobody', 'The x field must be a valid email address.'],
    ['url', text({ format: 'url' }), 'example.com', 'The x field must be a valid URL.'],
    ['https only', text({ format: 'https-url' }), 'http://example.com', 'The x field must be a valid URL.'],
    ['uuid', text({ format: 'uuid' }), '123', 'The x field must be a valid UUID.'],
    ['timezone', text({ format: 'timezone' }), 'Mars/Olympus', 'The x field must be a valid timezone.'],
    ['date', text({ format: 'date-time' }), 'soon', 'The x field must be a valid date.'],
    ['max of text', text({ max: 3 }), 'abcd', 'The x field must not be greater than 3 characters.'],
    ['max of text by default', text(), 'a'.repeat(256), 'The x field must not be greater than 255 characters.'],
    ['max of number', integer({ maximum: 5 }), 6, 'The x field must not be greater than 5.'],
    ['max of list', list(text(), { max: 1 }), ['a', 'b'], 'The x field must not have more than 1 items.'],
    ['min of text', text({ min: 8 }), 'short', 'The x field must be at least 8 characters.'],
    ['min of text, emoji count once', text({ min: 8 }), '😀'.repeat(7), 'The x field must be at least 8 characters.'],
    ['min of number', integer({ minimum: 1 }), 0, 'The x field must be at least 1.'],
    ['min of an id', id(), 0, 'The x field must be at least 1.'],
    ['min of list', optional(list(text(), { min: 2 })), ['a'], 'The x field must have at least 2 items.'],
    ['in', choice(['a', 'b']), 'c', 'The selected x is invalid.'],
    ['in, null where it may be absent', optional(choice(['a'])), null, 'The selected x is invalid.'],
    ['in, list', choice(['a']), ['a'], 'The selected x is invalid.'],
    ['regex', text({ pattern: '^[a-z]+$' }), 'A', 'The x field format is invalid.'],
    ['regex', text({ pattern: '^[a-z]+$', must: 'be small' }), 'A', 'The x field must be small.'],
    [
      'settings too large',
      freeObject(),
      { a: 'b'.repeat(65_536) },
      'The x field must not be greater than 64 kilobytes.',
    ],
    ['anything too large', anything(), 'b'.repeat(65_536), 'The x field must not be greater than 64 kilobytes.'],
    ['alternatives, neither', Type.Union([id(), object({ id: id() })]), 'a', 'The x field must be an integer.'],
    ['alternatives, null', Type.Union([id(), text()]), null, 'The x field is required.'],
  ]
  test.each(texts)('%s', (_name, schema, value, message) => {
    expect(errorsOf(schema, value)).toEqual(only(message))
  })

  test('a missing field', () => {
    expect(validate(object({ name: text() }), {})).toMatchObject({
      ok: false,
      errors: { name: ['The name field is required.'] },
    })
  })

  test('no body at all', () => {
    expect(validate(object({ name: text() }), undefined)).toMatchObject({ ok: false })
    expect(validate(object({ name: text() }), null)).toMatchObject({ ok: false })
  })

  test('a duplicate is reported at every place where it stands', () => {
    expect(errorsOf(list(text(), { unique: true }), ['a', 'b', 'a '])).toEqual({
      'x.0': ['The x.0 field has a duplicate value.'],
      'x.2': ['The x.2 field has a duplicate value.'],
    })
    expect(errorsOf(list(id(), { unique: true }), [1, '1', 2])).toEqual({
      'x.0': ['The x.0 field has a duplicate value.'],
      'x.1': ['The x.1 field has a duplicate value.'],
    })
  })

  test('one field may break several rules', () => {
    expect(errorsOf(text({ min: 3, pattern: '^[a-z]+$', format: 'email' }), 'A')).toEqual({
      x: [
        'The x field must be a valid email address.',
        'The x field format is invalid.',
        'The x field must be at least 3 characters.',
      ],
    })
  })

  test('a list that is too long is not looked into', () => {
    expect(errorsOf(list(id(), { max: 2 }), ['a', 'b', 'c'])).toEqual(
      only('The x field must not have more than 2 items.'),
    )
  })

  describe('required without another', () => {
    const schema = object({ remote_id: requiredWithout('account_id', text()), account_id: maybe(id()) })
    const message = 'The remote id field is required when account id is not present.'
    test.each([[{}], [{ remote_id: null }], [{ remote_id: '', account_id: '' }], [{ account_id: null }]])(
      'neither: %j',
      (input) => {
        expect(validate(schema, input)).toMatchObject({ ok: false, errors: { remote_id: [message] } })
      },
    )
    test.each([[{ remote_id: 'a' }], [{ account_id: 1 }], [{ remote_id: 'a', account_id: 1 }]])(
      'one or both: %j',
      (input) => expect(validate(schema, input)).toEqual({ ok: true, value: input }),
    )
  })
})

describe('names', () => {
  const first = (schema: Parameters<typeof validate>[0], input: unknown) => {
    const checked = validate(schema, input)
    return checked.ok ? null : Object.entries(checked.errors)[0]
  }

  test('underscores and humps become spaces', () => {
    expect(first(object({ service_id: id() }), {})).toEqual(['service_id', ['The service id field is required.']])
    expect(first(object({ integrationKey: text() }), {})?.[1]).toEqual(['The integration key field is required.'])
    expect(first(object({ order_status: choice(['a']) }), { order_status: 'b' })?.[1]).toEqual([
      'The selected order status is invalid.',
    ])
  })

  test('of nested fields are dotted', () => {
    const schema = object({ billing_address: object({ postal_code: text() }) })
    expect(first(schema, { billing_address: {} })).toEqual([
      'billing_address.postal_code',
      ['The billing address.postal code field is required.'],
    ])
  })

  test('below a list stay as they are', () => {
    expect(first(object({ scopes: list(text()) }), { scopes: ['a', 1] })).toEqual([
      'scopes.1',
      ['The scopes.1 field must be a string.'],
    ])
    const schema = object({ order_items: list(object({ unit_price: object({ net_amount: id() }) })) })
    expect(first(schema, { order_items: [{ unit_price: { net_amount: 1 } }, { unit_price: {} }] })).toEqual([
      'order_items.1.unit_price.net_amount',
      ['The order_items.1.unit_price.net_amount field is required.'],
    ])
    expect(first(object({ ids: list(choice(['a'])) }), { ids: ['b'] })?.[1]).toEqual(['The selected ids.0 is invalid.'])
  })
})

describe('the headline', () => {
  const headline = (input: unknown) => {
    const checked = validate(object({ name: text(), shop: text(), type: text({ min: 2, pattern: '^[a-z]+$' }) }), input)
    return checked.ok ? null : invalid(checked.errors).message
  }
  test('of one error is its message', () => {
    expect(headline({ shop: 'a', type: 'ab' })).toBe('The name field is required.')
  })
  test('of two', () => {
    expect(headline({ type: 'ab' })).toBe('The name field is required. (and 1 more error)')
  })
  test('counts messages, not fields', () => {
    expect(headline({ type: 'A' })).toBe('The name field is required. (and 3 more errors)')
  })
  test('fields come in the order of the rules, whatever the order of the body', () => {
    expect(headline({ type: 5, shop: 5, name: 5 })).toBe('The name field must be a string. (and 2 more errors)')
  })
})

describe('what is accepted', () => {
  const accepted = (schema: Parameters<typeof validate>[0], value: unknown) => {
    const checked = validate(object({ x: schema }), { x: value })
    return checked.ok ? checked.value : checked.errors
  }
  const values: [name: string, Parameters<typeof validate>[0], given: unknown, kept: unknown][] = [
    ['text is trimmed', text(), ' a b \n', 'a b'],
    ['a password keeps its spaces', text({ trim: false }), ' a ', ' a '],
    ['a password that may be null keeps them too', maybe(text({ trim: false })), ' a ', ' a '],
    ['text as long as allowed, in characters', text({ max: 2 }), '😀😀', '😀😀'],
    ['"" is null where null may be', nullable(text()), '', null],
    ['spaces are null where null may be', maybe(text()), '  ', null],
    ['null where it may be', maybe(id()), null, null],
    ['"5" is 5', integer(), '5', 5],
    ['" 5 " is 5', integer(), ' 5 ', 5],
    ['"-5" is -5', integer(), '-5', -5],
    ['-0 is 0', integer(), -0, 0],
    ['"1.5" is 1.5 for a number', Type.Number(), '1.5', 1.5],
    ['1 is true', flag(), 1, true],
    ['"1" is true', flag(), '1', true],
    ['0 is false', flag(), 0, false],
    ['"0" is false', flag(), '0', false],
    ['a number may choose', choice(['1', '2']), 1, '1'],
    ['a choice is trimmed', choice(['a']), ' a', 'a'],
    ['texts in a list are trimmed', list(text()), [' a', 'b '], ['a', 'b']],
    ['an empty list for an optional list', optional(list(text())), [], []],
    ['[] for an object is {}', optional(freeObject()), [], {}],
    ['settings stay as they are', freeObject(), { a: ' b ', c: '', d: [null] }, { a: ' b ', c: '', d: [null] }],
    ['the first alternative that fits', Type.Union([id(), object({ id: id() })]), '7', 7],
    ['the second', Type.Union([id(), object({ id: id() })]), { id: '7', more: 1 }, { id: 7 }],
  ]
  test.each(values)('%s', (_name, schema, given, kept) => {
    expect(accepted(schema, given)).toEqual({ x: kept })
  })

  test('an absent optional field stays absent', () => {
    expect(validate(object({ a: optional(text()), b: maybe(text()) }), {})).toEqual({ ok: true, value: {} })
  })

  test('an update requires nothing, and takes no null where creation takes none', () => {
    const update = partial(object({ name: text(), note: maybe(text()) }))
    expect(validate(update, {})).toEqual({ ok: true, value: {} })
    expect(validate(update, { note: null })).toEqual({ ok: true, value: { note: null } })
    expect(validate(update, { name: null })).toMatchObject({ ok: false })
  })

  test('unknown keys are dropped, at every depth, also those with a meaning of their own', () => {
    const schema = object({ a: object({ b: text() }), c: optional(list(object({ d: text() }))) })
    const input = JSON.parse(
      '{"id":1,"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"a":{"b":"x","__proto__":{"admin":true}},"c":[{"d":"y","e":1}]}',
    )
    const checked = validate(schema, input)
    expect(checked).toEqual({ ok: true, value: { a: { b: 'x' }, c: [{ d: 'y' }] } })
    expect(checked.ok && Object.keys(checked.value)).toEqual(['a', 'c'])
    expect(Reflect.get({}, 'admin')).toBeUndefined()
  })

  test('a field that every object inherits is still missing', () => {
    expect(validate(object({ toString: text() }), {})).toMatchObject({ ok: false })
  })
})

test.each(['\u202e', '\u2066', '\u202a'])('a name does not turn the direction of writing (%j)', (control) => {
  const schema = object({ name: nameText(), email: text({ format: 'email' }) })
  expect(validate(schema, { name: `Ada${control}Lovelace`, email: `ada${control}@example.com` })).toMatchObject({
    ok: false,
    errors: {
      name: ['The name field must not contain characters that turn the direction of writing.'],
      email: ['The email field must be a valid email address.'],
    },
  })
  expect(validate(schema, { name: 'עדה', email: 'ada@example.com' }).ok).toBe(true)
})
