import { randomUUID } from 'node:crypto'
import { generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { logoutUri } from '../../src/domain/oauth/single-sign-on/single-sign-on.ts'
import { authenticator } from '../support/authenticator.ts'
import { type BentIssuer, startBentIssuer, unsigned } from '../support/bent-issuer.ts'
import { makeSession } from '../support/colleague.ts'
import { makeUser, password } from '../support/identity.ts'
import { startIdentityProvider } from '../support/identity-provider.ts'
import { startTestServer, type TestAnswer, type TestServer } from '../support/server.ts'
import { comeBack, makeDomain, ours, setOut, setUp, whoIs } from '../support/single-sign-on.ts'

/** Whoever is signed out at the identity provider is signed out here (OpenID Connect Back-Channel Logout). */

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ egressAllow: ['127.0.0.1'] })
})
afterAll(() => server.close())

const isIn = async (answer: TestAnswer) => (await whoIs(server, answer)) !== undefined
const statusOf = async (cookie: string) =>
  (await server.call('GET', '/console/session', { headers: { ...ours, cookie } })).status

test('a provider that we did not write ends the session that it opened', async () => {
  const { companyId, domain, redirect } = await makeDomain(server.context)
  const provider = await startIdentityProvider([redirect], logoutUri(await server.listen(), companyId))
  const { issuer, clientId: client_id, clientSecret: secret } = provider
  await setUp(server.context, companyId, { issuer, client_id, secret })
  const user = await makeUser(server.context, { email: `${randomUUID()}@${domain}`, company_id: companyId })
  const signIn = async () => {
    const browser = await setOut(server, user.email)
    return await comeBack(server, browser, await provider.visit(browser.url))
  }
  const sub = randomUUID()
  provider.be({ sub, email: user.email, email_verified: true })
  const [first, second] = [await signIn(), await signIn()]
  expect([await isIn(first), await isIn(second)]).toEqual([true, true])
  await provider.signOut(sub)
  // The other browser is still signed in there.
  expect([await isIn(first), await isIn(second)]).toEqual([true, false])
  const entry = await server.context.db
    .selectFrom('audit_entries')
    .select(['kind', 'detail', 'outcome'])
    .where('user_id', '=', user.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(entry).toEqual({ kind: 'sign_in', detail: 'back-channel logout', outcome: 'done' })
  await provider.close()
})

describe('what a provider says', () => {
  let issuer: BentIssuer
  let companyId: number
  let email: string
  let userId: number
  beforeEach(async () => {
    issuer = await startBentIssuer('entrepot')
    const made = await makeDomain(server.context)
    companyId = made.companyId
    await setUp(server.context, companyId, { issuer: issuer.issuer, client_id: 'entrepot', secret: null })
    email = `${randomUUID()}@${made.domain}`
    userId = (await makeUser(server.context, { email, company_id: companyId })).id
    return () => issuer.close()
  })

  async function signIn(sid?: string) {
    issuer.bends = { claims: { email, email_verified: true, ...(sid !== undefined && { sid }) } }
    const browser = await setOut(server, email)
    return await comeBack(server, browser, issuer.visit(browser.url))
  }

  const nowSeconds = () => Math.floor(Date.now() / 1000)
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const claims = (more: Record<string, unknown>): JWTPayload => ({
    iss: issuer.issuer,
    aud: 'entrepot',
    iat: nowSeconds(),
    exp: nowSeconds() + 120,
    jti: randomUUID(),
    events,
    ...more,
  })
  const send = (token: string, company = companyId) =>
    server.call('POST', `/console/single-sign-on/${company}/logout`, { body: { logout_token: token } })
  const say = async (more: Record<string, unknown>) => await send(await issuer.sign(claims(more)))

  test('of a person ends all that they opened by it, also half of it, and nothing else', async () => {
    const password = await makeSession(server.context, userId)
    const sessions = [await signIn(), await signIn('a')]
    const colleague = await makeSession(server.context, (await makeUser(server.context)).id)
    const done = await say({ sub: 'one' })
    expect([done.status, done.text, done.headers['cache-control']]).toEqual([200, '', 'no-store'])
    expect(await Promise.all(sessions.map(isIn))).toEqual([false, false])
    expect([await statusOf(password), await statusOf(colleague)]).toEqual([200, 200])
  })

  test('of a session ends that one, and those of the person that it never named', async () => {
    const sessions = [await signIn('a'), await signIn('b'), await signIn()]
    expect((await say({ sid: 'a' })).status).toBe(200)
    expect(await Promise.all(sessions.map(isIn))).toEqual([false, true, true])
    expect((await say({ sid: 'c', sub: 'one' })).status).toBe(200)
    expect(await Promise.all(sessions.map(isIn))).toEqual([false, true, false])
  })

  test('reaches a sign-in that waits for a second factor, and the session that came of one', async () => {
    const cookie = await makeSession(server.context, userId)
    const headers = { ...ours, cookie }
    const begun = await server.call('POST', '/api/2.0/user/second-factor/totp', {
      headers,
      body: { current_password: password },
    })
    const app = authenticator((begun.json['data'] as { secret: string }).secret)
    await server.call('POST', '/api/2.0/user/second-factor/totp/confirm', { headers, body: { code: app.code() } })
    const ticketOf = (answer: TestAnswer) => (answer.json['data'] as { ticket: string }).ticket
    const finish = (ticket: string, code: string) =>
      server.call('POST', '/console/session/second-step', { headers: ours, body: { ticket, code } })
    const session = await finish(ticketOf(await signIn('a')), app.code(1))
    expect(await isIn(session)).toBe(true)
    const waiting = ticketOf(await signIn('a'))
    await say({ sid: 'a' })
    expect(await isIn(session)).toBe(false)
    expect((await finish(waiting, app.code(2))).json['errors']).toHaveProperty('ticket')
  })

  test('ends nothing of another company, whoever is called the same there', async () => {
    const session = await signIn('a')
    const other = await startBentIssuer('entrepot')
    const made = await makeDomain(server.context)
    await setUp(server.context, made.companyId, { issuer: other.issuer, client_id: 'entrepot', secret: null })
    const theirs = { ...claims({ sub: 'one', sid: 'a' }), iss: other.issuer }
    expect((await send(await other.sign(theirs), made.companyId)).status).toBe(200)
    expect((await send(await other.sign(theirs))).status).toBe(400)
    expect(await isIn(session)).toBe(true)
    await other.close()
  })

  test('of somebody unknown is believed, and ends nothing', async () => {
    const session = await signIn()
    expect((await say({ sub: 'nobody' })).status).toBe(200)
    expect(await isIn(session)).toBe(true)
  })

  const ofAnotherKey = async (said: JWTPayload) => {
    const { privateKey } = await generateKeyPair('RS256')
    return await new SignJWT(said).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey)
  }
  const withTheId = (said: JWTPayload) =>
    new SignJWT(said).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from('entrepot'.padEnd(32, '.')))

  test.each<[string, Record<string, unknown>, ((said: JWTPayload) => string | Promise<string>)?]>([
    ['is not signed', {}, unsigned],
    ['is signed with another key', {}, ofAnotherKey],
    ['is signed with a secret in the place of a key', {}, withTheId],
    ['is for another client', { aud: 'somebody-else' }],
    ['is of another issuer', { iss: 'https://login.example.com' }],
    ['was made a while ago', { iat: Math.floor(Date.now() / 1000) - 600, exp: undefined }],
    ['has run out', { exp: Math.floor(Date.now() / 1000) - 120 }],
    ['does not say when it was made', { iat: undefined }],
    ['has no name', { jti: undefined }],
    ['says nothing of a logout', { events: undefined }],
    ['tells of another event', { events: { 'http://schemas.example.com/other': {} } }],
    ['has a nonce, as an ID token has', { nonce: 'x' }],
    ['says neither who nor what', { sub: undefined }],
    ['names somebody at length', { sub: 'x'.repeat(300) }],
  ])('is refused if it %s', async (_, more, sign) => {
    const session = await signIn()
    const refused = await send(await (sign ?? issuer.sign)(claims({ sub: 'one', ...more })))
    expect([refused.status, refused.json['error']]).toEqual([400, 'invalid_request'])
    expect(await isIn(session)).toBe(true)
  })

  test('is refused where nobody signs in elsewhere, and as anything but a token', async () => {
    const token = await issuer.sign(claims({ sub: 'one' }))
    expect((await send(token, 999_999)).status).toBe(400)
    for (const odd of ['', 'x', 'a.b.c', `${token}x`]) expect((await send(odd)).status).toBeGreaterThanOrEqual(400)
  })
})

test('whoever posts anything but tokens has to wait', async () => {
  const strict = await startTestServer({ refusedLimit: 3, databaseUrl: server.databaseUrl })
  const send = async () =>
    (await strict.call('POST', '/console/single-sign-on/1/logout', { body: { logout_token: 'x' } })).status
  const statuses = []
  for (let n = 0; n < 5; n++) statuses.push(await send())
  expect(statuses).toEqual([400, 400, 400, 429, 429])
  await strict.close()
})
