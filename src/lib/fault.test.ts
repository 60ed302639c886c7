import { describe, expect, test } from 'vitest'
import {
  Fault,
  forbidden,
  invalid,
  invalidField,
  malformed,
  notFound,
  tooLarge,
  tooMany,
  unauthenticated,
  unavailable,
} from './fault.ts'
import { recordId } from './record-id.ts'
import { isOlderVersion } from './remote-version.ts'

describe('a fault', () => {
  test('says what it is, and carries what belongs to it', () => {
    const cause = new Error('why')
    const oauth = { status: 400, error: 'invalid_scope' } as const
    const fault = new Fault('oauth', 'No.', { cause, oauth, retryAfterSeconds: 3, errors: { a: ['b'] } })
    expect(fault).toMatchObject({
      name: 'Fault',
      kind: 'oauth',
      message: 'No.',
      cause,
      oauth,
      retryAfterSeconds: 3,
      errors: { a: ['b'] },
    })
    expect(fault).toBeInstanceOf(Error)
    const bare = new Fault('conflict', 'No.')
    expect([bare.errors, bare.oauth, bare.retryAfterSeconds, bare.cause]).toEqual(Array(4).fill(undefined))
  })

  test.each([
    [unauthenticated(), 'unauthenticated', 'Unauthenticated.'],
    [forbidden(), 'forbidden', 'This action is unauthorized.'],
    [notFound(), 'not_found', 'Not found.'],
    [malformed('Odd.'), 'malformed', 'Odd.'],
    [tooLarge(), 'too_large', 'The POST data is too large.'],
    [tooMany(3), 'too_many', 'Too Many Requests'],
    [unavailable(), 'unavailable', 'Service Unavailable'],
  ])('%o', (fault, kind, message) => {
    expect([fault.kind, fault.message]).toEqual([kind, message])
  })

  test('says how long to wait in whole seconds, one at least', () => {
    expect([tooMany(0), tooMany(0.2), tooMany(2.1), tooMany(-9)].map((fault) => fault.retryAfterSeconds)).toEqual([
      1, 1, 3, 1,
    ])
    const cause = new Error('why')
    expect([
      unavailable().retryAfterSeconds,
      unavailable(7, cause).retryAfterSeconds,
      unavailable(7, cause).cause,
    ]).toEqual([1, 7, cause])
  })

  test('names the first of several wrong fields, and how many more there are', () => {
    expect(invalid({ a: ['One.'] })).toMatchObject({ kind: 'invalid', message: 'One.', errors: { a: ['One.'] } })
    expect(invalid({ a: ['One.'], b: ['Two.'] }).message).toBe('One. (and 1 more error)')
    expect(invalid({ a: ['One.', 'Two.'], b: ['Three.'] }).message).toBe('One. (and 2 more errors)')
    expect(invalid({}).message).toBe('The given data was invalid.')
    expect(invalidField('a', 'One.').errors).toEqual({ a: ['One.'] })
  })
})

describe('the id of a record', () => {
  test.each(['1', '42', '9007199254740991'])('%s is one', (text) => {
    expect(recordId(text)).toBe(Number(text))
  })

  test.each(['', '0', '01', '-1', '1.5', '1e3', ' 1', '1 ', 'x1', '1x', '9007199254740993', '99999999999999999'])(
    '%j cannot be one, so that there is none',
    (text) => {
      expect(() => recordId(text)).toThrow(expect.objectContaining({ kind: 'not_found' }))
    },
  )
})

test('what has come is older where both have a version and its own is the smaller', () => {
  expect([isOlderVersion('1', '2'), isOlderVersion('2', '2'), isOlderVersion('3', '2')]).toEqual([true, false, false])
  expect([isOlderVersion(null, '2'), isOlderVersion('1', null), isOlderVersion(null, null)]).toEqual([
    false,
    false,
    false,
  ])
})
