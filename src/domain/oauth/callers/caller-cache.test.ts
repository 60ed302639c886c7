import { expect, test } from 'vitest'
import type { AccountCaller, Caller, ClientCaller, UserCaller } from '../../tenant.ts'
import { createCallerCache } from './caller-cache.ts'

const caller = (id: number): UserCaller => ({
  kind: 'user',
  tokenId: id,
  clientId: 1,
  scopes: ['*'],
  subject: `user:${id}`,
  permissions: new Set(),
  rights: new Set(),
  role: null,
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

test('a client is forgotten with all its tokens', () => {
  const { cache, put } = makeCache()
  for (const id of [1, 2, 3]) put(id)
  cache.forget('client:1')
  expect(cache.size).toBe(0)
})

test('a token that is known pushes nobody out', () => {
  const { cache, put } = makeCache(2)
  for (const id of [1, 2, 2]) put(id)
  expect([1, 2].filter((id) => cache.get(`k${id}`))).toEqual([1, 2])
})

test('everything is forgotten at once, and what was read before is not kept', () => {
  const { cache, put } = makeCache()
  put(1)
  const { generation } = cache
  cache.clear()
  cache.put('k2', caller(2), { lifetimeMs: 1000, generation })
  expect([cache.size, cache.get('k1')]).toEqual([0, undefined])
  put(3)
  cache.forget('user:3')
  expect(cache.size).toBe(0)
})

test('the same token again takes the place of what was known', () => {
  const { clock, cache, put } = makeCache()
  put(1, 1000)
  clock.now = 500
  put(1, 1000)
  clock.now = 1200
  expect([cache.size, cache.get('k1')?.tokenId]).toEqual([1, 1])
  cache.forget('token:1')
  expect(cache.size).toBe(0)
})

test('what has ended makes room first, though it was used', () => {
  const { clock, cache, put } = makeCache(2)
  put(1, 100)
  put(2, 1000)
  cache.get('k1')
  cache.get('k2')
  clock.now = 100
  put(3)
  expect([1, 2, 3].filter((id) => cache.get(`k${id}`))).toEqual([2, 3])
})

test('what was used once stays for one more round, and not for ever', () => {
  const { cache, put } = makeCache(2)
  put(1)
  put(2)
  cache.get('k1')
  put(3)
  put(4)
  expect(cache.size).toBe(2)
  expect([1, 2, 3, 4].filter((id) => cache.get(`k${id}`))).toEqual([3, 4])
})

const { userId: _, companyId: __, admin: ___, ...token } = caller(1)
const client: ClientCaller = { ...token, kind: 'client', appId: 5 }
const account: AccountCaller = { ...token, kind: 'account', appId: 5, accountId: 6 }

test.each<[string, Caller, string[]]>([
  ['a user', caller(1), ['token:1', 'client:1', 'user:1']],
  ['an app', client, ['token:1', 'client:1', 'app:5']],
  ['a client without an app', { ...client, appId: null }, ['token:1', 'client:1']],
  ['an app for a user', { ...client, onBehalfOf: 9 }, ['token:1', 'client:1', 'app:5', 'user:9']],
  ['an account', account, ['token:1', 'client:1', 'app:5', 'account:6']],
])('%s is forgotten with whatever decides what it may do', (_name, who, tags) => {
  const { cache } = makeCache()
  const all = ['token:1', 'client:1', 'user:1', 'user:9', 'app:5', 'app:null', 'account:6', 'user:undefined']
  const forgottenWith = all.filter((tag) => {
    cache.put('k', who, { lifetimeMs: 1000, generation: cache.generation })
    cache.forget(tag)
    return cache.get('k') === undefined
  })
  expect(forgottenWith.sort()).toEqual([...tags].sort())
})
