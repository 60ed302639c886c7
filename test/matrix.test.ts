import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../src/api/index.ts'
import { signAccessToken, type TokenFacts } from '../src/domain/oauth/access-token.ts'
import { insertAccessToken, type NewAccessToken } from '../src/domain/oauth/token-store.ts'
import { userScopes } from '../src/domain/scopes.ts'
import type { Endpoint } from '../src/runtime/http/endpoint.ts'
import { makeColleague, type Standing } from './support/colleague.ts'
import { askToken, logIn, makeClient, makeUser, password } from './support/identity.ts'
import { startTestServer, type TestServer } from './support/server.ts'
import { impliedEndpoints, specified, specifiedPermissions, specifiedScopes } from './support/specification.ts'
import { callAs, guarded, makeWorld, nameOf, type World } from './support/world.ts'

/** Which scope, which permission and which kind of token opens what: every cell, also those that stay shut. */

let server: TestServer
let world: World
/** By kind of token, then by scope; by permission. */
const scoped: Record<string, Map<string, string>> = {}
const permitted = new Map<string, string>()
/** By kind, tokens that are not good, or no longer, though of the right kind. */
const dead: Record<string, Map<string, string>> = {}

beforeAll(async () => {
  server = await startTestServer()
  world = await makeWorld(server)
  const kinds = rowsByKind()
  for (const [kind, row] of Object.entries(kinds)) {
    scoped[kind] = new Map()
    for (const scope of kind === 'user' ? [...specifiedScopes, ...userScopes] : specifiedScopes)
      scoped[kind].set(scope, await issue({ ...row, scopes: [scope] }))
    dead[kind] = await deadTokens(row)
  }
  await givePermissions()
})
afterAll(() => server.close())

const promised = new Map([...specified, ...impliedEndpoints].map((each) => [each.name, each]))
const cases = (list: readonly Endpoint[]) => list.map((endpoint) => [nameOf(endpoint), endpoint] as const)
const unauthenticated = [401, { message: 'Unauthenticated.' }]
const unauthorized = [403, { message: 'This action is unauthorized.' }]

describe('scopes', () => {
  const withScope = endpoints.filter(({ scope }) => scope !== undefined)

  test.each(cases(withScope))('%s opens for its own and for *, and for no other', async (name, endpoint) => {
    const own = promised.get(name)?.scope ?? endpoint.scope
    const tokens = scoped[endpoint.group.caller ?? ''] ?? new Map<string, string>()
    expect(tokens.size).toBe(endpoint.group.caller === 'user' ? 20 + userScopes.length : 20)
    const open: string[] = []
    for (const [scope, token] of tokens) {
      const answer = await callNowhere(endpoint, token)
      if (passed(answer)) open.push(scope)
      else expect([answer.status, answer.json]).toEqual(unauthorized)
    }
    expect(open.sort()).toEqual(['*', own].sort())
  })

  test('of users each open something, and every route of users has one', () => {
    const ofUsers = guarded.filter(({ group }) => group.caller === 'user')
    expect([...new Set(ofUsers.map(({ scope }) => scope))].sort()).toEqual([...userScopes].sort())
  })

  test('limit a user who asked for one only, and a client that was given one only', async () => {
    const { passwordClient } = world.tenant
    const { email: username } = await makeUser(server.context, { roles: ['manager'] })
    const limited = await makeClient(server.context, { grant_types: ['password'], scopes: ['webcomponent:app-read'] })
    const login = { grant_type: 'password', username, password }
    for (const ask of [{ ...passwordClient, scope: 'webcomponent:app-read' }, limited]) {
      const { access_token: token } = await askToken(server.context, { ...login, ...ask })
      for (const [method, path] of [
        ['POST', '/api/2.0/user/apps'],
        ['GET', '/api/2.0/user/clients'],
        ['POST', '/api/1.0/users'],
      ] as const) {
        const answer = await server.call(method, path, { token, ...(method === 'POST' && { body: {} }) })
        expect([path, answer.status, answer.json]).toEqual([path, ...unauthorized])
      }
    }
  })
})

