import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { faultOf, makeAccount, makeApp } from '../../../test/support/identity.ts'
import { waysIn } from '../../commerce/capabilities.ts'
import { keyHandover, oauth2 } from '../../commerce/connector/auth.ts'
import { connector } from '../../commerce/connector.ts'
import { type RemoteRequest, refused } from '../../commerce/remote.ts'
import { object, text } from '../../lib/validation/fields.ts'
import type { Context } from '../context.ts'
import { readCredentials } from '../integrations/credentials-store.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { savePlatformClient } from '../services/platform-client-store.ts'
import { readService } from '../services/service-store.ts'
import { arriveAfterHandover, completeAuthorization, completeInstall, receiveHandover } from './complete-install.ts'
import { depart } from './departure.ts'
import { installIntegration } from './install-integration.ts'
import { beginTrip, endTrip } from './install-state.ts'
import { takesKeys } from './start-authorization.ts'

/** What the platform was asked. */
const asked: RemoteRequest[] = []

const remote = {
  origin: ({ shop }: { shop: string }) => `https://${shop}`,
  authenticate: (request: RemoteRequest, credentials: Record<string, unknown>) => ({
    ...request,
    headers: { authorization: `Bearer ${credentials['token']}` },
  }),
  budgets: { default: { capacity: 10, perSecond: 1 } },
  inProcess: async (request: RemoteRequest) => {
    asked.push(request)
    return { status: request.headers?.['authorization'] === 'Bearer wrong' ? 401 : 200, headers: {}, body: {} }
  },
}

const platform = connector({
  type: 'platform',
  name: 'Platform',
  settings: object({}),
  remote,
  auth: oauth2({
    credentials: object({ token: text() }),
    client: object({ client_id: text(), client_secret: text() }),
    pkce: true,
    scopes: ['orders'],
    authorizeUrl: ({ shop, client, state, callbackUrl, codeChallenge, scopes }) =>
      `https://${shop}/authorize?${new URLSearchParams({
        client_id: String(client['client_id']),
        state,
        redirect_uri: callbackUrl,
        code_challenge: codeChallenge ?? '',
        scope: scopes.join(' '),
      })}`,
    exchange: async ({ query, codeVerifier, remote }) => {
      await remote.request({ method: 'POST', path: '/token', body: { code: query['code'], codeVerifier } })
      if (query['code'] === 'spent') throw refused('The code was used already.')
      const credentials = { token: `for ${query['code']}` }
      const expiresAt = '2030-01-01T00:00:00.000000Z'
      return query['code'] === 'silent'
        ? { credentials, expiresAt }
        : { credentials, expiresAt, scopes: ['orders', 'all'] }
    },
    checkAccess: async ({ remote }) => {
      await remote.request({ method: 'GET', path: '/me' })
    },
  }),
})

const posting = connector({
  type: 'posting',
  name: 'Posting',
  settings: object({}),
  remote,
  auth: keyHandover({
    credentials: object({ token: text() }),
    authorizeUrl: ({ shop, state }) => `https://${shop}/hand-over?user_id=${state}`,
    readHandover: (body) =>
      typeof body === 'object' && body !== null && 'user_id' in body && 'token' in body
        ? { state: String(body.user_id), credentials: { token: String(body.token) } }
        : null,
    readReturn: ({ user_id: state, success }) => (state ? { state, allowed: success === '1' } : null),
    checkAccess: async ({ remote }) => {
      await remote.request({ method: 'GET', path: '/me' })
    },
  }),
})

