import { compose, type Program } from '../compose.ts'
import { type Config, readConfig } from '../config.ts'
import { loadMasterKeys } from '../keys.ts'
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

/** Uses the running embedded database if there is one, starts it for the time being if not. */
export async function openDatabaseSession(config = readConfig(), log = createLog('warn')): Promise<DatabaseSession> {
  const embedded = config.databaseUrl ? null : await openEmbeddedPostgres({ dataDir: config.dataDir, log })
  const url = config.databaseUrl ?? embedded?.url ?? ''
  try {
    await migrate({ url, log })
  } catch (error) {
    await embedded?.stop()
    throw error
  }
  return { url, config, log, close: async () => embedded?.stop() }
}

/** Runs one use case without a server: `create-user`, `demo` and the like. */
export async function withProgram<T>(work: (program: Program, config: Config) => Promise<T>): Promise<T> {
  const session = await openDatabaseSession()
  try {
    const keys = await loadMasterKeys(session.config)
    const program = await compose({ ...session, databaseUrl: session.url, keys, serves: false, works: false })
    try {
      return await work(program, session.config)
    } finally {
      await program.close()
    }
  } finally {
    await session.close()
  }
}
