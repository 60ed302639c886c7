import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { createProbeListener } from '../../src/runtime/http/probes/probe-listener.ts'
import { probes } from '../../src/runtime/http/probes/probes.ts'
import type { HttpServer } from '../../src/runtime/http/server.ts'
import { createMetrics } from '../../src/runtime/metrics.ts'
import { createBareServer } from '../support/bare-server.ts'
import { certificate } from '../support/tls/certificate.ts'

/** Who takes more than a share is refused, and nobody else notices. Every address of 127.0.0.0/8 is one of its own. */

const flooder = '127.0.0.2'
const other = '127.0.0.3'
const closing: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function listen(options: Parameters<typeof createBareServer>[0]): Promise<{ server: HttpServer; port: number }> {
  const server = createBareServer(options)
  closing.push(() => server.close())
  return { server, port: await server.listen('127.0.0.1', 0) }
}

function open(port: number, localAddress: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => undefined)
  closing.push(() => socket.destroy())
  return socket
}

/** The status line of the first answer; null if the connection ends without one. */
function firstAnswer(socket: Socket, request: string): Promise<string | null> {
  socket.write(request)
  return new Promise((resolve) => {
    socket.once('data', (data) => resolve(data.toString('latin1').split('\r\n')[0] ?? ''))
    socket.once('close', () => resolve(null))
  })
}

const get = 'GET /echo HTTP/1.1\r\nHost: a\r\n\r\n'
const post = (length: number, body = '') =>
  `POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`
