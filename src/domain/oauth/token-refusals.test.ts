import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import {
  askToken,
  type Credentials,
  faultOf,
  makeClient,
  makeTokenAskers,
  makeUser,
  password,
} from '../../../test/support/identity.ts'
import type { Context } from '../context.ts'
import type { User } from '../users/user.ts'

let database: TestContext
let context: Context
let user: User
let disabled: User
let passwordClient: Credentials
let appClient: Credentials
let publicClient: Credentials

beforeAll(async () => {
  database = await createTestContext()
  context = database.context
  ;({ user, passwordClient, appClient } = await makeTokenAskers(context))
  disabled = await makeUser(context, { active: false })
  publicClient = await makeClient(context, { confidential: false, grant_types: ['password', 'client_credentials'] })
})

afterAll(() => database.close())

const unsupported = 'The authorization grant type is not supported by the authorization server.'
const malformed =
  'The request is missing a required parameter, includes an invalid parameter value, includes a parameter more than once, or is otherwise malformed.'
const badClient = 'Client authentication failed'
const badUser = 'The user credentials were incorrect.'
const badScope = 'The requested scope is invalid, unknown, or malformed'
const badRefresh = 'The refresh token is invalid.'
const notAllowed = 'The authenticated client is not authorized to use this authorization grant type.'

const byPassword = (more: object = {}) => ({
  grant_type: 'password',
  ...passwordClient,
  username: user.email,
  password,
  ...more,
})
const byClient = (more: object = {}) => ({ grant_type: 'client_credentials', ...appClient, ...more })
const byRefresh = (more: object = {}) => ({ grant_type: 'refresh_token', ...passwordClient, ...more })

type Row = [string, () => Record<string, unknown>, number, string, string, string?]

