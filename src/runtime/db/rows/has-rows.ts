import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../connection.ts'

/** Whether one of the questions has an answer: asked together, and each only until its first row. */
export async function hasRows(db: Db, ...questions: readonly RawBuilder<unknown>[]): Promise<boolean> {
  const each = questions.map((question) => sql`exists (${question})`)
  const { rows } = await sql<{ has: boolean }>`select ${sql.join(each, sql` or `)} as has`.execute(db)
  return rows[0]?.has ?? false
}
