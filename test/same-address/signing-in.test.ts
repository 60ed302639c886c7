import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logIn } from '../../src/domain/oauth/sign-in/log-in.ts'
import { deleteUser } from '../../src/domain/users/delete-user.ts'
import { updateUser } from '../../src/domain/users/update-user.ts'
import { operator, type User } from '../../src/domain/users/user.ts'
import { makeSession } from '../support/colleague.ts'
import { type Credentials, makeClient, makeUser, password } from '../support/identity.ts'
import { linkIn, type MailServer, startMailServer } from '../support/mail-server.ts'
import { startTestServer, type TestAnswer, type TestServer, testKeys } from '../support/server.ts'
import { entrance, makeSharing, makeTwo, type Sharing } from '../support/sharing.ts'
import { ours, whoIs } from '../support/single-sign-on.ts'
import { softwareAuthenticator } from '../support/software-authenticator.ts'

/** Several people, or one in several companies, have one address: the password says which user it is. */

let mail: MailServer
let server: TestServer
let client: Credentials

beforeAll(async () => {
  mail = await startMailServer()
  const settings = { url: mail.url, from: 'entrepot@example.com' }
  server = await startTestServer({ works: true, mail: settings, trustProxy: ['127.0.0.1'] })
  client = await makeClient(server.context, { grant_types: ['password'] })
})
afterAll(async () => {
  await server.close()
  await mail.close()
})

const { signIn, enter } = entrance(() => server)
const dataOf = <T>({ json }: TestAnswer) => json['data'] as T
const grant = (email: string, secret: string) =>
  server.call('POST', '/oauth/token', {
    body: { grant_type: 'password', ...client, username: email, password: secret },
  })

