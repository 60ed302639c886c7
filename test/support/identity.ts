import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import type { Context } from '../../src/domain/context.ts'
import { readLiveToken } from '../../src/domain/oauth/callers/caller-store.ts'
import type { ClientInput } from '../../src/domain/oauth/clients/client.ts'
import { createClient } from '../../src/domain/oauth/clients/create-client.ts'
import { issueToken, type TokenAnswer } from '../../src/domain/oauth/issue-token.ts'
import { tokenAnswer, yearSeconds } from '../../src/domain/oauth/token-answer.ts'
import { insertAccessToken, insertRefreshToken } from '../../src/domain/oauth/token-store.ts'
import type { Permission } from '../../src/domain/permissions.ts'
import { rightsOf } from '../../src/domain/rights.ts'
import type { ClientCaller } from '../../src/domain/tenant.ts'
import { type CreateUserInput, createUser } from '../../src/domain/users/create-user.ts'
import { type Actor, directPermissions, operator, type User } from '../../src/domain/users/user.ts'
import { findRoles, findUser, insertUser, setPermissions, setRoles } from '../../src/domain/users/user-store.ts'
import { Fault } from '../../src/lib/fault.ts'
import { hashPassword } from '../../src/lib/password.ts'

export const password = 'correct horse battery'

/** Of the password above. Made once in a process, because it takes 35 ms of a core and thousands of users have it. */
let hashed: Promise<string> | null = null

/** A user as `createUser` makes one: by it, where the password is another one. */
export async function makeUser(context: Context, input: Partial<CreateUserInput> = {}): Promise<User> {
  const { roles: names = [], permissions = [], ...given } = input
  const fields = { name: 'Ada', email: `${randomUUID()}@example.com`, ...given }
  if (fields.password !== undefined)
    return await createUser(context, operator, { ...input, ...fields, password: fields.password })
  hashed ??= hashPassword(password)
  const password_hash = await hashed
  const roles = await findRoles(context.db, names)
  return await context.transaction(async (trx) => {
    const { name, email, active = true, company_id = null } = fields
    const id = await insertUser(trx, { created_by: null, company_id, name, email, password_hash, active })
    if (id === null) throw new Error(`Somebody has the address ${email}.`)
    await setRoles(trx, id, roles)
    await setPermissions(trx, id, directPermissions(permissions, roles))
    return await findUser(trx, operator, id)
  })
}

export async function makeCompany(context: Context): Promise<number> {
  const row = await context.db
    .insertInto('companies')
    .values({ name: 'Analytical Engines' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function makeApp(context: Context, owner: Partial<{ user_id: number; company_id: number }> = {}) {
  const row = await context.db
    .insertInto('apps')
    .values({ name: 'Order manager', ...owner })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function makeAccount(context: Context, appId: number, remoteId: string): Promise<number> {
  const row = await context.db
    .insertInto('accounts')
    .values({ app_id: appId, remote_id: remoteId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export interface Credentials {
  client_id: number
  client_secret: string
}

export async function makeClient(context: Context, input: Partial<ClientInput> = {}): Promise<Credentials> {
  const { client, secret } = await createClient(context, null, { name: 'Client', ...input })
  return { client_id: client.id, client_secret: secret ?? '' }
}

export const askToken = (
  context: Context,
  body: Record<string, unknown>,
  more: { basic?: string; address?: string } = {},
): Promise<TokenAnswer> =>
  issueToken(context, { body, basic: more.basic ?? null, address: more.address ?? '203.0.113.7' })

export const logIn = (context: Context, client: Credentials, user: Pick<User, 'email'>): Promise<TokenAnswer> =>
  askToken(context, { grant_type: 'password', ...client, username: user.email, password })

/**
 * The same answer without asking for the password, which takes 35 ms of a core each time: for whoever tests something else than
 * signing in.
 */
export async function openTokens(context: Context, client: Credentials, user: Pick<User, 'id'>): Promise<TokenAnswer> {
  const common = {
    ...{ clientId: client.client_id, userId: user.id, scopes: ['*'] },
    ...{ familyId: randomUUID(), lifetimeSeconds: yearSeconds },
  }
  const { token, refreshToken } = await context.transaction(async (trx) => {
    const token = await insertAccessToken(trx, { kind: 'user', ...common })
    const refreshToken = await insertRefreshToken(trx, { ...common, parentId: null, accessTokenId: token.id })
    return { token, refreshToken }
  })
  return await tokenAnswer(context, token, { refreshToken })
}

/** The fault that a call ends with. */
/** A client as it calls, with a token of its own. */
export async function clientCaller(context: Context, client: Credentials): Promise<ClientCaller> {
  const { access_token: token } = await askToken(context, { grant_type: 'client_credentials', ...client })
  const live = await readLiveToken(context.db, decodeJwt(token).jti ?? '')
  if (live?.caller.kind !== 'client') throw new Error('The token is not one of a client.')
  return live.caller
}

export async function faultOf(work: Promise<unknown>): Promise<Fault> {
  try {
    await work
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  throw new Error('It went well.')
}

export const actorFor = (user: User): Actor & { userId: number } => ({
  userId: user.id,
  companyId: user.company_id,
  admin: user.roles.includes('admin'),
  role: user.company_role,
  permissions: new Set<Permission>(user.permissions),
  rights: rightsOf({
    admin: user.roles.includes('admin'),
    companyId: user.company_id,
    role: user.company_role,
    permissions: user.permissions,
  }),
})

/** What whoever asks for tokens has: a user, an app with a merchant, and a client for each of the two ways. */
export async function makeTokenAskers(
  context: Context,
): Promise<{ user: User; appId: number; passwordClient: Credentials; appClient: Credentials }> {
  const user = await makeUser(context)
  const appId = await makeApp(context)
  await makeAccount(context, appId, 'merchant-1')
  const passwordClient = await makeClient(context, { grant_types: ['password'] })
  return { user, appId, passwordClient, appClient: await makeClient(context, { app_id: appId }) }
}
