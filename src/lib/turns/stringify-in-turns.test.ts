import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seedFor } from '../../../test/support/chance.ts'
import { stringifyInTurns } from './stringify-in-turns.ts'

test('says what JSON.stringify says, of whatever can be said', async () => {
  const leaf = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(undefined, () => 1, Symbol('s'), Number.NaN, new Date(0), Buffer.from('a'), Object.create(null)),
  )
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 6 },
      leaf,
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie('tree'), { maxKeys: 4 }),
    ),
  }))
  await fc.assert(
    fc.asyncProperty(tree, async (value) => {
      expect(await stringifyInTurns(value)).toBe(JSON.stringify(value) ?? 'null')
    }),
    { seed: seedFor('stringify-in-turns') },
  )
})

test('a long list is written in turns with others', async () => {
  const record = { note: 'x'.repeat(20_000) }
  let turns = 0
  const others = setInterval(() => turns++, 0)
  const text = await stringifyInTurns({ data: Array.from({ length: 5_000 }, () => record) })
  clearInterval(others)
  expect(text.length).toBeGreaterThan(100_000_000)
  expect(turns).toBeGreaterThan(3)
})
