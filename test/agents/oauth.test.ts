import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pruneTokens } from '../../src/domain/oauth/prune-tokens.ts'
import { makeAgentClient } from '../support/agents.ts'
import { makeUser, password } from '../support/identity.ts'
import { makeTenant, startTestServer, type TestAnswer, type TestServer, type TestTenant } from '../support/server.ts'
import { agree } from './support.ts'

/** How agents come in, step by step, and what is wrong at each. */

const verifier = 'v'.repeat(64)
const challenge = createHash('sha256').update(verifier).digest('base64url')

let server: TestServer
let tenant: TestTenant
let clientId: string
let resource: string
beforeAll(async () => {
  server = await startTestServer()
  tenant = await makeTenant(server.context)
  resource = `${server.context.publicUrl}/mcp`
  clientId = (await makeAgentClient(server.context, 'An agent')).public_id
})
afterAll(() => server.close())

const register = (body: object) => server.call('POST', '/oauth/register', { body })
const token = (body: object) =>
  server.call('POST', '/oauth/token', { body: { client_id: clientId, resource, ...body } })
const asked = (changes: object = {}) => ({
  ...{ response_type: 'code', client_id: clientId, redirect_uri: 'http://127.0.0.1:5555/callback', state: 's' },
  ...{ code_challenge: challenge, code_challenge_method: 'S256', resource },
  ...changes,
})
const authorize = (changes: object = {}) =>
  server.call('GET', `/oauth/authorize?${new URLSearchParams(asked(changes) as Record<string, string>)}`)

async function newCode(bounds = {}): Promise<string> {
  const answer = await agree(server, tenant, asked(), bounds)
  const { redirect_to: to } = answer.json['data'] as { redirect_to: string }
  return new URL(to).searchParams.get('code') ?? ''
}
const exchange = (code: string, changes: object = {}) =>
  token({ grant_type: 'authorization_code', code, code_verifier: verifier, ...changes })
const mcp = (bearer: string | null, method = 'tools/list', headers = {}) =>
  server.call('POST', '/mcp', {
    token: bearer,
    body: { jsonrpc: '2.0', id: 1, method },
    headers: { accept: 'application/json, text/event-stream', ...headers },
  })
const said = ({ status, json }: TestAnswer) => [status, json['error'], json['hint'] ?? json['error_description']]

test('whoever has no token is told where to ask', async () => {
  const answer = await mcp(null)
  expect([answer.status, answer.headers['www-authenticate']]).toEqual([
    401,
    `Bearer resource_metadata="${server.context.publicUrl}/.well-known/oauth-protected-resource/mcp"`,
  ])
  for (const other of [tenant.userToken, tenant.appToken, tenant.accountToken, 'agt_nonsense', 'inside.nonsense']) {
    const refused = await mcp(other)
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      401,
      expect.stringMatching(/^Bearer error="invalid_token", resource_metadata=/),
    ])
  }
  const { json } = await server.call('GET', '/.well-known/oauth-protected-resource/mcp')
  expect(json).toMatchObject({ resource, authorization_servers: [server.context.publicUrl] })
  expect((await server.call('GET', '/.well-known/oauth-protected-resource')).json).toEqual(json)
  expect((await server.call('GET', '/.well-known/oauth-authorization-server')).json).toMatchObject({
    registration_endpoint: `${server.context.publicUrl}/oauth/register`,
    authorization_endpoint: `${server.context.publicUrl}/oauth/authorize`,
    code_challenge_methods_supported: ['S256'],
  })
})

test('there is no stream to listen to, and no session to end', async () => {
  expect((await server.call('GET', '/mcp')).status).toBe(405)
  expect((await server.call('DELETE', '/mcp')).status).toBe(405)
})

