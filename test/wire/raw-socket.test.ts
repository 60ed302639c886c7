import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HttpServer } from '../../src/runtime/http/server.ts'
import { createBareServer, talk } from '../support/bare-server.ts'

/** What clients that do not keep to HTTP get: one refusal at most, and an end of the connection. */

let server: HttpServer
let port: number

beforeAll(async () => {
  server = createBareServer({ timeouts: { headersMs: 150, requestMs: 300, keepAliveMs: 100, checkEveryMs: 20 } })
  port = await server.listen('127.0.0.1', 0)
})

afterAll(() => server.close())

const answers = (received: string) => received.match(/HTTP\/1\.1 \d{3}/g) ?? []
const statuses = (received: string) => answers(received).map((line) => Number(line.slice(9)))
const hidden = 'GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n'

/** A POST with these header lines, and behind it a request that must never be seen as one. */
const smuggle = (headers: string, body: string) => `POST /echo HTTP/1.1\r\nHost: a\r\n${headers}\r\n\r\n${body}`

describe('requests with two ends are refused whole', () => {
  test.each([
    ['length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked', `0\r\n\r\n${hidden}`],
    ['chunks and length', 'Transfer-Encoding: chunked\r\nContent-Length: 5', `0\r\n\r\n${hidden}`],
    ['two lengths', 'Content-Length: 0\r\nContent-Length: 38', hidden],
    ['two lengths in one line', 'Content-Length: 0, 38', hidden],
    ['a length with a sign', 'Content-Length: +0', hidden],
    ['a negative length', 'Content-Length: -1', hidden],
    ['a length in hexadecimal', 'Content-Length: 0x10', hidden],
    ['a length with a space inside', 'Content-Length: 1 0', hidden],
    ['a length that overflows', 'Content-Length: 99999999999999999999999', hidden],
    ['chunked twice over length', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', `0\r\n\r\n${hidden}`],
    ['chunked before another coding', 'Transfer-Encoding: chunked, identity', `0\r\n\r\n${hidden}`],
    ['an unknown coding', 'Transfer-Encoding: xchunked', `0\r\n\r\n${hidden}`],
    ['a coding behind a control character', 'Transfer-Encoding: \x0bchunked', `0\r\n\r\n${hidden}`],
    ['a coding in quotes', 'Transfer-Encoding: "chunked"', `0\r\n\r\n${hidden}`],
    ['a space before the colon', 'Transfer-Encoding : chunked', `0\r\n\r\n${hidden}`],
    ['a tab before the colon', 'Content-Length\t: 0', hidden],
    ['a folded header', 'X-A: b\r\n Transfer-Encoding: chunked', `0\r\n\r\n${hidden}`],
    ['a folded coding', 'Transfer-Encoding:\r\n chunked', `0\r\n\r\n${hidden}`],
    ['a header without a name', ': x', hidden],
    ['a header without a colon', 'nonsense', hidden],
    ['NUL in a header', 'X-A: b\0c', hidden],
    ['a bare return in a header', 'X-A: b\rContent-Length: 38', hidden],
    ['a bare line feed in a header', 'X-A: b\nContent-Length: 38', hidden],
    ['a line feed as the end of the headers', 'X-A: b\n', hidden],
    ['a chunk with a size that is none', 'Transfer-Encoding: chunked', `zz\r\n${hidden}`],
    ['a chunk with a negative size', 'Transfer-Encoding: chunked', `-1\r\n${hidden}`],
    ['a chunk with an overflowing size', 'Transfer-Encoding: chunked', `fffffffffffffffff\r\n${hidden}`],
    ['a chunk with a size in 0x', 'Transfer-Encoding: chunked', `0x0\r\n\r\n${hidden}`],
    ['a chunk that ends with a line feed', 'Transfer-Encoding: chunked', `1\na\r\n0\r\n\r\n${hidden}`],
    ['a chunk longer than its size', 'Transfer-Encoding: chunked', `1\r\nabc\r\n0\r\n\r\n${hidden}`],
  ])('%s', async (_name, headers, body) => {
    const received = await talk(port, smuggle(headers, body))
    expect(statuses(received)).toEqual([400])
    expect(received).toMatch(/connection: close/i)
    expect(received).toMatch(/\{"message":"Bad request\."\}$/)
    expect(received).not.toContain('hidden')
  })
})

describe('what is no request of HTTP/1.1', () => {
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['TLS on the plain port', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['line feeds only', 'GET /echo HTTP/1.1\nHost: a\n\n'],
    ['HTTP/2 without TLS', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown version', 'GET /echo HTTP/3.7\r\nHost: a\r\n\r\n'],
    ['an unknown method', 'BREW /echo HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a method in lower case', 'get /echo HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a space in the path', 'GET /echo /x HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['no host', 'GET /echo HTTP/1.1\r\n\r\n'],
    ['headers beyond 16 KiB', `GET /echo HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`],
    ['an address beyond 16 KiB', `GET /${'a'.repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['thousands of headers', `GET /echo HTTP/1.1\r\nHost: a\r\n${'a:b\r\n'.repeat(6000)}\r\n`],
  ])('%s is refused and closed', async (_name, bytes) => {
    const received = await talk(port, bytes)
    expect(statuses(received)).toEqual([400])
  })

  test('CONNECT and an upgrade open no tunnel', async () => {
    const connected = await talk(port, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n')
    expect(statuses(connected).filter((status) => status < 400)).toEqual([])
    const upgraded = await talk(
      port,
      'GET /echo HTTP/1.1\r\nHost: a\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
    )
    expect(statuses(upgraded)).toEqual([200])
  })

  test('TRACE echoes nothing', async () => {
    const received = await talk(
      port,
      'TRACE /echo HTTP/1.1\r\nHost: a\r\nX-Secret: s3cret\r\nConnection: close\r\n\r\n',
    )
    expect(statuses(received)).toEqual([405])
    expect(received).not.toContain('s3cret')
  })
})

describe('what is', () => {
  test('the absolute form of an address is the same path', async () => {
    const received = await talk(port, 'GET http://elsewhere.test/echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(statuses(received)).toEqual([200])
    const missing = await talk(port, 'GET http://elsewhere.test/nope HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(missing).toContain('The route nope could not be found.')
  })

  test('requests in a row on one connection get their answers in that order', async () => {
    const one = 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}'
    const two = 'GET /nope HTTP/1.1\r\nHost: a\r\n\r\n'
    const three = 'GET /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
    expect(statuses(await talk(port, one + two + three))).toEqual([200, 404, 200])
  })

  test('a chunked body is whole', async () => {
    const head =
      'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n'
    const received = await talk(port, `${head}4\r\n{"a"\r\n3;x=y\r\n:1}\r\n0\r\n\r\n`)
    expect(statuses(received)).toEqual([200])
    expect(received).toContain('"body":{"a":1}')
  })
})

describe('who comes slowly', () => {
  test('with the headers is closed', async () => {
    const received = await talk(port, 'GET /echo HTTP/1.1\r\nHost: a\r\nX-')
    expect(statuses(received)).toEqual([408])
  })

  test('with the body is closed', async () => {
    const received = await talk(port, 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{')
    expect(statuses(received)).toEqual([408])
  })

  test('with the next request is closed without a word', async () => {
    const received = await talk(port, 'GET /echo HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(statuses(received)).toEqual([200])
  })

  test('by a byte at a time does not gain any', async () => {
    let drip: NodeJS.Timeout | undefined
    const received = await talk(port, 'GET /echo HTTP/1.1\r\nHost: a\r\n', (socket) => {
      drip = setInterval(() => socket.writable && socket.write('X: a\r\n'), 20)
    })
    clearInterval(drip)
    expect(statuses(received)).toEqual([408])
  })
})
