import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { User } from '../../src/domain/users/user.ts'
import { makeSession } from '../support/colleague.ts'
import { faultOf, logIn, makeClient, makeCompany, makeUser, password } from '../support/identity.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { type Slips, softwareAuthenticator } from '../support/software-authenticator.ts'

let server: TestServer
const origin = 'https://entrepot.test'

beforeAll(async () => {
  server = await startTestServer({ publicUrl: origin })
})
afterAll(() => server.close())

const ours = { 'x-entrepot-console': '1' }
type Headers = Record<string, string>
type Authenticator = ReturnType<typeof softwareAuthenticator>

const post = (path: string, body: unknown, headers: Headers = {}) =>
  server.call('POST', path, { body, headers: { ...ours, ...headers } })
const dataOf = <T>({ json }: { json: Record<string, unknown> }) => json['data'] as T
const sessionOf = async ({ id }: User) => ({ ...ours, cookie: await makeSession(server.context, id) })

async function registration(session: Headers) {
  const answer = await post('/api/2.0/user/passkeys/options', { current_password: password }, session)
  expect(answer.status).toBe(200)
  return dataOf<{ challenge: string; user: { id: string } }>(answer)
}

const add = (session: Headers, response: unknown, name = 'Laptop') =>
  post('/api/2.0/user/passkeys', { name, response }, session)

interface Holder {
  user: User
  session: Headers
  key: Authenticator
  recoveryCodes: string[]
  passkey: number
}

async function holder(input: Parameters<typeof makeUser>[1] = {}): Promise<Holder> {
  const user = await makeUser(server.context, input)
  const session = await sessionOf(user)
  const key = softwareAuthenticator(origin)
  const added = await add(session, key.register(await registration(session)))
  expect(added.status).toBe(201)
  const { id, recovery_codes: recoveryCodes } = dataOf<{ id: number; recovery_codes: string[] }>(added)
  return { user, session, key, recoveryCodes, passkey: id }
}

async function challenge(ticket: string | null = null) {
  const answer = await post('/console/session/passkey/options', { ticket })
  expect(answer.status).toBe(200)
  return dataOf<{ challenge: string; allowCredentials?: { id: string }[]; userVerification: string }>(answer)
}

const signIn = (response: unknown, ticket: string | null = null) =>
  post('/console/session/passkey', { response, ticket })

async function ticketOf({ email }: User): Promise<string> {
  const answer = await post('/console/session', { email, password })
  expect([answer.status, dataOf<{ passkey: boolean }>(answer).passkey]).toEqual([202, true])
  return dataOf<{ ticket: string }>(answer).ticket
}

const whoAmI = async (answer: { headers: Record<string, unknown> }) => {
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
  const { json } = await server.call('GET', '/console/session', { headers: { ...ours, cookie } })
  return dataOf<{ id: number } | undefined>({ json })?.id
}

