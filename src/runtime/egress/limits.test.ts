import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { type Loopback, listenHttp, listenTcp } from '../../../test/support/loopback.ts'
import { untilHolds } from '../../../test/support/until.ts'
import { createLog } from '../log.ts'
import { createEgress, type EgressOptions } from './egress.ts'
import { isWrongAddress, wasNeverSent } from './egress-faults.ts'
import type { Egress, EgressRequest } from './egress-request.ts'

const opened: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

function keep<T extends { close(): Promise<void> }>(each: T): T {
  opened.push(each)
  return each
}

const openEgress = (options: Partial<EgressOptions> = {}): Egress =>
  keep(createEgress({ allow: ['127.0.0.1', 'shop.test'], log: createLog('silent'), ...options }))

const ask = (egress: Egress, { port }: Loopback, request: Partial<EgressRequest> = {}) =>
  egress.fetch({ url: `http://127.0.0.1:${port}/`, method: 'GET', ...request })

const serve = async (handle: RequestListener) => keep(await listenHttp(handle))
const speak = async (handle: (socket: Socket) => void) => keep(await listenTcp(handle))

test('an answer comes with its status, headers and bytes, whatever the status', async () => {
  const server = await serve((request, response) => {
    response.writeHead(503, { 'X-Shop': ['a', 'b'] })
    request.pipe(response)
  })
  const answer = await ask(openEgress(), server, { method: 'POST', body: 'hällo' })
  expect(answer).toMatchObject({ status: 503, headers: { 'x-shop': 'a, b' } })
  expect(answer.bytes.toString()).toBe('hällo')
})

test('headers that frame a message are ours to set', async () => {
  const server = await serve((request, response) => response.end(JSON.stringify(request.headers)))
  const headers = { Host: 'evil', 'Content-Length': '99', 'Transfer-Encoding': 'chunked', Upgrade: 'h2c', 'X-Key': 'k' }
  const answer = await ask(openEgress(), server, { method: 'POST', body: 'four', headers })
  expect(JSON.parse(answer.bytes.toString())).toEqual({
    host: `127.0.0.1:${server.port}`,
    connection: 'keep-alive',
    'content-length': '4',
    'user-agent': 'Entrepot',
    'accept-encoding': 'gzip, deflate, br',
    'x-key': 'k',
  })
})

test.each(['two\r\nlines', 'nul\0', 'a\nb'])('a header value like %j is not sent', async (value) => {
  const server = await serve((_request, response) => response.end())
  const sent = ask(openEgress(), server, { headers: { 'x-key': value } })
  await expect(sent).rejects.toMatchObject({ kind: 'upstream_refused' })
  expect(server.connections()).toBe(0)
})

test('an allowed name is reached at the address it was given, by the first that answers', async () => {
  const server = await serve((request, response) =>
    response.end(`${request.socket.localAddress} ${request.headers.host}`),
  )
  const egress = openEgress({ lookup: async () => ['::1', '127.0.0.1'] })
  const answer = await egress.fetch({ url: `http://shop.test:${server.port}/`, method: 'GET' })
  expect(answer.bytes.toString()).toBe(`127.0.0.1 shop.test:${server.port}`)
})

const plain = Buffer.from('{"ok":true}'.repeat(100))
test.each([
  ['gzip', gzipSync(plain)],
  ['GZIP', gzipSync(plain)],
  ['x-gzip', gzipSync(plain)],
  ['deflate', deflateSync(plain)],
  ['deflate', deflateRawSync(plain)],
  ['br', brotliCompressSync(plain)],
  ['identity', plain],
])('%s is unpacked', async (encoding, packed) => {
  const server = await serve((_request, response) => response.setHeader('content-encoding', encoding).end(packed))
  expect((await ask(openEgress(), server)).bytes.equals(plain)).toBe(true)
})

test.each([
  ['gzip', gzipSync(plain).subarray(0, 30)],
  ['gzip', plain],
  ['br', plain],
  ['gzip, gzip', gzipSync(gzipSync(plain))],
  ['zstd', plain],
])('%s that cannot be unpacked is tried another time', async (encoding, packed) => {
  const server = await serve((_request, response) => response.setHeader('content-encoding', encoding).end(packed))
  await expect(ask(openEgress(), server)).rejects.toMatchObject({ kind: 'upstream_retryable' })
})

