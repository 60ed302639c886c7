import { describe, expect, test } from 'vitest'
import {
  arrayIn,
  bodyOf,
  bodyOrNull,
  type Fields,
  fieldsIn,
  fieldsOf,
  idIn,
  isFields,
  maybeFields,
  maybeText,
  maybeTime,
  numberIn,
  recordsIn,
  textIn,
  timeIn,
  timeOf,
  timeOfUnix,
} from './reading.ts'

const record: Fields = {
  text: 'a',
  empty: '',
  none: null,
  whole: 5,
  part: 1.5,
  inner: { a: 1 },
  list: [{ a: 1 }],
  time: '2026-10-01T08:00:00Z',
}

const no = 'The shop sent something that is no record.'

test('records are what has fields', () => {
  expect([{}, { a: 1 }].map(isFields)).toEqual([true, true])
  expect([null, undefined, [], 'text', 5].map(isFields)).toEqual([false, false, false, false, false])
  expect(fieldsOf(record)).toBe(record)
  for (const value of [null, [], 'text']) expect(() => fieldsOf(value)).toThrow(no)
})

describe('a field is read as what it should be, or refused', () => {
  const reads: [string, () => unknown, unknown][] = [
    ['a record', () => fieldsIn(record, 'inner'), { a: 1 }],
    ['a record that may be missing', () => maybeFields(record, 'inner'), { a: 1 }],
    ['no record', () => maybeFields(record, 'none'), null],
    ['a record that is not there', () => maybeFields(record, 'absent'), null],
    ['a text', () => textIn(record, 'text'), 'a'],
    ['a text that may be missing', () => maybeText(record, 'text'), 'a'],
    ['an empty text', () => maybeText(record, 'empty'), null],
    ['no text', () => maybeText(record, 'none'), null],
    ['a number', () => numberIn(record, 'whole'), 5],
    ['an id that is a number', () => idIn(record, 'whole'), '5'],
    ['an id that is a text', () => idIn(record, 'text'), 'a'],
    ['a list', () => arrayIn(record, 'list'), [{ a: 1 }]],
    ['a list of records', () => recordsIn(record, 'list'), [{ a: 1 }]],
    ['a time', () => timeIn(record, 'time'), '2026-10-01T08:00:00.000000Z'],
    ['a time that may be missing', () => maybeTime(record, 'time'), '2026-10-01T08:00:00.000000Z'],
    ['no time', () => maybeTime(record, 'none'), null],
  ]
  test.each(reads)('%s', (_, read, value) => {
    expect(read()).toEqual(value)
  })

  const refusals: [string, () => unknown, string][] = [
    ['a text for a record', () => fieldsIn(record, 'text'), no],
    ['a text for a record that may be missing', () => maybeFields(record, 'text'), no],
    ['an empty text for one that must be there', () => textIn(record, 'empty'), 'The shop\'s record has no "empty".'],
    ['a number for a text', () => textIn(record, 'whole'), 'The shop\'s record has no "whole".'],
    ['a number for a text that may be missing', () => maybeText(record, 'whole'), 'The shop\'s record has no "whole".'],
    ['a part for a whole number', () => numberIn(record, 'part'), '"part" is no whole number.'],
    ['a text for a whole number', () => numberIn(record, 'text'), '"text" is no whole number.'],
    ['a part for an id', () => idIn(record, 'part'), 'The shop\'s record has no "part".'],
    ['a record for a list', () => arrayIn(record, 'inner'), '"inner" is no list.'],
    ['other things in a list of records', () => recordsIn({ list: ['a'] }, 'list'), no],
    ['a text for a time', () => timeIn(record, 'text'), '"a" is no time.'],
  ]
  test.each(refusals)('%s', (_, read, reason) => {
    expect(read).toThrow(reason)
  })
})

describe('a time', () => {
  test.each([
    ['2026-10-01T08:00:00Z', '2026-10-01T08:00:00.000000Z'],
    ['2026-10-01 08:00:00', '2026-10-01T08:00:00.000000Z'],
    ['2026-10-01T08:00:00.5Z', '2026-10-01T08:00:00.500000Z'],
    ['2026-10-01T08:00:00.123456789Z', '2026-10-01T08:00:00.123456Z'],
    ['2026-10-01T08:00:00+02:00', '2026-10-01T06:00:00.000000Z'],
    ['2026-10-01T08:00:00.25 -0530', '2026-10-01T13:30:00.250000Z'],
  ])('%s', (text, ours) => {
    expect(timeOf(text)).toBe(ours)
  })

  test.each([
    '',
    '2026-10-01',
    'x2026-10-01T08:00:00Z',
    '2026-10-01T08:00:00Zx',
    '2026-10-01T08:00:00+99:99',
    '2026-13-01T08:00:00+01:00',
  ])('"%s" is none', (text) => {
    expect(() => timeOf(text)).toThrow(`"${text}" is no time.`)
  })

  test('in seconds since 1970, or in thousandths of them', () => {
    expect(timeOfUnix(1_790_000_000)).toBe('2026-09-21T14:13:20.000000Z')
    expect(timeOfUnix(1_790_000_000_123, 1000)).toBe('2026-09-21T14:13:20.123000Z')
    expect(() => timeOfUnix(1.5)).toThrow('"1.5" is no time.')
  })
})

describe('an answer', () => {
  const answer = (status: number, body: unknown) => ({ status, headers: {}, body })

  test('has a body', () => {
    expect(bodyOf(answer(200, 'body'))).toBe('body')
    expect(bodyOf(answer(299, 'body'))).toBe('body')
    expect(bodyOrNull(answer(200, 'body'))).toBe('body')
    expect(bodyOrNull(answer(404, 'body'))).toBeNull()
  })

  test.each([
    ['in a list of errors', { errors: ['x', { message: 'First.' }], message: 'Second.' }, 'First.'],
    ['as a message', { errors: [], message: 'Second.', error: 'Third.' }, 'Second.'],
    ['as a word', { errors: 'x', error: 'Third.' }, 'Third.'],
    ['not in words', { message: '' }, 'The shop rejected the request.'],
    ['in something else', { message: { a: 1 } }, 'The shop rejected the request.'],
    ['not at all', null, 'The shop rejected the request.'],
  ])('or a reason: %s', (_, body, reason) => {
    const isRefused = expect.objectContaining({ kind: 'upstream_refused', message: reason })
    expect(() => bodyOf(answer(300, body))).toThrow(isRefused)
    expect(() => bodyOrNull(answer(400, body))).toThrow(reason)
  })
})
