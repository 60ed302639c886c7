import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { User } from '../../src/domain/users/user.ts'
import { askToken, type Credentials, logIn, makeClient, makeUser, password } from '../support/identity.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let client: Credentials

beforeAll(async () => {
  server = await startTestServer()
  client = await makeClient(server.context, { grant_types: ['password', 'refresh_token'] })
})
afterAll(() => server.close())

const ours = { 'x-entrepot-console': '1' }
const wanted = 'another correct horse'

async function signIn({ email }: User, secret = password): Promise<Record<string, string>> {
  const { headers } = await server.call('POST', '/console/session', {
    body: { email, password: secret },
    headers: ours,
  })
  return { ...ours, cookie: String(headers['set-cookie']).split(';')[0] ?? '' }
}

const change = (headers: Record<string, string>, body: Record<string, unknown>) =>
  server.call('PUT', '/api/2.0/user/password', { headers, body })

const session = async (headers: Record<string, string>) =>
  (await server.call('GET', '/console/session', { headers })).status

describe('a user without any permission', () => {
  test('changes the own password, which ends every other session and token', async () => {
    const user = await makeUser(server.context)
    const [here, elsewhere] = [await signIn(user), await signIn(user)]
    const token = await logIn(server.context, client, user)
    expect((await change(here, { current_password: password, password: wanted })).status).toBe(204)
    expect(await session(here)).toBe(200)
    await expect.poll(() => session(elsewhere)).toBe(401)
    const asToken = () => server.call('GET', '/api/1.0/users/information', { token: token.access_token })
    await expect.poll(async () => (await asToken()).status).toBe(401)
    const refresh = { grant_type: 'refresh_token', ...client, refresh_token: token.refresh_token }
    await expect(askToken(server.context, refresh)).rejects.toThrow()
    expect(await session(await signIn(user, wanted))).toBe(200)
    expect(await session(await signIn(user, password))).toBe(401)
  })

  test('keeps the token, and what renews it, that the password was changed with', async () => {
    const user = await makeUser(server.context)
    const token = await logIn(server.context, client, user)
    const asToken = { authorization: `Bearer ${token.access_token}` }
    expect((await change(asToken, { current_password: password, password: wanted })).status).toBe(204)
    expect((await server.call('GET', '/api/1.0/users/information', { headers: asToken })).status).toBe(200)
    const refresh = { grant_type: 'refresh_token', ...client, refresh_token: token.refresh_token }
    expect(await askToken(server.context, refresh)).toHaveProperty('access_token')
  })

  test('is refused without the old password, and does not guess it faster than anybody else', async () => {
    const user = await makeUser(server.context)
    const here = await signIn(user)
    for (let n = 0; n < 10; n++) {
      const { status, json } = await change(here, { current_password: 'wrong', password: wanted })
      expect([status, json['errors']]).toEqual([422, { current_password: ['The password is incorrect.'] }])
    }
    expect((await change(here, { current_password: password, password: wanted })).status).toBe(429)
  })

  test.each([
    [{ password: 'password' }, 'The password field must not be easy to guess.'],
    [{ password: 'short' }, 'The password field must be at least 8 characters.'],
    [{ password: wanted, password_confirmation: 'other' }, 'The password field confirmation does not match.'],
  ])('is refused %j', async (body, text) => {
    const here = await signIn(await makeUser(server.context))
    const { status, json } = await change(here, { current_password: password, ...body })
    expect([status, json['errors']]).toEqual([422, { password: [text] }])
  })
})
