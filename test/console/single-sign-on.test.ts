import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientSecretPlace } from '../../src/domain/oauth/single-sign-on/single-sign-on-store.ts'
import { updateUser } from '../../src/domain/users/update-user.ts'
import { operator } from '../../src/domain/users/user.ts'
import { open } from '../../src/lib/secret-box.ts'
import { makeColleague, makeSession } from '../support/colleague.ts'
import { askToken, faultOf, makeClient, makeUser, password } from '../support/identity.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { comeBack, makeDomain, ours, reasonOf, setOut, setUp, whoIs } from '../support/single-sign-on.ts'
import { softwareAuthenticator } from '../support/software-authenticator.ts'

/** Signing in at a provider that we did not write. */

let server: TestServer
let provider: IdentityProvider
let companyId: number
let domain: string

beforeAll(async () => {
  server = await startTestServer({ egressAllow: ['127.0.0.1'] })
  const company = await makeDomain(server.context)
  ;({ companyId, domain } = company)
  provider = await startIdentityProvider([company.redirect])
  await settings({})
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

const settings = (more: Partial<Parameters<typeof setUp>[2]>) =>
  setUp(server.context, companyId, {
    issuer: provider.issuer,
    client_id: provider.clientId,
    secret: provider.clientSecret,
    ...more,
  })

const newAddress = () => `${randomUUID()}@${domain}`

/** All the way: out, through the provider as this person, and back. */
async function signInAs(person: Parameters<IdentityProvider['be']>[0], email = person.email ?? '') {
  provider.be(person)
  const browser = await setOut(server, email)
  return await comeBack(server, browser, await provider.visit(browser.url))
}

describe('signing in by it', () => {
  test('is for members with that address, and from then on for the subject', async () => {
    const user = await makeUser(server.context, { email: newAddress(), company_id: companyId })
    const person = { sub: randomUUID(), email: user.email.toUpperCase(), email_verified: true }
    const first = await signInAs(person)
    expect(first.status).toBe(204)
    expect(await whoIs(server, first)).toMatchObject({ id: user.id })
    // The address may change there, and be nobody's any more.
    const later = await signInAs({ sub: person.sub }, `somebody@${domain}`)
    expect(await whoIs(server, later)).toMatchObject({ id: user.id })
  })

  test('sets a cookie that comes back from elsewhere, and that scripts do not see', async () => {
    const answer = await server.call('POST', '/console/session/single-sign-on', {
      body: { email: newAddress() },
      headers: ours,
    })
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^entrepot_sso_[0-9a-f]{16}=\w{43}; Path=\/console\/session; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/,
    )
    const { searchParams } = new URL((answer.json['data'] as { url: string }).url)
    expect(searchParams.get('code_challenge_method')).toBe('S256')
    expect(Object.fromEntries(searchParams)).toMatchObject({ state: expect.any(String), nonce: expect.any(String) })
  })

  test('looks the same for users and strangers until the provider has said who it is', async () => {
    const user = await makeUser(server.context, { email: newAddress(), company_id: companyId })
    const shape = async (email: string) => {
      const { url, cookie } = await setOut(server, email)
      const { origin, pathname, searchParams } = new URL(url)
      return [origin, pathname, [...searchParams.keys()], cookie.length]
    }
    expect(await shape(user.email)).toEqual(await shape(newAddress()))
    const unknown = await server.call('POST', '/console/session/single-sign-on', {
      body: { email: 'ada@elsewhere.example' },
      headers: ours,
    })
    expect([unknown.status, unknown.headers['set-cookie']]).toEqual([422, undefined])
  })

  test('is in the audit trail, by whom and how', async () => {
    const user = await makeUser(server.context, { email: newAddress(), company_id: companyId })
    await signInAs({ sub: randomUUID(), email: user.email, email_verified: true })
    const entry = await server.context.db
      .selectFrom('audit_entries')
      .select(['kind', 'detail', 'outcome'])
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(entry).toEqual({ kind: 'sign_in', detail: 'single sign-on', outcome: 'done' })
  })
})

describe('nobody comes in', () => {
  test('who is nobody here, while nobody is made', async () => {
    const answer = await signInAs({ sub: randomUUID(), email: newAddress(), email_verified: true })
    expect(reasonOf(answer)).toMatch(/^There is nobody in this company/)
  })

  test('as somebody of another company, whatever the provider says', async () => {
    const victim = await makeUser(server.context, { email: newAddress() })
    const person = { sub: randomUUID(), email: victim.email, email_verified: true }
    expect(reasonOf(await signInAs(person))).toMatch(/^There is nobody in this company/)
    await settings({ create_users: true })
    const made = await whoIs(server, await signInAs(person))
    await settings({})
    expect(made).toMatchObject({ email: victim.email, id: expect.any(Number) })
    expect(made?.id).not.toBe(victim.id)
    const elsewhere = await makeUser(server.context, { email: `${randomUUID()}@other.example`, company_id: companyId })
    const foreign = { sub: randomUUID(), email: elsewhere.email, email_verified: true }
    expect(reasonOf(await signInAs(foreign, newAddress()))).toMatch(/^There is nobody in this company/)
  })

  test('as whoever administers the instance', async () => {
    const admin = await makeUser(server.context, { email: newAddress(), company_id: companyId, roles: ['admin'] })
    const answer = await signInAs({ sub: randomUUID(), email: admin.email, email_verified: true })
    expect(reasonOf(answer)).toMatch(/^There is nobody in this company/)
  })

  test.each([
    ['the provider says that it is not verified', { email_verified: false }, false],
    ['the provider says nothing of it', {}, false],
    ['it is not verified, where it is believed that all are', { email_verified: false }, true],
  ])('with an address of which %s', async (_, said, trusted) => {
    const user = await makeUser(server.context, { email: newAddress(), company_id: companyId })
    await settings({ trust_addresses: trusted })
    const answer = await signInAs({ sub: randomUUID(), email: user.email, ...said })
    await settings({})
    expect(reasonOf(answer)).toMatch(/^The provider does not say that your address is yours/)
  })

  test('with the address of somebody who is known there as another', async () => {
    const user = await makeUser(server.context, { email: newAddress(), company_id: companyId })
    const email = { email: user.email, email_verified: true }
    expect((await signInAs({ sub: randomUUID(), ...email })).status).toBe(204)
    const second = { sub: randomUUID(), ...email }
    expect(reasonOf(await signInAs(second))).toMatch(/^Whoever has this address signs in there as somebody else/)
    const owner = await makeColleague(server.context, await client(), { role: 'owner' })
    const forgotten = await server.call('POST', `/api/2.0/user/users/${user.id}/single-sign-on/forget`, owner)
    expect(forgotten.status).toBe(204)
    expect((await signInAs(second)).status).toBe(204)
  })

  test('who is locked out, or has left meanwhile', async () => {
    const user = await makeUser(server.context, { email: newAddress(), company_id: companyId })
    const person = { sub: randomUUID(), email: user.email, email_verified: true }
    expect((await signInAs(person)).status).toBe(204)
    const change = (changes: Parameters<typeof updateUser>[2]['changes']) =>
      updateUser(server.context, operator, { id: user.id, changes })
    for (const changes of [{ active: false }, { company_id: null }]) {
      provider.be(person)
      const browser = await setOut(server, user.email)
      const back = await provider.visit(browser.url)
      await change(changes)
      expect(reasonOf(await comeBack(server, browser, back))).toMatch(/^There is nobody in this company/)
      await change({ active: true })
    }
  })

  test('after the company has switched it off, or gone to another provider', async () => {
    const user = await makeUser(server.context, { email: newAddress(), company_id: companyId })
    const person = { sub: randomUUID(), email: user.email, email_verified: true }
    const halfway = async (meanwhile: () => Promise<unknown>) => {
      provider.be(person)
      const browser = await setOut(server, user.email)
      const back = await provider.visit(browser.url)
      await meanwhile()
      const reason = reasonOf(await comeBack(server, browser, back))
      await settings({})
      return reason
    }
    const owner = await makeColleague(server.context, await client(), { role: 'owner' })
    const path = `/api/2.0/user/companies/${companyId}/single-sign-on`
    expect(await halfway(() => server.call('POST', `${path}/remove`, owner))).toMatch(/^This took too long/)
    const other = { body: { client_id: 'another', client_secret: null }, ...owner }
    expect(await halfway(() => server.call('PUT', path, other))).toMatch(/^This took too long/)
    expect((await signInAs(person)).status).toBe(204)
  })
})

const client = async () => ({
  companyId,
  passwordClient: await makeClient(server.context, { grant_types: ['password'] }),
})

describe('what a browser brings back', () => {
  test('is good once', async () => {
    const user = await makeUser(server.context, { email: newAddress(), company_id: companyId })
    provider.be({ sub: randomUUID(), email: user.email, email_verified: true })
    const browser = await setOut(server, user.email)
    const back = await provider.visit(browser.url)
    expect((await comeBack(server, browser, back)).status).toBe(204)
    expect(reasonOf(await comeBack(server, browser, back))).toMatch(/^This took too long/)
    // The code by itself, in a trip of one's own.
    const another = await setOut(server, user.email)
    const own = new URL(back)
    own.searchParams.set('state', new URL(another.url).searchParams.get('state') ?? '')
    expect(reasonOf(await comeBack(server, another, own))).toMatch(/^The answer of the identity provider/)
  })

  test('is good in that browser only, and is not spent by another', async () => {
    const user = await makeUser(server.context, { email: newAddress(), company_id: companyId })
    provider.be({ sub: randomUUID(), email: user.email, email_verified: true })
    const browser = await setOut(server, user.email)
    const back = await provider.visit(browser.url)
    const stranger = await setOut(server, user.email)
    const named = `${browser.cookie.split('=')[0]}=${stranger.cookie.split('=')[1]}`
    for (const cookie of ['', stranger.cookie, named]) {
      expect(reasonOf(await comeBack(server, { cookie }, back))).toMatch(/^This took too long/)
    }
    expect((await comeBack(server, browser, back)).status).toBe(204)
  })

  test('is good at the address of that company only', async () => {
    const user = await makeUser(server.context, { email: newAddress(), company_id: companyId })
    provider.be({ sub: randomUUID(), email: user.email, email_verified: true })
    const browser = await setOut(server, user.email)
    const back = await provider.visit(browser.url)
    const other = await makeDomain(server.context)
    const elsewhere = new URL(back)
    elsewhere.pathname = new URL(other.redirect).pathname
    expect(reasonOf(await comeBack(server, browser, elsewhere))).toMatch(/^This took too long/)
  })

  test('may be a refusal', async () => {
    const browser = await setOut(server, newAddress())
    const back = new URL(`https://entrepot.test/console/single-sign-on/${companyId}`)
    const state = new URL(browser.url).searchParams.get('state') ?? ''
    back.search = new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer }).toString()
    expect(reasonOf(await comeBack(server, browser, back))).toBe('The identity provider did not sign you in.')
  })
})

