import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { JWTPayload } from 'jose'
import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createEgress } from '../../src/runtime/egress/egress.ts'
import { createLog } from '../../src/runtime/log.ts'
import { createOpenId } from '../../src/runtime/openid/open-id.ts'
import { type Bends, type BentIssuer, startBentIssuer, unsigned } from '../support/bent-issuer.ts'
import { makeUser } from '../support/identity.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { comeBack, makeDomain, ours, reasonOf, setOut, setUp, whoIs } from '../support/single-sign-on.ts'

/** Identity providers that are broken, or that somebody set up to come in by. */

let server: TestServer
let issuer: BentIssuer
let email: string
let userId: number

beforeAll(async () => {
  server = await startTestServer({ egressAllow: ['127.0.0.1'] })
})
afterAll(() => server.close())

/** A company of its own each time: what was read of an issuer is remembered for a while. */
beforeEach(async () => {
  issuer = await startBentIssuer('entrepot')
  const { companyId, domain } = await makeDomain(server.context)
  await setUp(server.context, companyId, { issuer: issuer.issuer, client_id: 'entrepot', secret: null })
  email = `${randomUUID()}@${domain}`
  userId = (await makeUser(server.context, { email, company_id: companyId })).id
  issuer.bends = { claims: { email, email_verified: true } }
})
afterEach(() => issuer.close())

async function signIn() {
  const browser = await setOut(server, email)
  return await comeBack(server, browser, issuer.visit(browser.url))
}

const bend = ({ claims, ...bends }: Bends) => {
  issuer.bends = { ...bends, claims: { email, email_verified: true, ...claims } }
}

test('an issuer that is not bent signs in', async () => {
  const answer = await signIn()
  expect([answer.status, (await whoIs(server, answer))?.id]).toEqual([204, userId])
})

describe('the answer is not accepted', () => {
  const nowSeconds = () => Math.floor(Date.now() / 1000)
  const signedByAnother = async (claims: JWTPayload) => {
    const { privateKey } = await generateKeyPair('RS256')
    return await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey)
  }
  const signedWithTheId = (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from('entrepot'.padEnd(32, '.')))

  test.each<[string, () => Bends]>([
    ['with another nonce', () => ({ claims: { nonce: 'another' } })],
    ['without a nonce', () => ({ claims: { nonce: undefined } })],
    ['for another audience', () => ({ claims: { aud: 'somebody-else' } })],
    ['for several audiences, of which another asked', () => ({ claims: { aud: ['entrepot', 'b'], azp: 'b' } })],
    ['of another issuer', () => ({ claims: { iss: 'https://login.example.com' } })],
    ['that has run out', () => ({ claims: { iat: nowSeconds() - 900, exp: nowSeconds() - 600 } })],
    ['that nobody has signed', () => ({ idToken: unsigned })],
    [
      'that nobody has signed, of an issuer that says that this is fine',
      () => ({ idToken: unsigned, metadata: { id_token_signing_alg_values_supported: ['none', 'RS256'] } }),
    ],
    ['signed with another key', () => ({ idToken: signedByAnother })],
    ['signed with a secret in the place of a key', () => ({ idToken: signedWithTheId })],
    ['with the name of another issuer beside the code', () => ({ parameters: { iss: 'https://login.example.com' } })],
    [
      'without its name, of an issuer that promises it',
      () => ({ metadata: { authorization_response_iss_parameter_supported: true } }),
    ],
    ['with a token in the place of a code', () => ({ parameters: { response: 'eyJhbGciOiJub25lIn0.e30.' } })],
    ['without anybody', () => ({ claims: { sub: '' } })],
    ['with a token endpoint that says no', () => ({ answers: { '/token': (answer) => end(answer, 400, '{}') } })],
    ['with a page in the place of keys', () => ({ answers: { '/keys': (answer) => end(answer, 200, '<html>') } })],
  ])('%s', async (_, bends) => {
    bend(bends())
    const answer = await signIn()
    expect([answer.status, answer.headers['set-cookie']]).toEqual([422, undefined])
    expect(reasonOf(answer)).toBe('The answer of the identity provider is not accepted.')
  })
})

