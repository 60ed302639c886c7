import { randomUUID } from 'node:crypto'
import type { Context } from '../../src/domain/context.ts'
import { signAccessToken } from '../../src/domain/oauth/access-token.ts'
import { insertSession } from '../../src/domain/oauth/sign-in/console-session-store.ts'
import { insertAccessToken } from '../../src/domain/oauth/token-store.ts'
import { permissions as known, type Permission } from '../../src/domain/permissions.ts'
import type { Role } from '../../src/domain/rights.ts'
import { findRoles, insertUser, setPermissions, setRoles } from '../../src/domain/users/user-store.ts'
import { digest, randomSecret } from '../../src/lib/secret.ts'
import type { TestTenant } from './server.ts'

export interface Standing {
  role?: Role
  roles?: readonly string[]
  permissions?: readonly string[]
  /** By the id of the app. */
  appRoles?: Readonly<Record<number, Role>>
  company_id?: number | null
}

/** Somebody of the same company, with a token. Nobody can sign in as them: a password takes long to hash, and many are made. */
export async function makeColleague(
  context: Context,
  tenant: Pick<TestTenant, 'companyId' | 'passwordClient'>,
  standing: Standing = {},
): Promise<{ userId: number; token: string }> {
  const { db } = context
  const company_id = standing.company_id === undefined ? tenant.companyId : standing.company_id
  const email = `${randomUUID()}@example.com`
  const userId = await insertUser(db, {
    created_by: null,
    company_id,
    name: 'Colleague',
    email,
    password_hash: '',
    active: true,
  })
  if (userId === null) throw new Error('The address is taken.')
  await db
    .updateTable('users')
    .set({ company_role: standing.role ?? null })
    .where('id', '=', userId)
    .execute()
  for (const [app_id, role] of Object.entries(standing.appRoles ?? {})) {
    await db
      .insertInto('app_roles')
      .values({ user_id: userId, app_id: Number(app_id), role })
      .execute()
  }
  await setRoles(db, userId, await findRoles(db, standing.roles ?? []))
  const isKnown = (name: string): name is Permission => known.some((permission) => permission === name)
  await setPermissions(db, userId, (standing.permissions ?? []).filter(isKnown))
  const { client_id: clientId } = tenant.passwordClient
  const issued = await insertAccessToken(db, { kind: 'user', clientId, userId, scopes: ['*'], lifetimeSeconds: 3600 })
  return { userId, token: await signAccessToken(context, issued) }
}

/** The cookie of somebody who is signed in to the console, with a second factor where nothing else is said. */
export async function makeSession({ db }: Context, userId: number, secondFactor = true): Promise<string> {
  const secret = randomSecret()
  await insertSession(db, { secretHash: digest(secret), userId, lifetimeSeconds: 3600, secondFactor })
  return `entrepot_session=${secret}`
}
