import { createHmac } from 'node:crypto'
import pg from 'pg'

/**
 * The service works as an ordinary role: whoever finds a way to have a statement of theirs run reads no files and starts
 * no programs. The role that made the cluster is used for nothing but to make this one and its database.
 */
export const superuser = 'entrepot'
export const serviceRole = 'entrepot_service'
export const databaseName = 'entrepot'

/** Follows from the other one, which does not follow from it. */
export const servicePassword = (password: string): string =>
  createHmac('sha256', password).update(serviceRole).digest('base64url')

/** `urlOf` a database, as the superuser. Does nothing where everything is as it should be. */
export async function makeDatabase(urlOf: (database: string) => string, password: string): Promise<void> {
  const owner = await as(urlOf('postgres'), async (client) => {
    const role = await client.query('select from pg_roles where rolname = $1', [serviceRole])
    const secret = client.escapeLiteral(servicePassword(password))
    if (role.rowCount === 0)
      await client.query(`create role ${serviceRole} login password ${secret} in role pg_read_all_stats`)
    const { rows } = await client.query<{ owner: string }>(
      'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
      [databaseName],
    )
    if (rows.length === 0) await client.query(`create database ${databaseName} owner ${serviceRole}`)
    return rows[0]?.owner ?? serviceRole
  })
  if (owner !== serviceRole) await as(urlOf(databaseName), handOver)
}

/** A data folder from before: everything in it belongs to the superuser. The database itself comes last, as the sign that all is done. */
async function handOver(client: pg.Client): Promise<void> {
  await client.query('begin')
  const { rows } = await client.query<{ statement: string }>(
    `
    with ours as (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'),
      bound as (select classid, objid from pg_depend where deptype in ('e', 'i', 'a'))
    select format('alter schema %I owner to %I', nspname, $1::text) as statement from pg_namespace
      where oid in (select oid from ours) and nspowner = $2::text::regrole
    union all
    select format('alter %s %s owner to %I',
        case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end,
        oid::regclass, $1::text)
      from pg_class where relnamespace in (select oid from ours) and relowner = $2::text::regrole
        and relkind in ('r', 'p', 'S', 'v', 'm')
        and (relkind <> 'S' or ('pg_class'::regclass, oid) not in (select classid, objid from bound))
    union all
    select format('alter routine %s owner to %I', oid::regprocedure, $1::text) from pg_proc
      where pronamespace in (select oid from ours) and proowner = $2::text::regrole
        and ('pg_proc'::regclass, oid) not in (select classid, objid from bound)
    union all
    select format('alter type %s owner to %I', oid::regtype, $1::text) from pg_type
      where typnamespace in (select oid from ours) and typowner = $2::text::regrole and typtype in ('e', 'd', 'r')
    union all
    select format('alter database %I owner to %I', current_database(), $1::text)`,
    [serviceRole, superuser],
  )
  for (const { statement } of rows) await client.query(statement)
  await client.query('commit')
}

async function as<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
