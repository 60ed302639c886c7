import { expect, test } from 'vitest'
import { namesIn, reasonOf, speaker, textOf } from './wording.ts'

const say = speaker({
  plain: 'Nothing is left.',
  outer: 'It failed: {reason}',
  counted: '{read} read[, {inserted} new][, {updated} changed].',
  several: '{all} That is all.',
  part: 'unknown: {word}',
})

test('a sentence keeps what it follows from', () => {
  expect(say('counted', { read: 12, inserted: 0, updated: 3 })).toEqual({
    code: 'counted',
    parameters: { read: 12, inserted: 0, updated: 3 },
    text: '12 read, 3 changed.',
  })
})

test('a sentence inside another keeps its code, and is stored without the English text', () => {
  const said = say('outer', { reason: say('plain') })
  expect(said.text).toBe('It failed: Nothing is left.')
  expect(reasonOf(said)).toEqual({ code: 'outer', parameters: { reason: { code: 'plain', parameters: {} } } })
})

test('what a shop has said stays as it is, whatever it looks like', () => {
  expect(say('outer', { reason: 'No {reason} [here]' }).text).toBe('It failed: No {reason} [here]')
})

test('several stand one after the other, parts of a sentence with a mark between', () => {
  expect(say('several', { all: [say('plain'), say('plain')] }).text).toBe(
    'Nothing is left. Nothing is left. That is all.',
  )
  expect(textOf([say('part', { word: 'a' }), say('part', { word: 'b' })])).toBe('unknown: a; unknown: b')
})

test('figures are as the catalogue has them', () => {
  const loud = speaker({ counted: '{n} orders.' }, (n) => n.toLocaleString('en'))
  expect([loud('counted', { n: 12_345 }).text, say('part', { word: 12_345 }).text]).toEqual([
    '12,345 orders.',
    'unknown: 12345',
  ])
})

test('the parameters of a sentence are known', () => {
  expect(namesIn('{read} read[, {inserted} new].')).toEqual(['read', 'inserted'])
})
