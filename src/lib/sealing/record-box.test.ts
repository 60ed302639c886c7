import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyJson } from '../../../test/support/any-json.ts'
import { seedFor } from '../../../test/support/chance.ts'
import { canonicalJson } from './canonical-json.ts'
import { wordsOfPerson } from './person-words.ts'
import { blindWord, digestOf, isSealedWith, openRecord, recordKey, sealRecord } from './record-box.ts'

const key = recordKey(randomBytes(32))
const other = recordKey(randomBytes(32))
const bytes = fc.uint8Array({ maxLength: 5000 }).map((all) => Buffer.from(all))

test('what was sealed opens, of any content and length, and is never the same twice', () => {
  fc.assert(
    fc.property(bytes, fc.string(), (plain, place) => {
      const sealed = sealRecord(key, plain, place)
      expect(openRecord(key, sealed, place).equals(plain)).toBe(true)
      expect(sealRecord(key, plain, place).equals(sealed)).toBe(false)
    }),
    { seed: seedFor('record-box 1') },
  )
})

test('it opens with no other key, at no other place, and not if any bit was changed', () => {
  fc.assert(
    fc.property(bytes, fc.nat(), (plain, n) => {
      const sealed = sealRecord(key, plain, 'orders/1/a')
      expect(isSealedWith(other, sealed)).toBe(false)
      expect(() => openRecord(other, sealed, 'orders/1/a')).toThrow()
      expect(() => openRecord(key, sealed, 'orders/2/a')).toThrow()
      const changed = Buffer.from(sealed)
      const at = n % sealed.length
      changed[at] = (sealed[at] ?? 0) ^ (1 << (n % 8))
      expect(() => openRecord(key, changed, 'orders/1/a')).toThrow()
      expect(() => openRecord(key, sealed.subarray(0, at), 'orders/1/a')).toThrow()
    }),
    { seed: seedFor('record-box 2') },
  )
})

test('a long text that says little takes little room', () => {
  expect(sealRecord(key, 'Ada Lovelace '.repeat(1000), 'here').length).toBeLessThan(200)
})

test('hashes are the same for the same, and others under another key', () => {
  expect(digestOf(key, 'Ada').equals(digestOf(key, 'Ada'))).toBe(true)
  expect(digestOf(key, 'Ada').equals(digestOf(key, 'Eve'))).toBe(false)
  expect(digestOf(key, 'Ada').equals(digestOf(other, 'Ada'))).toBe(false)
  expect(blindWord(key, 'name ada')).toBe(blindWord(key, 'name ada'))
  expect(blindWord(key, 'name ada')).not.toBe(blindWord(other, 'name ada'))
  expect(Number.isSafeInteger(blindWord(key, 'name ada'))).toBe(true)
})

test('people are found however they are written', () => {
  const words = (sought: Parameters<typeof wordsOfPerson>[0]) => wordsOfPerson(sought).sort()
  expect(words({ email: ' Ada@Example.COM ' })).toEqual(words({ email: 'ada@example.com' }))
  expect(words({ phone: '+43 (1) 234-56' })).toEqual(words({ phone: '0043123456' }))
  expect(words({ name: 'Müller-Straße, JOSÉ' })).toEqual(words({ name: 'jose muller STRASSE' }))
  expect(wordsOfPerson({ email: ' ', phone: 'none', name: '—', remoteId: '' })).toEqual([])
  expect(wordsOfPerson({ email: 'ada' })).not.toEqual(wordsOfPerson({ name: 'ada' }))
})

test('the same content is the same text, in whatever order it was written', () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, one]) => [name, reversed(one)]),
    )
  }
  fc.assert(
    fc.property(anyJson(), (value) => {
      const text = canonicalJson(value)
      expect(canonicalJson(reversed(value))).toBe(text)
      expect(canonicalJson(JSON.parse(text))).toBe(text)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
    { seed: seedFor('record-box 3') },
  )
  expect(canonicalJson({ email: 1, id: [{ b: 1, a: undefined }], name: null })).toBe(
    '{"id":[{"b":1}],"name":null,"email":1}',
  )
})
