import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'

let server: TestServer
let tenant: TestTenant

beforeAll(async () => {
  server = await startTestServer()
  tenant = await makeTenant(server.context)
})

afterAll(() => server.close())

const path = '/api/2.0/user/clients'

async function post(contentType: string | null, body: string) {
  const { http } = server.program
  const answer = await http?.inject({
    method: 'POST',
    url: path,
    headers: {
      authorization: `Bearer ${tenant.userToken}`,
      ...(contentType === null ? {} : { 'content-type': contentType }),
    },
    payload: body,
  })
  return { status: answer?.statusCode, json: JSON.parse(answer?.body || '{}') }
}

const isJson = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'application/json ; charset="utf-8"',
  'application/json;',
  'application/json; ',
  'application/json;;',
  'application/json; charset',
  'application/json; boundary=x; x=y',
  'application/json\t',
  'application/json\t; charset=utf-8',
  ' application/json',
  'APPLICATION/JSON',
  'Application/Json; Charset=Utf-8',
  'application/vnd.api+json',
  'application/ld+json; profile="x"',
  'application/problem+json',
  'application/x.y-z+json',
]

const isNotJson = [
  null,
  '',
  ' ',
  'json',
  'application',
  'application/',
  '/json',
  ';',
  '; charset=utf-8',
  'application/json x',
  'application/json\tx',
  'application/jsonp',
  'application/json+xml',
  'application/+json',
  'text/json',
  'text/plain',
  'text/plain; application/json',
  'text/plain, application/json',
  'application/json, text/plain',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=utf-8',
  'multipart/form-data',
  'multipart/form-data; boundary=application/json',
  'application/octet-stream',
  'application/xml',
  'image/png',
  '*/*',
  'undefined',
  'null',
  'é/json',
]

describe('a JSON body', () => {
  test.each(isJson)('is read as %j, and its fields are checked', async (type) => {
    const good = await post(type, '{"name":"Order manager"}')
    expect([good.status, good.json.data?.name]).toEqual([201, 'Order manager'])
    const bad = await post(type, '{"name":5}')
    expect([bad.status, bad.json.errors]).toEqual([422, { name: ['The name field must be a string.'] }])
    expect((await post(type, '{"name":')).status).toBe(400)
  })

  test.each(isNotJson)('is not looked at as %j: what it holds is missing', async (type) => {
    for (const body of ['{"name":"Order manager"}', '{"name":5}', '{', 'name=Order+manager', '\0', '']) {
      const { status, json } = await post(type, body)
      expect([status, json.errors]).toEqual([422, { name: ['The name field is required.'] }])
    }
  })

  test('none of them has created anything by accident', async () => {
    const { json } = await server.call('GET', `${path}?per_page=1`, { token: tenant.userToken })
    expect(json['meta']).toMatchObject({ total: isJson.length })
  })
})

describe('an empty body', () => {
  test.each(['application/json', 'application/json; charset=utf-8', null])(
    'as %j is one without fields',
    async (type) => {
      for (const body of ['', ' ', '\n\t', '{}']) {
        const { status, json } = await post(type, body)
        expect([status, json.message]).toEqual([422, 'The name field is required.'])
      }
    },
  )

  test('is fine for a delete, whatever it is called', async () => {
    for (const type of ['application/json', 'text/plain', 'nonsense', '']) {
      const created = await post('application/json', '{"name":"Short-lived"}')
      const answer = await server.call('DELETE', `${path}/${created.json.data.id}`, {
        token: tenant.userToken,
        headers: { 'content-type': type },
      })
      expect([answer.status, answer.text]).toEqual([204, ''])
    }
  })
})

test('what a client accepts is no reason to refuse: the answer is JSON', async () => {
  for (const accept of ['text/html', 'application/xml', 'image/png;q=1, */*;q=0', 'nonsense', '']) {
    const list = await server.call('GET', path, { token: tenant.userToken, headers: { accept } })
    expect([list.status, list.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    const refused = await server.call('GET', path, { headers: { accept } })
    expect([refused.status, refused.json]).toEqual([401, { message: 'Unauthenticated.' }])
  }
})
