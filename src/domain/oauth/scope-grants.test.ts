import { describe, expect, test } from 'vitest'
import { everyScope, webcomponentScopes } from '../scopes.ts'
import { expandAccountScopes, grantAccountScopes, grantScopes, isAccountScope, narrowScopes } from './scope-grants.ts'

const [read, flow] = ['app:account-read', 'app:flow-read']
const [shown = '', installed = ''] = webcomponentScopes

describe('scopes of users and clients', () => {
  test('are what was asked for, and everything where nothing was', () => {
    expect(grantScopes([read, flow], null)).toEqual({ scopes: [read, flow], differs: false })
    expect(grantScopes(null, null)).toEqual({ scopes: [everyScope], differs: false })
  })

  test('are never more than the client’s, and that is said', () => {
    expect(grantScopes([read, flow], [read])).toEqual({ scopes: [read], differs: true })
    expect(grantScopes([read], [read, flow])).toEqual({ scopes: [read], differs: false })
    expect(grantScopes(null, [read])).toEqual({ scopes: [read], differs: true })
  })

  test('are known ones', () => {
    expect(() => grantScopes([read, 'nope'], null)).toThrow('scope')
  })
})

describe('scopes of accounts', () => {
  test('are those of the components, all of them where nothing was asked for', () => {
    expect(grantAccountScopes(null, null)).toEqual({ scopes: [...webcomponentScopes], differs: true })
    expect(grantAccountScopes([shown], null)).toEqual({ scopes: [shown], differs: true })
    expect(() => grantAccountScopes([read], null)).toThrow('scope')
    expect([isAccountScope(shown), isAccountScope(read), isAccountScope(everyScope)]).toEqual([true, false, false])
  })

  test('are named each once, whatever stands for all of them', () => {
    for (const all of [everyScope, 'webcomponent:*']) {
      expect(expandAccountScopes([all])).toEqual([...webcomponentScopes])
      expect(expandAccountScopes([all, shown, 'more'])).toEqual([...webcomponentScopes, 'more'])
    }
    expect(expandAccountScopes([shown, shown, installed])).toEqual([shown, installed])
  })
})

describe('on refresh', () => {
  test('the list stays or gets shorter', () => {
    expect(narrowScopes(null, [read, flow])).toEqual([read, flow])
    expect(narrowScopes([flow], [read, flow])).toEqual([flow])
    expect(narrowScopes([flow], [everyScope])).toEqual([flow])
  })

  test('never longer, and never with what nobody knows', () => {
    expect(() => narrowScopes([read, flow], [read])).toThrow('scope')
    expect(() => narrowScopes([everyScope], [read])).toThrow('scope')
    expect(() => narrowScopes(['nope'], [everyScope])).toThrow('scope')
  })
})
