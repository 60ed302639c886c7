import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  AuthenticationError,
  createAccountClient,
  createClient,
  createUserClient,
  type EntrepotClient,
  NotFoundError,
  PermissionError,
  ValidationError,
} from '../../packages/client/src/index.ts'
import type { Integration } from '../../src/domain/integrations/integration.ts'
import { createOrder } from '../../src/domain/orders/create-order.ts'
import { makeIntegration } from '../support/gateway.ts'
import { password } from '../support/identity.ts'
import { orderInput } from '../support/orders.ts'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'

/** The client library against the whole program, over a socket. */
let server: TestServer
let tenant: TestTenant
let integration: Integration
let baseUrl: string
let client: EntrepotClient

beforeAll(async () => {
  server = await startTestServer()
  tenant = await makeTenant(server.context)
  const { appId, accountId } = tenant
  integration = (await makeIntegration(server.context, { appId, accountId })).integration
  for (let n = 0; n < 7; n++) await createOrder(server.context, integration, orderInput({ number: `#${n + 1}` }))
  baseUrl = await server.listen()
  client = createClient({ baseUrl, auth: appAuth() })
})
afterAll(() => server.close())

const dot = () =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: '#204060' } })
    .png()
    .toBuffer()

const appAuth = () => ({ clientId: tenant.appClient.client_id, clientSecret: tenant.appClient.client_secret })

describe('the three kinds of caller', () => {
  test('an app reads lists to their end, page by page', async () => {
    const seen: (string | null)[] = []
    for await (const order of client.orders.list({ integration_id: integration.id, per_page: 3, sort: 'id' })) {
      seen.push(order.number)
    }
    expect(seen).toEqual(['#1', '#2', '#3', '#4', '#5', '#6', '#7'])
    expect((await client.orders.list({ integration_id: integration.id }).page()).meta.total).toBe(7)
    expect(await client.orders.list({ integration_id: integration.id }).take(2)).toHaveLength(2)
  })

  test('an account of the app sees its shops', async () => {
    const account = createAccountClient({ baseUrl, auth: { ...appAuth(), account: tenant.remoteId } })
    expect((await account.integrations.list().take(10)).map(({ id }) => id)).toEqual([integration.id])
  })

  test('a page exchanges an intent, and asks for another one when it has to', async () => {
    let asked = 0
    const intentToken = async () => {
      asked++
      return (await client.accounts.intent(tenant.remoteId, { scopes: ['*'] })).token
    }
    const page = createAccountClient({ baseUrl, auth: { intentToken } })
    expect((await page.orders.list({ integration_id: integration.id }).page()).data).toHaveLength(7)
    await page.integrations.list().page()
    expect(asked).toBe(1)
  })

  test('a person sees apps', async () => {
    const { client_id: clientId, client_secret: clientSecret } = tenant.passwordClient
    const user = createUserClient({ baseUrl, auth: { clientId, clientSecret, username: tenant.email, password } })
    expect((await user.apps.list().take(5)).map(({ id }) => id)).toContain(tenant.appId)
    expect((await user.apps.overview(tenant.appId, { range: '1h' })).orders_received).toBe(7)
    const created = await user.apps.create({ name: 'By the library' })
    expect(created.name).toBe('By the library')
  })

  test('files are sent as a form sends them', async () => {
    const { client_id: clientId, client_secret: clientSecret } = tenant.passwordClient
    const user = createUserClient({ baseUrl, auth: { clientId, clientSecret, username: tenant.email, password } })
    const picture = new Blob([await dot()], { type: 'image/png' })
    const { url, mime_type: type } = await user.apps.setLogo(tenant.appId, picture)
    expect([type, (await user.apps.get(tenant.appId)).logo]).toEqual(['image/png', url])
    const account = createAccountClient({ baseUrl, auth: { ...appAuth(), account: tenant.remoteId } })
    expect((await account.integrations.setLogo(integration.id, picture)).mime_type).toBe('image/png')
    await expect(user.apps.setLogo(tenant.appId, new Blob(['<svg/>']))).rejects.toThrow(ValidationError)
  })

  test('any operation can be called by its path', async () => {
    const { data } = await client.call('get', '/api/2.0/app/integrations/{integration}', {
      path: { integration: integration.id },
    })
    expect(data.shop).toBe(integration.shop)
  })
})

describe('tokens', () => {
  test('are fetched once for all calls at the same time, and kept', async () => {
    const own: string[] = []
    const fresh = createClient({ baseUrl, auth: appAuth(), onAttempt: ({ url }) => own.push(new URL(url).pathname) })
    await Promise.all(Array.from({ length: 5 }, () => fresh.integrations.list().page()))
    await fresh.integrations.list().page()
    expect(own.filter((path) => path === '/oauth/token')).toHaveLength(1)
  })

  test('that are revoked are replaced, unnoticed', async () => {
    const sent: string[] = []
    const own = createClient({
      baseUrl,
      auth: appAuth(),
      fetch: (input, init) => {
        const bearer = input instanceof Request ? input.headers.get('authorization') : null
        if (bearer) sent.push(bearer.replace('Bearer ', ''))
        return fetch(input, init)
      },
    })
    await own.integrations.list().page()
    const [first = ''] = sent
    const { client_id, client_secret } = tenant.appClient
    await server.call('POST', '/oauth/revoke', { body: { token: first, client_id, client_secret } })
    expect((await own.integrations.list().page()).data).toHaveLength(1)
    expect(new Set(sent).size).toBe(2)
  })

  test('of a client that is not known are an error with what the server says', async () => {
    const stranger = createClient({ baseUrl, auth: { clientId: '1', clientSecret: 'wrong' } })
    await expect(stranger.integrations.list().page()).rejects.toBeInstanceOf(AuthenticationError)
  })
})

describe('errors', () => {
  test('say which field is wrong, and which request it was', async () => {
    const failed = client.accounts.create({ remote_id: '' } as never)
    const error = await failed.then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(ValidationError)
    if (!(error instanceof ValidationError)) return
    expect(Object.keys(error.errors)).toContain('remote_id')
    expect(error.requestId).toMatch(/\S/)
  })

  test('tell records that are not there from those of others', async () => {
    await expect(client.integrations.get(999_999)).rejects.toBeInstanceOf(NotFoundError)
    const other = await makeTenant(server.context)
    const { integration: foreign } = await makeIntegration(server.context, { appId: other.appId })
    await expect(client.integrations.get(foreign.id)).rejects.toBeInstanceOf(PermissionError)
  })

  test('of an order that is not there say why', async () => {
    const error = await client.orders.find('99999').then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(NotFoundError)
    expect(error instanceof NotFoundError && error.reason).toMatch(/order sync/)
  })
})
