import { describe, expect, test } from 'vitest'
import { isDeeper, parseForeignJson } from './parse-json.ts'

const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth)
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

describe('JSON of somebody else', () => {
  test('is what it says', () => {
    expect(parseForeignJson('{"a":[1,-2.5,"x",null,true]}', 3)).toEqual({ a: [1, -2.5, 'x', null, true] })
    expect(parseForeignJson('7', 1)).toBe(7)
    expect(() => parseForeignJson('{"a":', 3)).toThrow(SyntaxError)
  })

  test('is nested so deep and no deeper, in whatever way', () => {
    for (const text of [nested(4), objects(4), '[{"a":[{}]}]', nested(3)])
      expect(() => parseForeignJson(text, 4)).not.toThrow()
    for (const text of [nested(5), objects(5), '[{"a":[{"b":{}}]}]', nested(100_000), objects(5000)]) {
      expect(() => parseForeignJson(text, 4)).toThrow('nested deeper than 4')
    }
    expect(() => parseForeignJson('[1]', 0)).toThrow('nested deeper than 0')
    expect(parseForeignJson('"[[[[[["', 1)).toBe('[[[[[[')
  })

  test('does not reach into prototypes', () => {
    const parsed = parseForeignJson('{"__proto__":{"a":1},"b":{"constructor":{"prototype":{"c":1}}},"d":2}', 9)
    expect(parsed).toEqual({ b: {}, d: 2 })
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
  })

  test.each([
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['12345678901234567890', '12345678901234567890'],
    ['9007199254740991', 9007199254740991],
    ['1e300', 1e300],
    ['1234567890123456.5', 1234567890123456.5],
    ['"9007199254740993"', '9007199254740993'],
  ])('keeps every digit of a whole number: %s', (text, value) => {
    for (const [whole, expected] of [
      [`{"id":${text}}`, { id: value }],
      [`{"id": ${text}}`, { id: value }],
      [`[1,${text}]`, [1, value]],
      [`[${text}]`, [value]],
    ] as const) {
      expect(parseForeignJson(whole, 3)).toEqual(expected)
    }
  })
})

describe('how deep a text goes', () => {
  test.each([
    ['{}', 1, false],
    ['{}', 0, true],
    ['[{"a":[]}]', 3, false],
    ['[{"a":[]}]', 2, true],
    ['"[[["', 0, false],
    ['"\\"[[["', 0, false],
    ['["\\\\",[]]', 2, false],
    ['["\\\\",[]]', 1, true],
    ['[][][]', 1, false],
    ['{}{}', 1, false],
  ])('%s goes deeper than %i: %s', (text, limit, deeper) => {
    expect(isDeeper(text, limit)).toBe(deeper)
  })
})
