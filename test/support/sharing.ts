import { randomUUID } from 'node:crypto'
import type { Context } from '../../src/domain/context.ts'
import type { User } from '../../src/domain/users/user.ts'
import { makeCompany, makeUser } from './identity.ts'
import type { TestAnswer, TestServer } from './server.ts'
import { ours, whoIs } from './single-sign-on.ts'

/** Users of several companies who have one e-mail address. */

export interface Sharing extends User {
  secret: string
  company: string
}

export const newEmail = () => `${randomUUID()}@example.com`

/** One in each of so many companies, each with a password of their own. The last one's was chosen last. */
export async function makeSharing(context: Context, count: number): Promise<{ email: string; users: Sharing[] }> {
  const email = newEmail()
  const users: Sharing[] = []
  for (let n = 0; n < count; n++) users.push(await makeOne(context, email))
  return { email, users }
}

export async function makeTwo(context: Context): Promise<{ email: string; one: Sharing; other: Sharing }> {
  const email = newEmail()
  return { email, one: await makeOne(context, email), other: await makeOne(context, email) }
}

async function makeOne(context: Context, email: string): Promise<Sharing> {
  const company_id = await makeCompany(context)
  const [company, secret] = [`Company ${company_id}`, `correct horse ${randomUUID()}`]
  await context.db.updateTable('companies').set({ name: company }).where('id', '=', company_id).execute()
  const user = await makeUser(context, { email, company_id, roles: ['manager'], password: secret })
  return { ...user, secret, company }
}

/** The console, from any network; the server has to trust the one who names it. */
export function entrance(server: () => TestServer) {
  const signIn = (email: string, password: string, from = '203.0.113.9'): Promise<TestAnswer> =>
    server().call('POST', '/console/session', {
      body: { email, password },
      headers: { ...ours, 'x-forwarded-for': from },
    })
  /** The id of who came in. */
  const enter = async (email: string, password: string, from?: string): Promise<number | undefined> =>
    (await whoIs(server(), await signIn(email, password, from)))?.id
  return { signIn, enter }
}
