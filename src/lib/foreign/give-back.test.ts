import { expect, test } from 'vitest'
import { giveBack } from './give-back.ts'

test('large bytes are given back at once', () => {
  const bytes = Buffer.from(new ArrayBuffer(1024 * 1024))
  const part = bytes.subarray(0, 700_000)
  giveBack(part)
  expect([bytes.length, part.length, bytes.buffer.byteLength]).toEqual([0, 0, 0])
})

test('what others may share memory with is left alone', () => {
  const small = Buffer.from('abc')
  const corner = Buffer.from(new ArrayBuffer(4 * 1024 * 1024)).subarray(0, 300_000)
  const shared = new Uint8Array(new SharedArrayBuffer(1024 * 1024))
  for (const bytes of [small, corner, shared]) {
    const { length } = bytes
    giveBack(bytes)
    expect(bytes.length).toBe(length)
  }
})
