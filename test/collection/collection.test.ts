import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/api/index.ts'
import { password } from '../support/identity.ts'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'

/** The collection as a program reads that has imported it: variables filled in, tokens kept by the scripts of the requests. */

interface Entry {
  key: string
  value: string
  disabled?: boolean
}
interface Request {
  method: string
  header: Entry[]
  auth: { type: string; bearer?: Entry[] }
  url: { raw: string; host: string[]; path: string[]; query?: Entry[]; variable?: Entry[] }
  body?: { mode: string; raw: string }
}
interface Item {
  name: string
  item?: Item[]
  request?: Request
  event?: { listen: string; script: { exec: string[] } }[]
}
interface Collection {
  info: { name: string; schema: string; _postman_id: string }
  item: Item[]
}

let server: TestServer
let tenant: TestTenant
let collection: Collection
let variables: Map<string, string>
beforeAll(async () => {
  server = await startTestServer()
  tenant = await makeTenant(server.context)
  const read = async (name: string) => JSON.parse((await server.call('GET', `/api/docs/${name}.json`)).text)
  collection = await read('collection')
  const environment = await read('environment')
  variables = new Map(environment.values.map(({ key, value }: Entry) => [key, value]))
})
afterAll(() => server.close())

const itemsIn = (items: readonly Item[]): Item[] => items.flatMap((one) => (one.item ? itemsIn(one.item) : [one]))

describe('the collection', () => {
  test('has the form of Postman’s collections 2.1: folders of requests, each with method, address and body as they are written there', () => {
    expect(collection.info).toMatchObject({
      name: 'Entrepot',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
      _postman_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    })
    for (const { name, request } of itemsIn(collection.item)) {
      expect(name).toEqual(expect.any(String))
      const { method, url, header, auth, body } = request as Request
      expect(method).toMatch(/^(GET|POST|PUT|PATCH|DELETE)$/)
      expect(url.raw.split('?')[0]).toBe([...url.host, ...url.path].join('/'))
      expect(['noauth', 'bearer']).toContain(auth.type)
      for (const entry of [...header, ...(url.query ?? []), ...(url.variable ?? [])]) {
        expect([entry.key, entry.value].every((text) => typeof text === 'string')).toBe(true)
      }
      // Every parameter of the path has its entry, and no other has one.
      const named = url.path.filter((part) => part.startsWith(':')).map((part) => part.slice(1))
      expect(named).toEqual((url.variable ?? []).map(({ key }) => key))
      if (body) expect(() => JSON.parse(body.raw)).not.toThrow()
    }
  })

  test('has every operation of the API, and the environment every variable that it uses', () => {
    const requests = itemsIn(collection.item)
    expect(requests.length).toBe(endpoints.length + 4)
    const used = new Set([...JSON.stringify(collection).matchAll(/\{\{([^$}][^}]*)\}\}/g)].map(([, name]) => name))
    expect([...used].filter((name) => !variables.has(String(name)))).toEqual([])
    expect([...variables.keys()].filter((name) => !used.has(name))).toEqual([])
  })
})

const filled = (text: string): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => variables.get(name) ?? `no ${name}`)

/** Sends a request of the collection, and runs the script that goes with it. */
async function send(folder: string, name: string) {
  const item = collection.item.find((one) => one.name === folder)?.item?.find((one) => one.name === name)
  if (!item?.request) throw new Error(`There is no request "${name}".`)
  const { method, url, header, auth, body } = item.request
  const params = new Map(url.variable?.map(({ key, value }) => [key, filled(value)]))
  const path = url.path.map((part) => (part.startsWith(':') ? params.get(part.slice(1)) : filled(part))).join('/')
  const query = (url.query ?? []).filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${filled(value)}`)
  const given = header.filter(({ disabled }) => !disabled).map(({ key, value }) => [key.toLowerCase(), filled(value)])
  const token = auth.bearer ? filled(auth.bearer[0]?.value ?? '') : null
  const answer = await server.call(method, `/${path}${query.length === 0 ? '' : `?${query.join('&')}`}`, {
    token,
    headers: Object.fromEntries(given),
    ...(body && { body: filled(body.raw) }),
  })
  const pm = {
    response: { code: answer.status, json: () => answer.json },
    environment: { set: (key: string, value: string) => variables.set(key, value) },
  }
  for (const event of item.event ?? []) runInNewContext(event.script.exec.join('\n'), { pm })
  return answer
}

test('its requests work: tokens of all kinds, and what each of them opens', async () => {
  variables
    .set('client_id', String(tenant.appClient.client_id))
    .set('client_secret', tenant.appClient.client_secret)
    .set('account', tenant.remoteId)
  expect((await send('Tokens', 'Token of an app')).status).toBe(200)
  expect((await send('APP', 'List accounts')).json['data']).toMatchObject([{ remote_id: tenant.remoteId }])
  expect((await send('Tokens', 'Intent of an account')).status).toBe(201)
  expect((await send('Tokens', 'Token of an account')).status).toBe(200)
  expect((await send('WEBCOMPONENT', 'Get the current app')).json['data']).toMatchObject({ id: tenant.appId })
  variables
    .set('client_id', String(tenant.passwordClient.client_id))
    .set('client_secret', tenant.passwordClient.client_secret)
    .set('username', tenant.email)
    .set('password', password)
  expect((await send('Tokens', 'Token of a user')).status).toBe(200)
  variables.set('app_id', String(tenant.appId))
  expect((await send('USER', 'Get an app')).json['data']).toMatchObject({ id: tenant.appId })
  // A body as it stands in the collection.
  expect((await send('USER', 'Create a webhook')).status).toBe(201)
})

test('a token that was refused is not kept', async () => {
  variables.set('client_secret', 'wrong').set('client_token', 'as it was')
  expect((await send('Tokens', 'Token of an app')).status).toBe(401)
  expect(variables.get('client_token')).toBe('as it was')
})
