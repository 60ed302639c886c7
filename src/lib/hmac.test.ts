import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { bytesIn, hmac, isSame, isSigned } from './hmac.ts'
import { isStandardSigned } from './standard-webhooks.ts'

describe('a signature', () => {
  const message = Buffer.from('a message')
  const sign = (encoding: 'hex' | 'base64', secret = 'secret') =>
    createHmac('sha256', secret).update(message).digest(encoding)
  const is = (signature: string, encoding: 'hex' | 'base64', secret = 'secret') =>
    isSigned(message, { secret, signature, encoding })

  test('is that of this message, with this secret', () => {
    expect(is(sign('hex'), 'hex')).toBe(true)
    expect(is(sign('base64'), 'base64')).toBe(true)
    expect(is(sign('base64', 'another'), 'base64')).toBe(false)
    expect(isSigned('another message', { secret: 'secret', signature: sign('hex'), encoding: 'hex' })).toBe(false)
  })

  test('is written in one way only', () => {
    const [hex, base64] = [sign('hex'), sign('base64')]
    // The last letter before the padding carries two bits that mean nothing.
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
    const idle = letters[letters.indexOf(base64.at(-2) ?? '') + 1] ?? ''
    const others = [`${base64.slice(0, -2)}${idle}=`, base64.slice(0, -1), ` ${base64}`, `${base64}\n`, `${base64}=`]
    expect(others.map((one) => is(one, 'base64'))).toEqual(others.map(() => false))
    const dressed = [hex.toUpperCase(), `${hex} `, `${hex}zz`, `0x${hex}`, hex.slice(0, -1)]
    expect(dressed.map((one) => is(one, 'hex'))).toEqual(dressed.map(() => false))
    expect(is('', 'hex')).toBe(false)
  })

  test('is the one of the standard’s own examples', () => {
    // RFC 4231 and RFC 2202, test case 2.
    const asked = 'what do ya want for nothing?'
    const sha256 = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'
    const sha1 = 'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79'
    expect(hmac(asked, 'Jefe', 'hex')).toBe(sha256)
    expect(hmac(asked, 'Jefe', 'hex', 'sha1')).toBe(sha1)
    expect(isSigned(asked, { secret: 'Jefe', signature: sha256, encoding: 'hex' })).toBe(true)
    expect(isSigned(asked, { secret: 'Jefe', signature: sha1, encoding: 'hex', algorithm: 'sha1' })).toBe(true)
    expect(isSigned(asked, { secret: 'Jefe', signature: sha1, encoding: 'hex' })).toBe(false)
  })

  test('is computed for many secrets, one after the other', () => {
    const digests = Array.from({ length: 1100 }, (_, n) => {
      const signature = hmac(message, `secret ${n}`, 'hex')
      return isSigned(message, { secret: `secret ${n % 1050}`, signature, encoding: 'hex' })
    })
    expect(digests.filter(Boolean)).toHaveLength(1050)
  })

  test('with an empty secret is none', () => {
    expect(is(sign('hex', ''), 'hex', '')).toBe(false)
  })

  test('is read from text alone', () => {
    expect(bytesIn('AAEC', 'base64')).toEqual(Buffer.from([0, 1, 2]))
    expect([undefined, 5, '', 'AAE', 'A-_C'].map((one) => bytesIn(one, 'base64'))).toEqual(Array(5).fill(null))
    expect([isSame('a', 'a'), isSame('a', 'b'), isSame('a', 'ab')]).toEqual([true, false, false])
  })
})

describe('Standard Webhooks', () => {
  const raw = Buffer.from('{"a":1}')
  const sign = (secret: string) => createHmac('sha256', secret).update('msg_1.1790000000.').update(raw).digest('base64')
  const is = (signature: string, secret = 'secret', more = {}) => {
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1790000000', 'webhook-signature': signature }
    return isStandardSigned({ headers: { ...headers, ...more }, raw }, secret)
  }
  const genuine = `v1,${sign('secret')}`

  test('sign id, time and body', () => {
    expect(is(genuine)).toBe(true)
    expect(is(genuine, 'another')).toBe(false)
    expect(is(genuine, 'secret', { 'webhook-id': 'msg_2' })).toBe(false)
    expect(is(genuine, 'secret', { 'webhook-timestamp': '1790000001' })).toBe(false)
    expect(is(genuine, 'secret', { 'webhook-id': undefined })).toBe(false)
    expect(is(`v1,${sign('')}`, '')).toBe(false)
  })

  test('name several signatures, of which ours is the first version', () => {
    const asymmetric = `v1a,${Buffer.alloc(64, 7).toString('base64')}`
    expect(is(`v1,${sign('old')} ${genuine}`)).toBe(true)
    expect(is(`${asymmetric} ${genuine}`)).toBe(true)
    expect(is(`v2,AAAA ${genuine}`)).toBe(true)
    expect(is(`v2,${sign('secret')}`)).toBe(false)
    expect(is(asymmetric)).toBe(false)
  })

  test('are refused whole if one of them is written otherwise', () => {
    const false_ = ['v1,AAAA', 'v1a,AAAA', 'v1,', 'v0,AAAA', 'v1', '', 'V1,AAAA', `v1,${sign('old').slice(0, -1)}`]
    expect(false_.map((one) => is(`${one} ${genuine}`))).toEqual(false_.map(() => false))
    expect([` ${genuine}`, `${genuine} `, `${genuine},${genuine}`, `${genuine}AAAA`].map((one) => is(one))).toEqual(
      Array(4).fill(false),
    )
  })
})
