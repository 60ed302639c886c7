import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { endpoints } from '../../src/api/index.ts'
import { insertReset } from '../../src/domain/oauth/reset/reset-store.ts'
import {
  confirmTotpSecret,
  deleteSecondFactor,
  deleteTotpSecret,
  saveTotpSecret,
} from '../../src/domain/oauth/second-factor/second-factor-store.ts'
import { newTotpSecret } from '../../src/domain/oauth/second-factor/totp.ts'
import { insertSignInStep } from '../../src/domain/oauth/sign-in/sign-in-step-store.ts'
import { digest, randomSecret } from '../../src/lib/secret.ts'
import { type Endpoint, fullPath } from '../../src/runtime/http/endpoint.ts'
import { agentCallback, makeAgentClient } from './agents.ts'
import { authenticator } from './authenticator.ts'
import { bodyPointingAt } from './bodies.ts'
import { askToken, password } from './identity.ts'
import type { TestServer } from './server.ts'
import { softwareAuthenticator } from './software-authenticator.ts'
import { nameOf, type World } from './world.ts'

export interface ValidCall {
  params: Record<string, string>
  body: Record<string, unknown>
}

/** Calls that cannot succeed in the world of the tests, each with the reason. */
const impossible: Readonly<Record<string, string>> = {
  'POST /console/session/passkey': 'takes the signature of an authenticator (test/console/passkeys.test.ts)',
  'POST /console/session/single-sign-on': 'takes an identity provider (test/console/single-sign-on.test.ts)',
  'POST /console/single-sign-on/{company}/logout':
    'takes what an identity provider has signed (test/console/provider-logout.test.ts)',
  'POST /console/session/single-sign-on/finish':
    'takes what an identity provider has sent (test/console/single-sign-on.test.ts)',
  'PUT /api/2.0/user/companies/{company}/single-sign-on':
    'takes an identity provider (test/console/single-sign-on-settings.test.ts)',
  'POST /api/2.0/platforms/trips/{state}':
    'needs a trip to a platform and the cookie of its page; test/gateway/channels.test.ts presses its button',
  'POST /api/1.0/app_callback/{channel}':
    'takes what a platform sends along with a state that only the platform was given',
  ...Object.fromEntries(
    ['app', 'webcomponent'].map((group) => [
      `POST /api/2.0/${group}/arrivals/claim`,
      'takes a code that a merchant was shown after installing from a platform (test/journeys/install-from-platform.test.ts)',
    ]),
  ),
  ...Object.fromEntries(
    ['app', 'webcomponent'].map((group) => [
      `PUT /api/2.0/${group}/integrations/{integrationId}/message-address`,
      'takes a shop of a service that is described (test/journeys/described-webhooks.test.ts)',
    ]),
  ),
  'POST /api/2.0/webcomponent/integrations/{integrationId}/authorization': 'its shop is opened by typed keys',
}

/** Every endpoint that takes a JSON body, and calls of it that succeed: `n` makes what must be unique so. */
export const bodyEndpoints = endpoints.filter(
  (endpoint) => endpoint.body !== undefined && impossible[nameOf(endpoint)] === undefined,
)

type Server = Pick<TestServer, 'context' | 'call'>

export async function validCall(server: Server, world: World, endpoint: Endpoint, n: number): Promise<ValidCall> {
  const special = specials[nameOf(endpoint)]
  const given = special ? await special(server, world, n) : {}
  const change = changesOrderInShop.exec(nameOf(endpoint))?.[1]
  const inShop = change === undefined ? null : await changeInShop(server, world, change, n)
  return {
    params: { ...world.params(endpoint), ...(inShop && { order: inShop.order }) },
    body: { ...bodyPointingAt(endpoint, world), ...uniques(endpoint, n), ...given, ...inShop?.body },
  }
}

function uniques(endpoint: Endpoint, n: number): Record<string, unknown> {
  const fields = Object.keys((endpoint.body as { properties?: object }).properties ?? {})
  const makes = endpoint.method === 'POST'
  return {
    ...(makes && fields.includes('email') ? { email: `somebody-${n}@example.com` } : {}),
    ...(makes && /\/(accounts|orders)$/.test(fullPath(endpoint)) ? { remote_id: `unique-${n}` } : {}),
    ...(fields.includes('tracking_number') ? { tracking_number: `parcel-${n}` } : {}),
    ...(fields.includes('shop') ? { shop: `shop-${n}.example.com` } : {}),
  }
}

type Special = (server: Server, world: World, n: number) => Promise<Record<string, unknown>>

const ofStock = (rest: string, special: Special): Record<string, Special> =>
  Object.fromEntries(
    ['app/accounts/{account}', 'webcomponent'].map((group) => [
      rest.replace(' ', ` /api/2.0/${group}/stock/`),
      special,
    ]),
  )

