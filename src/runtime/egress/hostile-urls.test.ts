import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { hostileUrls } from '../../../test/support/hostile/urls.ts'
import { type Loopback, listenTcp } from '../../../test/support/loopback.ts'
import { Fault } from '../../lib/fault.ts'
import { createLog } from '../log.ts'
import { dialPinned } from './connect.ts'
import { createEgress } from './egress.ts'

/** Listeners that must stay alone, on both versions of loopback and the same port. */
let canaries: Loopback[] = []
let dialled: string[] = []

beforeAll(async () => {
  const first = await listenTcp((socket) => socket.destroy())
  // A machine without version 6 cannot be reached by it either.
  const second = await listenTcp((socket) => socket.destroy(), '::1', first.port).catch(() => null)
  canaries = second ? [first, second] : [first]
})

afterAll(async () => {
  vi.unstubAllEnvs()
  for (const canary of canaries) await canary.close()
})

const inside = ['127.0.0.1', '::1', '10.0.0.1', '169.254.169.254', '::ffff:127.0.0.1', 'fd00::1', '64:ff9b::7f00:1']

function openEgress(addresses: readonly string[]) {
  dialled = []
  return createEgress({
    allow: ['allowed.example.com:4000'],
    log: createLog('silent'),
    lookup: async () => addresses,
    dial: (to) => {
      dialled.push(...to.addresses)
      return dialPinned(to)
    },
  })
}

test('no hostile URL makes a connection', async () => {
  const urls = hostileUrls(canaries[0]?.port ?? 0)
  expect(urls.length).toBeGreaterThan(300)
  const egress = openEgress(['127.0.0.1', '::1'])
  for (const url of urls) {
    const error: unknown = await egress.fetch({ url, method: 'GET', timeoutMs: 2_000 }).catch((reason) => reason)
    expect([url, error instanceof Fault ? error.kind : error]).toEqual([url, 'upstream_refused'])
  }
  await egress.close()
  expect(dialled).toEqual([])
  expect(canaries.map((canary) => canary.connections())).toEqual(canaries.map(() => 0))
})

test.each(inside)('a public name that leads to %s is refused in words that do not say so', async (address) => {
  const { port = 0 } = canaries[0] ?? {}
  for (const addresses of [[address], ['93.184.216.34', address], [address, '93.184.216.34']]) {
    const egress = openEgress(addresses)
    const error: unknown = await egress
      .fetch({ url: `https://shop.example.com:${port}/`, method: 'GET' })
      .catch((reason) => reason)
    await egress.close()
    expect(error).toMatchObject({
      kind: 'upstream_refused',
      message: 'The address is not allowed.',
      cause: undefined,
    })
  }
  expect(dialled).toEqual([])
  expect(canaries.map((canary) => canary.connections())).toEqual(canaries.map(() => 0))
})

test('a host that is allowed on one port is not allowed on another', async () => {
  const egress = openEgress(['127.0.0.1'])
  const url = `http://allowed.example.com:${canaries[0]?.port}/`
  await expect(egress.fetch({ url, method: 'GET' })).rejects.toMatchObject({ kind: 'upstream_refused' })
  await egress.close()
  expect(dialled).toEqual([])
})

test('the environment chooses no proxy', async () => {
  const port = canaries[0]?.port
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'https_proxy']) {
    vi.stubEnv(name, `http://127.0.0.1:${port}`)
  }
  vi.stubEnv('NODE_USE_ENV_PROXY', '1')
  const egress = openEgress([])
  const error: unknown = await egress
    .fetch({ url: 'https://shop.example.com/', method: 'GET' })
    .catch((reason) => reason)
  await egress.close()
  expect(error).toMatchObject({ kind: 'upstream_retryable' })
  expect(canaries.map((canary) => canary.connections())).toEqual(canaries.map(() => 0))
})
