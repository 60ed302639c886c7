import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { drawLots, seedFor } from './support/chance.ts'
import { testSources } from './support/test-sources.ts'

const sources = testSources(import.meta.filename)

test('the same seed draws the same lots, another name others', () => {
  const draw = (name: string) => {
    const lots = drawLots(name)
    return [lots.below(1000), lots.pick(['a', 'b', 'c']), lots.bytes(8).toString('hex'), lots.shuffled([1, 2, 3, 4, 5])]
  }
  expect(draw('one')).toEqual(draw('one'))
  expect(draw('one')).not.toEqual(draw('two'))
  expect(seedFor('one')).not.toBe(seedFor('two'))
})

test('lots fall everywhere, and never outside', () => {
  const lots = drawLots('spread')
  const counts = Array.from({ length: 10 }, () => 0)
  for (let n = 0; n < 10_000; n++) {
    const drawn = lots.below(10)
    counts[drawn] = (counts[drawn] ?? 0) + 1
  }
  expect(counts.reduce((sum, each) => sum + each)).toBe(10_000)
  for (const count of counts) expect(count).toBeGreaterThan(800)
  expect(lots.shuffled([1, 2, 3]).sort()).toEqual([1, 2, 3])
  expect(() => lots.pick([])).toThrow('nothing to choose from')
})

test('nothing is drawn that could not be drawn again', () => {
  const unseeded = sources.filter((path) => {
    const text = readFileSync(path, 'utf8')
    const properties = text.match(/\bfc\.(?:assert|check|sample)\(/g) ?? []
    const seeds = text.match(/\bseed(?:For\(|: )/g) ?? []
    return text.includes('Math.random') || seeds.length < properties.length
  })
  expect(unseeded).toEqual([])
})