const json = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`

describe('connections', () => {
  const connections = { perAddress: 5 }

  test('beyond the share of an address are closed, and those of others are not', async () => {
    const { port } = await listen({ connections })
    const held = Array.from({ length: 5 }, () => open(port, flooder))
    await Promise.all(held.map((socket) => once(socket, 'connect')))
    expect(await firstAnswer(held[0] ?? open(port, flooder), get)).toBe('HTTP/1.1 200 OK')
    expect(await firstAnswer(open(port, flooder), get)).toBeNull()
    expect(await firstAnswer(open(port, other), get)).toBe('HTTP/1.1 200 OK')
    const gone = held[1]
    gone?.destroy()
    await expect.poll(() => firstAnswer(open(port, flooder), get)).toBe('HTTP/1.1 200 OK')
  })

  test('of a trusted proxy stand for many, and are not counted', async () => {
    const { port } = await listen({ connections, trustProxy: [flooder] })
    const answers = Array.from({ length: 20 }, () => firstAnswer(open(port, flooder), get))
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 200 OK']))
  })

  test('are closed before a handshake of TLS', async () => {
    const { port } = await listen({ connections: { perAddress: 1 }, tls: certificate })
    await once(open(port, flooder), 'connect')
    const refused = connectTls({ port, host: '127.0.0.1', ca: certificate.cert, socket: open(port, flooder) })
    const [error] = await once(refused, 'error')
    expect(error).toMatchObject({ code: 'ECONNRESET' })
    const taken = connectTls({ port, host: '127.0.0.1', ca: certificate.cert, socket: open(port, other) })
    closing.push(() => taken.destroy())
    await once(taken, 'secureConnect')
  })
})

describe('bodies', () => {
  const bytesInFlight = { callers: 1000, perCaller: 1000, strangers: 250_000, perAddress: 200_000 }

  test('beyond the share of an address are not read, while others send theirs', async () => {
    const { port } = await listen({ bytesInFlight })
    const held = [open(port, flooder), open(port, flooder)]
    for (const socket of held) socket.write(post(100_000, '{"a":'))
    await expect.poll(() => firstAnswer(open(port, flooder), post(100_000))).toBe('HTTP/1.1 429 Too Many Requests')
    expect(await firstAnswer(open(port, other), post(40_000, json(40_000)))).toBe('HTTP/1.1 200 OK')
    expect(await firstAnswer(open(port, other), post(90_000))).toBe('HTTP/1.1 503 Service Unavailable')
    for (const socket of held) socket.destroy()
    await expect.poll(() => firstAnswer(open(port, flooder), post(100_000, json(100_000)))).toBe('HTTP/1.1 200 OK')
  })

  test('that do not say how long they are count as long as they may be', async () => {
    const { port } = await listen({ bytesInFlight: { ...bytesInFlight, perAddress: 2 ** 20, strangers: 2 ** 30 } })
    const chunked = 'POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n'
    open(port, flooder).write(chunked)
    await expect.poll(() => firstAnswer(open(port, flooder), post(70_000))).toBe('HTTP/1.1 429 Too Many Requests')
  })

  test('leave nothing behind when they are done', async () => {
    const { server } = await listen({ bytesInFlight: { ...bytesInFlight, perAddress: 100, strangers: 100 } })
    for (let n = 0; n < 5; n++) {
      const { statusCode } = await server.inject({ method: 'POST', url: '/echo', payload: { a: 'x'.repeat(50) } })
      expect(statusCode).toBe(200)
    }
  })

  test('of a path that is not there end the connection', async () => {
    const { port } = await listen({})
    const socket = open(port, flooder)
    const ended = once(socket, 'end')
    socket.write(post(1_000_000).replace('/echo', '/nobody'))
    socket.resume()
    await ended
  })

  test('that are refused are not reset: whoever sends all before it reads has its answer', async () => {
    const { port } = await listen({})
    for (let n = 0; n < 20; n++) {
      const socket = connect({ port, host: '127.0.0.1' })
      const failed = new Promise<string>((resolve) => socket.once('error', ({ message }) => resolve(message)))
      const sent = (bytes: string) => new Promise<string>((resolve) => socket.write(bytes, () => resolve('sent')))
      socket.write(post(800_000).replace('/echo', '/nobody'))
      // Refused by now, and closed on that side.
      await once(socket, 'readable')
      for (let part = 0; part < 8; part++) expect(await Promise.race([sent('x'.repeat(100_000)), failed])).toBe('sent')
      const answer = await text(socket)
      expect(answer).toMatch(/^HTTP\/1.1 404 /)
      socket.end()
    }
  })

  test('that never end are cut off all the same', async () => {
    const { port } = await listen({})
    const socket = open(port, flooder)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(post(800_000).replace('/echo', '/nobody'))
    const drip = setInterval(() => socket.write('x'), 20)
    await closed
    clearInterval(drip)
  })
})

test('pages have a share by address and minute, of which heavy ones take more, and probes none', async () => {
  const page = (path: string, weight?: number) => ({
    path,
    ...(weight === undefined ? {} : { weight }),
    handle: async () => ({ status: 200, body: {} }),
  })
  const { server } = await listen({ pages: [page('/page'), page('/heavy', 20), page('/probe', 0)], pagesAllowed: 25 })
  const ask = async (url: string, remoteAddress: string) => (await server.inject({ url, remoteAddress })).statusCode
  expect([await ask('/heavy', flooder), await ask('/page', flooder)]).toEqual([200, 200])
  expect([await ask('/heavy', flooder), await ask('/page', flooder)]).toEqual([429, 429])
  expect([await ask('/probe', flooder), await ask('/page', other)]).toEqual([200, 200])
})

describe('the listener of the probes', () => {
  async function listenForProbes(isReady = async () => true) {
    const metrics = createMetrics()
    const listener = createProbeListener(probes({ isReady, metrics, metricsToken: null, isOpen: true }))
    closing.push(() => listener.close())
    return await listener.listen('127.0.0.1', 0)
  }

  test('says whether the process lives and can work, and its figures, and nothing else', async () => {
    const port = await listenForProbes(async () => false)
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).then(({ status }) => status)
    expect(await Promise.all(['/live', '/ready', '/metrics', '/api/1.0/users', '/'].map(ask))).toEqual([
      ...[200, 503, 200, 404, 404],
    ])
  })

  test('has room for one more question however many hold it open', async () => {
    const port = await listenForProbes()
    const held = Array.from({ length: 200 }, () => open(port, flooder))
    await Promise.all(held.map((socket) => once(socket, 'connect')))
    expect(await firstAnswer(open(port, other), 'GET /live HTTP/1.1\r\nHost: a\r\n\r\n')).toBe('HTTP/1.1 200 OK')
  })
})
