import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import {
  askToken,
  type Credentials,
  faultOf,
  logIn,
  makeClient,
  makeTokenAskers,
  makeUser,
  password,
} from '../../../test/support/identity.ts'
import type { Context } from '../context.ts'
import { webcomponentScopes } from '../scopes.ts'
import { updateUser } from '../users/update-user.ts'
import { operator, type User } from '../users/user.ts'
import { readLiveToken } from './callers/caller-store.ts'
import { updateClient } from './clients/update-client.ts'
import { basicCredentials } from './token-request.ts'

let database: TestContext
let context: Context
let user: User
let passwordClient: Credentials
let appClient: Credentials
let appId: number

beforeAll(async () => {
  database = await createTestContext()
  context = database.context
  ;({ user, appId, passwordClient, appClient } = await makeTokenAskers(context))
})

afterAll(() => database.close())

const byPassword = (more: object = {}) => ({
  grant_type: 'password',
  ...passwordClient,
  username: user.email,
  password,
  ...more,
})
const byClient = (more: object = {}) => ({ grant_type: 'client_credentials', ...appClient, ...more })

describe('a token', () => {
  test('of the password grant comes with a refresh token, for a year', async () => {
    const answer = await askToken(context, byPassword({ client_id: String(passwordClient.client_id), scope: '' }))
    expect(Object.keys(answer)).toEqual(['token_type', 'expires_in', 'access_token', 'refresh_token'])
    expect(answer).toMatchObject({ token_type: 'Bearer', expires_in: 31_536_000 })
    expect(decodeProtectedHeader(answer.access_token)).toMatchObject({ alg: 'EdDSA', typ: 'at+jwt' })
    const claims = decodeJwt(answer.access_token)
    expect(claims).toMatchObject({
      iss: 'https://entrepot.test',
      aud: String(passwordClient.client_id),
      sub: `user:${user.id}`,
      kind: 'user',
      scopes: ['*'],
    })
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(31_536_000)
  })

  test('of the client credentials grant comes without a refresh token', async () => {
    const answer = await askToken(context, byClient({ scope: ['app:account-read', 'app:flow-read'] }))
    expect(Object.keys(answer)).toEqual(['token_type', 'expires_in', 'access_token'])
    expect(decodeJwt(answer.access_token)).toMatchObject({
      sub: `client:${appClient.client_id}`,
      kind: 'client',
      scopes: ['app:account-read', 'app:flow-read'],
    })
  })

  test('for an account of the client’s app lasts an hour and has the scopes of the components', async () => {
    const answer = await askToken(context, byClient({ account: 'merchant-1' }))
    expect(answer).toMatchObject({ expires_in: 3600, scope: webcomponentScopes.join(' ') })
    expect(answer).not.toHaveProperty('refresh_token')
    expect(decodeJwt(answer.access_token)).toMatchObject({ kind: 'account', scopes: [...webcomponentScopes] })
  })

  test('is given to a client that shows its secret by HTTP Basic; the body goes first', async () => {
    const header = (id: unknown, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
    const grant = { grant_type: 'client_credentials' }
    const right = header(appClient.client_id, appClient.client_secret)
    expect((await askToken(context, grant, { basic: right })).token_type).toBe('Bearer')
    expect((await askToken(context, byClient(), { basic: header(1, 'wrong') })).token_type).toBe('Bearer')
    const malformed = await faultOf(askToken(context, grant, { basic: 'Basic ???' }))
    expect(malformed.oauth?.hint).toBe('Check the `client_id` parameter')
    const wrong = await faultOf(askToken(context, grant, { basic: header(appClient.client_id, 'wrong') }))
    expect(wrong.oauth?.error).toBe('invalid_client')
  })

  test('never has more than the ceiling of its client', async () => {
    const ceiling = ['app:account-read', 'webcomponent:app-read']
    const client = await makeClient(context, { app_id: appId, scopes: ceiling })
    const scopesOf = async (more: object) => {
      const answer = await askToken(context, byClient({ ...client, ...more }))
      return { claimed: decodeJwt(answer.access_token)['scopes'], answered: answer.scope }
    }
    expect(await scopesOf({})).toEqual({ claimed: ceiling, answered: ceiling.join(' ') })
    expect(await scopesOf({ scope: 'app:account-read' })).toEqual({
      claimed: ['app:account-read'],
      answered: undefined,
    })
    expect(await scopesOf({ scope: 'app:account-read app:flow-read' })).toMatchObject({ claimed: ['app:account-read'] })
    expect(await scopesOf({ account: 'merchant-1' })).toMatchObject({ claimed: ['webcomponent:app-read'] })
  })

  test('shrinks with the ceiling of its client', async () => {
    const client = await makeClient(context, { app_id: appId })
    const { access_token } = await askToken(context, byClient(client))
    const { jti = '' } = decodeJwt(access_token)
    const tenant = { userId: 0, companyId: null, admin: true }
    await updateClient(context, tenant, { id: client.client_id, changes: { scopes: ['app:flow-read'] } })
    expect((await readLiveToken(context.db, jti))?.caller.scopes).toEqual(['app:flow-read'])
  })

  test('secret is nowhere in the database', async () => {
    const answer = await logIn(context, passwordClient, user)
    const [row] = await database.database.query<{ dump: string }>(
      `select (select string_agg(t::text, '') from access_tokens t) || (select string_agg(t::text, '') from refresh_tokens t)
         || (select string_agg(t::text, '') from oauth_clients t) as dump`,
    )
    expect(row?.dump).not.toContain(answer.refresh_token)
    expect(row?.dump).not.toContain(passwordClient.client_secret)
    expect(row?.dump).not.toContain(answer.access_token.split('.')[2])
  })

  test('is not given for a password that was changed while it was being checked', async () => {
    const busy = await makeUser(context)
    const [login] = await Promise.allSettled([
      askToken(context, byPassword({ username: busy.email })),
      updateUser(context, operator, { id: busy.id, changes: { password: 'another password' } }),
    ])
    if (login.status === 'fulfilled') {
      const { jti = '' } = decodeJwt(login.value.access_token)
      expect(await readLiveToken(context.db, jti)).toBeNull()
    }
  })

  test('of a login with an old hash makes a new one', async () => {
    const old = await makeUser(context)
    const { hash } = await import('@node-rs/argon2')
    const weak = await hash(password, { algorithm: 2, memoryCost: 4096, timeCost: 1, parallelism: 1 })
    await database.database.query('update users set password_hash = $2 where id = $1', [old.id, weak])
    await logIn(context, passwordClient, old)
    const [row] = await database.database.query<{ h: string }>('select password_hash as h from users where id = $1', [
      old.id,
    ])
    expect(row?.h).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })
})

describe('an address to return to', () => {
  test('is one of the client’s own, to the letter', async () => {
    const redirect = ['https://app.example/back', 'https://app.example/other']
    const client = await makeClient(context, { grant_types: ['client_credentials'], redirect })
    const ask = (redirect_uri: string) =>
      askToken(context, { grant_type: 'client_credentials', ...client, redirect_uri })
    for (const address of redirect) expect(await ask(address)).toMatchObject({ token_type: 'Bearer' })
    for (const address of [
      `${redirect[0]}.evil.test`,
      `${redirect[0]}/`,
      'https://app.example/',
      'https://evil.test',
    ]) {
      expect((await faultOf(ask(address))).oauth?.error).toBe('invalid_client')
    }
  })
})

describe('what is sent along', () => {
  test('a password is taken as it is, with the blanks at its ends', async () => {
    const secret = '  two blanks on either side  '
    const { email: username } = await makeUser(context, { password: secret })
    const client = await makeClient(context, { grant_types: ['password'] })
    const ask = (password: string) => askToken(context, { grant_type: 'password', ...client, username, password })
    expect(await ask(secret)).toMatchObject({ token_type: 'Bearer' })
    expect((await faultOf(ask(secret.trim()))).oauth?.error).toBe('invalid_grant')
  })

  test.each([
    ['7:secret', '7', 'secret'],
    ['7:se:cr:et', '7', 'se:cr:et'],
    ['7:', '7', null],
    [':secret', null, 'secret'],
    ['secret', null, null],
  ])('Basic credentials %j', (text, id, secret) => {
    const header = `Basic ${Buffer.from(text).toString('base64')}`
    expect(basicCredentials(header)).toEqual({ id, secret })
  })

  test('what is not Basic is nothing', () => {
    expect([null, 'Bearer x', ''].map(basicCredentials)).toEqual(Array(3).fill({ id: null, secret: null }))
  })
})
