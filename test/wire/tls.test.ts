import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2'
import { request } from 'node:https'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HttpServer } from '../../src/runtime/http/server.ts'
import { createBareServer, talk } from '../support/bare-server.ts'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'
import { certificate } from '../support/tls/certificate.ts'

interface Received {
  status: number
  version: string
  headers: IncomingHttpHeaders
  text: string
}

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: string
}

const ca = certificate.cert

function overHttp1(url: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, ca, agent: false }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (part: string) => {
        text += part
      })
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, version: answer.httpVersion, headers: answer.headers, text }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function overHttp2(url: string, sent: readonly Sent[]): Promise<Received[]> {
  const { origin, pathname, search } = new URL(url)
  return new Promise((resolve, reject) => {
    const session = connectHttp2(origin, { ca })
    session.on('error', reject)
    const answers = sent.map(
      ({ method = 'GET', headers = {}, body }) =>
        new Promise<Received>((done, fail) => {
          const stream = session.request({ ':method': method, ':path': pathname + search, ...headers })
          let received: IncomingHttpHeaders = {}
          let text = ''
          stream.setEncoding('utf8')
          stream.on('response', (given) => {
            received = given
          })
          stream.on('data', (part: string) => {
            text += part
          })
          stream.on('end', () => done({ status: Number(received[':status']), version: '2.0', headers: received, text }))
          stream.on('error', fail)
          stream.end(body)
        }),
    )
    Promise.all(answers)
      .then(resolve, reject)
      .finally(() => session.close())
  })
}

