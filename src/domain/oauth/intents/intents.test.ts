import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import {
  askToken,
  type Credentials,
  clientCaller,
  faultOf,
  logIn,
  makeAccount,
  makeApp,
  makeClient,
  makeUser,
} from '../../../../test/support/identity.ts'
import type { Context } from '../../context.ts'
import { webcomponentScopes } from '../../scopes.ts'
import type { ClientCaller } from '../../tenant.ts'
import { operator, type User } from '../../users/user.ts'
import { readLiveToken } from '../callers/caller-store.ts'
import { handOverClient } from '../clients/hand-over-client.ts'
import { updateClient } from '../clients/update-client.ts'
import { introspectToken } from '../introspect-token.ts'
import { pruneTokens } from '../prune-tokens.ts'
import { createIntent, findIntentAccount } from './create-intent.ts'

let database: TestContext
let context: Context
let appId: number
let accountId: number
let client: Credentials
let maker: User

beforeAll(async () => {
  database = await createTestContext()
  context = database.context
  appId = await makeApp(context)
  accountId = await makeAccount(context, appId, 'merchant')
  client = await makeClient(context, { app_id: appId })
  maker = await makeUser(context)
})

afterAll(() => database.close())

const callerOf = (clientId: number, app: number | null = appId): ClientCaller => ({
  kind: 'client',
  tokenId: 1,
  clientId,
  scopes: ['*'],
  subject: `client:${clientId}`,
  permissions: new Set(),
  rights: null,
  appId: app,
})

async function intent(scopes: readonly string[] = ['webcomponent:app-read'], by = client) {
  const caller = await clientCaller(context, by)
  return await createIntent(context, caller, { account: await findIntentAccount(context, caller, 'merchant'), scopes })
}

const exchange = (token: string, more: object = {}) =>
  askToken(context, { grant_type: 'intent_token', intent_token: token, ...more })

const hintOf = async (work: Promise<unknown>) => (await faultOf(work)).oauth?.hint

describe('making an intent', () => {
  test('names the token, its scopes, its ten minutes and its account', async () => {
    const made = await intent()
    expect(made).toMatchObject({
      scopes: ['webcomponent:app-read'],
      expires_in: 600,
      account: { id: accountId, remote_id: 'merchant' },
    })
    expect(made.token).toMatch(/^[A-Za-z0-9]{43}$/)
  })

  test('a wildcard becomes the explicit list', async () => {
    expect((await intent(['*'])).scopes).toEqual([...webcomponentScopes])
    expect((await intent(['webcomponent:*'])).scopes).toEqual([...webcomponentScopes])
  })

  test('other scopes are invalid, and the client’s ceiling holds', async () => {
    const fault = await faultOf(intent(['webcomponent:app-read', 'app:account-read', 'nope']))
    expect(Object.keys(fault.errors ?? {})).toEqual(['scopes.1', 'scopes.2'])
    const limited = await makeClient(context, { app_id: appId, scopes: ['app:intent-create', 'webcomponent:app-read'] })
    expect((await intent(['*'], limited)).scopes).toEqual(['webcomponent:app-read'])
    expect((await faultOf(intent(['webcomponent:integration-read'], limited))).kind).toBe('invalid')
  })

  test('an account of another app is not found; without an app everything is forbidden', async () => {
    const caller = callerOf(client.client_id, await makeApp(context))
    expect((await faultOf(findIntentAccount(context, caller, 'merchant'))).kind).toBe('not_found')
    const bare = callerOf(client.client_id, null)
    expect((await faultOf(findIntentAccount(context, bare, 'merchant'))).kind).toBe('forbidden')
  })
})

