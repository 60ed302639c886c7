import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'

/** Looking through all that there are takes a while; there are a few hundred. */
const known = new Set<string>(['UTC'])

/** Whether the database knows a time zone of this name: Node and PostgreSQL have lists of their own. */
export async function isTimeZone(db: Db, name: string): Promise<boolean> {
  if (known.has(name)) return true
  const { rows } = await sql`select 1 from pg_timezone_names where name = ${name}`.execute(db)
  if (rows.length > 0) known.add(name)
  return rows.length > 0
}