/** What stands in the way of a second call, put out of it. */
const specials: Record<string, Special> = {
  ...ofStock('POST articles', async (_, __, n) => ({ sku: `article-${n}` })),
  ...ofStock('POST articles/{article}/links', async ({ context }, { ids, canary }) => {
    await context.db.deleteFrom('stock_links').where('article_id', '=', ids.article).execute()
    return { integration_id: ids.integration, sku: canary }
  }),
  ...ofStock('POST movements', async (_, { canary }, n) => ({
    movements: [{ key: `m-${n}`, kind: 'purchase', sku: canary, quantity: 1 }],
  })),
  'POST /oauth/token': async (_, { tenant }) => ({ grant_type: 'client_credentials', ...tenant.appClient }),
  'POST /api/oauth/token': async (_, { tenant }) => ({ grant_type: 'client_credentials', ...tenant.appClient }),
  'POST /oauth/revoke': async ({ context }, { tenant }) => ({
    ...tenant.appClient,
    token: (await askToken(context, { grant_type: 'client_credentials', ...tenant.appClient })).access_token,
  }),
  // Registered at another address each time: one may bring fifty a day.
  'POST /api/2.0/user/apps/{appId}/agents': async ({ context }, _, n) => {
    const client = await makeAgentClient(context, `Agent ${n}`)
    return { client_id: client.public_id, resource: `${context.publicUrl}/mcp` }
  },
  'POST /oauth/register': async () => ({ client_name: 'An agent', redirect_uris: [agentCallback] }),
  'POST /oauth/introspect': async (_, { tenant }) => ({ ...tenant.appClient, token: tenant.appToken }),
  'POST /api/1.0/services': async (_, __, n) => ({ type: `service-${n}` }),
  'POST /api/1.0/integrations': async (_, { tenant }) => ({
    app_id: tenant.appId,
    account_id: null,
    type: 'sandbox',
    service_id: null,
  }),
  'POST /api/2.0/app/integrations': async () => ({ type: 'sandbox', service_id: null }),
  'POST /api/2.0/user/apps/{appId}/services': async (server, { tenant }, n) => {
    const body = { name: 'Own', type: `attached-${n}` }
    const { json } = await server.call('POST', '/api/1.0/services', { token: tenant.userToken, body })
    return { service_id: (json['data'] as { id: number }).id }
  },
  'PUT /api/2.0/user/apps/{appId}/services-sync': async (_, { ids }) => ({
    services: [{ id: ids.service, active: true }],
  }),
  'PUT /api/2.0/user/apps/{appId}/services/{serviceId}': async () => ({ active: true }),
  // Ends as it began: the integration must be running for other calls.
  'PATCH /api/2.0/app/integrations/{integrationKey}/status': async () => ({ status: 'ACTIVE' }),
  'POST /api/2.0/app/integrations/{integrationId}/action': async () => ({ resource: 'sync_orders' }),
  'POST /api/2.0/webcomponent/integrations/{integrationId}/actions': async () => ({ resource: 'sync_products' }),
  // An app may have fifty: the ones made before make room.
  'POST /api/2.0/user/apps/{appId}/webhooks': async ({ context }, { tenant, ids }) => {
    await context.db
      .updateTable('webhook_subscriptions')
      .set({ deleted_at: '2026-01-01T00:00:00Z' })
      .where('app_id', '=', tenant.appId)
      .where('integration_id', 'is', null)
      .where('id', 'not in', [ids.appWebhook, ids.listener])
      .execute()
    return {}
  },
  // And five listeners.
  'POST /api/2.0/user/apps/{appId}/webhooks/listeners': async ({ context }, { tenant, ids }) => {
    await context.db
      .updateTable('webhook_subscriptions')
      .set({ deleted_at: '2026-01-01T00:00:00Z' })
      .where('app_id', '=', tenant.appId)
      .where('listens_until', 'is not', null)
      .where('id', '<>', ids.listener)
      .execute()
    return {}
  },
  'POST /oauth/device_authorization': async () => ({ client_id: 'entrepot-cli' }),
  'POST /console/device/look': async (server) => ({ user_code: await newUserCode(server) }),
  'POST /console/device/decide': async (server) => ({ user_code: await newUserCode(server), decision: 'deny' }),
  // An app may have twenty: the ones made before make room.
  'POST /api/2.0/user/apps/{appId}/alert-channels': async ({ context }, { tenant, ids }) => {
    await context.db
      .updateTable('alert_channels')
      .set({ deleted_at: '2026-01-01T00:00:00Z' })
      .where('app_id', '=', tenant.appId)
      .where('id', '<>', ids.alertChannel)
      .execute()
    return {}
  },
  'POST /api/2.0/user/apps/{appId}/views': async (_server, _world, n) => ({ name: `View ${n}` }),
  // Ends as it began: a flow must be active to be run.
  'PUT /api/2.0/user/apps/{appId}/flows/{flowId}': async () => ({ active: true }),
  'POST /api/2.0/user/apps/{appId}/flows/{flowId}/run': async ({ context }, { ids }) => {
    await context.db.updateTable('flow_runs').set({ status: 'completed' }).execute()
    return { integration_id: ids.integration }
  },
  'DELETE /api/1.0/schedules-bulk': async (server, world) => ({ ids: [await newSchedule(server, world)] }),
  'PUT /api/2.0/user/users/{user}/roles': async (_, { tenant }) => ({
    company_role: 'operator',
    app_roles: [{ app_id: tenant.appId, role: 'support' }],
  }),
  // Ends as it began: others log in with it.
  'PUT /api/2.0/user/password': async () => ({ current_password: password, password }),
  'POST /api/2.0/user/second-factor/totp': async (server, { tenant }) => {
    await deleteTotpSecret(server.context.db, tenant.userId)
    return { current_password: password }
  },
  'POST /api/2.0/user/second-factor/totp/confirm': async (server, { tenant }) => ({
    code: await codeOf(server, tenant.userId),
  }),
  'POST /api/2.0/user/passkeys/options': async () => ({ current_password: password }),
  'POST /api/2.0/user/passkeys': async ({ call, context }, { tenant, ids }) => {
    // Somebody has a few at most: those made before are a colleague's, and stay to be looked at.
    await context.db
      .updateTable('passkeys')
      .set({ user_id: ids.user })
      .where('user_id', '=', tenant.userId)
      .where('id', '<>', ids.passkey)
      .execute()
    const { json } = await call('POST', '/api/2.0/user/passkeys/options', {
      token: tenant.userToken,
      body: { current_password: password },
    })
    const options = json['data'] as { challenge: string; user: { id: string } }
    return { response: softwareAuthenticator(context.publicUrl).register(options) }
  },
  'PUT /api/2.0/user/passkeys/{passkey}': async (server, world) => {
    await keepPasskey(server, world)
    return {}
  },
  'POST /api/2.0/user/passkeys/{passkey}/remove': async (server, world) => {
    await keepPasskey(server, world)
    return await provenTwice(server, world)
  },
  'POST /api/2.0/user/second-factor/recovery-codes': provenTwice,
  'POST /api/2.0/user/second-factor/remove': provenTwice,
  'POST /console/session/enrolment': async (server, { tenant }) => {
    await deleteSecondFactor(server.context.db, tenant.userId)
    return { ticket: await newTicket(server, tenant.userId) }
  },
  'POST /console/session/second-step': async (server, world) => ({
    ...(await provenTwice(server, world)),
    ticket: await newTicket(server, world.tenant.userId),
  }),
  'POST /api/2.0/user/companies/{company}/single-sign-on/domains': async ({ context }, { tenant, ids }, n) => {
    const { db } = context
    await db
      .deleteFrom('single_sign_on_domains')
      .where('company_id', '=', tenant.companyId)
      .where('id', '<>', ids.domain)
      .execute()
    return { domain: `domain-${n}.example.com` }
  },
  'POST /api/2.0/user/invitations': async (server, world) => {
    await ageInvitations(server, world)
    return { app_id: world.tenant.appId }
  },
  'POST /console/invitation': async (server, world, n) => ({ token: await newInvitation(server, world, n) }),
  'POST /console/invitation/accept': async (server, world, n) => ({ token: await newInvitation(server, world, n) }),
  'POST /console/new-password': async (server, world) => ({ token: await newPasswordLink(server, world) }),
  'POST /console/new-password/choose': async (server, world) => ({ token: await newPasswordLink(server, world) }),
  'POST /console/session': async (_, { tenant }) => ({ email: tenant.email, password }),
  'POST /api/1.0/shipments': async (server, world, n) => ({ order_id: await newOrder(server, world, n) }),
  'PUT /api/1.0/orders/{order}/cancel': async () => ({ reason: 'Out of stock' }),
}

