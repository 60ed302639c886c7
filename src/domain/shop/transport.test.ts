import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Loopback, listenHttp } from '../../../test/support/loopback.ts'
import type { RemoteRequest, Transport } from '../../commerce/remote.ts'
import { createEgress } from '../../runtime/egress/egress.ts'
import type { Egress } from '../../runtime/egress/egress-request.ts'
import { createLog } from '../../runtime/log.ts'
import { createTransport } from './transport.ts'

let shop: Loopback
let egress: Egress
let transport: Transport
let handle: (request: IncomingMessage, response: ServerResponse) => void

const now = Date.parse('2026-11-15T12:00:00Z')

beforeAll(async () => {
  shop = await listenHttp((request, response) => handle(request, response))
  egress = createEgress({ allow: ['127.0.0.1'], log: createLog('silent') })
  transport = createTransport(egress, () => now)
})

afterAll(async () => {
  await egress.close()
  await shop.close()
})

const ask = (request: Partial<RemoteRequest> = {}, path = '/orders') =>
  transport({ url: `http://127.0.0.1:${shop.port}${path}`, request: { method: 'GET', path, ...request } })

/** What the shop says from now on. */
function say(status: number, type: string | null, body: string | Buffer, headers: Record<string, string> = {}) {
  handle = (_request, response) => {
    response.writeHead(status, { ...(type !== null && { 'content-type': type }), ...headers }).end(body)
  }
}

/** The shop says what it was asked. */
function echo() {
  handle = async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const { method, url, headers } = request
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ method, url, type: headers['content-type'], accept: headers.accept, body }))
  }
}

test('a query is joined to what stands there already', async () => {
  echo()
  const query = { 'ids[]': ['a b', 'c&d'], limit: 5, open: true, none: null, gone: undefined, odd: '\ud800é' }
  expect((await ask({ query }, '/orders?sort=a+b')).body).toMatchObject({
    url: '/orders?sort=a+b&ids%5B%5D=a%20b&ids%5B%5D=c%26d&limit=5&open=true&odd=%EF%BF%BD%C3%A9',
  })
  expect((await ask({ query: { a: '1' } })).body).toMatchObject({ url: '/orders?a=1', accept: 'application/json' })
})

test('a body goes out as JSON, or as the text and type it was given', async () => {
  echo()
  const sent = async (request: Partial<RemoteRequest>) => (await ask({ method: 'POST', ...request })).body
  expect(await sent({ body: { a: [1] } })).toMatchObject({ type: 'application/json', body: '{"a":[1]}' })
  expect(await sent({ body: 'text' })).toMatchObject({ type: 'application/json', body: '"text"' })
  expect(await sent({ body: null })).toMatchObject({ type: 'application/json', body: 'null' })
  const form = { body: 'a=b', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }
  expect(await sent(form)).toMatchObject({ type: 'application/x-www-form-urlencoded', body: 'a=b' })
  const hal = { body: { a: 1 }, headers: { 'content-type': 'application/hal+json' } }
  expect(await sent(hal)).toMatchObject({ type: 'application/hal+json', body: '{"a":1}' })
  const none = await sent({})
  expect(none).toMatchObject({ body: '' })
  expect(none).not.toHaveProperty('type')
})

test.each<[string, string | null, string | Buffer, unknown]>([
  ['JSON', 'application/json; charset=utf-8', '{"a":1}', { a: 1 }],
  ['JSON of a kind', 'application/vnd.api+json', '[1]', [1]],
  ['JSON with a mark before it', 'application/json', '\ufeff{"a":1}', { a: 1 }],
  ['JSON without its type', null, '{"a":1}', { a: 1 }],
  ['JSON under another type', 'text/plain', ' [1]', [1]],
  [
    'JSON behind a notice',
    'text/html',
    '<br />\n<b>Notice</b>: Undefined index "a" in <b>x.php</b><br />\n{"a":1}',
    { a: 1 },
  ],
  ['JSON behind a warning, by its type', 'application/json', 'Warning: in x.php on line 3\n [1]', [1]],
  ['a number', 'application/json', '7', 7],
  ['text', 'text/plain', 'OK', 'OK'],
  ['text that only begins like JSON', 'text/plain', '{oops', '{oops'],
  ['text in an old alphabet', 'text/plain; charset=iso-8859-1', Buffer.from('é', 'latin1'), 'é'],
  ['text in an unknown alphabet', 'text/plain; charset=klingon', 'a', 'a'],
  ['nothing', 'application/json', '', null],
])('%s is understood', async (_what, type, body, expected) => {
  say(200, type, body)
  expect((await ask()).body).toEqual(expected)
})

