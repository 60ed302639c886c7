import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { logIn, makeClient, makeCompany, makeUser } from '../test/support/identity.ts'
import { openProgram, type Settings, unlimited } from '../test/support/program.ts'
import { startEntrepot, startFile } from './support/child.ts'
import { measureRatio, type RatioResult } from './support/ratio.ts'

/** `GET /api/1.0/users` with everything that belongs to it, beside a bare handler that sends the same rows. */
export async function measureUsersList(options: {
  databaseUrl: string
  rounds: number
  seconds: number
  connections: number
  users?: number
  /** For node of our server, such as --cpu-prof. */
  nodeOptions?: readonly string[]
  progress(text: string): void
}): Promise<RatioResult> {
  const { databaseUrl, seconds, connections } = options
  const settings = {
    DATABASE_URL: databaseUrl,
    ENTREPOT_MASTER_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    PUBLIC_URL: 'https://entrepot.test',
    ...unlimited,
  }
  const { companyId, token } = await prepare(settings, options.users ?? 10_000)

  const bare = await startFile(new URL('users-list-bare.ts', import.meta.url), { databaseUrl, companyId })
  const ours = await startEntrepot(settings, options.nodeOptions)
  try {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
    const toBare = { url: `${bare.url}/users`, connections, seconds }
    const toOurs = { url: `${ours.url}/api/1.0/users`, headers, connections, seconds }
    await expectSameWork(toBare.url, toOurs.url, headers)
    return await measureRatio({ bare: toBare, ours: toOurs }, options)
  } finally {
    await Promise.all([bare.stop(), ours.stop()])
  }
}

async function prepare(settings: Settings, users: number) {
  const { context, close } = await openProgram(settings)
  const run = (statement: RawBuilder<unknown>) => statement.execute(context.db)
  try {
    const companyId = await makeCompany(context)
    const user = await makeUser(context, { company_id: companyId, permissions: ['read-user'] })
    await run(sql`
      insert into users (company_id, name, email, email_folded)
      select ${companyId}, 'User ' || n, 'user' || n || '@example.com', 'user' || n || '@example.com' from generate_series(2, ${users}::int) n`)
    await run(sql`
      insert into user_roles (user_id, role_id)
      select users.id, roles.id from users join roles on roles.name = 'viewer' where company_id = ${companyId}`)
    await run(sql`vacuum analyze`)
    const client = await makeClient(context, { grant_types: ['password', 'refresh_token'] })
    const { access_token: token } = await logIn(context, client, user)
    return { companyId, token }
  } finally {
    await close()
  }
}

interface UserPage {
  data: { id: number; permissions: string[] }[]
  meta: { total: number }
}

async function expectSameWork(bareUrl: string, oursUrl: string, headers: Record<string, string>): Promise<void> {
  const [bare, ours] = (await Promise.all([
    fetch(bareUrl).then((answer) => answer.json()),
    fetch(oursUrl, { headers }).then((answer) => answer.json()),
  ])) as [UserPage, UserPage]
  const gist = ({ data, meta }: UserPage) =>
    JSON.stringify([meta.total, data.map((user) => [user.id, user.permissions])])
  if (gist(bare) !== gist(ours)) throw new Error('The two servers do not answer the same.')
}
