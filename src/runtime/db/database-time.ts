import { sql } from 'kysely'
import type { Db } from './connection.ts'

/**
 * When the transaction began, by the clock that all processes share; given a database that is no transaction, when it was
 * asked. As a parameter it may stand where a distributed table takes no now(): in RETURNING, CASE, COALESCE and conflict clauses.
 */
export async function databaseTime(db: Db): Promise<string> {
  const { rows } = await sql<{ at: string }>`select now() as at`.execute(db)
  return rows[0]?.at ?? ''
}