describe('exchanging an intent', () => {
  test('gives an account token for an hour, without a refresh token', async () => {
    const answer = await exchange((await intent()).token)
    expect(answer).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'webcomponent:app-read' })
    expect(answer).not.toHaveProperty('refresh_token')
    const { jti = '' } = decodeJwt(answer.access_token)
    expect((await readLiveToken(context.db, jti))?.caller).toMatchObject({ kind: 'account', appId, accountId })
  })

  test('works for one of 100 at once, and never again', async () => {
    const { token } = await intent()
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => exchange(token)))
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
    expect(await hintOf(exchange(token))).toBe('Token has been revoked')
  })

  test('fails after ten minutes, for another client, and with garbage', async () => {
    const { token } = await intent()
    expect(await hintOf(exchange(token, { client_id: client.client_id + 1000 }))).toBe('Token is not linked to client')
    const wider = await faultOf(exchange(token, { scope: 'webcomponent:integration-read' }))
    expect(wider.oauth?.error).toBe('invalid_scope')
    await database.database.query('update intent_tokens set expires_at = now() where used_at is null')
    expect(await hintOf(exchange(token))).toBe('Token has expired')
    expect((await faultOf(exchange('garbage'))).oauth).toMatchObject({ status: 400, error: 'invalid_grant' })
  })

  test.each([
    ['accounts', 'active = false'],
    ['accounts', 'deleted_at = now()'],
    ['apps', 'active = false'],
  ])('fails once in %s: %s', async (table, change) => {
    const app = await makeApp(context)
    const account = await makeAccount(context, app, 'm')
    const caller = await clientCaller(context, await makeClient(context, { app_id: app }))
    const found = await findIntentAccount(context, caller, 'm')
    const { token } = await createIntent(context, caller, { account: found, scopes: ['*'] })
    await database.database.query(`update ${table} set ${change} where id = $1`, [table === 'apps' ? app : account])
    expect(await hintOf(exchange(token))).toBe('Token has been revoked')
  })
})

describe('an intent that was made before its client', () => {
  const changes: Record<string, (clientId: number) => Promise<unknown>> = {
    'was handed over': (id) => handOverClient(context, { ...operator, userId: maker.id }, { id, keepSecret: false }),
    'was given to another app': async (id) =>
      updateClient(context, { ...operator, userId: maker.id }, { id, changes: { app_id: await makeApp(context) } }),
  }
  test.each(Object.keys(changes))('%s opens nothing', async (change) => {
    const own = await makeClient(context, { app_id: appId })
    const { token } = await intent(['*'], own)
    await changes[change]?.(own.client_id)
    expect(await hintOf(exchange(token))).toBe('Token has been revoked')
  })
})

describe('introspection', () => {
  const introspect = (token: string | undefined, as = client) =>
    introspectToken(context, { body: { ...as, token }, basic: null })

  test('describes a live token to its own client', async () => {
    const { access_token } = await askToken(context, { grant_type: 'client_credentials', ...client })
    expect(await introspect(access_token)).toMatchObject({
      active: true,
      scope: '*',
      client_id: String(client.client_id),
      token_type: 'Bearer',
      sub: `client:${client.client_id}`,
    })
  })

  test('tells nothing of what is dead, unknown or another’s', async () => {
    const { access_token } = await askToken(context, { grant_type: 'client_credentials', ...client })
    const other = await makeClient(context)
    expect(await introspect(access_token, other)).toEqual({ active: false })
    expect(await introspect('garbage')).toEqual({ active: false })
    await database.database.query('update access_tokens set revoked_at = now()')
    expect(await introspect(access_token)).toEqual({ active: false })
  })

  test('knows refresh tokens', async () => {
    const users = await makeClient(context, { grant_types: ['password'] })
    const user = await makeUser(context)
    const { refresh_token } = await logIn(context, users, user)
    expect(await introspect(refresh_token, users)).toMatchObject({ active: true, sub: `user:${user.id}` })
    expect(await introspect(refresh_token)).toEqual({ active: false })
  })
})

describe('pruning', () => {
  test('takes what has expired and nothing else', async () => {
    const users = await makeClient(context, { grant_types: ['password'] })
    const user = await makeUser(context)
    await logIn(context, users, user)
    const alive = await logIn(context, users, user)
    await intent()
    const { jti = '' } = decodeJwt(alive.access_token)
    for (const table of ['access_tokens', 'refresh_tokens', 'intent_tokens']) {
      const keep = table === 'access_tokens' ? `where jti <> '${jti}'` : ''
      await database.database.query(`update ${table} set expires_at = now() - interval '2 days' ${keep}`)
    }
    await pruneTokens.run(context, {}, { signal: new AbortController().signal, attempt: 1 })
    const rows = await database.database.query<{ jti: string }>('select jti from access_tokens')
    expect(rows).toEqual([{ jti }])
    const [left] = await database.database.query<{ n: number }>(
      'select (select count(*) from refresh_tokens) + (select count(*) from intent_tokens) as n',
    )
    expect(left?.n).toBe(0)
  })
})
