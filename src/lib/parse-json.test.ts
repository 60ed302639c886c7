import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seedFor } from '../../test/support/chance.ts'
import { isDeeper, parseForeignJson, scanOutsideStrings } from './parse-json.ts'

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

describe('JSON that is made to keep us busy', () => {
  test('holds as many values as a large page does, and no more', () => {
    const list = (length: number) => `{"items":[${'{},'.repeat(length - 1)}{}]}`
    expect(parseForeignJson(list(190_000), 4)).toMatchObject({ items: { length: 190_000 } })
    for (const text of [list(250_000), `[${'1,'.repeat(400_001)}1]`, `[${'[],'.repeat(210_000)}7]`]) {
      expect(() => parseForeignJson(text, 4)).toThrow('holds more than 400000 values')
    }
  })

  test('is counted by what it holds, not by what stands in its texts', () => {
    const text = JSON.stringify({ note: ',{["\\'.repeat(500_000) })
    expect(parseForeignJson(text, 4)).toEqual({ note: ',{["\\'.repeat(500_000) })
  })

  test('has its long numbers kept among many others, and none in its texts', () => {
    const ids = Array.from(
      { length: 1000 },
      (_, n) => `{"id":90071992547409${n + 1000},"s":"9007199254740993","n":-1.5e3,"f":0.1234567890123456789}`,
    )
    const parsed = parseForeignJson(`[${ids.join(', ')}]`, 4)
    expect(parsed).toMatchObject({ length: 1000 })
    expect(parsed).toHaveProperty('999', {
      id: '900719925474091999',
      s: '9007199254740993',
      n: -1500,
      f: 0.12345678901234568,
    })
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

describe('what stands outside of texts', () => {
  /** Letter by letter, as one would tell it. */
  function outside(text: string): number[] {
    const seen: number[] = []
    let inString = false
    for (let at = 0; at < text.length; at++) {
      if (inString && text[at] === '\\') at++
      else if (text[at] === '"') inString = !inString
      else if (!inString) seen.push(at)
    }
    return seen
  }

  const letters = fc.constantFrom('"', '\\', '\\\\', '\\"', ',', 'x', 'x'.repeat(50), 'y'.repeat(90))
  const text = fc.array(letters, { maxLength: 30 }).map((parts) => parts.join(''))

  test('is found whatever the texts are like, and wherever one has a rest', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 100 }), (given, piece) => {
        const seen: number[] = []
        for (let state = { at: 0, inString: false }; state.at < given.length; ) {
          state = scanOutsideStrings(given, state, state.at + piece, (_, at) => seen.push(at) > 0)
        }
        expect(seen).toEqual(outside(given))
      }),
      { numRuns: 3000, seed: seedFor('outside-strings') },
    )
  })
})
