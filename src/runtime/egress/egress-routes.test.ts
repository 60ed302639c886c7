import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Loopback, listenHttp } from '../../../test/support/loopback.ts'
import { createLog } from '../log.ts'
import { createEgress } from './egress.ts'
import type { Egress } from './egress-request.ts'
import { routedAddress, routeOf } from './egress-routes.ts'

let platform: Loopback
let egress: Egress
let origin: string

beforeAll(async () => {
  platform = await listenHttp(({ url, headers }, response) => {
    if (url === '/away') response.writeHead(302, { location: `http://127.0.0.1:${platform.port}/inside` })
    response.end(JSON.stringify({ url, host: headers.host }))
  })
  origin = `http://127.0.0.1:${platform.port}`
  const routes = new Map([['api.platform.example', origin]])
  egress = createEgress({ allow: [], routes, log: createLog('silent') })
})

afterAll(async () => {
  await egress.close()
  await platform.close()
})

test('a host with a route is asked there, under its own name', async () => {
  const answer = await egress.fetch({ url: 'https://api.platform.example/orders?page=2', method: 'GET' })
  expect(JSON.parse(answer.bytes.toString())).toEqual({ url: '/orders?page=2', host: 'api.platform.example' })
})

test('nobody gets to the place of a route by its own address', async () => {
  await expect(egress.fetch({ url: `${origin}/inside`, method: 'GET' })).rejects.toMatchObject({
    kind: expect.any(String),
  })
  await expect(
    egress.fetch({ url: 'https://api.platform.example/away', method: 'GET', followRedirects: 3 }),
  ).rejects.toMatchObject({ kind: expect.any(String) })
})

test('every host below a domain may have one route', () => {
  const routes = new Map([['*.shops.example', origin]])
  expect(routeOf('tea.shops.example', routes)).toBe(origin)
  for (const host of ['shops.example', 'a.tea.shops.example', 'shops.example.evil', 'xshops.example'])
    expect(routeOf(host, routes)).toBeUndefined()
})

test('browsers are sent where we ask, with the name of the host', () => {
  const routes = new Map([['api.platform.example', origin]])
  expect(routedAddress('https://api.platform.example/allow?a=1#b', routes)).toBe(
    `${origin}/_host/api.platform.example/allow?a=1#b`,
  )
  expect(routedAddress('https://other.example/allow?a=1', routes)).toBe('https://other.example/allow?a=1')
})
