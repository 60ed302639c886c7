import { once } from 'node:events'
import { connect } from 'node:net'
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeCertificate } from '../../../test/support/certificate.ts'
import { startDnsServer } from '../../../test/support/dns-server.ts'
import { type Loopback, listen, listenTcp } from '../../../test/support/loopback.ts'
import { isPublicAddress } from '../../lib/addresses/public-address.ts'
import { createLog } from '../log.ts'
import { createEgress } from './egress.ts'
import { createResolver, type Lookup } from './resolve-name.ts'

/** Stands for every public address; who is dialled anywhere else ends at the canary. */
let world: Loopback
let canary: Loopback
let dialled: string[] = []
let servernames: (string | false | null)[] = []

const open = '93.184.216.34'
const open6 = '2606:2800:220:1::1'

beforeAll(async () => {
  const own = makeCertificate(['*.example.com'])
  setDefaultCACertificates([...getCACertificates('default'), own.cert])
  const server = createServer(own, (socket) => {
    servernames.push(socket.servername)
    socket.on('error', () => undefined)
    socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'))
  })
  world = await listen(server)
  canary = await listenTcp((socket) => socket.destroy())
})

afterAll(async () => {
  await world.close()
  await canary.close()
})

beforeEach(() => {
  dialled = []
  servernames = []
})

function openEgress(lookup: Lookup) {
  return createEgress({
    // However busy the machine: what is tested is where it goes, not how soon.
    connectMs: 60_000,
    allow: [],
    log: createLog('silent'),
    lookup,
    dial: ({ addresses }) => {
      dialled.push(...addresses)
      return connect({ host: '127.0.0.1', port: addresses.every(isPublicAddress) ? world.port : canary.port })
    },
  })
}

const outcome = (promise: Promise<{ bytes: Buffer }>) =>
  promise.then(
    ({ bytes }) => bytes.toString(),
    (error: { kind: string }) => error.kind,
  )

test('the name is the one the certificate and the server see, the address the one that was checked', async () => {
  const egress = openEgress(async () => [open, open6])
  expect(await outcome(egress.fetch({ url: 'https://Shop.example.com./', method: 'GET' }))).toBe('ok')
  expect(dialled).toEqual([open, open6])
  expect(servernames).toEqual(['shop.example.com'])
  expect(await outcome(egress.fetch({ url: 'https://shop.example.org/', method: 'GET' }))).toBe('upstream_retryable')
  expect(await outcome(egress.fetch({ url: `https://${open}/`, method: 'GET' }))).toBe('upstream_retryable')
  await egress.close()
})

test('a thousand tries to rebind reach nothing private', async () => {
  const asked = new Map<string, number>()
  /** By the first letter of the name: what it resolves to the first time, and after that. */
  const scripts: Record<string, readonly (readonly string[])[]> = {
    a: [[open], ['127.0.0.1']],
    b: [['127.0.0.1'], [open]],
    c: [[open, '10.0.0.1']],
    d: [['::1', open6]],
    e: [[open6], ['::ffff:169.254.169.254']],
    f: [[open], ['64:ff9b::7f00:1']],
    g: [[open, open6]],
    h: [['fe80::1']],
  }
  const lookup: Lookup = async (host) => {
    const times = asked.get(host) ?? 0
    asked.set(host, times + 1)
    // Every third answer comes late.
    if (times % 3 === 2) await once(AbortSignal.timeout(1), 'abort')
    const script = scripts[host[0] ?? ''] ?? []
    return script[Math.min(times, script.length - 1)] ?? []
  }
  const egress = openEgress(lookup)
  const results = new Map<string, number>()
  const names = Array.from({ length: 40 }, (_, index) => `${'abcdefgh'[index % 8]}${index}.example.com`)
  for (let round = 0; round < 25; round++) {
    const round = await Promise.all(
      names.map((name) => outcome(egress.fetch({ url: `https://${name}/`, method: 'GET', timeoutMs: 120_000 }))),
    )
    for (const result of round) results.set(result, (results.get(result) ?? 0) + 1)
  }
  await egress.close()
  expect(dialled.filter((address) => !isPublicAddress(address))).toEqual([])
  expect(canary.connections()).toBe(0)
  // g always (125), b after its first (120), a, e and f only at first (5 each).
  expect(Object.fromEntries(results)).toEqual({ ok: 260, upstream_refused: 740 })
})

test('answers of a real name server are held to the same', async () => {
  const server = await startDnsServer((name, version) => {
    if (name.startsWith('alias')) return version === 4 ? [{ alias: 'localhost' }, '127.0.0.1'] : []
    if (name.startsWith('half')) return version === 4 ? [open] : ['::1']
    if (name.startsWith('mute')) return version === 4 ? [open] : null
    if (name.startsWith('dead')) return null
    if (name.startsWith('none')) return []
    return version === 4 ? [open, '93.184.216.35'] : [open6]
  })
  const resolve = createResolver({ servers: [server.address], timeoutMs: 100 })
  expect(await resolve('good.example.com')).toEqual([open, '93.184.216.35', open6])
  const egress = openEgress(resolve)
  const ask = (name: string) => outcome(egress.fetch({ url: `https://${name}.example.com/`, method: 'GET' }))
  expect(await Promise.all(['good', 'alias', 'half', 'mute', 'dead', 'none'].map(ask))).toEqual([
    'ok',
    'upstream_refused',
    'upstream_refused',
    'ok',
    'upstream_retryable',
    'upstream_retryable',
  ])
  await egress.close()
  server.close()
  expect(dialled.filter((address) => !isPublicAddress(address))).toEqual([])
  expect(canary.connections()).toBe(0)
})