describe('of those who have one address', () => {
  test('each signs in with the own password, and reaches the own company', async () => {
    const { email, users } = await makeSharing(server.context, 3)
    for (const { id, secret, company_id } of users) {
      expect(await enter(email, secret)).toBe(id)
      const token = String((await grant(email, secret)).json['access_token'])
      const me = await server.call('GET', '/api/1.0/users/information', { token })
      expect(dataOf(me)).toMatchObject({ id, email, company_id })
      const colleagues = await server.call('GET', '/api/2.0/user/users', { token })
      expect(dataOf<User[]>(colleagues).map((user) => user.id)).toEqual([id])
      for (const other of users.filter((user) => user.id !== id)) {
        expect((await server.call('GET', `/api/1.0/users/${other.id}`, { token })).status).toBe(403)
      }
    }
    const refused = await signIn(email, 'the password of nobody')
    expect(refused.json['errors']).toEqual({ email: ['These credentials do not match our records.'] })
  })

  test('one who is deleted, inactive or has another password now leaves the others as they were', async () => {
    const { email, users } = await makeSharing(server.context, 3)
    const [gone, idle, stays] = users
    if (!gone || !idle || !stays) throw new Error('There are three.')
    await deleteUser(server.context, operator, gone.id)
    await updateUser(server.context, operator, { id: idle.id, changes: { active: false } })
    expect([(await signIn(email, gone.secret)).status, (await signIn(email, idle.secret)).status]).toEqual([422, 422])
    expect(await enter(email, stays.secret)).toBe(stays.id)
    await updateUser(server.context, operator, { id: idle.id, changes: { active: true, password: 'a new password' } })
    expect(await enter(email, 'a new password')).toBe(idle.id)
    expect((await signIn(email, idle.secret)).status).toBe(422)
  })

  test('whoever chose the same password last comes in by it, and the other by the next one', async () => {
    const { email, one: first, other: second } = await makeTwo(server.context)
    const choose = (user: User, secret: string) =>
      updateUser(server.context, operator, { id: user.id, changes: { password: secret } })
    await choose(first, second.secret)
    expect(await enter(email, second.secret)).toBe(first.id)
    await choose(second, second.secret)
    expect(await enter(email, second.secret)).toBe(second.id)
    await choose(second, 'something else now')
    expect(await enter(email, second.secret)).toBe(first.id)
  })

  test('nobody proves an open session by the password of another', async () => {
    const { one, other } = await makeTwo(server.context)
    const headers = { ...ours, cookie: await makeSession(server.context, one.id) }
    const change = (current_password: string) =>
      server.call('PUT', '/api/2.0/user/password', { headers, body: { current_password, password: 'a new password' } })
    const offer = (current_password: string) =>
      server.call('POST', '/api/2.0/user/passkeys/options', { headers, body: { current_password } })
    for (const refused of [await change(other.secret), await offer(other.secret)]) {
      expect(refused.json['errors']).toEqual({ current_password: ['The password is incorrect.'] })
    }
    expect([(await offer(one.secret)).status, (await change(one.secret)).status]).toEqual([200, 204])
  })

  test('a second factor and a passkey are of one of them', async () => {
    const { email, one, other } = await makeTwo(server.context)
    const headers = { ...ours, cookie: await makeSession(server.context, one.id) }
    const key = softwareAuthenticator('https://entrepot.test')
    const post = (path: string, body: unknown) => server.call('POST', path, { headers, body })
    const options = dataOf<{ challenge: string; user: { id: string; name: string } }>(
      await post('/api/2.0/user/passkeys/options', { current_password: one.secret }),
    )
    expect(options.user.name).toBe(`${email} (${one.company})`)
    const added = await post('/api/2.0/user/passkeys', { name: 'Laptop', response: key.register(options) })
    expect(added.status).toBe(201)
    expect([(await signIn(email, one.secret)).status, (await signIn(email, other.secret)).status]).toEqual([202, 204])
    const asked = await server.call('POST', '/console/session/passkey/options', {
      headers: ours,
      body: { ticket: null },
    })
    const response = key.prove(dataOf(asked))
    const passed = await server.call('POST', '/console/session/passkey', {
      headers: ours,
      body: { response, ticket: null },
    })
    expect((await whoIs(server, passed))?.id).toBe(one.id)
  })

  test('each gets a letter of the own for a forgotten password, which changes nobody else’s', async () => {
    const { email, users } = await makeSharing(server.context, 3)
    const [one, other, idle] = users
    if (!one || !other || !idle) throw new Error('There are three.')
    await updateUser(server.context, operator, { id: idle.id, changes: { active: false } })
    const asked = await server.call('POST', '/console/forgotten-password', { body: { email } })
    expect(asked.status).toBe(200)
    const letters = () => mail.received.filter(({ to }) => to.includes(email))
    await expect.poll(() => letters().length).toBe(2)
    const linksOf = ({ company }: Sharing) =>
      letters()
        .filter(({ source }) => source.includes(`Entrepot (${company})`))
        .map(linkIn)
    expect([linksOf(one).length, linksOf(other).length, linksOf(idle).length]).toEqual([1, 1, 0])
    const body = { token: String(linksOf(one)[0]).split('#')[1], password: 'another correct horse' }
    expect((await server.call('POST', '/console/new-password/choose', { body })).status).toBe(200)
    expect(await enter(email, 'another correct horse')).toBe(one.id)
    expect(await enter(email, other.secret)).toBe(other.id)
  })
})

describe('what is kept beside the hash', () => {
  const kept = async ({ id }: User) =>
    await server.context.db
      .selectFrom('users')
      .select(['password_tag', 'password_set_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()

  test('comes with the next sign-in of those who have none, and after another key came', async () => {
    const { context } = server
    const { email, one, other } = await makeTwo(server.context)
    await context.db
      .updateTable('users')
      .set({ password_tag: null, password_set_at: null })
      .where('id', '=', one.id)
      .execute()
    expect(await enter(email, one.secret)).toBe(one.id)
    const after = await kept(one)
    expect([after.password_tag?.split(':')[0], after.password_set_at]).toEqual([testKeys[0].id, null])

    const young = { id: 'young', key: randomBytes(32) }
    for (const user of [one, other]) {
      const attempt = { username: email, password: user.secret, address: '203.0.113.9' }
      expect((await logIn({ ...context, keys: [young] }, attempt)).id).toBe(user.id)
      expect((await kept(user)).password_tag?.split(':')[0]).toBe('young')
    }
  })

  test('is of no account where a program of the version before has set another password', async () => {
    const { email, one, other } = await makeTwo(server.context)
    const { password_hash } = await server.context.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', (await makeUser(server.context)).id)
      .executeTakeFirstOrThrow()
    await server.context.db.updateTable('users').set({ password_hash }).where('id', '=', one.id).execute()
    expect(await enter(email, password)).toBe(one.id)
    expect(await enter(email, other.secret)).toBe(other.id)
  })
})
