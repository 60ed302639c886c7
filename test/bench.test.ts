import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { check } from '../bench/check.ts'
import { amountFor } from '../bench/peers/closed-loop.ts'
import { copies, moveSequences } from '../bench/peers/copies.ts'
import { installedVersion } from '../bench/peers/installed.ts'
import { peerRow } from '../bench/peers/row.ts'
import { type Results, readKept, withTables } from '../bench/report.ts'
import { compare, seededRandom } from '../bench/support/compare.ts'
import { between } from '../bench/support/cost.ts'
import { flameGraph } from '../bench/support/flame.ts'
import { createTestDatabase } from './support/database.ts'

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

describe('beside a peer', () => {
  test('a round is as many requests as take its time, the same number on each connection', () => {
    const of = { seconds: 3, connections: 32 }
    expect([1000, 1010, 7, 0.5].map((perSecond) => amountFor(perSecond, of))).toEqual([3008, 3040, 64, 64])
  })

  test('the row says how many times as much we do, round by round', () => {
    const pace = (perSecond: number, p50: number) => ({ perSecond, p50 })
    const turns = {
      ours: [pace(1000, 20), pace(1200, 18), pace(1100, 19)],
      theirs: [pace(100, 300), pace(60, 500), pace(50, 600)],
      ratios: [10, 20, 22],
    }
    const way = { work: 'list', by: 'session', target: 8 } as const
    const row = peerRow({ peer: 'Vendure', version: '3.7.3', way, turns })
    expect(row).toEqual({
      measured: 'Vendure 3.7.3, a page of a list with its exact total (session): how many times as fast we are',
      ...{ target: '≥ 8', result: '20.0', spread: '10.0–22.0', rounds: { values: [10, 20, 22], better: 'more' } },
      absolute: '1,100/s against 60.0/s; half within 19 ms against 500 ms',
      pass: true,
    })
    const tight = peerRow({ peer: 'Vendure', version: '3.7.3', way: { ...way, target: 21 }, turns })
    const without = peerRow({ peer: 'Vendure', version: '3.7.3', way: { work: 'read' }, turns })
    expect([tight.pass, without.pass, without.target]).toEqual([false, null, ''])
  })

  test('one that is not installed as it is pinned is left out, with the word that installs it', async () => {
    const place = await mkdtemp(join(tmpdir(), 'entrepot-peer-'))
    const look = () => installedVersion({ name: 'Thing', folder: 'thing', packageName: '@some/thing' }, place)
    const install = async (version: string) => {
      await mkdir(join(place, 'node_modules/@some/thing'), { recursive: true })
      await writeFile(join(place, 'node_modules/@some/thing/package.json'), JSON.stringify({ version }))
    }
    try {
      await writeFile(join(place, 'package.json'), JSON.stringify({ dependencies: { '@some/thing': '2.0.1' } }))
      const word = '(npm install --ignore-scripts --no-package-lock --prefix bench/peers/thing)'
      expect(await look()).toEqual({ missing: `not measured: Thing is not installed ${word}` })
      await install('2.0.0')
      const other = 'is installed as 2.0.0, and 2.0.1 is pinned'
      expect(await look()).toEqual({ missing: `not measured: Thing ${other} ${word}` })
      await install('2.0.1')
      expect(await look()).toEqual({ version: '2.0.1' })
    } finally {
      await rm(place, { recursive: true })
    }
  })

  test('its orders are copies of one, each with an id of its own, and ids go on after them', async () => {
    const database = await createTestDatabase()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    try {
      await client.query(
        `create table "Sale" (id serial primary key, "lineOf" int, made timestamptz default now(), parts jsonb, price numeric(14, 2))`,
      )
      await client.query(`insert into "Sale" ("lineOf", parts, price) values (7, '{"a": [1]}', 33.20), (8, '{}', 1)`)
      await client.query(copies('Sale', '"lineOf" = 7', { id: 't.id * 100 + n', lineOf: 't."lineOf" * 100 + n' }), [2])
      await moveSequences(client)
      const { rows } = await client.query(
        `insert into "Sale" ("lineOf") values (9) returning (select json_agg(json_build_array(id, "lineOf", parts, price) order by id) from "Sale") as held, id`,
      )
      const like = [{ a: [1] }, 33.2]
      expect(rows[0].held).toEqual([
        [1, 7, ...like],
        [2, 8, {}, 1],
        [101, 701, ...like],
        [102, 702, ...like],
      ])
      expect(rows[0].id).toBeGreaterThan(102)
    } finally {
      await client.end()
      await database.drop()
    }
  })
})
