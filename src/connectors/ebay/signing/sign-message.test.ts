import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../../test/support/connector-shop.ts'
import { openImitation } from '../../../../test/support/imitation.ts'
import { testKeys } from '../../../../test/support/platforms/ebay.ts'
import { auth } from '../auth.ts'
import { ebay } from '../index.ts'
import { orders } from '../orders.ts'
import type { Credentials, Settings } from '../settings.ts'
import { isToBeSigned, signatureOf, withSignature } from './sign-message.ts'

describe('signatures upon messages', () => {
  test('are the one that eBay prints for its test key', () => {
    const message = { method: 'POST', url: 'http://localhost:8080/verifysignature', body: '{"hello": "world"}' }
    expect(signatureOf({ ...message, seconds: 1_659_651_955 }, testKeys)).toEqual({
      'content-digest': 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:',
      'x-ebay-signature-key': testKeys.jwe,
      'signature-input':
        'sig1=("content-digest" "x-ebay-signature-key" "@method" "@path" "@authority");created=1659651955',
      signature: 'sig1=:uunxYrXKC8KaoupD5D1DKdmQmrOhz6b4Xbhb3o9d4x4xFIpg++XzEZztOyeOI59rMMjM3NIcFgxBH0c1ckpfBw==:',
    })
  })

  test('leave out the digest where there is no body, take keys with lines around them, and those of RSA', () => {
    const message = { method: 'GET', url: 'https://apiz.ebay.com/sell/finances/v1/payout', body: null, seconds: 1 }
    const lines = `-----BEGIN PRIVATE KEY-----\n${testKeys.privateKey}\n-----END PRIVATE KEY-----\n`
    const headers = signatureOf(message, testKeys)
    expect(headers['signature-input']).toBe('sig1=("x-ebay-signature-key" "@method" "@path" "@authority");created=1')
    expect(headers).not.toHaveProperty('content-digest')
    expect(signatureOf(message, { ...testKeys, privateKey: lines })).toEqual(headers)

    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const der = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
    const { signature = '' } = signatureOf(message, { jwe: 'jwe', privateKey: der })
    const base = [
      '"x-ebay-signature-key": jwe',
      '"@method": GET',
      '"@path": /sell/finances/v1/payout',
      '"@authority": apiz.ebay.com',
      '"@signature-params": ("x-ebay-signature-key" "@method" "@path" "@authority");created=1',
    ].join('\n')
    const bytes = Buffer.from(signature.slice('sig1=:'.length, -1), 'base64')
    expect(
      verify('sha256', Buffer.from(base), createPublicKey(publicKey.export({ format: 'pem', type: 'spki' })), bytes),
    ).toBe(true)
  })

  test('of a key that is none are refused', () => {
    const message = { method: 'GET', url: 'https://api.ebay.com/x', body: null, seconds: 1 }
    expect(() => signatureOf(message, { jwe: 'jwe', privateKey: 'no key' })).toThrow(/private key/)
  })

  test('stand upon what pays buyers back, and nothing else', () => {
    const paths = ['/cancellation', '/cancellation/77/approve', '/cancellation/check_eligibility', '/cancellation/77']
    const post = (path: string) => isToBeSigned({ method: 'POST', path })
    expect(paths.map((path) => post(`/post-order/v2${path}`))).toEqual([true, true, false, false])
    expect(post('/sell/fulfillment/v1/order/1-2-3/issue_refund')).toBe(true)
    expect(post('/sell/fulfillment/v1/order/1-2-3/shipping_fulfillment')).toBe(false)
    expect(isToBeSigned({ method: 'GET', path: '/post-order/v2/cancellation' })).toBe(false)
  })

  test('are over the very text that goes out', () => {
    const request = { method: 'POST', path: '/post-order/v2/cancellation', body: { legacyOrderId: '1' } } as const
    const signed = withSignature(request, testKeys, {
      url: 'https://api.ebay.com/post-order/v2/cancellation',
      seconds: 1,
    })
    expect(signed.body).toBe('{"legacyOrderId":"1"}')
    expect(signed.headers?.['content-type']).toBe('application/json')
  })
})

describe('sellers in the EU and the United Kingdom', () => {
  const open = (keys: object) => {
    const none = { signing_jwe: undefined, signing_private_key: undefined }
    return openImitation<Settings, Credentials>(ebay, { credentials: { ...none, ...keys } })
  }
  const cancel = ({ shop, simulator }: ReturnType<typeof open>) => {
    const { remote_id: remoteId = '' } = simulator.truth().find(({ stage }) => stage === 'paid') ?? {}
    return orders.cancel?.send(shop, { remoteId, reason: null }, { id: 'x' })
  }

  test('cancel with the keys of the app, and are refused without or with others', async () => {
    const { jwe, privateKey } = testKeys
    expect(await cancel(open({ signing_jwe: jwe, signing_private_key: privateKey }))).toMatchObject({
      status: 'cancelled',
    })
    await expect(cancel(open({}))).rejects.toMatchObject({
      kind: 'upstream_refused',
      message: expect.stringContaining('signature'),
    })
    const other = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
    await expect(cancel(open({ signing_jwe: jwe, signing_private_key: other }))).rejects.toMatchObject({
      kind: 'upstream_refused',
    })
  })

  test('have the keys from the app with their first tokens, and those of the day with every renewal', async () => {
    const facts = { shop: 'ada-antiques.ebay.com', settings: {} }
    const old = { access_token: 'a', refresh_token: 'r', signing_jwe: 'old', signing_private_key: 'old' }
    const client = { client_id: 'Ada-PRD-1', client_secret: 's', ru_name: 'n' }
    const renew = async (us: object) => {
      const body = { access_token: 'a2', expires_in: 7200 }
      const { shop } = scriptedShop<Settings, Credentials>(ebay, { facts, credentials: old }, [{ body }])
      return (await auth.refresh?.(shop, { ...client, ...us }))?.credentials
    }
    const keys = { signing_jwe: 'new', signing_private_key: 'mine' }
    expect(await renew(keys)).toEqual({ access_token: 'a2', refresh_token: 'r', ...keys })
    expect(await renew({})).toEqual({ access_token: 'a2', refresh_token: 'r' })
    expect(await renew({ signing_jwe: 'half' })).toEqual({ access_token: 'a2', refresh_token: 'r' })
  })
})
