import { randomBytes, randomUUID } from 'node:crypto'
import { endpoints } from '../../src/api/index.ts'
import { keepCommandLine } from '../../src/domain/oauth/device/device-store.ts'
import { insertRequests } from '../../src/domain/requests/request-store.ts'
import { type Endpoint, fullPath } from '../../src/runtime/http/endpoint.ts'
import { agentCallback, makeAgent } from './agents.ts'
import { newCanary } from './chance.ts'
import { type CallOptions, makeTenant, type TestAnswer, type TestServer, type TestTenant } from './server.ts'
import { neededOf, paramsOf, tokenOf, type WorldId } from './world-params.ts'

/**
 * A tenant that owns one of everything, made through the API itself. Every text it holds carries the canary, so that a
 * single look at an answer tells whether something of this tenant has leaked into it.
 */
export interface World {
  tenant: TestTenant
  canary: string
  gatewayKey: string
  /** Value for a parameter of a path: the record of this world that stands there. */
  params(endpoint: Endpoint): Record<string, string>
  ids: Readonly<Record<WorldId, number>>
  integrationKey: string
  serviceType: string
  tokenFor(endpoint: Endpoint): string | null
  /** What the query of an endpoint cannot do without: `integration_id=7`. */
  needed(endpoint: Endpoint): string
}

/** As little as a description can say. */
const smallDefinition = {
  origin: { from: 'fixed', address: 'https://erp.example' },
  auth: { kind: 'none' },
  products: {
    list: { path: '/articles', paging: { style: 'none' } },
    fields: { remote_id: 'id', title: 'name', updated_at: 'changed' },
    variants: { fields: { remote_id: 'id' } },
  },
}

