import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyJson } from '../../../test/support/any-json.ts'
import { seedFor } from '../../../test/support/chance.ts'
import { parseForeignJson } from '../parse-json.ts'
import { parseInPieces } from './parse-in-pieces.ts'

const maxDepth = 20
const outcomeOf = async (read: () => unknown) => {
  try {
    return { value: await read() }
  } catch (error) {
    return { failed: error instanceof SyntaxError }
  }
}

const value = fc.oneof(
  anyJson(5),
  fc.array(fc.record({ id: fc.integer(), note: fc.string({ unit: 'grapheme' }) }), { maxLength: 40 }),
  fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor', 'prototype', 'with "quotes"', '\\x'), anyJson(3)),
)
const indent = fc.constantFrom(undefined, 1, '\t')
const length = fc.integer({ min: 1, max: 60 })

describe('large JSON, parsed in pieces', () => {
  test('is what it is when it is parsed at once, wherever it is taken apart', async () => {
    await fc.assert(
      fc.asyncProperty(value, indent, length, async (given, space, size) => {
        const text = JSON.stringify(given, null, space)
        expect(await parseInPieces(text, maxDepth, size)).toEqual(parseForeignJson(text, maxDepth))
      }),
      { numRuns: 400, seed: seedFor('parse-in-pieces') },
    )
  })

  test('is refused when it would be refused at once', async () => {
    const mark = fc.constantFrom(',', '{', '}', '[', ']', '"', ':', '\\', ' ', '1', '12345678901234567890', 'null')
    await fc.assert(
      fc.asyncProperty(value, fc.nat(), fc.nat({ max: 3 }), mark, length, async (given, where, cut, added, size) => {
        const whole = JSON.stringify(given)
        const at = where % (whole.length + 1)
        const text = whole.slice(0, at) + added + whole.slice(at + cut)
        const atOnce = await outcomeOf(() => parseForeignJson(text, maxDepth))
        expect(await outcomeOf(() => parseInPieces(text, maxDepth, size))).toEqual(atOnce)
      }),
      { numRuns: 1500, seed: seedFor('parse-in-pieces 2') },
    )
  })

  test('may have texts of megabytes anywhere: as values, in lists, at the end, with names of their own', async () => {
    const long = `${'x'.repeat(300_000)}"\\${'12345678901234567890,{"a":1}'.repeat(10_000)}`
    for (const given of [
      { data: [{ id: 1, text: long, rows: [] }] },
      { text: long },
      [long, long],
      [1, [long], { [long]: long, '': long }],
      { a: 1, __proto__x: long, b: { c: long, d: 2 }, e: [] },
      long,
    ]) {
      for (const space of [undefined, 1]) {
        const text = JSON.stringify(given, null, space)
        expect(await parseInPieces(text, maxDepth)).toEqual(JSON.parse(text))
        expect(await parseInPieces(` ${text} `, maxDepth)).toEqual(JSON.parse(text))
      }
    }
    for (const wrong of [
      '["X"1]',
      '["X" "X"]',
      '{"X"}',
      '{"X":}',
      '{"a" "X"}',
      '[1 "X"]',
      '["X":1]',
      '["X\n"]',
      '["X",]',
    ]) {
      const text = wrong.replaceAll('X', 'y'.repeat(200_000))
      await expect(parseInPieces(text, maxDepth)).rejects.toThrow(SyntaxError)
    }
  })

  test('is refused where a long number stands for a name', async () => {
    const text = '{12345678901234567890:{"":false}}'
    expect(() => parseForeignJson(text, maxDepth)).toThrow(SyntaxError)
    await expect(parseInPieces(text, maxDepth, 1)).rejects.toThrow(SyntaxError)
  })

  test('has its bounds of depth and of values', async () => {
    const crowd = `{"items":[${'{},'.repeat(300_000)}{}]}`
    await expect(parseInPieces(crowd, 4)).rejects.toThrow('holds more than 400000 values')
    await expect(parseInPieces('['.repeat(300_000), 64)).rejects.toThrow('nested deeper than 64')
    await expect(parseInPieces(`${'{"a":'.repeat(70)}1${'}'.repeat(70)}`, 64, 9)).rejects.toThrow(
      'nested deeper than 64',
    )
  })

  test('lets others have their turn', async () => {
    const text = JSON.stringify(Array.from({ length: 40_000 }, (_, id) => ({ id, note: 'x'.repeat(100), lines: [id] })))
    let turns = 0
    let parsing = true
    const others = () => {
      turns++
      if (parsing) setImmediate(others)
    }
    setImmediate(others)
    await parseInPieces(text, 8)
    parsing = false
    expect(turns).toBeGreaterThan(1)
  })

  test('keeps every digit of long numbers, and reaches into no prototypes', async () => {
    const text =
      '{"a":[{"id":12345678901234567890},{"id":2}],"__proto__":{"b":[1,2,3,4,5,6,7]},"constructor":{"prototype":{"c":1}}}'
    const parsed = await parseInPieces(text, 8, 5)
    expect(parsed).toEqual({ a: [{ id: '12345678901234567890' }, { id: 2 }] })
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
  })
})

test('a record of very many names is refused while it is read', async () => {
  const names = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`name_${n}`, n])))
  expect(Object.keys(Object(await parseInPieces(names(15_000), 10)))).toHaveLength(15_000)
  await expect(parseInPieces(names(30_000), 10)).rejects.toThrow('more than 20000 names')
})
