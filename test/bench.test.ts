import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { check } from '../bench/check.ts'
import { type Results, readKept, withTables } from '../bench/report.ts'
import { compare, seededRandom } from '../bench/support/compare.ts'
import { between } from '../bench/support/cost.ts'
import { flameGraph } from '../bench/support/flame.ts'

const around = (middle: number, noise: number) =>
  [-1, -0.5, 0, 0.2, 0.5, 1, -0.2].map((each) => middle * (1 + noise * each))
const verdictOf = (before: number[], now: number[], better: 'more' | 'less' = 'more') =>
  compare({ values: before, better }, { values: now, better }, seededRandom(1)).verdict

describe('a run beside the one that is kept', () => {
  test('has lost what is worse beyond noise, and nothing else', () => {
    expect(verdictOf(around(0.8, 0.03), around(0.6, 0.03))).toBe('lost')
    expect(verdictOf(around(0.8, 0.02), around(0.8, 0.02))).toBe('holds')
    expect(verdictOf(around(0.8, 0.02), around(0.78, 0.02))).toBe('holds')
    expect(verdictOf(around(0.8, 0.03), around(1, 0.03))).toBe('gained')
  })

  test('cannot be judged where the rounds lie further apart than what is looked for, or are few', () => {
    expect(verdictOf(around(0.8, 0.4), around(0.7, 0.4))).toBe('cannot tell')
    expect(verdictOf([0.8, 0.8, 0.8, 0.8], around(0.4, 0.01))).toBe('cannot tell')
  })

  test('is judged by what is better, more or less', () => {
    expect(verdictOf(around(1.2, 0.02), around(1.6, 0.02), 'less')).toBe('lost')
    expect(verdictOf(around(1.2, 0.02), around(0.9, 0.02), 'less')).toBe('gained')
  })

  test('is judged the same however often it is looked at', () => {
    const look = () =>
      compare(
        { values: around(0.8, 0.1), better: 'more' },
        { values: around(0.75, 0.1), better: 'more' },
        seededRandom(1),
      )
    expect(look()).toEqual(look())
    const { low, change, high } = look()
    expect([low < change, change < high, change.toFixed(4)]).toEqual([true, true, '0.9375'])
  })

  const resultsOf = (values: number[], arch = 'x64'): Results => ({
    ...{ date: '2026-11-16', commit: 'abc', cores: 2, arch, platform: 'linux', node: '24.0.0' },
    rows: [
      { measured: 'lists', target: '', result: '0.80', rounds: { values, better: 'more' }, pass: true },
      { measured: 'memory', target: '', result: '5 MB', pass: true },
    ],
  })

  test('is told in a sentence for each row that has rounds', () => {
    const kept = resultsOf(around(0.8, 0.02))
    const [lost, ...none] = check(kept, resultsOf(around(0.6, 0.02)))
    expect(none).toEqual([])
    expect(lost?.lost).toBe(true)
    expect(lost?.sentence).toMatch(/^Lost: lists: 0\.80, was 0\.80; −25 %, between −\d+ % and −\d+ % \(95 %\)\.$/)
    const sentences = [undefined, resultsOf(around(0.8, 0.02), 'arm64'), { ...kept, rows: [] }].map(
      (each) => check(each, resultsOf(around(0.2, 0.02)))[0],
    )
    expect(sentences).toEqual([
      { sentence: 'Cannot tell: lists: nothing is kept of it.', lost: false },
      {
        sentence: 'Cannot tell: lists: it was measured on 2 cores, arm64, and this is 2 cores, x64.',
        lost: false,
      },
      { sentence: 'Cannot tell: lists: nothing is kept of it.', lost: false },
    ])
  })
})

test('the tables of the README are those of what is kept', async () => {
  const readme = await readFile(new URL('../bench/README.md', import.meta.url), 'utf8')
  expect(withTables(readme, await readKept())).toBe(readme)
})

test('a flame graph shows each frame as wide as its time, and leaves out idleness', () => {
  const frame = (id: number, functionName: string, url: string, children: number[] = []) => ({
    id,
    callFrame: { functionName, url, lineNumber: 4 },
    children,
  })
  const svg = flameGraph(
    {
      nodes: [
        frame(1, '(root)', '', [2, 3]),
        frame(2, 'listOrders<T>', 'file:///app/src/orders.ts', [4]),
        frame(3, '(idle)', ''),
        frame(4, 'parse', 'file:///app/node_modules/pg/index.js'),
      ],
      samples: [2, 3, 4, 4],
      timeDeltas: [1000, 90_000, 1000, 2000],
    },
    'api',
  )
  expect(svg).toContain('api: 4 ms of processor time')
  expect(svg).toContain('<title>listOrders&lt;T&gt; src/orders.ts:5 100.0 %</title>')
  expect(svg).toContain('<title>parse node_modules/pg/index.js:5 75.0 %</title>')
  expect(svg).toMatch(/width="1050\.0"/)
  expect(svg).not.toContain('idle')
})

test('a cost is that of one record, without what is spent at rest and never less than nothing', () => {
  const before = { at: 0, api: 100, worker: 100, postgres: 100, pages: 1000, wal: 5000 }
  const after = { at: 1000, api: 300, worker: 110, postgres: 100, pages: 3000, wal: 6000 }
  const rest = { api: 0.1, worker: 0.01, postgres: 0.02, pages: 0, wal: 0 }
  expect(between(before, after, { records: 10, rest })).toEqual({
    api: 10,
    worker: 0,
    postgres: 0,
    pages: 200,
    wal: 100,
  })
  expect(between(before, after, { records: 10 })).toMatchObject({ api: 20, worker: 1, postgres: 0 })
})