describe('what goes wrong at the token endpoint', () => {
  const rows: Row[] = [
    [
      'grant_type missing',
      () => ({}),
      400,
      'unsupported_grant_type',
      unsupported,
      'Check that all required parameters have been provided',
    ],
    [
      'grant_type unknown',
      () => byPassword({ grant_type: 'implicit' }),
      400,
      'unsupported_grant_type',
      unsupported,
      'Check that all required parameters have been provided',
    ],
    [
      'grant_type no string',
      () => byPassword({ grant_type: ['password'] }),
      400,
      'unsupported_grant_type',
      unsupported,
      'Check that all required parameters have been provided',
    ],
    [
      'client_id missing',
      () => byPassword({ client_id: undefined }),
      400,
      'invalid_request',
      malformed,
      'Check the `client_id` parameter',
    ],
    [
      'client_id empty',
      () => byPassword({ client_id: '' }),
      400,
      'invalid_request',
      malformed,
      'Check the `client_id` parameter',
    ],
    [
      'client_id an object',
      () => byPassword({ client_id: {} }),
      400,
      'invalid_request',
      malformed,
      'Check the `client_id` parameter',
    ],
    [
      'client_secret a number',
      () => byPassword({ client_secret: 5 }),
      400,
      'invalid_request',
      malformed,
      'Check the `client_secret` parameter',
    ],
    ['client unknown', () => byPassword({ client_id: 999_999 }), 401, 'invalid_client', badClient],
    ['client_id no number', () => byPassword({ client_id: "1' or '1'='1" }), 401, 'invalid_client', badClient],
    ['client_id enormous', () => byPassword({ client_id: '99999999999999999999' }), 401, 'invalid_client', badClient],
    ['secret wrong', () => byPassword({ client_secret: 'wrong' }), 401, 'invalid_client', badClient],
    ['secret missing', () => byPassword({ client_secret: undefined }), 401, 'invalid_client', badClient],
    ['secret empty', () => byClient({ client_secret: '' }), 401, 'invalid_client', badClient],
    ['client without a secret', () => byClient({ ...publicClient }), 401, 'invalid_client', badClient],
    [
      'redirect_uri that is not the client’s',
      () => byPassword({ redirect_uri: 'https://evil.test' }),
      401,
      'invalid_client',
      badClient,
    ],
    ['password grant not allowed', () => byPassword({ ...appClient }), 400, 'unauthorized_client', notAllowed],
    ['client credentials not allowed', () => byClient({ ...passwordClient }), 400, 'unauthorized_client', notAllowed],
    [
      'refresh not allowed',
      () => byRefresh({ ...appClient, refresh_token: 'x' }),
      400,
      'unauthorized_client',
      notAllowed,
    ],
    [
      'wrong secret of a client that is not allowed',
      () => byPassword({ ...appClient, client_secret: 'x' }),
      401,
      'invalid_client',
      badClient,
    ],
    [
      'scope a number',
      () => byPassword({ scope: 5 }),
      400,
      'invalid_request',
      malformed,
      'Check the `scope` parameter',
    ],
    [
      'scope an array of numbers',
      () => byPassword({ scope: [5] }),
      400,
      'invalid_request',
      malformed,
      'Check the `scope` parameter',
    ],
    [
      'scope unknown',
      () => byPassword({ scope: '* <b>' }),
      400,
      'invalid_scope',
      badScope,
      'Check the `&lt;b&gt;` scope',
    ],
    [
      'scope unknown, before the username',
      () => byPassword({ scope: 'nope', username: '' }),
      400,
      'invalid_scope',
      badScope,
      'Check the `nope` scope',
    ],
    [
      'username missing',
      () => byPassword({ username: '  ' }),
      400,
      'invalid_request',
      malformed,
      'Check the `username` parameter',
    ],
    [
      'username no string',
      () => byPassword({ username: 5 }),
      400,
      'invalid_request',
      malformed,
      'Check the `username` parameter',
    ],
    [
      'password missing',
      () => byPassword({ password: '' }),
      400,
      'invalid_request',
      malformed,
      'Check the `password` parameter',
    ],
    [
      'password no string',
      () => byPassword({ password: {} }),
      400,
      'invalid_request',
      malformed,
      'Check the `password` parameter',
    ],
    ['user unknown', () => byPassword({ username: 'nobody@example.com' }), 400, 'invalid_grant', badUser],
    ['password wrong', () => byPassword({ password: 'wrong' }), 400, 'invalid_grant', badUser],
    ['user disabled', () => byPassword({ username: disabled.email }), 400, 'invalid_grant', badUser],
    [
      'refresh_token missing',
      () => byRefresh(),
      400,
      'invalid_request',
      malformed,
      'Check the `refresh_token` parameter',
    ],
    [
      'refresh_token no string',
      () => byRefresh({ refresh_token: 5 }),
      400,
      'invalid_request',
      malformed,
      'Check the `refresh_token` parameter',
    ],
    [
      'refresh_token garbage',
      () => byRefresh({ refresh_token: 'garbage' }),
      400,
      'invalid_grant',
      badRefresh,
      'Cannot decrypt the refresh token',
    ],
    [
      'intent_token missing',
      () => ({ grant_type: 'intent_token' }),
      400,
      'invalid_request',
      malformed,
      'Check the `intent_token` parameter',
    ],
    [
      'account unknown',
      () => byClient({ account: 'nobody' }),
      400,
      'invalid_request',
      malformed,
      'Check the `account` parameter',
    ],
    [
      'app scope for an account',
      () => byClient({ account: 'merchant-1', scope: 'app:account-read' }),
      400,
      'invalid_scope',
      badScope,
      'Check the `app:account-read` scope',
    ],
  ]

  test.each(rows)('%s', async (_, body, status, error, description, hint) => {
    const fault = await faultOf(askToken(context, body()))
    expect(fault.kind).toBe('oauth')
    expect(fault.message).toBe(description)
    expect(fault.oauth).toEqual({ status, error, ...(hint !== undefined && { hint }) })
  })
})