describe('a passkey', () => {
  test('signs in by itself, and is asked for by nobody’s name', async () => {
    const { user, key } = await holder()
    const options = await challenge()
    expect([options.allowCredentials ?? [], options.userVerification]).toEqual([[], 'required'])
    const answer = await signIn(key.prove(options))
    expect(answer.status).toBe(204)
    expect(await whoAmI(answer)).toBe(user.id)
  })

  test('is a second factor after the password', async () => {
    const { user, key } = await holder()
    const ticket = await ticketOf(user)
    const options = await challenge(ticket)
    expect(options.allowCredentials?.map(({ id }) => id)).toEqual([key.id])
    const answer = await signIn(key.prove(options), ticket)
    expect(await whoAmI(answer)).toBe(user.id)
    expect((await signIn(key.prove(await challenge()), ticket)).json['errors']).toHaveProperty('ticket')
  })

  test('is one of several, with names of their own', async () => {
    const { session, passkey } = await holder()
    const second = softwareAuthenticator(origin)
    const added = await add(session, second.register(await registration(session)), 'Key ring')
    expect(dataOf<{ recovery_codes: null }>(added).recovery_codes).toBeNull()
    const path = `/api/2.0/user/passkeys/${passkey}`
    expect((await server.call('PUT', path, { headers: session, body: { name: 'Old laptop' } })).status).toBe(200)
    const list = await server.call('GET', '/api/2.0/user/passkeys', { headers: session })
    expect(dataOf<{ name: string }[]>(list).map(({ name }) => name)).toEqual(['Old laptop', 'Key ring'])
    expect((await signIn(second.prove(await challenge()))).status).toBe(204)
  })

  test('is removed with password and a code, and is of no use from then on', async () => {
    const { session, key, recoveryCodes, passkey, user } = await holder()
    const remove = (current_password: string, code: string) =>
      post(`/api/2.0/user/passkeys/${passkey}/remove`, { current_password, code }, session)
    const [first = ''] = recoveryCodes
    expect((await remove('wrong', first)).status).toBe(422)
    expect((await remove(password, '000000')).status).toBe(422)
    expect((await remove(password, first)).status).toBe(204)
    expect((await signIn(key.prove(await challenge()))).status).toBe(422)
    expect((await post('/console/session', { email: user.email, password })).status).toBe(204)
  })

  test('of somebody else is neither renamed nor removed', async () => {
    const { passkey } = await holder()
    const stranger = await sessionOf(await makeUser(server.context))
    const path = `/api/2.0/user/passkeys/${passkey}`
    expect((await server.call('PUT', path, { headers: stranger, body: { name: 'Mine' } })).status).toBe(403)
    expect((await post(`${path}/remove`, { current_password: password, code: 'x' }, stranger)).status).toBe(403)
  })

  test('that is the last second factor stays where the company asks for one', async () => {
    const company_id = await makeCompany(server.context)
    const { session, recoveryCodes, passkey } = await holder({ company_id })
    await server.context.db
      .updateTable('companies')
      .set({ require_second_factor: true })
      .where('id', '=', company_id)
      .execute()
    const body = { current_password: password, code: recoveryCodes[0] }
    const answer = await post(`/api/2.0/user/passkeys/${passkey}/remove`, body, session)
    expect(answer.json['errors']).toHaveProperty('second_factor')
    const list = await server.call('GET', '/api/2.0/user/passkeys', { headers: session })
    expect(dataOf<unknown[]>(list)).toHaveLength(1)
  })

  test('makes the password grant ask for more than the password', async () => {
    const { user } = await holder()
    const client = await makeClient(server.context, { grant_types: ['password'] })
    expect((await faultOf(logIn(server.context, client, user))).oauth).toMatchObject({ error: 'mfa_required' })
  })

  test('opens nothing for a user who is switched off', async () => {
    const { user, key } = await holder()
    await server.context.db.updateTable('users').set({ active: false }).where('id', '=', user.id).execute()
    expect((await signIn(key.prove(await challenge()))).status).toBe(422)
  })
})

describe('is refused', () => {
  test.each([
    ['of another site', { origin: 'https://entrepot.test.evil.example' }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['without having seen the person', { verified: false }],
    ['of another ceremony', { type: 'webauthn.create' }],
    ['that says it is somebody else’s', { userHandle: Buffer.from('user:1').toString('base64url') }],
  ] satisfies [string, Slips][])('a signature %s', async (_, slips) => {
    const { key } = await holder()
    const answer = await signIn(key.prove(await challenge(), slips))
    expect([answer.status, answer.headers['set-cookie']]).toEqual([422, undefined])
    expect((await signIn(key.prove(await challenge()))).status).toBe(204)
  })

  test.each([
    ['of another site', { origin: 'https://entrepot.test.evil.example' }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['without having seen the person', { verified: false }],
  ] satisfies [string, Slips][])('a new passkey %s', async (_, slips) => {
    const session = await sessionOf(await makeUser(server.context))
    const key = softwareAuthenticator(origin)
    expect((await add(session, key.register(await registration(session), slips))).status).toBe(422)
  })

  test('a counter that does not grow: somebody has a copy', async () => {
    const { key } = await holder()
    expect((await signIn(key.prove(await challenge(), { counter: 10 }))).status).toBe(204)
    for (const counter of [10, 9]) expect((await signIn(key.prove(await challenge(), { counter }))).status).toBe(422)
    expect((await signIn(key.prove(await challenge(), { counter: 11 }))).status).toBe(204)
  })

  test('the same signature again, and a challenge that nobody gave', async () => {
    const { key } = await holder()
    const response = key.prove(await challenge())
    expect((await signIn(response)).status).toBe(204)
    expect((await signIn(response)).status).toBe(422)
    expect((await signIn(key.prove({ challenge: 'c29tZXRoaW5n' }))).status).toBe(422)
  })

  test('a challenge that was given for something else', async () => {
    const { key, session } = await holder()
    expect((await signIn(key.prove(await registration(session)))).status).toBe(422)
    const other = await sessionOf(await makeUser(server.context))
    const stranger = softwareAuthenticator(origin)
    expect((await add(other, stranger.register(await registration(session)))).status).toBe(422)
  })

  test('the passkey of one user on the ticket of another', async () => {
    const [one, other] = [await holder(), await holder()]
    const ticket = await ticketOf(one.user)
    expect((await signIn(other.key.prove(await challenge(ticket)), ticket)).status).toBe(422)
    expect((await signIn(one.key.prove(await challenge(ticket)), ticket)).status).toBe(204)
  })

  test('a passkey for whoever does not know the password', async () => {
    const session = await sessionOf(await makeUser(server.context))
    const answer = await post('/api/2.0/user/passkeys/options', { current_password: 'wrong' }, session)
    expect(answer.json['errors']).toHaveProperty('current_password')
  })
})
