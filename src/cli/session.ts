import type { Program } from '../compose.ts'
import { type Config, readConfig } from '../config.ts'
import type { DemoShops } from '../demo/demo-shops.ts'
import { loadMasterKeys } from '../keys.ts'
import type { Db } from '../runtime/db/connection.ts'
import { openEmbeddedPostgres } from '../runtime/db/embedded/embedded.ts'
import { migrate } from '../runtime/db/migrate.ts'
import { createLog, type Log } from '../runtime/log.ts'

/** What every command that touches data begins with: the database is there and up to date. */
export interface DatabaseSession {
  url: string
  config: Config
  log: Log
  close(): Promise<void>
}

/**
 * Uses the running embedded database if there is one, starts it for the time being if not. Whoever may be asked to stop
 * while it is being brought up or migrated says how to learn of that in time: `closeAtTheEnd`.
 */
export async function openDatabaseSession(
  config = readConfig(),
  log = createLog('warn'),
  closeAtTheEnd?: (close: () => Promise<void>) => void,
): Promise<DatabaseSession> {
  const opening = config.databaseUrl ? null : openEmbeddedPostgres({ dataDir: config.dataDir, log })
  closeAtTheEnd?.(async () => (await opening)?.stop())
  const embedded = await opening
  const url = config.databaseUrl ?? embedded?.url ?? ''
  try {
    await migrate({ url: config.directUrl ?? url, log, pooled: config.directUrl !== null })
  } catch (error) {
    await embedded?.stop()
    throw error
  }
  return { url, config, log, close: async () => embedded?.stop() }
}

/** What a command does, for the audit trail; left out where it changes nothing. */
interface Audited {
  operation: string
  what: string
}

/** Runs one use case without a server: `create-user`, `demo` and the like. */
export async function withProgram<T>(
  work: (program: Program, config: Config) => Promise<T>,
  audited: Audited | null = null,
  {
    config = readConfig(),
    demoShops,
    serves = false,
  }: { config?: Config; demoShops?: DemoShops; serves?: boolean } = {},
): Promise<T> {
  const session = await openDatabaseSession(config)
  try {
    const keys = await loadMasterKeys(session.config)
    const { compose } = await import('../compose.ts')
    const program = await compose({
      ...{ ...session, databaseUrl: session.url, keys, serves, works: false },
      ...(demoShops && { demoShops }),
    })
    try {
      return await (audited ? auditing(program, session.config, work, audited) : work(program, session.config))
    } finally {
      await program.close()
    }
  } finally {
    await session.close()
  }
}

/** In the first transaction of the work, as requests are; by itself where there was none. */
export async function auditing<T>(
  program: Program,
  config: Config,
  work: (program: Program, config: Config) => Promise<T>,
  { operation, what }: Audited,
): Promise<T> {
  const { context } = program
  const [{ bareFacts, openTrail }, { withFirstCommit }] = await Promise.all([
    import('../domain/audit/trail.ts'),
    import('../runtime/db/commit/with-first-commit.ts'),
  ])
  const trail = await openTrail(context)
  let isWritten = false
  const append = (db: Db) => trail.append(db, { ...bareFacts, kind: 'change', operation, what, caller: 'operator' })
  const step = async (trx: Db) => {
    await append(trx)
    return () => {
      isWritten = true
    }
  }
  const transaction = withFirstCommit(context.transaction, [step])
  const result = await work({ ...program, context: { ...context, transaction } }, config)
  if (!isWritten) await append(context.db)
  return result
}