test('a body of the most bytes passes and one more does not', async () => {
  const server = await serve((request, response) => response.end(Buffer.alloc(Number(request.headers['x-size']))))
  const egress = openEgress()
  const sized = (size: number, maxBytes?: number) =>
    ask(egress, server, { headers: { 'x-size': `${size}` }, ...(maxBytes && { maxBytes }) })
  expect((await sized(1000, 1000)).bytes.length).toBe(1000)
  await expect(sized(1001, 1000)).rejects.toMatchObject({
    kind: 'upstream_retryable',
    message: 'The answer is too large.',
  })
  expect((await sized(10 * 1024 * 1024)).bytes.length).toBe(10 * 1024 * 1024)
  await expect(sized(10 * 1024 * 1024 + 1)).rejects.toMatchObject({ kind: 'upstream_retryable' })
})

test('a body that is announced as too large is not waited for, and where none follows nothing is too large', async () => {
  const server = await serve((request, response) => {
    response.writeHead(200, { 'content-length': 2_000_000 })
    if (request.method === 'HEAD') response.end()
    else response.flushHeaders()
  })
  const egress = openEgress()
  await expect(ask(egress, server, { maxBytes: 1_000_000 })).rejects.toMatchObject({
    message: 'The answer is too large.',
  })
  const head = await ask(egress, server, { method: 'HEAD', maxBytes: 1_000_000 })
  expect(head).toMatchObject({ status: 200, headers: { 'content-length': '2000000' } })
})

test.each([
  ['announced', (bytes: Buffer) => ({ 'content-length': bytes.length })],
  ['not announced', () => ({})],
])('a large body that is %s comes as it was sent, however it is cut', async (_, headersOf) => {
  const bytes = Buffer.from(Array.from({ length: 600_000 }, (_, n) => `${n},`).join(''))
  const server = await serve(async (_request, response) => {
    response.writeHead(200, headersOf(bytes))
    for (let at = 0; at < bytes.length; at += 99_991) {
      if (!response.write(bytes.subarray(at, at + 99_991))) await once(response, 'drain')
    }
    response.end()
  })
  const { bytes: read } = await ask(openEgress(), server)
  expect(read.equals(bytes)).toBe(true)
})

test('a body without end is cut off', async () => {
  const server = await serve((_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    }
    response.on('drain', more)
    more()
  })
  await expect(ask(openEgress(), server, { maxBytes: 1_000_000 })).rejects.toMatchObject({
    message: 'The answer is too large.',
  })
})

const zeros = Buffer.alloc(64 * 1024 * 1024)
test.each([
  ['gzip', gzipSync(zeros)],
  ['br', brotliCompressSync(zeros)],
  ['deflate', deflateSync(zeros)],
])('a bomb in %s does not go off', async (encoding, bomb) => {
  const server = await serve((_request, response) => response.setHeader('content-encoding', encoding).end(bomb))
  const before = process.memoryUsage().rss
  await expect(ask(openEgress(), server)).rejects.toMatchObject({ message: 'The answer is too large.' })
  expect(process.memoryUsage().rss - before).toBeLessThan(48 * 1024 * 1024)
})

test('a few bytes do not become a thousand times as many', async () => {
  const bomb = brotliCompressSync(zeros.subarray(0, 1_000_000))
  expect(bomb.length).toBeLessThan(100)
  const server = await serve((_request, response) => response.setHeader('content-encoding', 'br').end(bomb))
  await expect(ask(openEgress(), server)).rejects.toMatchObject({ message: 'The answer is too large.' })
})

