import { expect, test } from 'vitest'
import { keptBytes } from './kept-bytes.ts'

const bytes = (length: number) => ({ bytes: Buffer.alloc(length, 'x') })

test('is there for whoever names the same, and for nobody else', () => {
  const kept = keptBytes({ maxBytes: 100_000, maxAgeMs: 60_000 })
  const key = {}
  kept.keep('order/1', ['yesterday', key], bytes(10))
  expect(kept.get('order/1', ['yesterday', key])).toEqual(bytes(10))
  expect(kept.get('order/1', ['today', key])).toBeNull()
  expect(kept.get('order/1', ['yesterday', {}])).toBeNull()
  expect(kept.get('order/2', ['yesterday', key])).toBeNull()
  kept.keep('order/1', ['today', key], bytes(20))
  expect(kept.get('order/1', ['today', key])).toEqual(bytes(20))
  expect(kept.get('order/1', ['yesterday', key])).toBeNull()
})

test('holds so many bytes and no more: those go first that were asked for longest ago', () => {
  const kept = keptBytes({ maxBytes: 100_000, maxAgeMs: 60_000 })
  for (let n = 0; n < 1000; n++) {
    kept.keep(`order/${n}`, [], bytes(700))
    expect(kept.get('order/0', [])).not.toBeNull()
    expect(kept.total()).toBeLessThanOrEqual(100_000)
  }
  const left = Array.from({ length: 1000 }, (_, n) => n).filter((n) => kept.get(`order/${n}`, []) !== null)
  expect(left).toEqual([0, ...Array.from({ length: 99 }, (_, n) => 901 + n)])
})

test('one that would push out many is not kept, nor what was there of it before', () => {
  const kept = keptBytes({ maxBytes: 100_000, maxAgeMs: 60_000 })
  kept.keep('order/1', [], bytes(10))
  kept.keep('order/1', [], bytes(1001))
  expect([kept.get('order/1', []), kept.total()]).toEqual([null, 0])
})

test('nothing stays for longer than it may, however often it is asked for', async () => {
  const kept = keptBytes({ maxBytes: 100_000, maxAgeMs: 100 })
  kept.keep('order/1', [], bytes(10))
  const asked = setInterval(() => kept.get('order/1', []), 5)
  await expect.poll(() => kept.total(), { interval: 20 }).toBe(0)
  clearInterval(asked)
  expect(kept.get('order/1', [])).toBeNull()
  kept.keep('order/2', [], bytes(10))
  await expect.poll(() => kept.total(), { interval: 20 }).toBe(0)
})
