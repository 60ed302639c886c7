import { expect, test } from 'vitest'
import { Fault } from '../lib/fault.ts'
import { credentialsRefused, isCredentialsRefusal, noTransport, refusalReason, refused, shopAway } from './remote.ts'

test('a shop that says no', async () => {
  expect(refused('Out of stock.')).toMatchObject({ kind: 'upstream_refused', message: 'Out of stock.' })
  expect(await refusalReason(async () => 'done')).toBeNull()
  expect(await refusalReason(() => Promise.reject(refused('Out of stock.')))).toBe('Out of stock.')
})

test.each([
  ['the credentials', credentialsRefused()],
  ['nothing: it is away', shopAway()],
  ['nothing: we are wrong', new Error('Broken.')],
])('is no reason about one thing where it refuses %s', async (_, error) => {
  await expect(refusalReason(() => Promise.reject(error))).rejects.toBe(error)
})

test('credentials that are refused say which fields', () => {
  expect(credentialsRefused()).toMatchObject({
    kind: 'upstream_refused',
    message: 'The credentials were rejected by the shop.',
    errors: { credentials: ['The credentials were rejected by the shop.'] },
  })
  const both = credentialsRefused(['api_key', 'api_secret'])
  expect(both.message).toBe('The api key was rejected by the shop. (and 1 more error)')
  expect(both.errors).toEqual({
    'credentials.api_key': ['The api key was rejected by the shop.'],
    'credentials.api_secret': ['The api secret was rejected by the shop.'],
  })
  expect(credentialsRefused(['api_key'], 'Expired.').errors).toEqual({ 'credentials.api_key': ['Expired.'] })
})

test('and are told from other refusals', () => {
  expect([credentialsRefused(), credentialsRefused(['api_key'])].map(isCredentialsRefusal)).toEqual([true, true])
  const others = [
    refused('No.'),
    new Error('credentials'),
    new Fault('upstream_refused', 'No.', { errors: { credentialsx: ['No.'], shop: ['No.'] } }),
    new Fault('invalid', 'No.', { errors: { credentials: ['No.'] } }),
    null,
  ]
  expect(others.map(isCredentialsRefusal)).toEqual([false, false, false, false, false])
})

test('a shop that is away', () => {
  const cause = new Error('Refused.')
  expect(shopAway()).toMatchObject({
    kind: 'upstream_retryable',
    message: 'Service Unavailable',
    retryAfterSeconds: 30,
  })
  expect(shopAway(5, cause)).toMatchObject({ retryAfterSeconds: 5, cause })
})

test('nothing goes out where nothing may', async () => {
  const call = { url: 'https://shop.example', request: { method: 'GET', path: '/' } } as const
  await expect(noTransport(call)).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 60 })
})
