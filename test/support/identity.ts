import { randomUUID } from 'node:crypto'
import type { Context } from '../../src/domain/context.ts'
import type { ClientInput } from '../../src/domain/oauth/clients/client.ts'
import { createClient } from '../../src/domain/oauth/clients/create-client.ts'
import { issueToken, type TokenAnswer } from '../../src/domain/oauth/issue-token.ts'
import type { Permission } from '../../src/domain/permissions.ts'
import { rightsOf } from '../../src/domain/rights.ts'
import { type CreateUserInput, createUser } from '../../src/domain/users/create-user.ts'
import { type Actor, operator, type User } from '../../src/domain/users/user.ts'
import { Fault } from '../../src/lib/fault.ts'

export const password = 'correct horse battery'

export const makeUser = (context: Context, input: Partial<CreateUserInput> = {}): Promise<User> =>
  createUser(context, operator, { name: 'Ada', email: `${randomUUID()}@example.com`, password, ...input })

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

/** The fault that a call ends with. */
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
