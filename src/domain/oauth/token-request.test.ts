import { describe, expect, test } from 'vitest'
import { Fault } from '../../lib/fault.ts'
import { basicCredentials, optionalText, requestedScopes, requiredText } from './token-request.ts'

/** The parameter that a refusal names. */
function blamed(work: () => unknown): string | undefined {
  try {
    work()
  } catch (error) {
    if (error instanceof Fault && error.oauth?.error === 'invalid_request') return error.oauth.hint
    throw error
  }
  return undefined
}
const check = (name: string) => `Check the \`${name}\` parameter`

describe('a parameter', () => {
  test.each([
    ['username', ' ada ', 'ada'],
    ['username', '   ', null],
    ['username', '', null],
    ['username', null, null],
    ['username', undefined, null],
    ['password', ' secret ', ' secret '],
    ['password', '   ', '   '],
    ['password', '', null],
  ])('%s that is %j is %j', (name, value, text) => {
    expect(optionalText({ [name]: value }, name)).toBe(text)
    if (text === null) expect(blamed(() => requiredText({ [name]: value }, name))).toBe(check(name))
    else expect(requiredText({ [name]: value }, name)).toBe(text)
  })

  test.each([5, true, {}, ['ada']])('is text, and never %j', (value) => {
    expect(blamed(() => optionalText({ username: value }, 'username'))).toBe(check('username'))
  })
})

describe('scopes', () => {
  test.each([
    ['none', undefined, null],
    ['nothing', null, null],
    ['an empty text', '', null],
    ['blanks', '   ', null],
    ['an empty list', [], null],
    ['a list of nothing', ['', ' '], null],
    ['one', 'a:b', ['a:b']],
    ['several', 'a:b  c:d ', ['a:b', 'c:d']],
    ['several with tabs around', '\ta:b\n', ['a:b']],
    ['the same twice', 'a:b c:d a:b', ['a:b', 'c:d']],
    ['a list', ['a:b', ' c:d ', 'a:b'], ['a:b', 'c:d']],
  ])('asked for by %s', (_, scope, names) => {
    expect(requestedScopes({ scope })).toEqual(names)
  })

  test.each([5, {}, true, ['a:b', 5]])('are text, and never %j', (scope) => {
    expect(blamed(() => requestedScopes({ scope }))).toBe(check('scope'))
  })
})

describe('credentials in the header', () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  test.each([
    [basic('id:secret'), 'id', 'secret'],
    [basic('id:se:cret'), 'id', 'se:cret'],
    [basic('id:'), 'id', null],
    [basic(':secret'), null, 'secret'],
    [basic('id'), null, null],
    ['Basic', null, null],
    ['Bearer id:secret', null, null],
    [basic('id:secret').slice(6), null, null],
    ['', null, null],
    [null, null, null],
  ])('%s', (header, id, secret) => {
    expect(basicCredentials(header)).toEqual({ id, secret })
  })
})