describe('somebody new', () => {
  test('becomes a user with the role that was chosen, and without a password', async () => {
    await settings({ create_users: true, default_role: 'support' })
    const person = { sub: randomUUID(), email: newAddress(), email_verified: true, name: 'Grace Hopper' }
    const answers = await Promise.all([signInAs(person), signInAs(person)])
    await settings({})
    expect(answers.map(({ status }) => status)).toContain(204)
    const made = await server.context.db
      .selectFrom('users')
      .select(['name', 'company_id', 'company_role', 'password_hash', 'email_verified_at'])
      .where('email', '=', person.email)
      .execute()
    expect(made).toEqual([
      {
        name: 'Grace Hopper',
        company_id: companyId,
        company_role: 'support',
        password_hash: null,
        email_verified_at: expect.any(String),
      },
    ])
    const session = await server.call('POST', '/console/session', {
      body: { email: person.email, password },
      headers: ours,
    })
    expect(session.status).toBe(422)
  })
})

describe('where it is the only way', () => {
  const owner = (email: string) => makeUser(server.context, { email, company_id: companyId })
  const signIn = (email: string) =>
    server.call('POST', '/console/session', { body: { email, password }, headers: ours })

  test('passwords sign in owners alone, and those need a second factor', async () => {
    const member = await owner(newAddress())
    const chief = await owner(newAddress())
    await server.context.db.updateTable('users').set({ company_role: 'owner' }).where('id', '=', chief.id).execute()
    expect([(await signIn(member.email)).status, (await signIn(chief.email)).status]).toEqual([204, 204])
    await settings({ required: true })
    const refused = await signIn(member.email)
    expect(refused.json['errors']).toEqual({ email: ['Your company signs in by single sign-on only.'] })
    const wrong = await server.call('POST', '/console/session', {
      body: { email: member.email, password: 'not it' },
      headers: ours,
    })
    expect(wrong.json['errors']).toEqual({ email: ['These credentials do not match our records.'] })
    const enrols = await signIn(chief.email)
    expect([enrols.status, enrols.json['data']]).toEqual([202, expect.objectContaining({ next: 'enrolment' })])
    const passwordClient = await makeClient(server.context, { grant_types: ['password'] })
    const fault = await faultOf(
      askToken(server.context, { grant_type: 'password', ...passwordClient, username: member.email, password }),
    )
    expect([fault.oauth?.error, fault.message]).toEqual([
      'invalid_grant',
      'The company of the user signs in by single sign-on only.',
    ])
    const bySubject = await signInAs({ sub: randomUUID(), email: member.email, email_verified: true })
    expect(bySubject.status).toBe(204)
    await settings({})
  })

  test('passkeys sign in nobody but owners', async () => {
    const member = await withPasskey(newAddress())
    const chief = await withPasskey(newAddress())
    await server.context.db
      .updateTable('users')
      .set({ company_role: 'owner' })
      .where('id', '=', chief.user.id)
      .execute()
    expect([(await member.signIn()).status, (await chief.signIn()).status]).toEqual([204, 204])
    await settings({ required: true })
    const refused = await member.signIn()
    expect([refused.status, refused.headers['set-cookie']]).toEqual([422, undefined])
    expect(refused.text).toContain('Your company signs in by single sign-on only.')
    expect((await chief.signIn()).status).toBe(204)
    await settings({})
    expect((await member.signIn()).status).toBe(204)
  })

  /** A member who has a passkey, and what it takes to sign in by it. */
  async function withPasskey(email: string) {
    const user = await owner(email)
    const headers = { ...ours, cookie: await makeSession(server.context, user.id) }
    const key = softwareAuthenticator('https://entrepot.test')
    const post = (path: string, body: unknown, more = {}) =>
      server.call('POST', path, { body, headers: { ...ours, ...more } })
    const begun = await post('/api/2.0/user/passkeys/options', { current_password: password }, headers)
    const response = key.register(Object(begun.json['data']))
    const added = await post('/api/2.0/user/passkeys', { name: 'Laptop', response }, headers)
    expect(added.status, added.text).toBe(201)
    const signIn = async () => {
      const options = await post('/console/session/passkey/options', { ticket: null })
      return await post('/console/session/passkey', { response: key.prove(Object(options.json['data'])), ticket: null })
    }
    return { user, signIn }
  }
})

