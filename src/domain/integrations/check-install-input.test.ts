import { describe, expect, test } from 'vitest'
import { bare, never } from '../../../test/support/bare-connector.ts'
import { keyHandover, typedKeys } from '../../commerce/connector/auth.ts'
import { Fault } from '../../lib/fault.ts'
import { choice, object, optional, text } from '../../lib/validation/fields.ts'
import { checkCredentials, checkShopInput, checkTyped } from './check-install-input.ts'

const key = object({ api_key: text() })
const acme = {
  ...bare,
  settings: object({ region: optional(choice(['eu', 'us'])) }),
  name: 'Acme',
  shopPattern: /^[a-z0-9-]+\.acme\.example$/,
  shopExample: 'ada.acme.example',
  auth: typedKeys({ credentials: key, checkAccess: never }),
}
const facts = { shop: 'a.acme.example', settings: {} }

function errorsOf(check: () => unknown): unknown {
  try {
    check()
    return {}
  } catch (error) {
    return error instanceof Fault ? error.errors : error
  }
}

describe('what is said of a shop', () => {
  test('is kept in small letters, with settings that the connector does not know', () => {
    const input = { shop: 'A.Acme.Example', settings: { region: ' eu ', note: ' ours ' } }
    expect(checkShopInput(acme, input)).toEqual({
      shop: 'a.acme.example',
      settings: { region: 'eu', note: ' ours ' },
      pasted: false,
    })
    expect(checkShopInput(acme, { shop: 'a.acme.example' }).settings).toEqual({})
  })

  test('is no address in numbers, and a sentence says where that belongs', () => {
    for (const shop of ['203.0.113.7', '[2001:db8::7]'])
      expect(errorsOf(() => checkShopInput(undefined, { shop }))).toEqual({
        shop: [expect.stringContaining('an IP address or a port belongs in a setting such as base_url')],
      })
  })

  test('is refused with all complaints at once', () => {
    expect(errorsOf(() => checkShopInput(acme, { shop: 'a.example', settings: { region: 'moon' } }))).toEqual({
      shop: ['The shop field must be the address of a shop on Acme, such as ada.acme.example.'],
      'settings.region': ['The selected settings.region is invalid.'],
    })
  })

  test('is anything where the platform has no form of its own, or there is no connector', () => {
    expect(checkShopInput(bare, { shop: 'Any.example' }).shop).toBe('any.example')
    expect(checkShopInput(undefined, { shop: 'Any.example', settings: { region: 'moon' } })).toEqual({
      shop: 'any.example',
      settings: { region: 'moon' },
      pasted: false,
    })
    expect(checkShopInput(undefined, { shop: 'any.example' }).settings).toEqual({})
  })

  test('is the host of a pasted address, and its setting for addresses where the address says more', () => {
    const own = { ...bare, settings: object({ base_url: optional(text()) }) }
    const address = 'https://www.Acme.example/shop/'
    expect(checkShopInput(own, { shop: address })).toEqual({
      shop: 'www.acme.example',
      settings: { base_url: 'https://www.acme.example/shop' },
      pasted: true,
    })
    const page = 'https://acme.example/tea/a,b;c'
    const plain = { ...bare, settings: object({ base_url: optional(text({ pattern: '^[a-z:/.]+$' })) }) }
    expect(checkShopInput(plain, { shop: page }).settings).toEqual({ base_url: 'https://acme.example/tea' })
    const given = { base_url: 'https://api.acme.example' }
    expect(checkShopInput(own, { shop: address, settings: given })).toMatchObject({ settings: given, pasted: false })
    expect(checkShopInput(bare, { shop: address })).toMatchObject({ shop: 'www.acme.example', settings: {} })
  })

  test.each([
    'acme.example:8080',
    '127.0.0.1',
    'https://[::1]/',
    'ada@acme.example',
    'acme_shop.example',
    'a b',
    '0x7f.1',
  ])('is no place for %s', (shop) => {
    expect(errorsOf(() => checkShopInput(bare, { shop }))).toEqual({
      shop: [expect.stringMatching(/^The shop field must be an address such as/)],
    })
  })
})

describe('keys', () => {
  test('are those of the form, and nothing more', () => {
    expect(checkCredentials(acme, { api_key: ' k ', more: 1 })).toEqual({ api_key: 'k' })
    expect(checkTyped(acme, { api_key: 'k', more: 1 }, facts)).toEqual({ api_key: 'k' })
    const missing = { 'credentials.api_key': ['The credentials.api key field is required.'] }
    expect(errorsOf(() => checkCredentials(acme, {}))).toEqual(missing)
    expect(errorsOf(() => checkTyped(acme, {}, facts))).toEqual(missing)
  })

  const handover = keyHandover({
    credentials: key,
    checkAccess: never,
    authorizeUrl: () => 'https://a.acme.example',
    readHandover: () => null,
    readReturn: () => null,
  })

  test('are not typed where the platform hands them over', () => {
    expect(errorsOf(() => checkTyped({ ...acme, auth: handover }, { api_key: 'k' }, facts))).toEqual({
      credentials: ['The credentials field is prohibited.'],
    })
  })

  test('that may be typed instead have a form of their own, and are kept in the one shape', () => {
    const typed = {
      form: object({ token: text() }),
      keep: ({ token }: Record<string, unknown>, { shop }: { shop: string }) => ({
        api_key: `${token}@${shop}`,
        token,
      }),
    }
    const either = { ...acme, auth: { ...handover, typed } }
    expect(checkTyped(either, { token: 't', api_key: 'k' }, facts)).toEqual({ api_key: 't@a.acme.example' })
    expect(errorsOf(() => checkTyped(either, { api_key: 'k' }, facts))).toEqual({
      'credentials.token': ['The credentials.token field is required.'],
    })
    const forgetful = { ...either, auth: { ...handover, typed: { ...typed, keep: () => ({}) } } }
    expect(errorsOf(() => checkTyped(forgetful, { token: 't' }, facts))).toEqual({
      'credentials.api_key': ['The credentials.api key field is required.'],
    })
  })
})