/** With `given`, a second world beside the one that this tenant's company, user or app already has. */
export async function makeWorld(server: Pick<TestServer, 'context' | 'call'>, given?: TestTenant): Promise<World> {
  const canary = newCanary()
  const { context } = server
  const tenant = given ?? (await makeTenant(context, { roles: ['manager'] }))
  const { appId, remoteId } = tenant

  async function make(method: string, path: string, options: CallOptions): Promise<Record<string, unknown>> {
    const answer = await server.call(method, path, options)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.json['data'] as Record<string, unknown>
  }
  const asUser = { token: tenant.userToken }
  const asApp = { token: tenant.appToken }
  const asAccount = { token: tenant.accountToken }
  const idOf = (record: Record<string, unknown>) => Number(record['id'])

  if (!given) {
    await context.db.updateTable('companies').set({ name: canary }).where('id', '=', tenant.companyId).execute()
    await context.db.updateTable('users').set({ name: canary }).where('id', '=', tenant.userId).execute()
    await make('PUT', `/api/2.0/user/apps/${appId}`, { ...asUser, body: { name: canary, description: canary } })
  }
  const colleague = { name: canary, email: `${canary}@example.com`, password: 'a long password', permissions: [] }
  const user = await make('POST', '/api/1.0/users', { ...asUser, body: colleague })
  const account = await make('PUT', `/api/2.0/app/accounts/${tenant.accountId}`, {
    ...asApp,
    body: { name: canary, settings: { note: canary } },
  })
  const invitation = await make('POST', '/api/2.0/user/invitations', {
    ...asUser,
    body: { email: `${canary}-invited@example.com`, role: 'support' },
  })
  const domain = await make('POST', `/api/2.0/user/companies/${tenant.companyId}/single-sign-on/domains`, {
    ...asUser,
    body: { domain: `${canary}.example.com` },
  })
  const client = await make('POST', '/api/2.0/user/clients', { ...asUser, body: { name: canary, app_id: appId } })
  const ownService = await make('POST', '/api/1.0/services', {
    ...asUser,
    body: { name: canary, type: canary, description: canary, settings: { note: canary } },
  })
  // Published and taken back: its first version is there, and it is a record like any other.
  for (const definition of [smallDefinition, null]) {
    await make('PUT', `/api/1.0/services/${idOf(ownService)}`, { ...asUser, body: { definition } })
  }
  const sandbox = await make('GET', '/api/1.0/services/sandbox', asUser)
  const attachment = { service_id: idOf(sandbox), settings: { note: canary } }
  // An app that is shared with another world offers it already.
  await server.call('POST', `/api/2.0/user/apps/${appId}/services`, { ...asUser, body: attachment })
  const flow = await make('POST', `/api/2.0/user/apps/${appId}/flows`, {
    ...asUser,
    body: { name: canary, description: canary, type: 'manual', steps: [{ action: 'sync_orders' }] },
  })
  const integration = await make('POST', '/api/2.0/app/sandbox/install', {
    ...asApp,
    body: {
      name: canary,
      shop: `${canary}.example.com`,
      remote_id: remoteId,
      credentials: { api_key: canary },
      settings: { seed: canary, orders: 3 },
    },
  })
  const integrationId = idOf(integration)
  const gatewayKey = String(integration['gateway_key'])
  const atGateway = { ...asUser, headers: { 'x-gateway-key': gatewayKey } }
  const schedule = await make('POST', `/api/2.0/webcomponent/integrations/${integrationId}/schedule`, {
    ...asAccount,
    body: { name: canary, resource: 'sync_orders', cron: '0 3 * * *', payload: { note: canary } },
  })
  const run = await make('POST', `/api/2.0/app/integrations/${integrationId}/action`, {
    ...asApp,
    body: { resource: 'sync_products' },
  })
  const order = await make('POST', '/api/1.0/orders', {
    ...atGateway,
    body: {
      remote_id: canary,
      number: canary,
      currency: 'EUR',
      total: '12.50',
      customer: { name: canary },
      items: [{ sku: canary, name: canary, quantity: 1, price: '12.50' }],
    },
  })
  const webhook = await make('POST', '/api/1.0/webhooks', {
    ...atGateway,
    body: { event: 'order.created', url: `https://${canary}.example.com/hook` },
  })
  const webhooks = `/api/2.0/user/apps/${appId}/webhooks`
  const appWebhook = await make('POST', webhooks, {
    ...asUser,
    body: { url: `https://${canary}.example.com/app-hook`, events: ['*'], description: canary },
  })
  const appDelivery = await make('POST', `${webhooks}/${idOf(appWebhook)}/test`, asUser)
  const listener = await make('POST', `${webhooks}/listeners`, asUser)
  const catcher = await make('POST', `${webhooks}/catcher`, asUser)
  const alertChannel = await make('POST', `/api/2.0/user/apps/${appId}/alert-channels`, {
    ...asUser,
    body: { type: 'slack', name: canary, address: `https://${canary}.example.com/chat` },
  })
  const view = await make('POST', `/api/2.0/user/apps/${appId}/views`, {
    ...asUser,
    body: { list: 'orders', name: canary, filters: [{ name: 'number', value: canary }] },
  })
  const alert = await context.db
    .insertInto('attentions')
    .values({
      ...{ app_id: appId, kind: 'integration_error', cause: `integration:${integrationId}`, severity: 'critical' },
      ...{ integration_id: integrationId, webhook_id: idOf(appWebhook) },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await make('POST', '/api/1.0/inventory', { ...atGateway, body: { items: [{ sku: canary, quantity: 5 }] } })
  const product = await context.db
    .insertInto('products')
    .values({
      integration_id: integrationId,
      remote_id: canary,
      sku: canary,
      name: canary,
      price: '1',
      currency: 'EUR',
    })
    .returning('id')
    .executeTakeFirstOrThrow()

  const delivery = await context.db
    .insertInto('shop_messages')
    .values({
      integration_id: integrationId,
      delivery_id: canary,
      topic: 'order.updated',
      kind: 'order',
      remote_id: canary,
      body: Buffer.from(canary),
      // Nobody works on it while others look at it.
      next_attempt_at: '2099-01-01T00:00:00Z',
    })
    .returning('id')
    .executeTakeFirstOrThrow()

  // Made when it is first used: nobody should notice that it was here.
  await keepCommandLine(context.db)

  const session = await context.db
    .insertInto('console_sessions')
    .values({ user_id: tenant.userId, secret_hash: randomBytes(32), expires_at: '2099-01-01T00:00:00Z' })
    .returning('id')
    .executeTakeFirstOrThrow()

  const passkey = await context.db
    .insertInto('passkeys')
    .values({
      user_id: tenant.userId,
      name: canary,
      credential_id: randomBytes(32),
      public_key: randomBytes(77),
      counter: 0,
      transports: [],
      backed_up: false,
    })
    .returning('id')
    .executeTakeFirstOrThrow()

  const erasure = await make('POST', '/api/2.0/webcomponent/customers/erasures', {
    ...asAccount,
    body: { email: `${canary}-erased@example.com` },
  })

  const requestId = randomUUID()
  await insertRequests(context.db, [
    {
      ...{ app_id: appId, at: new Date().toISOString(), id: requestId, source: 'api', caller: 'client' },
      ...{ client_id: null, account_id: null, user_id: null, integration_id: integrationId, method: 'GET' },
      ...{ route: `/api/${canary}`, path: `/api/${canary}`, query: canary, status: 200, ms: 1, address: canary },
      ...{ request_bytes: 0, response_bytes: 0 },
      detail: { agent: canary, content_type: null, has_idempotency_key: false, response: { canary } },
    },
  ])
  await context.db
    .insertInto('inventory')
    .values({ integration_id: integrationId, sku: canary, location: canary, remote_id: canary, quantity: 5 })
    .execute()
  await make('PUT', '/api/2.0/webcomponent/stock', { ...asAccount, body: {} })
  await make('PUT', `/api/2.0/webcomponent/stock/shops/${integrationId}`, { ...asAccount, body: { place: canary } })
  const article = await make('POST', '/api/2.0/webcomponent/stock/articles', {
    ...asAccount,
    body: { sku: canary, barcode: canary, name: canary },
  })
  const link = await make('POST', `/api/2.0/webcomponent/stock/articles/${idOf(article)}/links`, {
    ...asAccount,
    body: { integration_id: integrationId, sku: canary },
  })
  // The caller's own word for it, of which there is one; it opens nothing, and is no canary.
  const key = canary.slice(-8)
  await make('POST', '/api/2.0/webcomponent/stock/movements', {
    ...asAccount,
    body: { movements: [{ key, kind: 'count', sku: canary, quantity: 5, place: canary, note: canary }] },
  })
  const { client: agentClient, agent, approval } = await makeAgent(context, tenant, { name: canary, integrationId })

  const ids: Record<WorldId, number> = {
    client: idOf(client),
    user: idOf(user),
    company: tenant.companyId,
    app: appId,
    account: idOf(account),
    service: idOf(sandbox),
    ownService: idOf(ownService),
    integration: integrationId,
    schedule: idOf(schedule),
    order: idOf(order),
    product: product.id,
    webhook: idOf(webhook),
    appWebhook: idOf(appWebhook),
    appDelivery: idOf(appDelivery),
    listener: idOf(listener),
    flow: idOf(flow),
    run: idOf(run),
    delivery: delivery.id,
    invitation: idOf(invitation),
    session: session.id,
    passkey: passkey.id,
    erasure: idOf(erasure),
    domain: idOf(domain),
    alert: alert.id,
    alertChannel: idOf(alertChannel),
    view: idOf(view),
    article: idOf(article),
    link: idOf(link),
    agent,
    approval,
  }
  const integrationKey = String(integration['integrationKey'])
  const catcherToken = String(catcher['url']).split('/').at(-1) ?? ''
  return {
    tenant,
    canary,
    gatewayKey,
    ids,
    integrationKey,
    serviceType: 'sandbox',
    params: (endpoint) => paramsOf(endpoint, ids, { integrationKey, remoteId, canary, catcherToken, requestId }),
    tokenFor: (endpoint) => tokenOf(endpoint, tenant),
    needed: (endpoint) =>
      neededOf(endpoint, {
        ...{ integration_id: integrationId, number: canary, response_type: 'code', client_id: agentClient },
        ...{ redirect_uri: agentCallback, code_challenge: 'E'.repeat(43), code_challenge_method: 'S256' },
        resource: `${context.publicUrl}/mcp`,
      }),
  }
}

export const pathWith = (endpoint: Endpoint, params: Record<string, string>) =>
  fullPath(endpoint).replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

/** Calls an endpoint as this world's own caller would. */
export function callAs(
  server: Pick<TestServer, 'call'>,
  world: World,
  endpoint: Endpoint,
  { params, search = '', ...options }: CallOptions & { params?: Record<string, string>; search?: string } = {},
): Promise<TestAnswer> {
  const headers = {
    ...(endpoint.group.admitHeader ? { 'x-gateway-key': world.gatewayKey } : {}),
    // What the console's own pages say with each request.
    'x-entrepot-console': '1',
    ...options.headers,
  }
  const path = pathWith(endpoint, params ?? world.params(endpoint)) + withNeeded(search, world.needed(endpoint))
  return server.call(endpoint.method, path, {
    token: world.tokenFor(endpoint),
    ...options,
    headers,
  })
}

/** A search that names it already is left as it is. */
export function withNeeded(search: string, needed: string): string {
  const missing = needed.split('&').filter((part) => part !== '' && !search.includes(`${part.split('=', 1)[0]}=`))
  return missing.length === 0 ? search : `${search === '' ? '?' : `${search}&`}${missing.join('&')}`
}

export const nameOf = (endpoint: Endpoint) => `${endpoint.method} ${fullPath(endpoint)}`
export const guarded = endpoints.filter(({ group }) => group.caller !== null)
