import type { Context } from '../../../src/domain/context.ts'
import { type Credentials, makeClient, makeCompany, makeUser, password } from '../../support/identity.ts'
import { openProgram, type Settings } from '../../support/program.ts'

/** Lends the context of a program on that database for as long as `work` takes. */
export async function withContext<T>(settings: Settings, work: (context: Context) => Promise<T>): Promise<T> {
  const program = await openProgram(settings)
  try {
    return await work(program.context)
  } finally {
    await program.close()
  }
}

/** A person who can log in. */
export interface Login {
  userId: number
  companyId: number
  /** Body of a password grant. */
  grant: Record<string, unknown>
  client: Credentials
}

export async function makeLogin(
  context: Context,
  rights: { roles?: string[]; permissions?: string[]; companyId?: number } = { roles: ['manager'] },
): Promise<Login> {
  const { companyId = await makeCompany(context), ...given } = rights
  const user = await makeUser(context, { company_id: companyId, ...given })
  const client = await makeClient(context, { grant_types: ['password', 'refresh_token'] })
  const grant = { grant_type: 'password', ...client, username: user.email, password }
  return { userId: user.id, companyId, grant, client }
}
