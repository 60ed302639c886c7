import { expect, test } from 'vitest'
import type { UserCaller } from '../../tenant.ts'
import { createCallerCache } from './caller-cache.ts'

const caller = (id: number): UserCaller => ({
  kind: 'user',
  tokenId: id,
  clientId: 1,
  scopes: ['*'],
  subject: `user:${id}`,
  permissions: new Set(),
  userId: id,
  companyId: null,
  admin: false,
})

function makeCache(max = 3) {
  const clock = { now: 0 }
  const cache = createCallerCache({ max, now: () => clock.now })
  const put = (id: number, lifetimeMs = 1000) =>
    cache.put(`k${id}`, caller(id), { lifetimeMs, generation: cache.generation })
  return { clock, cache, put }
}

test('an entry ends with its token', () => {
  const { clock, cache, put } = makeCache()
  put(1, 1000)
  clock.now = 999
  expect(cache.get('k1')).toMatchObject({ userId: 1 })
  clock.now = 1000
  expect(cache.get('k1')).toBeUndefined()
  expect(cache.size).toBe(0)
})

test('there are never more than the maximum, and what is used stays', () => {
  const { cache, put } = makeCache(3)
  for (const id of [1, 2, 3]) put(id)
  cache.get('k1')
  for (const id of [4, 5]) put(id)
  expect(cache.size).toBe(3)
  expect([1, 2, 3, 4, 5].filter((id) => cache.get(`k${id}`))).toEqual([1, 4, 5])
})

test('forgetting a user or client takes all their entries and no others', () => {
  const { cache, put } = makeCache(10)
  for (const id of [1, 2]) put(id)
  cache.forget('user:1')
  expect([cache.get('k1'), cache.get('k2')?.tokenId]).toEqual([undefined, 2])
  cache.forget('client:1')
  expect(cache.size).toBe(0)
})

test('what was read before something was forgotten is not kept', () => {
  const { cache } = makeCache()
  const { generation } = cache
  cache.forget('user:1')
  cache.put('k1', caller(1), { lifetimeMs: 1000, generation })
  expect(cache.size).toBe(0)
})
