import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attach } from '../../src/domain/services/app-service-store.ts'
import { readService } from '../../src/domain/services/service-store.ts'
import { marker } from '../support/hostile/files.ts'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'

let server: TestServer
let base: string
let ours: TestTenant
let theirs: TestTenant
let png: Buffer

beforeAll(async () => {
  server = await startTestServer()
  base = await server.listen()
  ours = await makeTenant(server.context)
  theirs = await makeTenant(server.context)
  png = await sharp({ create: { width: 20, height: 10, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
})
afterAll(() => server.close())

interface Answer {
  status: number
  json: { data?: { id: number; url: string; mime_type: string; size: number }; message?: string; errors?: unknown }
}

async function post(
  path: string,
  body: string | FormData | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
  tenant = ours,
): Promise<Answer> {
  const answer = await fetch(`${base}${path}`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${tenant.userToken}`, ...headers },
  })
  return { status: answer.status, json: (await answer.json()) as Answer['json'] }
}

const form = (bytes: Buffer, name = 'logo.png', field = 'logo') => {
  const data = new FormData()
  data.append(field, new Blob([new Uint8Array(bytes)]), name)
  return data
}

const appLogo = () => `/api/2.0/user/apps/${ours.appId}/logo`
const count = async () => (await server.context.db.selectFrom('logos').select('id').execute()).length
const shown = async () => {
  const { json } = await server.call('GET', `/api/2.0/user/apps/${ours.appId}`, { token: ours.userToken })
  return (json['data'] as { logo: string | null }).logo
}

describe('uploading', () => {
  test('answers with where the picture is, and the app shows it', async () => {
    const { status, json } = await post(appLogo(), form(png))
    expect(status).toBe(201)
    expect(json.data).toEqual({
      id: expect.any(Number),
      url: expect.stringMatching(/^https:\/\/entrepot\.test\/logos\/[A-Za-z0-9]{43}\.png$/),
      mime_type: 'image/png',
      size: expect.any(Number),
    })
    expect(await shown()).toBe(json.data?.url)
    const before = await count()
    await post(appLogo(), form(png))
    expect(await count()).toBe(before)
    expect(await shown()).not.toBe(json.data?.url)
  })

  test('an app has a logo of its own for a service; the catalogue keeps its own', async () => {
    const { id } = await readService(server.context.db, 'sandbox')
    const path = `/api/2.0/user/apps/${ours.appId}/services/${id}/logo`
    expect((await post(path, form(png))).status).toBe(404)
    await attach(server.context.db, { appId: ours.appId }, { service_id: id })
    const { json } = await post(path, form(png))
    const attached = await server.call('GET', '/api/2.0/app/services/sandbox', { token: ours.appToken })
    expect(attached.json['data']).toMatchObject({ logo: json.data?.url })
    const catalogue = await server.call('GET', '/api/1.0/services/sandbox', { token: ours.userToken })
    expect(catalogue.json['data']).toMatchObject({ logo: expect.stringMatching(/\/catalogue\/sandbox\.svg$/) })
  })

  test('all logos of services are listed', async () => {
    const made = await server.call('POST', '/api/1.0/services', {
      token: ours.userToken,
      body: { type: 'with-logo', name: 'With logo' },
    })
    const { id } = made.json['data'] as { id: number }
    const { json } = await post(`/api/1.0/services/${id}/logo`, form(png))
    const entry = { id, type: 'with-logo', name: 'With logo', logo: json.data?.url }
    const logos = await server.call('GET', '/api/1.0/services/logos', { token: ours.userToken })
    const foreign = await server.call('GET', '/api/1.0/services/logos', { token: theirs.userToken })
    // Those that come with us everybody sees; the others, who sees the service.
    const built = foreign.json['data'] as { type: string }[]
    expect(built.map(({ type }) => type)).toEqual(expect.arrayContaining(['shopify', 'woocommerce', 'sandbox']))
    expect(built.map(({ type }) => type)).not.toContain('with-logo')
    expect(logos.json).toEqual({ data: [...built, entry] })
  })

  test('into apps of others is refused before the file is looked at', async () => {
    expect((await post(appLogo(), form(Buffer.from('x')), {}, theirs)).status).toBe(403)
    expect((await post('/api/2.0/user/apps/999999/logo', form(png))).status).toBe(404)
  })
})

describe('hostile requests', () => {
  const required = { logo: ['The logo field is required.'] }
  const json = { 'content-type': 'application/json' }

  test.each([
    ['a path to a file', { logo: { filepath: '/etc/passwd', path: '/etc/passwd', mimetype: 'image/png' } }],
    ['a file in words', { files: { logo: { filepath: '/etc/passwd', size: 10 } } }],
    ['an address', { logo: 'http://169.254.169.254/latest/meta-data/' }],
    ['a data address', { logo: `data:image/svg+xml;base64,${Buffer.from(marker).toString('base64')}` }],
    ['nothing', {}],
  ])('JSON with %s is no file', async (_name, body) => {
    const before = await count()
    const answer = await post(appLogo(), JSON.stringify(body), json)
    expect([answer.status, answer.json.errors]).toEqual([422, required])
    expect(await count()).toBe(before)
  })

  test.each([
    '../../../../etc/passwd',
    '/etc/cron.d/x',
    '..\\..\\x.png',
    'x.php',
    'a'.repeat(5000),
    '\u202egnp.exe',
    '%00.png',
  ])('the name of the file is not used: %s', async (name) => {
    const answer = await post(appLogo(), form(png, name))
    expect(answer.status).toBe(201)
    expect(answer.json.data?.url).toMatch(/\/logos\/[A-Za-z0-9]{43}\.png$/)
  })

  test('another field, another type of body, or no body at all', async () => {
    expect((await post(appLogo(), form(png, 'x.png', 'file'))).json.errors).toEqual(required)
    expect((await post(appLogo(), new Uint8Array(png), { 'content-type': 'image/png' })).json.errors).toEqual(required)
    expect((await post(appLogo(), 'logo=x', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(422)
    expect((await post(appLogo(), '')).json.errors).toEqual(required)
  })

  test('broken multipart bodies are malformed', async () => {
    const type = { 'content-type': 'multipart/form-data; boundary=x' }
    for (const body of [
      '',
      '--x',
      '--x\r\n',
      '--x\r\n\r\n',
      '--y--',
      '--x\r\nContent-Disposition: form-data\r\n\r\nz',
    ]) {
      expect((await post(appLogo(), body, type)).status).toBe(400)
    }
    expect((await post(appLogo(), 'x', { 'content-type': 'multipart/form-data' })).status).toBe(400)
  })

  test('what is too large is refused by its size alone', async () => {
    const large = Buffer.concat([png, Buffer.alloc(2048 * 1024)])
    expect((await post(appLogo(), form(large))).json.errors).toEqual({
      logo: ['The logo field must not be greater than 2048 kilobytes.'],
    })
    const answer = await post(appLogo(), form(Buffer.alloc(4 * 1024 * 1024)))
    expect([answer.status, answer.json.message]).toEqual([413, 'The POST data is too large.'])
  })
})

describe('GET /logos/{name}', () => {
  test('a logo is served as what it is and nothing else, for ever', async () => {
    const { json } = await post(appLogo(), form(png))
    const answer = await fetch(`${base}${new URL(json.data?.url ?? '').pathname}`)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    const facts = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    expect([facts.format, facts.width, facts.height]).toEqual(['png', 20, 10])
  })

  test('a logo goes with its app', async () => {
    const { json } = await server.call('POST', '/api/2.0/user/apps', { token: ours.userToken, body: { name: 'Brief' } })
    const app = `/api/2.0/user/apps/${(json['data'] as { id: number }).id}`
    const { json: uploaded } = await post(`${app}/logo`, form(png))
    const served = async () => (await fetch(`${base}${new URL(uploaded.data?.url ?? '').pathname}`)).status
    expect(await served()).toBe(200)
    expect((await server.call('DELETE', app, { token: ours.userToken })).status).toBe(204)
    expect(await served()).toBe(404)
  })

  test.each(['nothing.png', `${'a'.repeat(43)}.png`, '..%2f..%2fetc%2fpasswd', `${'a'.repeat(43)}.svg`, "x'--"])(
    '%s is not there, and that is not kept',
    async (name) => {
      const answer = await fetch(`${base}/logos/${name}`)
      expect(answer.status).toBe(404)
      expect(answer.headers.get('cache-control')).not.toContain('immutable')
    },
  )
})
