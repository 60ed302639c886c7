import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Loopback, listenHttp } from '../../../test/support/loopback.ts'
import { createLog } from '../log.ts'
import { createEgress } from './egress.ts'
import type { Egress, EgressRequest } from './egress-request.ts'

let shop: Loopback
let neighbour: Loopback
let egress: Egress
let seen: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = []

beforeAll(async () => {
  neighbour = await listenHttp(({ method, url, headers }, response) => {
    seen.push({ method, url, headers })
    response.end('neighbour')
  })
  // GET /307?to=… answers with that status and place; /loop leads to itself; everything else is an end.
  shop = await listenHttp(({ method, url = '', headers }, response) => {
    seen.push({ method, url, headers })
    const { pathname, searchParams } = new URL(url, 'http://shop')
    const status = Number(pathname.slice(1))
    if (pathname === '/loop') response.writeHead(302, { location: '/loop' })
    else if (status > 0)
      response.writeHead(status, searchParams.has('to') ? { location: searchParams.get('to') ?? '' } : {})
    response.end('end')
  })
  const allow = [`127.0.0.1:${shop.port}`, `127.0.0.1:${neighbour.port}`]
  egress = createEgress({ allow, log: createLog('silent') })
})

afterAll(async () => {
  await egress.close()
  await shop.close()
  await neighbour.close()
})

beforeEach(() => {
  seen = []
})

const ask = (path: string, request: Partial<EgressRequest> = {}) =>
  egress.fetch({
    url: `http://127.0.0.1:${shop.port}${path}`,
    method: 'GET',
    headers: { authorization: 'Bearer secret', 'x-api-key': 'secret', cookie: 'secret=1', accept: 'application/json' },
    ...request,
  })
const leadingTo = (status: number, to: string) => `/${status}?to=${encodeURIComponent(to)}`

const statuses = [301, 302, 303, 307, 308]

test.each(statuses)('%i is an answer unless following is asked for', async (status) => {
  expect(await ask(leadingTo(status, '/end'))).toMatchObject({ status, headers: { location: '/end' } })
  expect(seen.length).toBe(1)
})

test.each(statuses)('%i is followed on the same host, with everything it had', async (status) => {
  const answer = await ask(leadingTo(status, '/end'), { followRedirects: 3 })
  expect(answer.status).toBe(200)
  expect(seen.map(({ method, url }) => [method, url]).at(-1)).toEqual(['GET', '/end'])
  expect(seen.at(-1)?.headers).toMatchObject({ authorization: 'Bearer secret', 'x-api-key': 'secret' })
})

test.each<[number, number, string, string]>([
  [301, 301, 'POST', '/301'],
  [302, 302, 'POST', '/302'],
  [303, 200, 'GET', '/end'],
  [307, 200, 'POST', '/end'],
  [308, 200, 'POST', '/end'],
])('%i to a write ends with %i', async (status, final, method, path) => {
  const answer = await ask(leadingTo(status, '/end'), { followRedirects: 3, method: 'POST', body: '{}' })
  expect(answer.status).toBe(final)
  expect(seen.at(-1)).toMatchObject({ method, url: expect.stringContaining(path) })
})

test.each(statuses)('%i to another port of the host goes without credentials', async (status) => {
  const answer = await ask(leadingTo(status, `http://127.0.0.1:${neighbour.port}/there`), { followRedirects: 1 })
  expect(answer.bytes.toString()).toBe('neighbour')
  const headers = seen.at(-1)?.headers ?? {}
  expect(headers).toMatchObject({ accept: 'application/json' })
  expect(JSON.stringify(headers)).not.toContain('secret')
})

const forbidden = [
  'http://localhost:{port}/',
  'http://[::1]:{port}/',
  'http://127.0.0.2:{port}/',
  'http://127.0.0.1:1/',
  'https://shop.example.com/',
  '//169.254.169.254/latest/meta-data/',
  'http://169.254.169.254/latest/meta-data/',
  'http://user:pass@127.0.0.1:{port}/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:{port}/',
  'data:text/plain,hello',
  'http://[',
]

test.each(statuses.flatMap((status) => forbidden.map((to) => [status, to] as const)))(
  '%i to %s is refused',
  async (status, to) => {
    const place = to.replace('{port}', `${neighbour.port}`)
    await expect(ask(leadingTo(status, place), { followRedirects: 3 })).rejects.toMatchObject({
      kind: 'upstream_refused',
    })
    expect(seen.length).toBe(1)
  },
)

test('no more are followed than was said', async () => {
  await expect(ask('/loop', { followRedirects: 3 })).rejects.toMatchObject({ kind: 'upstream_refused' })
  expect(seen.length).toBe(4)
})

test.each(statuses)('%i without a place is an answer', async (status) => {
  expect((await ask(`/${status}`, { followRedirects: 3 })).status).toBe(status)
})

test('a relative place is one below the last', async () => {
  await ask(leadingTo(302, 'deep/../end?a=b#c'), { followRedirects: 1 })
  expect(seen.at(-1)?.url).toBe('/end?a=b')
})