describe('a second factor of ours', () => {
  test('is asked for after it where the company demands one, unless the provider is believed to do so', async () => {
    const user = await makeUser(server.context, { email: newAddress(), company_id: companyId })
    const person = { sub: randomUUID(), email: user.email, email_verified: true }
    const demand = (require_second_factor: boolean) =>
      server.context.db.updateTable('companies').set({ require_second_factor }).where('id', '=', companyId).execute()
    await demand(true)
    const asked = await signInAs(person)
    expect([asked.status, asked.json['data']]).toEqual([
      202,
      { ticket: expect.any(String), next: 'enrolment', passkey: false },
    ])
    await settings({ trust_second_factor: true })
    expect((await signInAs(person)).status).toBe(204)
    await settings({})
    await demand(false)
  })
})

test('the secret is sealed for the company and the issuer', async () => {
  const { db, keys } = server.context
  const { client_secret: sealed } = await db
    .selectFrom('single_sign_on')
    .select('client_secret')
    .where('company_id', '=', companyId)
    .executeTakeFirstOrThrow()
  const place = clientSecretPlace(companyId)
  const bound = (issuer: string) => ` ${issuer} ${provider.clientId}`
  expect(open(keys, sealed ?? Buffer.of(), place, bound(provider.issuer))).toBe(provider.clientSecret)
  expect(() => open(keys, sealed ?? Buffer.of(), place, bound('https://evil.example'))).toThrow()
  expect(() => open(keys, sealed ?? Buffer.of(), clientSecretPlace(companyId + 1), bound(provider.issuer))).toThrow()
})
