import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { spareBytes, worthSparing } from '../../src/runtime/http/spare-bytes.ts'
import { makeUser } from '../support/identity.ts'
import { makeTenant, startTestServer, type TestServer } from '../support/server.ts'

/** Long answers have tags and are compressed; short ones are sent as they are. */

let server: TestServer
let origin: string
let token: string
let companyId: number

beforeAll(async () => {
  server = await startTestServer()
  origin = await server.listen()
  const tenant = await makeTenant(server.context)
  token = tenant.userToken
  companyId = tenant.companyId
  for (let n = 0; n < 60; n++) await makeUser(server.context, { company_id: companyId, name: `Colleague ${n}` })
})
afterAll(() => server.close())

const long = '/api/1.0/users?per_page=100'
const read = (path: string, headers: Record<string, string> = {}) =>
  server.call('GET', path, { token, headers: { 'accept-encoding': 'identity', ...headers } })

test('a long list has a tag, by which it is not sent again until something in it has changed', async () => {
  const whole = await read(long)
  expect(whole.text.length).toBeGreaterThan(worthSparing)
  const tag = String(whole.headers['etag'])
  expect(tag).toMatch(/^W\/"[\w-]{27}"$/)
  for (const shown of [tag, tag.slice(2), `"other", ${tag}`]) {
    const same = await read(long, { 'if-none-match': shown })
    expect([same.status, same.text, same.headers['etag']]).toEqual([304, '', tag])
    expect(same.headers['x-ratelimit-limit']).toBeDefined()
  }
  expect((await read(long, { 'if-none-match': '"other"' })).status).toBe(200)
  await makeUser(server.context, { company_id: companyId, name: 'Newcomer' })
  const changed = await read(long, { 'if-none-match': tag })
  expect(changed.status).toBe(200)
  expect(changed.headers['etag']).not.toBe(tag)
})

test('a tag is of no use to somebody else, nor without a token', async () => {
  const tag = String((await read(long)).headers['etag'])
  const stranger = await makeTenant(server.context)
  const theirs = await server.call('GET', long, { token: stranger.userToken, headers: { 'if-none-match': tag } })
  expect(theirs.status).toBe(200)
  expect((await server.call('GET', long, { headers: { 'if-none-match': tag } })).status).toBe(401)
})

test('a long list is compressed for whoever takes gzip', async () => {
  const plain = await read(long)
  for (const accepted of ['gzip', 'br, GZIP;q=0.5', 'deflate, gzip']) {
    const answer = await fetch(origin + long, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json', 'accept-encoding': accepted },
    })
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    expect(answer.headers.get('vary')).toBe('accept-encoding')
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(plain.text.length / 3)
    expect(answer.headers.get('etag')).toBe(plain.headers['etag'])
    expect(await answer.text()).toBe(plain.text)
  }
  for (const refused of ['gzip;q=0', 'br', '*;q=0'])
    expect((await read(long, { 'accept-encoding': refused })).headers['content-encoding']).toBeUndefined()
})

test('nothing is compressed for a token that came in a cookie', async () => {
  const answer = { status: 200, headers: {}, body: 'x'.repeat(worthSparing) }
  const inCookie = await spareBytes(answer, { cookie: 'session=1', 'accept-encoding': 'gzip' })
  expect(inCookie.headers).toEqual({ etag: expect.any(String), vary: 'accept-encoding' })
  expect(String(inCookie.body)).toBe(answer.body)
  const inHeader = await spareBytes(answer, { authorization: 'Bearer 1', 'accept-encoding': 'gzip' })
  expect(Buffer.isBuffer(inHeader.body) && gunzipSync(inHeader.body).toString()).toBe(answer.body)
})

test('short answers and refusals are sent as they always were', async () => {
  for (const path of ['/api/1.0/users?per_page=2', '/api/1.0/users/information', '/api/1.0/users?sort=nope']) {
    const { headers } = await read(path, { 'accept-encoding': 'gzip' })
    expect([headers['etag'], headers['content-encoding'], headers['vary']]).toEqual([undefined, undefined, undefined])
  }
})