function end(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(body)
}

test('an answer of ten megabytes is not read', async () => {
  const huge = (response: ServerResponse) => end(response, 200, JSON.stringify({ filler: 'x'.repeat(10_000_000) }))
  for (const path of ['/keys', '/token']) {
    bend({ answers: { [path]: huge } })
    expect(reasonOf(await signIn())).toBe('The answer is too large.')
  }
})

describe('endpoints at addresses that nobody may reach', () => {
  const inside = 'https://169.254.169.254/latest/meta-data'

  test.each(['token_endpoint', 'jwks_uri'])('%s', async (name) => {
    bend({ metadata: { [name]: inside } })
    expect(reasonOf(await signIn())).toBe('The address is not allowed.')
  })

  test.each([inside, 'javascript:alert(1)', 'http://login.example.com/authorize'])(
    'authorization_endpoint: a browser is not sent to %s',
    async (authorization_endpoint) => {
      bend({ metadata: { authorization_endpoint } })
      const answer = await server.call('POST', '/console/session/single-sign-on', { body: { email }, headers: ours })
      expect([answer.status, answer.headers['set-cookie']]).toEqual([422, undefined])
    },
  )

  test('userinfo_endpoint', async () => {
    bend({ metadata: { userinfo_endpoint: inside }, claims: { email: undefined } })
    expect(reasonOf(await signIn())).toBe('The address is not allowed.')
  })
})

test('an issuer that redirects is not followed', async () => {
  const away = (response: ServerResponse) => {
    response.writeHead(302, { location: `${issuer.issuer}/elsewhere` })
    response.end()
  }
  bend({ answers: { '/token': away } })
  expect(reasonOf(await signIn())).toBe('The answer of the identity provider is not accepted.')
  expect(issuer.asked).not.toContain('/elsewhere')
})

test('an issuer that hangs holds up so many of its own people, and nobody of another', async () => {
  const hanging = await startBentIssuer('entrepot')
  const { promise: gone, resolve: leave } = Promise.withResolvers<void>()
  hanging.bends = {
    answers: { '/.well-known/openid-configuration': (response) => void gone.then(() => response.destroy()) },
  }
  const egress = createEgress({ allow: ['127.0.0.1'], log: createLog('silent') })
  const openId = createOpenId({ egress, mayReach: () => true })
  const waiting = Array.from({ length: 16 }, () => openId.check(hanging.issuer).catch(() => 'gone'))
  await expect(openId.check(hanging.issuer)).rejects.toMatchObject({ kind: 'too_many' })
  await openId.check(issuer.issuer)
  leave()
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['gone']))
  await egress.close()
  await hanging.close()
})

test('an issuer that hangs is waited for no longer than the deadline that it is asked with', async () => {
  const deadlines: (number | undefined)[] = []
  const egress = createEgress({ allow: ['127.0.0.1'], log: createLog('silent') })
  const openId = createOpenId({
    egress: {
      fetch: (request) => {
        deadlines.push(request.timeoutMs)
        return egress.fetch(request)
      },
    },
    mayReach: () => true,
  })
  await openId.check(issuer.issuer)
  expect(deadlines).toEqual([10_000])
  await egress.close()
})

test.each([
  ['is one, by `mfa`', ['pwd', 'mfa'], 204],
  ['is none, by a password', ['pwd'], 202],
  ['is none, by a word in the place of a list', 'mfa', 202],
])('what the issuer says of how it has recognised the person %s', async (_, amr, status) => {
  const { db } = server.context
  const user = await db.selectFrom('users').select('company_id').where('id', '=', userId).executeTakeFirstOrThrow()
  const change = { require_second_factor: true }
  await db
    .updateTable('companies')
    .set(change)
    .where('id', '=', user.company_id ?? 0)
    .execute()
  bend({ claims: { amr } })
  expect((await signIn()).status).toBe(status)
})