describe('registration', () => {
  test('answers with a public client, and shows a name that can be read', async () => {
    const { status, json } = await register({
      client_name: '  Agent\u202e\n of  ours ',
      redirect_uris: ['https://agent.example/back', 'http://localhost:33418/', 'http://[::1]/x'],
    })
    expect(status).toBe(201)
    expect(json).toMatchObject({ client_name: 'Agent of ours', token_endpoint_auth_method: 'none' })
    expect(json).not.toHaveProperty('client_secret')
  })

  test.each<[object, string]>([
    [{}, 'invalid_redirect_uri'],
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ redirect_uris: Array(11).fill('https://a.example/') }, 'invalid_redirect_uri'],
    ...[
      'http://agent.example/back',
      'javascript:alert(1)',
      'cursor://anything',
      'https://a.example/#part',
      'https://user:pass@a.example/',
      'http://127.0.0.1.evil.example/',
      'not a url',
      7,
    ].map((uri) => [{ redirect_uris: [uri] }, 'invalid_redirect_uri'] as [object, string]),
    [
      { redirect_uris: ['https://a.example/'], token_endpoint_auth_method: 'client_secret_post' },
      'invalid_client_metadata',
    ],
    [{ redirect_uris: ['https://a.example/'], grant_types: ['password'] }, 'invalid_client_metadata'],
    [{ redirect_uris: ['https://a.example/'], client_name: 7 }, 'invalid_client_metadata'],
  ])('refuses %j', async (body, error) => {
    const answer = await register(body)
    expect([answer.status, answer.json['error']]).toEqual([400, error])
  })

  test('is bounded for an address, and forgotten after a day unless somebody lets it in', async () => {
    const { db } = server.context
    const body = { redirect_uris: ['https://a.example/'] }
    let made = 0
    while ((await register(body)).status === 201) made++
    expect(made).toBeLessThanOrEqual(50)
    expect((await register(body)).status).toBe(429)
    await newCode()
    await sql`update agent_clients set created_at = now() - interval '25 hours'`.execute(db)
    await pruneTokens.run(server.context, {}, { signal: new AbortController().signal, attempt: 1 })
    const { rows } = await sql<{ public_id: string }>`select public_id from agent_clients`.execute(db)
    expect(rows.map(({ public_id }) => public_id)).toEqual([clientId])
    expect((await register(body)).status).toBe(201)
  })
})

describe('the request to be let in', () => {
  test('leads to the console with everything that was asked', async () => {
    const { status, headers } = await authorize()
    const to = new URL(String(headers['location']))
    expect([status, to.pathname, Object.fromEntries(to.searchParams)]).toEqual([302, '/console/let-in', asked()])
    const shown = await server.call('GET', `/api/2.0/user/agent-request${to.search}`, { token: tenant.userToken })
    expect(shown.json['data']).toMatchObject({ name: 'An agent', redirect_host: '127.0.0.1:5555' })
  })

  test.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
  ])('with %j is answered at the program, and cannot be agreed to', async (changes, error) => {
    const to = new URL(String((await authorize(changes)).headers['location']))
    expect([to.origin, to.searchParams.get('error'), to.searchParams.get('state')]).toEqual([
      'http://127.0.0.1:5555',
      error,
      's',
    ])
    expect((await agree(server, tenant, asked(changes))).status).toBe(422)
  })

  test.each([
    { client_id: '00000000-0000-4000-8000-000000000000' },
    { client_id: '1' },
    { redirect_uri: 'https://evil.example/callback' },
    { redirect_uri: 'http://127.0.0.1:5555/callback/../elsewhere' },
    { redirect_uri: 'http://localhost:5555/callback' },
  ])('with %j goes nowhere', async (changes) => {
    const answer = await authorize(changes)
    expect([answer.status, answer.headers['location']]).toEqual([400, undefined])
    expect((await agree(server, tenant, asked(changes))).status).toBeGreaterThanOrEqual(400)
  })

  test('is for those who may let others in, for their own apps and shops', async () => {
    const { context } = server
    const plain = await makeUser(context, {
      company_id: tenant.companyId,
      permissions: ['read-order', 'read-integration'],
    })
    const stranger = await makeTenant(context)
    const { access_token } = await server
      .call('POST', '/oauth/token', {
        body: { grant_type: 'password', ...tenant.passwordClient, username: plain.email, password },
      })
      .then(({ json }) => json as { access_token: string })
    expect((await agree(server, { ...tenant, userToken: access_token }, asked())).status).toBe(403)
    expect((await agree(server, { ...stranger, appId: tenant.appId }, asked())).status).toBe(403)
    expect((await agree(server, tenant, asked(), { shops: [999_999] })).status).toBe(404)
    expect((await agree(server, tenant, asked(), { tools: ['approve_everything'] })).status).toBe(422)
    expect((await agree(server, tenant, asked(), { tools: ['list_shops'], calls_per_hour: 0 })).status).toBe(422)
  })
})