let tested: TestContext
let context: Context
let place: { app_id: number; account_id: number; user_id: null; company_id: null }
beforeAll(async () => {
  tested = await createTestContext()
  context = {
    ...tested.context,
    connectors: new Map([platform, posting].map((one) => [one.type, one])),
  }
  const appId = await makeApp(context)
  const accountId = await makeAccount(context, appId, 'merchant')
  place = { app_id: appId, account_id: accountId, user_id: null, company_id: null }
  await context.db
    .updateTable('apps')
    .set({ return_urls: ['https://app.example/done'] })
    .where('id', '=', appId)
    .execute()
  for (const type of ['platform', 'posting']) {
    const { id } = await context.db
      .insertInto('services')
      .values({ type, name: type, auth_type: 'oauth2' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await context.db.insertInto('app_services').values({ app_id: appId, service_id: id }).execute()
    const client = { client_id: 'us', client_secret: 'hush' }
    await savePlatformClient(context.db, context.keys, { serviceId: id, appId }, client)
  }
})
afterAll(() => tested.close())

async function setOut(type: string) {
  const service = await readService(context.db, type)
  const input = { name: 'Shop', shop: 'shop.example.com', return_url: 'https://app.example/done' }
  const { integration, authorizationUrl } = await installIntegration(context, place, { service, input })
  const state = authorizationUrl?.split('/').at(-1) ?? ''
  return { integration, address: new URL(await depart(context, state, own)) }
}

/** What is in the cookie of the browser that sets out. */
const own = 'own'
const back = (type: string, query: Record<string, string>, browser = own) => ({
  ...{ type, query },
  beginnerOf: () => ({ browser }),
})

const plain = { returnUrl: null, pkce: false, addressWith: () => 'https://shop.example.com/authorize' }
const stateOf = (address: URL) => address.searchParams.get('state') ?? address.searchParams.get('user_id') ?? ''

describe('by OAuth', () => {
  test('the merchant is sent to the platform, and comes back with what connects the shop', async () => {
    const { integration, address } = await setOut('platform')
    expect(integration).toMatchObject({ status: 'PENDING', status_reason: 'awaiting_authorization' })
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      client_id: 'us',
      redirect_uri: 'https://entrepot.test/api/1.0/app_callback/platform',
      scope: 'orders',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    })
    const query = { code: 'c1', state: stateOf(address) }
    const completed = await completeAuthorization(context, back('platform', query))
    expect(completed.returnUrl).toBe('https://app.example/done')
    expect(completed.integration).toMatchObject({ id: integration.id, status: 'ACTIVE', status_reason: null })
    expect(asked.at(-2)).toMatchObject({ path: '/token', body: { code: 'c1', codeVerifier: expect.any(String) } })
    const stored = await readCredentials(context.db, context.keys, integration)
    expect(stored).toMatchObject({ credentials: { token: 'for c1' }, expiresAt: '2030-01-01T00:00:00.000000Z' })
  })

  test('what the platform granted is kept, and is what it granted last', async () => {
    const { integration, address } = await setOut('platform')
    const connect = async (code: string, state: string) =>
      (await completeAuthorization(context, back('platform', { code, state }))).integration
    expect((await connect('c1', stateOf(address))).granted).toEqual(['orders', 'all'])
    const state = await beginTrip(context.db, context.keys, integration, plain)
    await depart(context, state, own)
    expect((await connect('silent', state)).granted).toBeNull()
  })

  test('a state is good once, for its type, for ten minutes', async () => {
    const { integration, address } = await setOut('platform')
    const query = { code: 'c2', state: stateOf(address) }
    expect(
      (await faultOf(receiveHandover(context, { type: 'posting', body: { user_id: query.state, token: 'x' } }))).kind,
    ).toBe('unauthenticated')
    const both = await Promise.allSettled([
      completeAuthorization(context, back('platform', query)),
      completeAuthorization(context, back('platform', query)),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])

    const late = await setOut('platform')
    await context.db
      .updateTable('install_states')
      .set({ expires_at: '2020-01-01T00:00:00Z' })
      .where('integration_id', '=', late.integration.id)
      .execute()
    const tooLate = completeAuthorization(context, back('platform', { code: 'c3', state: stateOf(late.address) }))
    expect((await faultOf(tooLate)).kind).toBe('unauthenticated')
    expect((await readIntegration(context.db, integration.id)).status).toBe('ACTIVE')
  })

  test('a new trip ends the one before it, and lasts ten minutes', async () => {
    const { integration, address } = await setOut('platform')
    const trip = () => beginTrip(context.db, context.keys, integration, plain)
    const end = (state: string, type: string, id = integration.id) =>
      endTrip(context.db, context.keys, state, { type, beginner: { integrationId: id } })
    const [second, other] = [await trip(), await setOut('platform')]
    const third = await trip()
    for (const state of [stateOf(address), second]) expect(await end(state, 'platform')).toBeNull()
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from expires_at - now())::float8 as seconds from install_states
      where integration_id = ${integration.id}`.execute(context.db)
    expect(rows.map(({ seconds }) => Math.ceil(seconds / 60))).toEqual([10])
    expect(await end(third, 'posting')).toBeNull()
    expect(await end(third, 'platform', other.integration.id)).toBeNull()
    expect(await end(third, 'platform')).toMatchObject({ shop: integration.shop })
    expect(await end(stateOf(other.address), 'platform', other.integration.id)).not.toBeNull()
  })

  test('a state of one integration does not complete another', async () => {
    const mine = await setOut('platform')
    const theirs = await setOut('platform')
    const query = { code: 'c4', state: stateOf(theirs.address) }
    expect((await faultOf(completeInstall(context, mine.integration, { query }))).kind).toBe('unauthenticated')
    expect((await readIntegration(context.db, mine.integration.id)).status).toBe('PENDING')
  })

  test('what the platform rejects is reported with its reason, and nothing is connected', async () => {
    const denied = await setOut('platform')
    const query = { error: 'access_denied', error_description: 'No, thanks.', state: stateOf(denied.address) }
    const fault = await faultOf(completeAuthorization(context, back('platform', query)))
    expect(fault.errors).toEqual({ code: ['No, thanks.'] })
    const spent = await setOut('platform')
    const again = completeInstall(context, spent.integration, {
      query: { code: 'spent', state: stateOf(spent.address) },
    })
    expect((await faultOf(again)).message).toBe('The code was used already.')
    expect((await readIntegration(context.db, spent.integration.id)).status).toBe('PENDING')
  })
})

describe('by keys that the shop posts', () => {
  const statusOf = async (id: number) => (await readIntegration(context.db, id)).status
  const post = (state: string, token = 'right') =>
    receiveHandover(context, { type: 'posting', body: { user_id: state, token } })
  const arrive = (state: string, browser = own) =>
    arriveAfterHandover(context, back('posting', { user_id: state, success: '1' }, browser))

  test('they are proved, once, and connect the shop when the browser that set out is back', async () => {
    const { integration, address } = await setOut('posting')
    await post(stateOf(address))
    expect((await faultOf(post(stateOf(address)))).kind).toBe('unauthenticated')
    expect(await statusOf(integration.id)).toBe('PENDING')
    expect(await arrive(stateOf(address))).toMatchObject({ integration: { id: integration.id, status: 'ACTIVE' } })
    expect((await faultOf(arrive(stateOf(address)))).kind).toBe('unauthenticated')
  })

  test('who declined in the shop reads that, and nothing is connected', async () => {
    const { integration, address } = await setOut('posting')
    const query = { user_id: stateOf(address), success: '0' }
    const fault = await faultOf(arriveAfterHandover(context, back('posting', query)))
    expect(fault.errors).toEqual({ code: ['Access was declined in the shop: nothing was connected.'] })
    expect(await statusOf(integration.id)).toBe('PENDING')
  })

  test('they are destroyed when another browser is back', async () => {
    const { integration, address } = await setOut('posting')
    await post(stateOf(address))
    for (const browser of ['another', own]) {
      expect((await faultOf(arrive(stateOf(address), browser))).kind).toBe('unauthenticated')
    }
    expect(await statusOf(integration.id)).toBe('PENDING')
  })

  test('they wait for the token of the integration as well', async () => {
    const { integration, address } = await setOut('posting')
    await post(stateOf(address))
    const query = { user_id: stateOf(address), success: '1' }
    const other = await setOut('posting')
    expect((await faultOf(completeInstall(context, other.integration, { query }))).kind).toBe('unauthenticated')
    expect(await completeInstall(context, integration, { query })).toMatchObject({ status: 'ACTIVE' })
  })

  test('keys that the shop itself does not take connect nothing', async () => {
    const { integration, address } = await setOut('posting')
    expect((await faultOf(post(stateOf(address), 'wrong'))).kind).toBe('upstream_refused')
    expect((await faultOf(arrive(stateOf(address)))).errors).toEqual({ code: ['The shop has not sent its keys.'] })
    expect(await statusOf(integration.id)).toBe('PENDING')
    expect(await readCredentials(context.db, context.keys, integration)).toBeNull()
  })

  test('nobody is awaited whom no page of ours has told where the shop goes', async () => {
    const { integration } = await setOut('posting')
    const state = await beginTrip(context.db, context.keys, integration, plain)
    expect((await faultOf(post(state))).kind).toBe('unauthenticated')
  })
})

test('a shop that hands keys over by TLS alone is not opened at a page that would refuse, where we have none', async () => {
  const service = await readService(context.db, 'posting')
  const input = { name: 'Shop', shop: 'shop.example.com' }
  const bare = { ...context, publicUrl: 'http://entrepot.test' }
  const { integration, authorizationUrl } = await installIntegration(bare, place, { service, input })
  expect([authorizationUrl, integration.status_reason]).toEqual([null, 'awaiting_credentials'])
  const imitated = { ...bare, egressRoutes: new Map([['shop.example.com', 'http://127.0.0.1:1']]) }
  expect((await installIntegration(imitated, place, { service, input })).authorizationUrl).not.toBeNull()
  expect([context, bare, imitated].map((one) => waysIn(posting, { takesKeys: takesKeys(one) }))).toEqual([
    ['browser'],
    [],
    ['browser'],
  ])
})
