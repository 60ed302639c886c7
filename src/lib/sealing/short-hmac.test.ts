import { createHmac, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seedFor } from '../../../test/support/chance.ts'
import { blindWord, recordKey } from './record-box.ts'
import { maxShort, shortHmac, shortKey } from './short-hmac.ts'

const bitsOf = (secret: Buffer, text: string) =>
  Number(createHmac('sha256', secret).update(text).digest().readBigUInt64BE() >> 11n)

test('it is what the library makes of the same secret and text, of any length', () => {
  const secrets = fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes))
  const texts = fc.string({ unit: 'binary-ascii', maxLength: maxShort })
  fc.assert(
    fc.property(secrets, fc.array(texts, { maxLength: 4 }), (secret, some) => {
      const key = shortKey(secret)
      for (const text of some) expect(shortHmac(key, text)).toBe(bitsOf(secret, text))
    }),
    { seed: seedFor('short-hmac'), numRuns: 500 },
  )
  const secret = randomBytes(32)
  for (let length = 0; length <= maxShort; length++)
    expect(shortHmac(shortKey(secret), 'a'.repeat(length))).toBe(bitsOf(secret, 'a'.repeat(length)))
})

test('a word is the same hash whichever way it is made: short or long, of letters of any kind', () => {
  const secret = randomBytes(32)
  const key = recordKey(secret)
  const hashing = createHmac('sha256', secret).update('hashing').digest()
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (word) => {
      expect(blindWord(key, word)).toBe(bitsOf(hashing, `word ${word}`))
    }),
    { seed: seedFor('blind word') },
  )
})

test('what it cannot hash it leaves, and a secret that is longer than a block it refuses', () => {
  const key = shortKey(randomBytes(32))
  expect(shortHmac(key, 'a'.repeat(maxShort + 1))).toBeNull()
  expect(shortHmac(key, 'müller')).toBeNull()
  expect(() => shortKey(randomBytes(65))).toThrow('too long')
})