describe('with a certificate', () => {
  let server: TestServer
  let tenant: TestTenant
  let url: string

  beforeAll(async () => {
    server = await startTestServer({ tls: certificate })
    tenant = await makeTenant(server.context)
    url = await server.listen()
  })
  afterAll(() => server.close())

  const json = { 'content-type': 'application/json' }
  const bearer = () => ({ authorization: `Bearer ${tenant.userToken}` })

  test('HTTP/1.1 and HTTP/2 give the same answers, and ask browsers to stay with TLS', async () => {
    const address = `${url}/api/2.0/user/clients?per_page=3`
    const one = await overHttp1(address, { headers: bearer() })
    const [two] = await overHttp2(address, [{ headers: bearer() }])
    expect([one.version, two?.version]).toEqual(['1.1', '2.0'])
    for (const answer of [one, two]) {
      expect([answer?.status, answer?.text]).toEqual([200, one.text])
      expect(answer?.headers).toMatchObject({
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'content-type': 'application/json; charset=utf-8',
        'x-content-type-options': 'nosniff',
      })
      expect(answer?.headers['x-ratelimit-limit']).toBeDefined()
    }
  })

  test('bodies, refusals and preflights over HTTP/2', async () => {
    const address = `${url}/api/2.0/user/clients`
    const answers = await overHttp2(address, [
      { method: 'POST', headers: { ...bearer(), ...json }, body: '{"name":"Over HTTP/2"}' },
      { method: 'POST', headers: { ...bearer(), ...json }, body: '{' },
      { method: 'POST', headers: { ...bearer(), ...json }, body: '{}' },
      { method: 'POST', headers: json, body: '{}' },
      { method: 'PATCH', headers: bearer() },
      { method: 'OPTIONS', headers: { 'access-control-request-method': 'PUT' } },
      { method: 'POST', headers: { ...bearer(), 'content-type': 'nonsense' }, body: '{"name":"a"}' },
      { method: 'HEAD', headers: bearer() },
    ])
    expect(answers.map(({ status }) => status)).toEqual([201, 400, 422, 401, 405, 204, 422, 200])
    for (const { headers } of answers) expect(headers['strict-transport-security']).toBeDefined()
  })

  test('a hundred at once on one connection', async () => {
    const answers = await overHttp2(
      `${url}/api/1.0/users/information`,
      Array.from({ length: 100 }, () => ({ headers: bearer() })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })

  test('a body that is too large, and its connection, over HTTP/2', async () => {
    const [answer] = await overHttp2(`${url}/api/2.0/user/clients`, [
      { method: 'POST', headers: { ...bearer(), ...json }, body: JSON.stringify({ name: 'x'.repeat(1_100_000) }) },
    ])
    expect([answer?.status, answer?.text]).toEqual([413, '{"message":"The POST data is too large."}'])
  })

  test('the port speaks nothing but TLS', async () => {
    const received = await talk(Number(new URL(url).port), 'GET /live HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(received).not.toContain('200 OK')
  })

  test('old versions of TLS are refused', async () => {
    const { port } = new URL(url)
    const outcome = await new Promise<string>((resolve) => {
      const socket: TLSSocket = connectTls(
        {
          port: Number(port),
          host: '127.0.0.1',
          ca,
          maxVersion: 'TLSv1.1',
          minVersion: 'TLSv1',
          ciphers: 'ALL:@SECLEVEL=0',
        },
        () => resolve('connected'),
      )
      socket.on('error', () => resolve('refused'))
    })
    expect(outcome).toBe('refused')
  })
})

describe('without one', () => {
  test.each([
    ['http://127.0.0.1:3000', undefined],
    ['https://entrepot.test', 'max-age=31536000; includeSubDomains'],
  ])('TLS is promised where a proxy speaks it for us: %s', async (publicUrl, promise) => {
    const server = createBareServer({ publicUrl })
    expect((await server.inject('/echo')).headers['strict-transport-security']).toBe(promise)
    await server.close()
  })
})

describe('over TLS too', () => {
  let server: HttpServer
  let port: number
  beforeAll(async () => {
    const timeouts = { headersMs: 150, requestMs: 300, keepAliveMs: 100, checkEveryMs: 20 }
    server = createBareServer({ tls: certificate, timeouts })
    port = await server.listen('127.0.0.1', 0)
  })

  const talkTls = (bytes: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connectTls({ port, host: '127.0.0.1', ca, ALPNProtocols: ['http/1.1'] }, () => socket.write(bytes))
      let received = ''
      socket.on('data', (data) => {
        received += data.toString('latin1')
      })
      socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? undefined : reject(error)))
      socket.on('close', () => resolve(received))
    })

  test.each([
    ['slow headers', 'GET /echo HTTP/1.1\r\nHost: a\r\nX-', '408'],
    ['a slow body', 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{', '408'],
    [
      'two ends',
      'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      '400',
    ],
  ])('%s: refused and closed', async (_name, bytes, status) => {
    expect((await talkTls(bytes)).slice(0, 12)).toBe(`HTTP/1.1 ${status}`)
  })

  test('an idle connection is closed', async () => {
    expect(await talkTls('GET /echo HTTP/1.1\r\nHost: a\r\n\r\n')).toMatch(/^HTTP\/1\.1 200/)
  })

  test('a slow body over HTTP/2: refused, and the connection goes on', async () => {
    const session = connectHttp2(`https://127.0.0.1:${port}`, { ca })
    const ask = (body: string) => {
      const stream = session.request({ ':method': 'POST', ':path': '/echo', 'content-type': 'application/json' })
      const seen: { status?: number | undefined; text: string } = { text: '' }
      stream.on('response', (headers) => {
        seen.status = headers[':status']
      })
      stream.on('data', (part: Buffer) => {
        seen.text += part.toString()
      })
      stream.write(body)
      return { stream, seen }
    }
    const slow = ask('{')
    await expect.poll(() => slow.stream.closed).toBe(true)
    expect(slow.seen).toEqual({ status: 408, text: '{"message":"Bad request."}' })
    const next = ask('{}')
    next.stream.end()
    await expect.poll(() => next.stream.closed).toBe(true)
    expect(next.seen.status).toBe(200)
    session.close()
  })

  test('closing the server ends the connections of HTTP/2 that do nothing, and those that never end what they have begun', async () => {
    const stuck = connectHttp2(`https://127.0.0.1:${port}`, { ca })
    const ended = new Promise((resolve) => stuck.once('close', resolve))
    const stream = stuck.request({ ':method': 'POST', ':path': '/echo', 'content-type': 'application/json' })
    stream.resume().write('{')
    await new Promise((resolve) => stream.once('ready', resolve))
    const session = connectHttp2(`https://127.0.0.1:${port}`, { ca })
    await new Promise((resolve) => session.once('connect', resolve))
    const closed = new Promise((resolve) => session.once('close', resolve))
    await server.close()
    await closed
    await ended
  })
})

describe('proxies', () => {
  const addressSeen = async (trustProxy: readonly string[], remoteAddress: string, forwarded: string) => {
    const server = createBareServer({ trustProxy })
    const answer = await server.inject({ url: '/echo', remoteAddress, headers: { 'x-forwarded-for': forwarded } })
    await server.close()
    return answer.json().address
  }

  test.each<[string, string[], string, string, string]>([
    ['nobody is trusted by default', [], '127.0.0.1', '203.0.113.9', '127.0.0.1'],
    ['a trusted one is believed', ['10.0.0.1'], '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['another is not', ['10.0.0.1'], '10.0.0.2', '203.0.113.9', '10.0.0.2'],
    ['a network', ['10.0.0.0/8'], '10.9.9.9', '203.0.113.9', '203.0.113.9'],
    ['what a client has put before is not', ['10.0.0.1'], '10.0.0.1', '127.0.0.1, 203.0.113.9', '203.0.113.9'],
    ['through two trusted ones', ['10.0.0.0/8'], '10.0.0.1', '1.2.3.4, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ])('%s', async (_name, trusted, peer, forwarded, address) => {
    expect(await addressSeen(trusted, peer, forwarded)).toBe(address)
  })
})