test('JSON cannot reach into prototypes', async () => {
  say(200, 'application/json', '{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}},"b":2}')
  const { body } = await ask()
  expect(body).toEqual({ b: 2 })
  expect(Object.getPrototypeOf(body)).toBe(Object.prototype)
})

test('ids that are too long for a number keep every digit', async () => {
  say(200, 'application/json', '{"id": 12345678901234567890,"ids":[9007199254740993,-9007199254740993,5],"big":1e21}')
  expect((await ask()).body).toEqual({
    id: '12345678901234567890',
    ids: ['9007199254740993', '-9007199254740993', 5],
    big: 1e21,
  })
})

test.each<[string, string, string | Buffer]>([
  ['a page', 'text/html', '<!doctype html><p>Back soon'],
  ['a page that claims to be JSON', 'application/json', '<html>'],
  ['a page that claims to be text', 'text/plain', ' <html>'],
  ['half of the JSON', 'application/json', '{"orders":[{"id":1},{"i'],
  ['a notice and half of the JSON', 'text/html', '<b>Notice</b>\n[\n{"id":1},\n{"id":2}'],
  ['JSON nested without end', 'application/json', '['.repeat(65) + ']'.repeat(65)],
  ['a million brackets', 'application/json', '['.repeat(1_000_000)],
])('%s with status 200 is no answer', async (_what, type, body) => {
  say(200, type, body)
  await expect(ask()).rejects.toMatchObject({ kind: 'upstream_retryable', retryAfterSeconds: 30 })
})

test('what came instead of data is quoted', async () => {
  say(200, 'text/html', '<html><title>My shop</title><p>Welcome')
  const message = 'The answer is a web page or text instead of data. The shop says: "My shop"'
  await expect(ask()).rejects.toMatchObject({ message })
  handle = (_request, response) => response.writeHead(301, { location: 'https://www.shop.example/x?key=1' }).end()
  await expect(ask()).rejects.toThrow('The answer redirects to https://www.shop.example, which is not followed.')
})

test('a page is an answer to whoever asks for one', async () => {
  say(200, 'text/html', '<p>hello')
  expect((await ask({ headers: { Accept: 'text/html' } })).body).toBe('<p>hello')
})

test('JSON nested as deep as is allowed passes', async () => {
  say(200, 'application/json', '['.repeat(64) + ']'.repeat(64))
  expect((await ask()).status).toBe(200)
})

test.each([301, 400, 401, 403, 404, 422, 429, 500, 503])('%i is passed on as it is, page or not', async (status) => {
  say(status, 'text/html', '<p>no')
  expect(await ask()).toMatchObject({ status, body: '<p>no' })
  say(status, 'application/json', '{"error":')
  expect(await ask()).toMatchObject({ status, body: '{"error":' })
  say(status, 'application/json', '{"error":"no"}')
  expect(await ask()).toMatchObject({ status, body: { error: 'no' } })
})

test.each([
  ['7', '7'],
  ['1.5', '1.5'],
  ['Sun, 15 Nov 2026 12:02:00 GMT', '120'],
  ['Sun, 15 Nov 2026 11:00:00 GMT', '1'],
  ['soon', 'soon'],
])('Retry-After %s is read as %s seconds', async (given, expected) => {
  say(429, 'application/json', '{}', { 'Retry-After': given })
  expect((await ask()).headers['retry-after']).toBe(expected)
})

test('packed answers are unpacked', async () => {
  say(200, 'application/json', gzipSync('{"a":1}'), { 'content-encoding': 'gzip' })
  expect((await ask()).body).toEqual({ a: 1 })
})

test('a slow shop is left after the seconds that were given', async () => {
  handle = () => undefined
  await expect(ask({ timeoutSeconds: 0.05 })).rejects.toMatchObject({ kind: 'upstream_retryable' })
})
