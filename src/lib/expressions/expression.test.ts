import { describe, expect, test } from 'vitest'
import { asOneRecord, evaluate, readExpression } from './expression.ts'

function select(source: string, record: unknown): unknown {
  const expression = readExpression(source)
  if (typeof expression === 'string') throw new Error(expression)
  return evaluate(expression, record)
}

const order = {
  name: 'Ada Byron Lovelace',
  rows: [
    { sku: 'A', kind: 'goods', price: 2.5, qty: 2 },
    { sku: 'F', kind: 'fee', price: 1, qty: 1 },
  ],
}

test.each([
  ["rows[?kind=='goods'].sku | [0]", 'A'],
  ["split(name, ' ')[-1]", 'Lovelace'],
  ["join(' ', split(name, ' ')[:-1])", 'Ada Byron'],
  ['sum(rows[*].price)', 3.5],
  ['missing.at.all', null],
  ["rows[?kind=='goods'] | [0].price * `2`", 5],
])('%s is selected', (source, result) => {
  expect(select(source, order)).toEqual(result)
})

test.each([
  ['let $x = name in $x', 'let or $'],
  ['rows[?sku == $.name]', 'let or $'],
  ["pad_left(name, `100000000`, ' ')", 'must not call pad_left'],
  ["replace(name, 'a', 'b')", 'must not call replace'],
  ['join(name, rows[*].sku)', 'with a constant'],
  ['constructor.name', 'must not ask for "constructor"'],
  ['"__proto__".x', 'must not ask for "__proto__"'],
  ['rows[', 'is no JMESPath expression'],
  ['eval(`1`)', 'must not call eval'],
  [`a${'.a'.repeat(300)}`, '500 characters'],
  [`${'!'.repeat(60)}a`, 'nested deeper'],
])('%s is refused', (source, why) => {
  expect(readExpression(source)).toEqual(expect.stringContaining(why))
})

describe('what would take long is broken off', () => {
  test('by the steps it takes', () => {
    const doubling = `${'[@,@]|[]|'.repeat(16)}length(@)`
    expect(() => select(doubling, Array(10).fill(1))).toThrow('takes too long')
  })

  test('before it begins where the record is too large or too deep', () => {
    expect(() => select('a', { a: 'x'.repeat(10_000_000) })).toThrow('too large')
    expect(() => select('a', { a: Array.from({ length: 60_000 }, () => 1) })).toThrow('too large')
    let deep: unknown = 1
    for (let n = 0; n < 100_000; n++) deep = [deep]
    expect(() => select('a', { a: deep })).toThrow('nested too deep')
  })

  test('by what is given to those that go through all of it, before they begin', () => {
    const words = Array.from({ length: 15_000 }, (_, n) => `w${n}`)
    expect(select('length(words)', { words })).toBe(15_000)
    for (const source of ['sort(words)', 'to_string([words, words, words])', '[words, words] == [words, words]']) {
      expect(() => select(source, { words })).toThrow('takes too long')
    }
    expect(() => select('[t, t]|[*].upper(@)', { t: 'x'.repeat(400_000) })).toThrow('takes too long')
  })

  test('by what all expressions of one record take together', () => {
    const rows = Array.from({ length: 3000 }, (_, n) => n)
    const ask = () => select('rows[?@ > `1`] | length(@)', { rows })
    for (let n = 0; n < 5; n++) expect(ask()).toBe(2998)
    expect(() => asOneRecord({ rows }, () => Array.from({ length: 5 }, ask))).toThrow('takes too long')
    expect(ask()).toBe(2998)
  })

  test('where a record has more names than anybody looks at', () => {
    const names = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`n${n}`, n]))
    expect(() => asOneRecord({ names }, () => 1)).toThrow('too large')
    expect(asOneRecord({ text: 'x'.repeat(2_000_000) }, () => 1)).toBe(1)
  })

  test('and the next expression is none the worse for it', () => {
    expect(() => select(`${'[@,@]|[]|'.repeat(16)}length(@)`, Array(10).fill(1))).toThrow('takes too long')
    expect(select('length(rows)', order)).toBe(2)
  })
})

test('what does not fit the record says so', () => {
  expect(() => select('sum(name)', order)).toThrow(/"sum\(name\)" does not fit the record/)
})