/** Of an authenticator app that is about to be confirmed. */
async function codeOf({ context }: Server, userId: number): Promise<string> {
  const secret = newTotpSecret()
  await deleteTotpSecret(context.db, userId)
  await saveTotpSecret(context.db, context.keys, { userId, secret })
  return authenticator(secret).code()
}

async function provenTwice(server: Server, { tenant }: World): Promise<Record<string, unknown>> {
  const code = await codeOf(server, tenant.userId)
  await confirmTotpSecret(server.context.db, tenant.userId, 0)
  return { current_password: password, code }
}

/** Calls before this one may have removed it. */
async function keepPasskey({ context }: Server, { tenant, ids }: World): Promise<void> {
  await sql`
    insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports, backed_up)
    overriding system value
    values (${ids.passkey}, ${tenant.userId}, 'Again', ${randomBytes(32)}, ${randomBytes(77)}, 0, '{}', false)
    on conflict (id) do nothing`.execute(context.db)
}

async function newTicket({ context }: Server, userId: number): Promise<string> {
  const ticket = randomSecret()
  const secretHash = digest(ticket)
  await insertSignInStep(context.db, { secretHash, userId, lifetimeSeconds: 600 })
  return ticket
}

async function newUserCode({ call }: Server): Promise<string> {
  const { json } = await call('POST', '/oauth/device_authorization', { body: { client_id: 'entrepot-cli' } })
  return String(json['user_code'])
}