describe('permissions', () => {
  const withPermission = endpoints.filter(({ permission }) => permission !== undefined)
  const withoutLock = guarded.filter(({ group, permission, right }) => group.caller === 'user' && !permission && !right)

  test.each(cases(withPermission))('%s opens for its own, and for no other', async (name, endpoint) => {
    const own = promised.get(name)?.permission ?? endpoint.permission
    const open: string[] = []
    for (const permission of [...specifiedPermissions, 'none of them', 'the role admin']) {
      const answer = await callNowhere(endpoint, permitted.get(permission) ?? '')
      if (passed(answer)) open.push(permission)
      else expect([answer.status, answer.json]).toEqual(unauthorized)
    }
    expect(open.sort()).toEqual([own, 'the role admin'].sort())
  })

  test.each(cases(withoutLock))('%s needs none', async (_, endpoint) => {
    const answer = await callNowhere(endpoint, permitted.get('none of them') ?? '')
    expect([answer.status, answer.text, passed(answer)]).toEqual([expect.any(Number), expect.any(String), true])
  })
})

describe('kinds of token', () => {
  test.each(cases(guarded))('%s opens for its own kind only', async (_, endpoint) => {
    const kind = endpoint.group.caller ?? ''
    const others = Object.entries(scoped).filter(([other]) => other !== kind)
    expect(others).toHaveLength(2)
    for (const [other, tokens] of others) {
      const answer = await callNowhere(endpoint, tokens.get('*') ?? '')
      expect([other, answer.status, answer.json]).toEqual([other, ...unauthenticated])
    }
    for (const [what, token] of dead[kind] ?? []) {
      const answer = await callNowhere(endpoint, token)
      expect([what, answer.status, answer.json]).toEqual([what, ...unauthenticated])
    }
  })

  test.each(cases(guarded))('%s takes a good token from nowhere but its own header', async (_, endpoint) => {
    const token = world.tokenFor(endpoint) ?? ''
    const nowhere = nowhereParams(endpoint)
    const ways: Record<string, Record<string, string>> = {
      'no token at all': {},
      'another scheme': { authorization: `Token ${token}` },
      'no scheme': { authorization: token },
      'as a password': { authorization: `Basic ${Buffer.from(`user:${token}`).toString('base64')}` },
      'a cookie': { cookie: `access_token=${token}` },
      'another header': { 'x-access-token': token },
    }
    for (const [what, headers] of Object.entries(ways)) {
      const answer = await callAs(server, world, endpoint, {
        token: null,
        params: nowhere,
        headers,
        ...bodyFor(endpoint),
      })
      expect([what, answer.status, answer.json]).toEqual([what, ...unauthenticated])
    }
  })

  const channels = endpoints.filter(({ path }) => /_(authorization|callback)\//.test(path))

  test.each(cases(channels))(
    '%s opens neither for a gateway key alone nor for other kinds with it',
    async (_, endpoint) => {
      const headers = { 'x-gateway-key': world.gatewayKey }
      const { appToken, accountToken } = world.tenant
      for (const token of [null, appToken, accountToken, world.gatewayKey]) {
        const answer = await callAs(server, world, endpoint, { token, headers })
        // What brings no token at all may still be a platform whose signature, or state, is looked for.
        expect(token === null ? [401, 422] : [401]).toContain(answer.status)
      }
    },
  )
})

/**
 * Paths that name nothing and empty bodies: whoever is let through is told so (200, 404, 422) and changes nothing. Leaving
 * the console with a token, which is no session, is 204.
 */
const nowhereParams = (endpoint: Endpoint) =>
  Object.fromEntries(Object.keys(world.params(endpoint)).map((name) => [name, '999999999']))

const bodyFor = ({ method }: Endpoint) => (method === 'GET' ? {} : { body: {} })

const callNowhere = (endpoint: Endpoint, token: string) =>
  callAs(server, world, endpoint, { token, params: nowhereParams(endpoint), ...bodyFor(endpoint) })

function passed({ status, text }: { status: number; text: string }): boolean {
  if (![200, 204, 404, 422].includes(status) && status !== 401 && status !== 403) throw new Error(`${status} ${text}`)
  return status !== 401 && status !== 403
}

type Row = Omit<NewAccessToken, 'scopes' | 'lifetimeSeconds'>

function rowsByKind(): Record<string, Row> {
  const { tenant } = world
  return {
    user: { kind: 'user', clientId: tenant.passwordClient.client_id, userId: tenant.userId },
    client: { kind: 'client', clientId: tenant.appClient.client_id },
    account: {
      kind: 'account',
      clientId: tenant.appClient.client_id,
      appId: tenant.appId,
      accountId: tenant.accountId,
    },
  }
}

/** Straight into the table: for accounts the token endpoint gives out the scopes of web components only. */
async function issue(row: Row & { scopes: string[] }, change?: (facts: TokenFacts) => Partial<TokenFacts>) {
  const facts = await insertAccessToken(server.context.db, { ...row, lifetimeSeconds: 3600 })
  return await signAccessToken(server.context, { ...facts, ...change?.(facts) })
}

async function deadTokens(row: Row): Promise<Map<string, string>> {
  const { db } = server.context
  const all = { ...row, scopes: ['*'] }
  const expired = await insertAccessToken(db, { ...all, lifetimeSeconds: -1 })
  const revoked = await insertAccessToken(db, { ...all, lifetimeSeconds: 3600 })
  await db
    .updateTable('access_tokens')
    .set({ revoked_at: new Date().toISOString() })
    .where('id', '=', revoked.id)
    .execute()
  const good = await issue(all)
  const { appToken: token, remoteId, passwordClient } = world.tenant
  const intent = await server.call('POST', `/api/2.0/app/intent/${remoteId}`, { token, body: { scopes: ['*'] } })
  // Not the tenant's own user, who has a second factor.
  const login = await logIn(server.context, passwordClient, await makeUser(server.context))
  const hour = 3600
  return new Map([
    ['expired', await signAccessToken(server.context, { ...expired, expiresAt: expired.issuedAt + hour })],
    [
      'expired by its own word',
      await issue(all, ({ issuedAt }) => ({ issuedAt: issuedAt - hour, expiresAt: issuedAt - 120 })),
    ],
    ['revoked', await signAccessToken(server.context, revoked)],
    ['without a row', await issue(all, () => ({ jti: randomUUID() }))],
    ['signed by somebody else', await signElsewhere(good)],
    ['unsigned', `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${good.split('.')[1]}.`],
    ['cut short', good.slice(0, -2)],
    ['an intent token', String((intent.json['data'] as { token: string }).token)],
    ['a refresh token', login.refresh_token ?? ''],
    ['a gateway key', world.gatewayKey],
    ['a client secret', world.tenant.appClient.client_secret],
  ])
}

/** The same header and claims, with another key. */
async function signElsewhere(token: string): Promise<string> {
  const [header = '', claims = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString())
  const { privateKey } = generateKeyPairSync('ed25519')
  return await new SignJWT(JSON.parse(claims)).setProtectedHeader(JSON.parse(header)).sign(privateKey)
}

/** Colleagues in the same company, each with one permission. */
async function givePermissions(): Promise<void> {
  const tokenOf = async (standing: Standing) => (await makeColleague(server.context, world.tenant, standing)).token
  for (const permission of specifiedPermissions) permitted.set(permission, await tokenOf({ permissions: [permission] }))
  permitted.set('none of them', await tokenOf({ permissions: [] }))
  permitted.set('the role admin', await tokenOf({ roles: ['admin'] }))
}
