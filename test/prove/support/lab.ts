import { migrate } from '../../../src/runtime/db/migrate.ts'
import { createLog } from '../../../src/runtime/log.ts'
import { poolAll } from '../../support/through-pooler.ts'
import { startOwnPostgres } from './own-postgres.ts'
import type { Lab } from './proof.ts'

/** Databases from a PostgreSQL that runs for as long as the proofs do; `pooled` through a PgBouncer. */
export async function openDatabases({ pooled = false } = {}): Promise<{
  database: Lab['database']
  close(): Promise<void>
}> {
  const postgres = await startOwnPostgres()
  const pooler = pooled ? await poolAll(postgres.urlOf('postgres')) : null
  await postgres.create('proof_template')
  await migrate({ url: postgres.urlOf('proof_template'), log: createLog('warn') })
  let made = 0
  return {
    async database(state) {
      const name = `proof_${++made}`
      await postgres.create(name, state === 'migrated' ? 'proof_template' : 'template1')
      return postgres.urlOf(name)
    },
    async close() {
      await pooler?.close()
      await postgres.remove()
    },
  }
}
