import { expect, test } from 'vitest'
import { UnboundedJson } from '../parse-json.ts'
import { watchJson } from './watch-json.ts'

/** After how many bytes it has seen enough; null if it has nothing against any of it. */
function refusedAfter(text: string, pieceLength: number): number | null {
  const look = watchJson(64)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += pieceLength) {
    try {
      look(bytes.subarray(at, at + pieceLength))
    } catch (error) {
      expect(error).toBeInstanceOf(UnboundedJson)
      return at + pieceLength
    }
  }
  return null
}

test.each([
  ['millions of records', `{"items":[${'{},'.repeat(3_000_000)}{}]}`, 700_000],
  ['millions of numbers', `[${'7,'.repeat(3_000_000)}7]`, 900_000],
  ['a deep list', '['.repeat(1_000_000), 65_536],
])('%s are refused long before they have come', (_, text, most) => {
  expect(refusedAfter(text, 65_536)).toBeLessThanOrEqual(Math.ceil(most / 65_536) * 65_536)
})

test.each([
  ['large texts', JSON.stringify(Array.from({ length: 500 }, () => ({ note: 'x'.repeat(10_000) })))],
  ['what looks like records within texts', JSON.stringify([`${'[{,'.repeat(500_000)}\\"`, '\\', '"[[['])],
  ['what is no JSON', `<a>${'[{,'.repeat(500_000)}</a>`],
])('%s are let through, wherever they are cut', (_, text) => {
  for (const pieceLength of [65_536, 4093]) expect(refusedAfter(text, pieceLength)).toBeNull()
})
