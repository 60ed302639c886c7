import { describe, expect, test } from 'vitest'
import { isEasyToGuess } from './weak-password.ts'

const about = ['Ada Lovelace', 'countess@example.com']

describe('easy to guess', () => {
  test.each([
    '12345678',
    '1234567890',
    '87654321',
    'password',
    'Password1!',
    'P@ssw0rd',
    'passw0rd2026',
    'aaaaaaaa',
    'abababab',
    '12341234',
    'qwertyuiop',
    'qwerty123',
    'abcdefgh',
    '1q2w3e4r',
    'iloveyou',
    'Admin123',
    'Ada Lovelace',
    'adalovelace1',
    'countess',
    'Countess2026',
    'countess@example.com',
    'ｐａｓｓｗｏｒｄ',
  ])('%s', (password) => {
    expect(isEasyToGuess(password, about)).toBe(true)
  })
})

describe('not easy to guess', () => {
  test.each([
    'correct horse battery',
    'a long password',
    'lovelace-and-babbage',
    'kT9#vLq2',
    '日本語のパスワード',
    '80213947',
  ])('%s', (password) => {
    expect(isEasyToGuess(password, about)).toBe(false)
  })

  test('a password of somebody of whom nothing is known', () => {
    expect(isEasyToGuess('countess-of-l', ['', ' '])).toBe(false)
  })
})
