import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { isNamedIn, phrasesOf, readable } from './person-text.ts'
import { wordsOfPerson } from './person-words.ts'
import { blindWord, recordKey } from './record-box.ts'

const key = recordKey(randomBytes(32))
const words = [...wordsOfPerson({ email: 'ada@example.com', phone: '+43 1 234567' }), ...phrasesOf('Ada Lovelace')]
const sought = { key, hashes: new Set(words.map((word) => blindWord(key, word))) }
const isNamed = (text: string) => isNamedIn(sought, readable(text))

test.each([
  'ADA@Example.com',
  'Mail to <ada@example.com>.',
  'Not delivered: ada@example.com.',
  '{"a":[{"e":"ada\\u0040example.com"}]}',
  'to=ada%40example.com&x=1',
  '?to=ada@example.com',
  'Call 0043 1 234567 at 10',
  'row 17 0043 1 234567',
  '{"phone":"+43-1/234567"}',
  '{"phone":431234567}',
  'ÁDA   lovelace',
  '{"first":"Ada","last":"Lovelace"}',
])('a person is found in %s', (text) => {
  expect(isNamed(text)).toBe(true)
})

test.each([
  '',
  'eve@example.com',
  'ada@example.org',
  'ada example com',
  'Ada',
  'Lovelace, Ada',
  'Ada M. Lovelace',
  '43 1 2345678',
  '{"a":"43 1","b":"234567"}',
])('and not in %s', (text) => {
  expect(isNamed(text)).toBe(false)
})

test('what is too short to mean somebody is no phrase', () => {
  expect(phrasesOf('Ada')).toEqual([])
  expect(phrasesOf('Jo Li')).toEqual([])
  expect(phrasesOf('Dock 1')).toEqual([])
  expect(phrasesOf('Dockside 1')).toEqual(['first dockside', 'phrase dockside 1'])
})
