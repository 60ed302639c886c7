import { expect, test } from 'vitest'
import { decodeInTurns } from './decode-in-turns.ts'

const piece = 256 * 1024

test.each([
  ['letters of one byte', 'a'],
  ['of two', 'ü'],
  ['of three', '€'],
  ['of four', '😀'],
  ['a mark of byte order in the middle', `${'a'.repeat(piece - 3)}\ufeffb`],
])('%s are what they are in one go, wherever they are cut', async (_, letter) => {
  for (const before of ['', 'x', 'xx', 'xxx', '\ufeff']) {
    const bytes = Buffer.from(before + letter.repeat(Math.ceil((2.5 * piece) / Buffer.byteLength(letter))))
    expect((await decodeInTurns(bytes, 'utf-8')) === new TextDecoder().decode(bytes)).toBe(true)
  }
})

test('what is no UTF-8 is replaced as ever, and its letters are not lost', async () => {
  const bytes = Buffer.concat([Buffer.alloc(piece + 7, 0x80), Buffer.from('end')])
  const decoded = await decodeInTurns(bytes, 'utf-8')
  expect([decoded.length, decoded.endsWith('\ufffdend')]).toEqual([piece + 10, true])
})

test.each(['utf-16le', 'gb18030', 'iso-8859-1'])('%s', async (charset) => {
  const bytes = Buffer.from('Grüße, 日本 '.repeat(100_000), charset === 'utf-16le' ? 'utf16le' : 'latin1')
  expect((await decodeInTurns(bytes, charset)) === new TextDecoder(charset).decode(bytes)).toBe(true)
})

test('a charset that nobody knows is UTF-8', async () => {
  expect(await decodeInTurns(Buffer.from('ü'), 'nonsense')).toBe('ü')
})
