import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { type KeyRing, seal } from '../../../lib/secret-box.ts'
import { oldSecretPlace, secretPlace } from '../subscription.ts'
import { rememberKeys, signedHeaders } from './sign-delivery.ts'

const ring: KeyRing = [{ id: 'k1', key: randomBytes(32) }]
const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`
const sealed = (secret: string) => seal(ring, secret, secretPlace(7))
const sealedOld = (secret: string) => seal(ring, secret, oldSecretPlace(7))
const message = { id: 'evt_1', timestamp: Math.floor(Date.now() / 1000), payload: '{}' }
const isTaken = (secret: string, headers: Record<string, string>) => {
  try {
    return Boolean(new Webhook(secret).verify(message.payload, headers))
  } catch {
    return false
  }
}

test('secrets are opened once, and only as long as they are what is stored', () => {
  const keysOf = rememberKeys({ keys: ring })
  const [old, fresh] = [newSecret(), newSecret()]
  const before = { id: 7, secret: sealed(old), old_secrets: [] }
  const keys = keysOf(before)
  expect(keysOf({ ...before })).toBe(keys)
  const during = { id: 7, secret: sealed(fresh), old_secrets: [sealedOld(old)] }
  const both = signedHeaders(keysOf(during), message)
  expect([isTaken(old, both), isTaken(fresh, both)]).toEqual([true, true])
  const after = signedHeaders(keysOf({ ...during, old_secrets: [] }), message)
  expect([isTaken(old, after), isTaken(fresh, after)]).toEqual([false, true])
})

test('a secret that does not open signs nothing, nor does the one before it', () => {
  const keysOf = rememberKeys({ keys: ring })
  const good = { id: 7, secret: sealed(newSecret()), old_secrets: [] }
  keysOf(good)
  const moved = { ...good, secret: seal(ring, newSecret(), secretPlace(8)) }
  for (let n = 0; n < 2; n++) expect(() => keysOf(moved)).toThrow()
})

test('so many webhooks are remembered and no more', () => {
  const keysOf = rememberKeys({ keys: ring })
  const targetOf = (id: number) => ({ id, secret: seal(ring, newSecret(), secretPlace(id)), old_secrets: [] })
  const first = targetOf(0)
  const keys = keysOf(first)
  for (let id = 1; id < 1000; id++) keysOf(targetOf(id))
  expect(keysOf(first)).toBe(keys)
  keysOf(targetOf(1000))
  expect(keysOf(first)).not.toBe(keys)
})