/** A hundred may be open, and two hundred made in a day: the ones made before make room, and stay to be looked at. */
async function ageInvitations({ context }: Server, { tenant, ids }: World): Promise<void> {
  await sql`
    update invitations set created_at = created_at - interval '2 days', expires_at = now()
    where company_id = ${tenant.companyId} and id <> ${ids.invitation} and expires_at > now()`.execute(context.db)
}

async function newInvitation(server: Server, world: World, n: number): Promise<string> {
  await ageInvitations(server, world)
  const { call } = server
  const { tenant } = world
  const { json } = await call('POST', '/api/2.0/user/invitations', {
    token: tenant.userToken,
    body: { email: `invited-${n}@example.com`, role: 'support' },
  })
  return (json['data'] as { url: string }).url.split('#')[1] ?? ''
}

async function newPasswordLink({ context }: Server, { ids }: World): Promise<string> {
  const secret = randomSecret()
  await insertReset(context.db, { userId: ids.user, madeBy: null, secret })
  return secret
}

const changesOrderInShop =
  /^POST \/api\/2\.0\/\w+\/orders\/\{order\}\/(refunds|cancel|shipments\/cancel|annotations|hold|release|capture|fetch|acknowledge)$/

async function changeInShop(server: Server, world: World, change: string, n: number) {
  // What is on hold is on hold for every other change as well.
  const { id, piece } = await orderInShop(server, world, change === 'hold' ? 'held' : 'of-many')
  const parcel = `taken-back-${n}`
  if (change === 'shipments/cancel')
    await sendPiece(server, world, { order_id: id, tracking_number: parcel, items: [piece] })
  const bodies: Readonly<Record<string, object | undefined>> = {
    refunds: { lines: [piece] },
    cancel: { lines: [piece] },
    'shipments/cancel': { remote_id: null, tracking_number: parcel },
    annotations: { note: `Note ${n}`, add_tags: [], remove_tags: [] },
  }
  return { order: String(id), body: bodies[change] ?? {} }
}

/** One that has enough pieces for all calls there will be: one of them goes with each. Made once, by its number. */
export async function orderInShop({ call }: Server, { tenant, gatewayKey }: World, number = 'of-many') {
  const items = [{ sku: 'OF-MANY', quantity: 1_000_000, price: '1.00' }]
  const { json } = await call('POST', '/api/1.0/orders', {
    token: tenant.userToken,
    headers: { 'x-gateway-key': gatewayKey },
    body: { number, currency: 'EUR', total: '1000000.00', items },
  })
  const { id, items: lines } = json['data'] as { id: number; items: { remote_id: string }[] }
  return { id, piece: { order_line_remote_id: lines[0]?.remote_id, quantity: 1 } }
}

async function sendPiece({ call }: Server, { tenant, gatewayKey }: World, parcel: object): Promise<void> {
  const { status } = await call('POST', '/api/1.0/shipments', {
    token: tenant.userToken,
    headers: { 'x-gateway-key': gatewayKey },
    body: { carrier: 'DHL', ...parcel },
  })
  if (status !== 201) throw new Error(`The parcel that is to be taken back was not sent: ${status}.`)
}

async function newSchedule({ call }: Server, { tenant, ids }: World): Promise<number> {
  const body = { integration_id: ids.integration, resource: 'sync_orders', cron: '0 * * * *' }
  const { json } = await call('POST', '/api/1.0/schedules', { token: tenant.userToken, body })
  return (json['data'] as { id: number }).id
}

async function newOrder({ call }: Server, { tenant, gatewayKey }: World, n: number): Promise<number> {
  const { json } = await call('POST', '/api/1.0/orders', {
    token: tenant.userToken,
    headers: { 'x-gateway-key': gatewayKey },
    body: { remote_id: `to-ship-${n}`, currency: 'EUR', total: '1', items: [{ sku: 'A', quantity: 1, price: '1' }] },
  })
  return (json['data'] as { id: number }).id
}
