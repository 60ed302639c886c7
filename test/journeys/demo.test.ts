import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runEntrepot } from '../support/process.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

interface Demo {
  base_url: string
  user: { id: number; email: string; password: string }
  password_client: { id: number; secret: string }
  app: { id: number }
  app_client: { id: number; secret: string }
  account: { id: number; remote_id: string }
  service: { id: number; type: string }
  integration: { id: number; integrationKey: string; gateway_key: string }
}

/** `entrepot demo` beside a running server, and what an outsider can do with what it prints. */
describe('entrepot demo', () => {
  let server: TestServer
  let demos: Demo[]

  beforeAll(async () => {
    server = await startTestServer({ publicUrl: 'http://127.0.0.1:3000' })
    const env = {
      DATABASE_URL: server.databaseUrl,
      // As beside any running server: the trail of what is done is sealed with its keys.
      ENTREPOT_MASTER_KEYS: server.context.keys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(),
    }
    const made = [await runEntrepot(['demo', '--json'], { env }), await runEntrepot(['demo', '--json'], { env })]
    expect(made.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ])
    demos = made.map(({ stdout }) => JSON.parse(stdout))
  }, 60_000)
  afterAll(() => server.close())

  const token = async (body: Record<string, unknown>) => {
    const { json } = await server.call('POST', '/oauth/token', { body })
    return String(json['access_token'])
  }
  const list = async (path: string, bearer: string, headers: Record<string, string> = {}) => {
    const answer = await server.call('GET', path, { token: bearer, headers })
    expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.any(String)])
    return answer.json['data'] as Record<string, unknown>[]
  }
  const appToken = ({ app_client }: Demo) =>
    token({ grant_type: 'client_credentials', client_id: app_client.id, client_secret: app_client.secret })
  const userToken = ({ user, password_client }: Demo) =>
    token({
      grant_type: 'password',
      client_id: password_client.id,
      client_secret: password_client.secret,
      username: user.email,
      password: user.password,
    })

  test('prints a tenant whose integration is active and full', async () => {
    for (const demo of demos) {
      const app = await appToken(demo)
      const [integration, ...others] = await list('/api/2.0/app/integrations?include=schedules,logs', app)
      expect(others).toEqual([])
      expect(integration).toMatchObject({
        id: demo.integration.id,
        integrationKey: demo.integration.integrationKey,
        status: 'ACTIVE',
        type: 'sandbox',
        account_id: demo.account.id,
        app_id: demo.app.id,
      })
      expect(integration?.['schedules']).toHaveLength(2)
      expect(integration?.['logs']).toEqual(expect.arrayContaining([expect.objectContaining({ level: 'info' })]))
      const user = await userToken(demo)
      const key = { 'x-gateway-key': demo.integration.gateway_key }
      expect((await list('/api/1.0/orders', user, key)).length).toBeGreaterThan(0)
      expect((await list('/api/1.0/products', user, key)).length).toBeGreaterThan(0)
    }
  })

  test('makes tenants that share nothing', async () => {
    const [first, second] = demos as [Demo, Demo]
    const foreign = { 'x-gateway-key': second.integration.gateway_key }
    const answer = await server.call('GET', '/api/1.0/orders', { token: await userToken(first), headers: foreign })
    expect(answer.status).toBe(403)
    const other = await server.call('GET', `/api/2.0/app/integrations/${second.integration.id}`, {
      token: await appToken(first),
    })
    expect(other.status).toBe(403)
  })

  test('an account token comes from the printed account', async () => {
    const [demo] = demos as [Demo]
    const intent = await server.call('POST', `/api/2.0/app/intent/${demo.account.remote_id}`, {
      token: await appToken(demo),
      body: { scopes: ['webcomponent:*'] },
    })
    expect(intent.status).toBe(201)
    const data = intent.json['data'] as { token: string }
    const account = await token({ grant_type: 'intent_token', intent_token: data.token })
    expect(await list('/api/2.0/webcomponent/integrations', account)).toHaveLength(1)
  })
})
