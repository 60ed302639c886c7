import { expect, test } from 'vitest'
import { drawLots } from '../../../test/support/chance.ts'
import { utf8Of, writeUtf8 } from './utf8.ts'

const letters = ['a', '"', '\0', 'é', 'ÿ', 'Ā', 'ł', '€', '’', '\uffff', '漢', '𝄞', '😀', '\ud800', '\udc00']

test('text becomes the bytes that it always became', () => {
  const lots = drawLots('utf8')
  for (let round = 0; round < 300; round++) {
    const known = letters.slice(0, 1 + lots.below(letters.length))
    const text = Array.from({ length: lots.below(3000) }, () => lots.pick(known)).join('')
    expect(utf8Of(text).equals(Buffer.from(text))).toBe(true)
    const sheet = Buffer.alloc(10 + 3 * text.length)
    expect(writeUtf8(text, sheet, 10)).toBe(Buffer.byteLength(text))
    expect(sheet.subarray(10, 10 + Buffer.byteLength(text)).equals(Buffer.from(text))).toBe(true)
  }
})

test.each(letters)('also with %j at its end alone', (letter) => {
  const text = `${'x'.repeat(5000)}${letter}`
  expect(utf8Of(text).equals(Buffer.from(text))).toBe(true)
})
