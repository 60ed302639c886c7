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
  integrations: { id: number; type: string; name: string; account_id: number }[]
}

/** `entrepot demo` beside a running server, and what an outsider can do with what it prints. */
describe('entrepot demo', () => {
  let server: TestServer
  let demos: Demo[]
  let env: Record<string, string>

  beforeAll(async () => {
    server = await startTestServer({ publicUrl: 'http://127.0.0.1:3000' })
    env = {
      DATABASE_URL: server.databaseUrl,
      NODE_ENV: 'development',
      // As beside any running server: the trail of what is done is sealed with its keys.
      ENTREPOT_MASTER_KEYS: server.context.keys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(),
    }
    const made = [await runEntrepot(['demo', '--json'], { env }), await runEntrepot(['demo', '--json'], { env })]
    expect(made.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ])
    demos = made.map(({ stdout }) => JSON.parse(stdout))
  })
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

  test('prints a tenant whose shops are full, but for one that has just broken', async () => {
    for (const demo of demos) {
      const app = await appToken(demo)
      const integrations = await list('/api/2.0/app/integrations?include=schedules,logs&sort=id', app)
      expect(integrations.map(({ type, status, status_reason }) => [type, status, status_reason])).toEqual(
        expect.arrayContaining([
          ['shopify', 'ACTIVE', null],
          ['woocommerce', 'ACTIVE', null],
          ['prestashop', 'ACTIVE', null],
          ['magento', 'ACTIVE', null],
          ['medusa', 'ERROR', 'credentials_rejected'],
        ]),
      )
      expect(integrations).toHaveLength(demo.integrations.length)
      const integration = integrations.find(({ id }) => id === demo.integration.id)
      expect(integration).toMatchObject({
        integrationKey: demo.integration.integrationKey,
        account_id: demo.account.id,
        app_id: demo.app.id,
      })
      expect(integration?.['schedules']).toHaveLength(1)
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
    const ofMerchant = demo.integrations.filter(({ account_id }) => account_id === demo.account.id)
    expect(await list('/api/2.0/webcomponent/integrations', account)).toHaveLength(ofMerchant.length)
  })

  test('every shop has products, stock, and orders of the last thirty days', async () => {
    const [demo] = demos as [Demo]
    const app = await appToken(demo)
    const monthAgo = Date.now() - 31 * 86_400_000
    for (const { id } of demo.integrations) {
      const orders = await list(`/api/2.0/app/orders?integration_id=${id}&per_page=100`, app)
      expect(orders.length).toBeGreaterThan(30)
      for (const order of orders) expect(Date.parse(String(order['placed_at']))).toBeGreaterThan(monthAgo)
      expect((await list(`/api/2.0/app/products?integration_id=${id}`, app)).length).toBeGreaterThan(5)
    }
  })

  test('what is removed is gone, and nothing else is', async () => {
    const others = await server.context.db
      .selectFrom('users')
      .select('id')
      .where('email', 'not like', '%.example')
      .execute()
    const { code, stdout, stderr } = await runEntrepot(['demo', '--remove', '--json'], { env })
    expect([code, stderr, JSON.parse(stdout)]).toEqual([0, '', { removed: 2 }])
    const answer = await server.call('POST', '/oauth/token', {
      body: {
        ...{ grant_type: 'client_credentials', client_id: demos[0]?.app_client.id },
        client_secret: demos[0]?.app_client.secret,
      },
    })
    expect(answer.status).toBe(401)
    const ids = demos.flatMap(({ integrations }) => integrations.map(({ id }) => id))
    for (const table of ['orders', 'products', 'inventory', 'shipments', 'runs'] as const) {
      const left = await server.context.db
        .selectFrom(table)
        .select('integration_id')
        .where('integration_id', 'in', ids)
        .execute()
      expect([table, left]).toEqual([table, []])
    }
    const now = await server.context.db
      .selectFrom('users')
      .select('id')
      .where('email', 'not like', '%invalid')
      .execute()
    expect(now).toEqual(others)
    const again = await runEntrepot(['demo', '--remove'], { env })
    expect([again.code, again.stdout]).toEqual([0, 'There is no demo.\n'])
  })

  test('a database of somebody else gets none, unless it is for development', async () => {
    const { NODE_ENV: _, ...production } = env
    const { code, stderr } = await runEntrepot(['demo'], { env: production })
    expect([code, stderr]).toEqual([1, expect.stringContaining('Demos are for development only')])
  })
})
