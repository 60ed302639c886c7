import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { apiClient } from '../../web/lib/api.ts'
import { password } from '../support/identity.ts'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'

/** The generated client against a server that listens: what the compiler promises is what comes over the wire. */

let server: TestServer
let tenant: TestTenant
let token: string | null = null
let client: ReturnType<typeof apiClient>

beforeAll(async () => {
  server = await startTestServer()
  tenant = await makeTenant(server.context)
  client = apiClient({ baseUrl: await server.listen(), getToken: () => token })
})
afterAll(() => server.close())

describe('the typed client', () => {
  test('is refused without a token', async () => {
    token = null
    const { response, error } = await client.GET('/api/2.0/user/apps')
    expect([response.status, error]).toEqual([401, { message: 'Unauthenticated.' }])
  })

  test('logs in, makes an app, finds it again and changes it', async () => {
    await logIn()
    const made = await client.POST('/api/2.0/user/apps', { body: { name: 'Typed', url: 'https://typed.example' } })
    expect(made.response.status).toBe(201)
    const app = made.data?.data
    if (!app) throw new Error('No app was made.')
    expectTypeOf(app.id).toEqualTypeOf<number>()
    expectTypeOf(app.description).toEqualTypeOf<string | null>()
    expect(app).toMatchObject({ name: 'Typed', url: 'https://typed.example', description: null })

    const list = await client.GET('/api/2.0/user/apps', {
      params: { query: { sort: '-id', per_page: 1, include: 'services' } },
    })
    expect(list.data?.data[0]).toMatchObject({ id: app.id, services: [] })
    expectTypeOf(list.data?.meta.total).toEqualTypeOf<number | undefined>()
    expect(list.data?.meta.total).toBe(2)

    const params = { path: { appId: String(app.id) } }
    const changed = await client.PUT('/api/2.0/user/apps/{appId}', { params, body: { description: 'Changed' } })
    expect(changed.data?.data.description).toBe('Changed')
    const gone = await client.DELETE('/api/2.0/user/apps/{appId}', { params })
    expect([gone.response.status, gone.data]).toEqual([204, undefined])
    const missing = await client.GET('/api/2.0/user/apps/{appId}', { params })
    expect(missing.error).toEqual({ message: 'Not found.' })
  })

  test('learns what is wrong with a body, by field', async () => {
    await logIn()
    // @ts-expect-error the compiler knows that the name is required and the address is text
    const { response, error } = await client.POST('/api/2.0/user/apps', { body: { url: 5 } })
    expect(response.status).toBe(422)
    if (!error || !('errors' in error)) throw new Error('No fields were named.')
    expectTypeOf(error.errors).toEqualTypeOf<Record<string, string[]>>()
    expect(error).toEqual({
      message: 'The name field is required. (and 1 more error)',
      errors: { name: ['The name field is required.'], url: ['The url field must be a string.'] },
    })
  })

  test('names no path that is not there', () => {
    // @ts-expect-error no such path
    const call = () => client.GET('/api/2.0/user/nothing')
    expect(call).toBeTypeOf('function')
  })

  test('speaks for an app and for an account as well', async () => {
    const app = await client.POST('/oauth/token', {
      body: {
        grant_type: 'client_credentials',
        client_id: String(tenant.appClient.client_id),
        client_secret: tenant.appClient.client_secret,
      },
    })
    token = app.data?.access_token ?? ''
    const accounts = await client.GET('/api/2.0/app/accounts')
    expect(accounts.data?.data.map(({ remote_id }) => remote_id)).toEqual([tenant.remoteId])
    const intent = await client.POST('/api/2.0/app/intent/{account}', {
      params: { path: { account: tenant.remoteId } },
      body: { scopes: ['webcomponent:app-read'] },
    })
    const account = await client.POST('/oauth/token', {
      body: { grant_type: 'intent_token', intent_token: intent.data?.data.token ?? '' },
    })
    token = account.data?.access_token ?? ''
    const own = await client.GET('/api/2.0/webcomponent/app')
    expect(own.data?.data.id).toBe(tenant.appId)
  })
})

async function logIn(): Promise<void> {
  const { data } = await client.POST('/oauth/token', {
    body: {
      grant_type: 'password',
      client_id: String(tenant.passwordClient.client_id),
      client_secret: tenant.passwordClient.client_secret,
      username: tenant.email,
      password,
    },
  })
  expectTypeOf(data?.token_type).toEqualTypeOf<'Bearer' | undefined>()
  expect(data?.token_type).toBe('Bearer')
  token = data?.access_token ?? null
}
