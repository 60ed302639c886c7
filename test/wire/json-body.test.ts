import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'

let server: TestServer
let tenant: TestTenant

beforeAll(async () => {
  server = await startTestServer()
  tenant = await makeTenant(server.context)
})

afterAll(() => server.close())

const send = (body: string | Buffer) =>
  server.program.http
    ?.inject({
      method: 'POST',
      url: '/api/2.0/user/clients',
      headers: { authorization: `Bearer ${tenant.userToken}`, 'content-type': 'application/json' },
      payload: body,
    })
    .then((answer) => ({ status: answer.statusCode, json: JSON.parse(answer.body), headers: answer.headers }))

const objects = (depth: number) => `${'{"x":'.repeat(depth)}1${'}'.repeat(depth)}`
const deep = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)

describe('a body that is no JSON object is 400', () => {
  test.each<[name: string, body: string | Buffer]>([
    ['cut off', '{"name":"Order'],
    ['a comma too many', '{"name":"a",}'],
    ['single quotes', "{'name':'a'}"],
    ['a comment', '{"name":"a"/* b */}'],
    ['two objects', '{"name":"a"}{"name":"b"}'],
    ['something behind it', '{"name":"a"} x'],
    ['NaN', '{"name":NaN}'],
    ['a list', '[{"name":"a"}]'],
    ['a text', '"name"'],
    ['a number', '5'],
    ['null', 'null'],
    ['true', 'true'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['a surrogate encoded in UTF-8', Buffer.from('7b226e616d65223a22eda080227d', 'hex')],
    ['UTF-16', Buffer.from('{"name":"a"}', 'utf16le')],
    ['a raw control character', '{"name":"a\u0001b"}'],
    ['a raw NUL', '{"name":"a\u0000b"}'],
    ['an escaped NUL', '{"name":"a\\u0000b"}'],
    ['an escaped NUL in a key that is ignored', '{"name":"a","x\\u0000":1}'],
    ['an escaped NUL deep inside', '{"name":"a","x":[{"y":"\\u0000"}]}'],
    ['half a surrogate pair', '{"name":"a\\ud83d"}'],
    ['the other half', '{"name":"a\\ude00"}'],
    ['the halves in the wrong order', '{"name":"\\ude00\\ud83d"}'],
    ['33 levels of lists', `{"x":${deep(32, '[', ']')}}`],
    ['33 levels of objects', objects(33)],
    ['a hundred thousand levels', deep(100_000, '[', ']')],
    ['a hundred thousand levels that never end', '['.repeat(100_000)],
    ['a gzip of JSON', Buffer.from('1f8b0800000000000003', 'hex')],
  ])('%s', async (_name, body) => {
    const answer = await send(body)
    expect([answer?.status, answer?.json]).toEqual([400, { message: 'Malformed JSON.' }])
    expect(answer?.headers['x-ratelimit-remaining']).toBeDefined()
  })
})

describe('a body that is a JSON object is judged by its fields', () => {
  test.each<[name: string, body: string | Buffer, status: number]>([
    ['32 levels of objects', objects(32).replace('{', '{"name":"a",'), 201],
    ['31 levels below the top', `{"name":"a","x":${deep(31, '[', ']')}}`, 201],
    ['brackets inside a text are no levels', `{"name":"a","x":"${'['.repeat(200)}"}`, 201],
    ['a quote inside a text hides no level', `{"name":"a","x":"\\"${'['.repeat(200)}"}`, 201],
    ['a byte order mark', Buffer.from('\ufeff{"name":"a"}'), 201],
    ['a whole surrogate pair', '{"name":"\\ud83d\\ude00"}', 201],
    ['spaces around it', ' \r\n\t{"name":"a"}\n', 201],
    ['a number too large for a column, in a field', '{"name":"a","app_id":99999999999999999999}', 422],
    ['an infinite number, in a field', '{"name":"a","app_id":1e999}', 422],
    ['a number that is too large, elsewhere', '{"name":"a","x":1e999,"id":99999999999999999999}', 201],
    ['a name of 192 characters', JSON.stringify({ name: 'a'.repeat(192) }), 422],
    ['a name of 191 characters that take four bytes each', JSON.stringify({ name: '😀'.repeat(191) }), 201],
  ])('%s', async (_name, body, status) => {
    expect((await send(body))?.status).toBe(status)
  })

  test('of a key that comes twice the last one counts', async () => {
    expect((await send('{"name":"first","name":"last"}'))?.json.data.name).toBe('last')
    expect((await send('{"name":"first","name":5}'))?.status).toBe(422)
  })

  test('keys with a meaning of their own have none here', async () => {
    const answer = await send(
      '{"name":"a","__proto__":{"app_id":1},"constructor":{"prototype":{"admin":true}},"toString":1,"hasOwnProperty":1}',
    )
    expect([answer?.status, answer?.json.data.app_id]).toEqual([201, null])
    expect(Reflect.get({}, 'admin')).toBeUndefined()
  })

  test('fields of the server are not taken from it', async () => {
    const body = {
      name: 'a',
      id: 1,
      user_id: 999,
      company_id: 999,
      secret: 'mine',
      revoked: true,
      created_at: '2000-01-01',
    }
    const answer = await send(JSON.stringify(body))
    expect(answer?.json.data).toMatchObject({ user_id: tenant.userId, revoked: false })
    expect(answer?.json.data.id).not.toBe(1)
    expect(answer?.json.data.secret).not.toBe('mine')
  })
})

describe('size', () => {
  const mebibyte = 1024 * 1024
  const padded = (bytes: number) => {
    const start = '{"name":"a","x":"'
    return `${start}${'x'.repeat(bytes - start.length - 2)}"}`
  }

  test('a mebibyte is taken, one byte more is 413', async () => {
    expect((await send(padded(mebibyte)))?.status).toBe(201)
    const over = await send(padded(mebibyte + 1))
    expect([over?.status, over?.json]).toEqual([413, { message: 'The POST data is too large.' }])
    expect(over?.headers['x-ratelimit-remaining']).toBeDefined()
  })

  test('nobody without a token can send one', async () => {
    const answer = await server.call('POST', '/api/2.0/user/clients', { body: padded(2 * mebibyte) })
    expect(answer.status).toBe(401)
  })

  test('a body that does not tell its size is held to it as well', async () => {
    const url = await server.listen()
    const part = Buffer.from(padded(64 * 1024))
    const parts = async function* () {
      for (let sent = 0; sent <= 2 * mebibyte; sent += part.length) yield part
    }
    const answer = await fetch(`${url}/api/2.0/user/clients`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.userToken}`, 'content-type': 'application/json' },
      body: ReadableStream.from(parts()),
      duplex: 'half',
    } as RequestInit)
    expect([answer.status, await answer.json()]).toEqual([413, { message: 'The POST data is too large.' }])
  })
})
