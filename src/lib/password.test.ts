import { expect, test } from 'vitest'
import { hashPassword, needsRehash, verifyPassword } from './password.ts'

test('a password matches its own hash and no other', async () => {
  const hash = await hashPassword('correct horse')
  expect(await verifyPassword(hash, 'correct horse')).toBe(true)
  expect(await verifyPassword(hash, 'correct horsf')).toBe(false)
})

test('a hash is argon2id with the figures of the house', async () => {
  const hash = await hashPassword('correct horse')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(needsRehash(hash)).toBe(false)
})

test('a weaker hash is to be made anew', () => {
  expect(needsRehash('$argon2id$v=19$m=4096,t=3,p=1$c29tZXNhbHRzb21l$J4RQ2Pn8eY5cxEbFqI4pwA')).toBe(true)
})

test('nobody has a password', async () => {
  expect(await verifyPassword(null, '')).toBe(false)
})