describe('a code', () => {
  test('becomes tokens that open /mcp', async () => {
    const { status, json } = await exchange(await newCode())
    expect([status, json['token_type'], json['expires_in']]).toEqual([200, 'Bearer', 3600])
    expect((await mcp(String(json['access_token']))).status).toBe(200)
    expect((await mcp(String(json['refresh_token']))).status).toBe(401)
  })

  test('works once, and whoever brings it again closes what it has opened', async () => {
    const code = await newCode()
    const { json } = await exchange(code)
    expect(said(await exchange(code))).toEqual([400, 'invalid_grant', 'Authorization code has been revoked'])
    expect((await mcp(String(json['access_token']))).status).toBe(401)
  })

  test.each([
    [{ code_verifier: 'w'.repeat(64) }, 'Failed to verify `code_verifier`.'],
    [{ code_verifier: 'short' }, 'Failed to verify `code_verifier`.'],
    [{ redirect_uri: 'http://127.0.0.1:5556/callback' }, 'Invalid redirect URI'],
    [{ code: 'agc_nonsense' }, 'Cannot decrypt the authorization code'],
  ])('with %j is refused', async (changes, hint) => {
    expect(said(await exchange(await newCode(), changes))).toEqual([400, 'invalid_grant', hint])
  })

  test('is for the program that asked, for /mcp, and for two minutes', async () => {
    const other = (await makeAgentClient(server.context, 'Another')).public_id
    const code = await newCode()
    expect(said(await exchange(code, { client_id: other }))[2]).toBe('Authorization code was not issued to this client')
    expect((await exchange(code, { resource: undefined })).json['error']).toBe('invalid_target')
    expect((await exchange(code, { resource: 'https://elsewhere.example/' })).json['error']).toBe('invalid_target')
    await sql`update agent_tokens set expires_at = now() where kind = 'code'`.execute(server.context.db)
    expect(said(await exchange(code))[2]).toBe('Authorization code has expired')
  })
})

describe('a refresh token', () => {
  const refresh = (secret: unknown) => token({ grant_type: 'refresh_token', refresh_token: secret })

  test('works once: the pair before ends, and one that was stolen ends all of it', async () => {
    const first = (await exchange(await newCode())).json
    const second = (await refresh(first['refresh_token'])).json
    expect((await mcp(String(first['access_token']))).status).toBe(401)
    expect((await mcp(String(second['access_token']))).status).toBe(200)
    await sql`update agent_tokens set used_at = used_at - interval '1 minute' where used_at is not null`.execute(
      server.context.db,
    )
    expect((await refresh(first['refresh_token'])).status).toBe(400)
    expect((await mcp(String(second['access_token']))).status).toBe(401)
    expect((await refresh(second['refresh_token'])).status).toBe(400)
  })

  test('can be given back by its program (RFC 7009)', async () => {
    const { json } = await exchange(await newCode())
    const answer = await server.call('POST', '/oauth/revoke', {
      body: { token: json['refresh_token'], client_id: clientId },
    })
    expect(answer.status).toBe(200)
    expect((await mcp(String(json['access_token']))).status).toBe(401)
  })
})

test('an agent ends with the person who let it in', async () => {
  const { context } = server
  const leaver = await makeTenant(context)
  const answer = await agree(server, leaver, asked())
  const { redirect_to: to } = answer.json['data'] as { redirect_to: string }
  const { json } = await exchange(new URL(to).searchParams.get('code') ?? '')
  expect((await mcp(String(json['access_token']))).status).toBe(200)
  const changed = await server.call('PUT', '/api/2.0/user/password', {
    token: leaver.userToken,
    body: { current_password: password, password: 'another long password' },
  })
  expect(changed.status).toBe(204)
  expect((await mcp(String(json['access_token']))).status).toBe(401)
})

test('what is no MCP is answered by the protocol', async () => {
  const { json } = await exchange(await newCode())
  const bearer = String(json['access_token'])
  expect((await mcp(bearer, 'tools/list', { accept: 'application/json' })).status).toBe(406)
  expect((await mcp(bearer, 'no/such/method')).json).toMatchObject({ error: { code: -32601 } })
  const bad = await server.call('POST', '/mcp', {
    token: bearer,
    body: '{"jsonrpc":',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
  })
  expect([bad.status, bad.json]).toMatchObject([400, { error: { code: -32700 } }])
})