test.each<[string, (socket: Socket) => void]>([
  ['says nothing', () => undefined],
  ['drips headers', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX-A: 1\r\n')],
  ['drips a body', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n')],
])('a server that %s is left at the deadline', async (_what, handle) => {
  const server = await speak(handle)
  const started = performance.now()
  const error: unknown = await ask(openEgress(), server, { timeoutMs: 100 }).catch((reason) => reason)
  expect(error).toMatchObject({ kind: 'upstream_retryable', retryAfterSeconds: 5 })
  expect(wasNeverSent(error)).toBe(false)
  expect(performance.now() - started).toBeLessThan(1_000)
})

/** The beginning at once, and then a letter every few milliseconds. */
function drip(socket: Socket, beginning: string) {
  socket.write(beginning)
  const timer = setInterval(() => socket.write('x'), 5)
  socket.on('close', () => clearInterval(timer))
}

test('a connection that is not there in time is given up, and certainly not sent', async () => {
  const silent = await speak(() => undefined)
  const late = openEgress({ allow: ['127.0.0.1'], connectMs: 50 })
  const handshake: unknown = await late
    .fetch({ url: `https://127.0.0.1:${silent.port}/`, method: 'POST' })
    .catch((reason) => reason)
  expect(handshake).toMatchObject({ kind: 'upstream_retryable' })
  expect(wasNeverSent(handshake)).toBe(true)
  const slow = openEgress({ connectMs: 50, lookup: () => once(AbortSignal.timeout(5_000), 'abort') })
  const lookup: unknown = await slow
    .fetch({ url: 'https://shop.example.com/', method: 'POST' })
    .catch((reason) => reason)
  expect(lookup).toMatchObject({ kind: 'upstream_retryable' })
  expect(wasNeverSent(lookup)).toBe(true)
})

test('a name that is found too late is not gone to', async () => {
  const found = Promise.withResolvers<string[]>()
  const dialled: string[] = []
  const egress = openEgress({
    connectMs: 20,
    lookup: () => found.promise,
    dial: ({ addresses }) => {
      dialled.push(...addresses)
      throw new Error('too late')
    },
  })
  const sent = egress.fetch({ url: 'https://shop.example.com/', method: 'GET' })
  await expect(sent).rejects.toMatchObject({ kind: 'upstream_retryable' })
  found.resolve(['93.184.216.34'])
  await setImmediate()
  expect(dialled).toEqual([])
})

test('the deadline holds while the name is still being looked up', async () => {
  const slow = openEgress({ lookup: () => once(AbortSignal.timeout(5_000), 'abort') })
  const started = performance.now()
  const sent = slow.fetch({ url: 'https://shop.example.com/', method: 'GET', timeoutMs: 50 })
  await expect(sent).rejects.toMatchObject({ kind: 'upstream_retryable' })
  expect(performance.now() - started).toBeLessThan(1_000)
})

test('a name that nobody has is told as such', async () => {
  const lookup = () => Promise.reject(Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' }))
  const sent = openEgress({ lookup }).fetch({ url: 'https://shop.example.com/', method: 'GET' })
  const error: unknown = await sent.catch((reason: unknown) => reason)
  expect(error).toMatchObject({ kind: 'upstream_retryable', message: 'There is no server of this name.' })
  expect([isWrongAddress(error), wasNeverSent(error)]).toEqual([true, true])
})

test('nobody there is certainly not sent', async () => {
  const gone = await listenTcp(() => undefined)
  await gone.close()
  const error: unknown = await ask(openEgress(), gone).catch((reason) => reason)
  expect(error).toMatchObject({ kind: 'upstream_retryable', message: 'The server refuses connections.' })
  expect(wasNeverSent(error)).toBe(true)
})

test.each<[string, string]>([
  ['cut off in the body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'],
  ['cut off between chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
  ['cut off in the headers', 'HTTP/1.1 200 OK\r\nContent-'],
  ['not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['of two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  ['with 20 kB of headers', `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`],
  ['empty', ''],
])('an answer that is %s is tried another time', async (_what, text) => {
  const server = await speak((socket) => socket.once('data', () => socket.end(text)))
  await expect(ask(openEgress(), server)).rejects.toMatchObject({ kind: 'upstream_retryable' })
})

test('a reset is tried another time', async () => {
  const server = await speak((socket) => socket.once('data', () => socket.resetAndDestroy()))
  await expect(ask(openEgress(), server)).rejects.toMatchObject({ kind: 'upstream_retryable' })
})

describe('of an answer whose beginning is all that is wanted', () => {
  const begin = 'HTTP/1.1 202 Accepted\r\ncontent-length: 99\r\nretry-after: 7\r\n\r\nso fa'
  const sayAndThen = (then: (socket: Socket) => void) =>
    speak((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.write(begin, () => then(socket)))
    })
  const arrived = { status: 202, headers: { 'retry-after': '7' }, bytes: Buffer.from('so fa') }

  test.each([
    ['breaks off', (socket: Socket) => socket.end(), {}],
    ['never ends', () => undefined, { timeoutMs: 300 }],
  ])('that much counts, if the rest %s', async (_, then, request) => {
    const server = await sayAndThen(then)
    const egress = openEgress()
    // Once more, where the machine stood still for all of the time.
    await untilHolds(async () =>
      expect(await ask(egress, server, { excerpt: 1024, ...request })).toMatchObject(arrived),
    )
  })

  test.each([
    ['is not reached', 'upstream_retryable', (path: string) => path === '/'],
    ['leads on', 'upstream_refused', () => true],
  ])('a redirect to a place that %s is no answer', async (_, kind, redirects) => {
    const server = await serve((request, response) =>
      redirects(request.url ?? '') ? response.writeHead(307, { location: '/on' }).end('there') : response.destroy(),
    )
    const asked = ask(openEgress(), server, { excerpt: 1024, followRedirects: 1 })
    await expect(asked).rejects.toMatchObject({ kind })
  })
})
