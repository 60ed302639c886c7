import fastify from 'fastify'
import pg from 'pg'
import { childSettings } from './support/child.ts'

/**
 * The bare libraries at their best: Fastify and a pool of `pg`, page and stored total in one named statement with the
 * size of the page in its text (so that PostgreSQL plans it once), times left as text, no token, no limit, no
 * validation, no links. The same rows and columns as ours.
 */
const { databaseUrl, companyId } = childSettings<{ databaseUrl: string; companyId: number }>()

const text = `
  select id, created_by, company_id, name, email, email_verified_at, active, created_at, updated_at,
    array(select roles.name from user_roles join roles on roles.id = user_roles.role_id
      where user_roles.user_id = users.id order by roles.id) as roles,
    array(select permission from user_permissions where user_permissions.user_id = users.id
      union select permission from user_roles join role_permissions using (role_id) where user_roles.user_id = users.id
      order by 1) as permissions,
    (select n from list_counters where list = 'users' and scope = $1) as total
  from users where company_id = $1 and deleted_at is null order by id limit 15`

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (value) => value)

const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
const server = fastify()
server.get('/users', async (_request, reply) => {
  const { rows } = await pool.query({ name: 'users', text, values: [companyId] })
  const total = rows[0]?.total ?? 0
  reply.header('content-type', 'application/json; charset=utf-8')
  return JSON.stringify({ data: rows, meta: { total } })
})
await server.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${server.listeningOrigin}\n`)
process.on('SIGTERM', () => process.exit(0))
