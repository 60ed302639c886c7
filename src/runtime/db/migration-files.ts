import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { splitStatements } from './split-statements.ts'

export interface Migration {
  name: string
  sql: string
  checksum: string
  /** False if the file begins with the comment `-- no transaction`. */
  transactional: boolean
  /**
   * Programs that lack this migration understand a database that has it, if they have the one of this name (or number) or a
   * later one; null where any does, because it only adds. Said by the comment `-- needs: NNNN` at the top.
   */
  needs: string | null
  /** Sent one by one: several in one message are a transaction, and Citus changes no distributed table by them. */
  statements: readonly string[]
}

export const migrationsFolder = join(import.meta.dirname, '../../../migrations')

/** `migrations/NNNN_name.sql`, in order. */
export async function readMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const wrong = names.find((name) => !/^\d{4}_[a-z0-9_-]+\.sql$/.test(name))
  if (wrong) throw new Error(`A migration is named like 0001_name.sql, not ${wrong}.`)
  return await Promise.all(
    names.map(async (file): Promise<Migration> => {
      const sql = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n')
      return {
        name: file.slice(0, -'.sql'.length),
        sql,
        checksum: hash('sha256', sql),
        transactional: !sql.startsWith('-- no transaction'),
        needs: /^(?:--.*\n)*?-- needs: (\d{4})$/m.exec(sql)?.[1] ?? null,
        // Only of those that are run: most starts find all of them done.
        get statements() {
          return splitStatements(sql)
        },
      }
    }),
  )
}
