import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createIntent, findIntentAccount } from '../../src/domain/oauth/intents/create-intent.ts'
import { clientCaller, password } from '../support/identity.ts'
import { freePort } from '../support/process.ts'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'

/** Every grant as a client library that we did not write asks for it. */

let server: TestServer
let tenant: TestTenant
let origin: string
let as: oauth.AuthorizationServer
let app: oauth.Client
let website: oauth.Client

/** The library insists on TLS unless it is told otherwise. */
const plain = { [oauth.allowInsecureRequests]: true }

beforeAll(async () => {
  // The issuer is part of the answers, so the port must be known before the server starts.
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  server = await startTestServer({ publicUrl: origin })
  await server.program.http?.listen('127.0.0.1', port)
  tenant = await makeTenant(server.context)
  app = { client_id: String(tenant.appClient.client_id) }
  website = { client_id: String(tenant.passwordClient.client_id) }
  const issuer = new URL(origin)
  as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...plain }),
  )
})

afterAll(() => server.close())

const methods = [
  ['client_secret_post', oauth.ClientSecretPost],
  ['client_secret_basic', oauth.ClientSecretBasic],
] as const

const call = (token: string, path: string) =>
  oauth.protectedResourceRequest(token, 'GET', new URL(path, origin), undefined, undefined, plain)

async function logIn(): Promise<oauth.TokenEndpointResponse> {
  const response = await oauth.genericTokenEndpointRequest(
    as,
    website,
    oauth.ClientSecretPost(tenant.passwordClient.client_secret),
    'password',
    { username: tenant.email, password },
    plain,
  )
  return await oauth.processGenericTokenEndpointResponse(as, website, response)
}

async function introspect(token: string): Promise<oauth.IntrospectionResponse> {
  const secret = oauth.ClientSecretBasic(tenant.passwordClient.client_secret)
  const response = await oauth.introspectionRequest(as, website, secret, token, plain)
  return await oauth.processIntrospectionResponse(as, website, response)
}

test('the server describes itself', () => {
  expect(as).toMatchObject({
    issuer: origin,
    token_endpoint: `${origin}/oauth/token`,
    revocation_endpoint: `${origin}/oauth/revoke`,
    introspection_endpoint: `${origin}/oauth/introspect`,
    jwks_uri: `${origin}/.well-known/jwks.json`,
  })
  expect(as.grant_types_supported).toEqual([
    ...['authorization_code', 'password', 'client_credentials', 'refresh_token', 'intent_token'],
    'urn:ietf:params:oauth:grant-type:device_code',
  ])
  expect(as.scopes_supported).toContain('app:integration-read')
})

describe.each(methods)('by %s', (_name, authenticate) => {
  test('client credentials', async () => {
    const auth = authenticate(tenant.appClient.client_secret)
    const asked = await oauth.clientCredentialsGrantRequest(as, app, auth, { scope: 'app:account-read' }, plain)
    const token = await oauth.processClientCredentialsResponse(as, app, asked)
    expect(token).toMatchObject({ token_type: 'bearer', expires_in: 31_536_000 })
    expect(token.refresh_token).toBeUndefined()
    expect((await call(token.access_token, '/api/2.0/app/accounts')).status).toBe(200)
    expect((await call(token.access_token, '/api/2.0/app/services')).status).toBe(403)
  })

  test('a wrong secret', async () => {
    const asked = await oauth.clientCredentialsGrantRequest(as, app, authenticate('wrong'), {}, plain)
    const status = asked.status
    const failure = await oauth.processClientCredentialsResponse(as, app, asked).catch((error: unknown) => error)
    expect(status).toBe(401)
    // With a challenge in the answer the library reports that, and otherwise the body.
    if (failure instanceof oauth.WWWAuthenticateChallengeError) {
      expect(failure.cause).toMatchObject([{ scheme: 'basic', parameters: { realm: 'OAuth' } }])
    } else {
      expect(failure).toBeInstanceOf(oauth.ResponseBodyError)
      expect(failure).toMatchObject({ error: 'invalid_client', error_description: 'Client authentication failed' })
    }
  })
})

describe('a user', () => {
  test('logs in, refreshes, and the old pair is dead', async () => {
    const first = await logIn()
    expect(first).toMatchObject({ token_type: 'bearer', expires_in: 31_536_000, refresh_token: expect.any(String) })
    expect((await call(first.access_token, '/api/1.0/users/information')).status).toBe(200)

    const auth = oauth.ClientSecretBasic(tenant.passwordClient.client_secret)
    const refresh = () => oauth.refreshTokenGrantRequest(as, website, auth, first.refresh_token ?? '', plain)
    const second = await oauth.processRefreshTokenResponse(as, website, await refresh())
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect((await call(second.access_token, '/api/1.0/users/information')).status).toBe(200)
    await expect(call(first.access_token, '/api/1.0/users/information')).rejects.toMatchObject({
      cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }],
    })
    await expect(oauth.processRefreshTokenResponse(as, website, await refresh())).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  test('inspects and revokes what it has', async () => {
    const token = await logIn()
    expect(await introspect(token.access_token)).toMatchObject({
      active: true,
      client_id: website.client_id,
      sub: `user:${tenant.userId}`,
      iss: origin,
      scope: '*',
    })
    expect(await introspect(token.refresh_token ?? '')).toMatchObject({ active: true })

    const auth = oauth.ClientSecretPost(tenant.passwordClient.client_secret)
    const answer = await oauth.revocationRequest(as, website, auth, token.refresh_token ?? '', plain)
    await oauth.processRevocationResponse(answer)
    expect(await introspect(token.access_token)).toEqual({ active: false })
    expect(await introspect(token.refresh_token ?? '')).toEqual({ active: false })
    await expect(call(token.access_token, '/api/1.0/users/information')).rejects.toThrow()
  })

  test('cannot inspect what belongs to another client', async () => {
    expect(await introspect(tenant.appToken)).toEqual({ active: false })
  })
})

describe('an embedded component', () => {
  async function makeIntent(): Promise<string> {
    const caller = await clientCaller(server.context, tenant.appClient)
    const account = await findIntentAccount(server.context, caller, tenant.remoteId)
    const { token } = await createIntent(server.context, caller, { account, scopes: ['webcomponent:app-read'] })
    return token
  }

  const exchange = (intent: string) =>
    oauth.genericTokenEndpointRequest(as, app, oauth.None(), 'intent_token', { intent_token: intent }, plain)

  test('exchanges its intent once, without a secret', async () => {
    const intent = await makeIntent()
    const token = await oauth.processGenericTokenEndpointResponse(as, app, await exchange(intent))
    expect(token).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'webcomponent:app-read' })
    expect(token.refresh_token).toBeUndefined()
    expect((await call(token.access_token, '/api/2.0/webcomponent/app')).status).toBe(200)
    expect((await call(token.access_token, '/api/2.0/webcomponent/integrations')).status).toBe(403)
    await expect(oauth.processGenericTokenEndpointResponse(as, app, await exchange(intent))).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  test('cannot use the intent of another client', async () => {
    const intent = await makeIntent()
    const answer = await oauth.genericTokenEndpointRequest(
      as,
      website,
      oauth.None(),
      'intent_token',
      { intent_token: intent },
      plain,
    )
    await expect(oauth.processGenericTokenEndpointResponse(as, website, answer)).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })
})
