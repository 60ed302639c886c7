import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashPassword } from '../password.ts'
import type { KeyRing } from '../secret-box.ts'
import { keepPassword, mayBePassword, tagOf } from './password-tag.ts'

const old = { id: 'old', key: randomBytes(32) }
const young = { id: 'young', key: randomBytes(32) }
const before: KeyRing = [old]
const during: KeyRing = [young, old]
const after: KeyRing = [young]

const kept = async (password: string, keys = before) => {
  const { password_hash: passwordHash, password_tag: passwordTag } = await keepPassword(keys, password)
  return { passwordHash, passwordTag }
}

/** Tags are short: one of many wrong passwords may fit, and all of them never do. */
const wrong = Array.from({ length: 200 }, (_, n) => `wrong ${n}`)
const fitting = (keys: KeyRing, stored: Parameters<typeof mayBePassword>[1]) =>
  wrong.filter((password) => mayBePassword(keys, stored, password)).length

test('the right password may be it, and hardly any other', async () => {
  const stored = await kept('correct horse')
  expect(mayBePassword(before, stored, 'correct horse')).toBe(true)
  expect(fitting(before, stored)).toBeLessThan(10)
})

test('a tag of a key that was replaced counts for as long as the key is there; then any password may be it', async () => {
  const stored = await kept('correct horse')
  expect(mayBePassword(during, stored, 'correct horse')).toBe(true)
  expect(fitting(during, stored)).toBeLessThan(10)
  expect(fitting(after, stored)).toBe(wrong.length)
})

test('any password may be that of somebody without a tag, or with one of an earlier password', async () => {
  const { passwordHash, passwordTag } = await kept('correct horse')
  expect(fitting(before, { passwordHash, passwordTag: null })).toBe(wrong.length)
  expect(fitting(before, { passwordHash, passwordTag: 'nonsense' })).toBe(wrong.length)
  const later = { passwordHash: await hashPassword('another horse'), passwordTag }
  expect(fitting(before, later)).toBe(wrong.length)
})

test('says nothing without the key, nor that two have the same password', async () => {
  const passwordHash = await hashPassword('correct horse')
  const bits = (keys: KeyRing, hash: string) => tagOf(keys, hash, 'correct horse').split(':')[2]
  const rings = Array.from({ length: 8 }, (): KeyRing => [{ id: 'k', key: randomBytes(32) }])
  expect(new Set(rings.map((keys) => bits(keys, passwordHash))).size).toBeGreaterThan(1)
  const hashes = await Promise.all(rings.map(() => hashPassword('correct horse')))
  expect(new Set(hashes.map((hash) => bits(before, hash))).size).toBeGreaterThan(1)
})
