import { readConfig } from '../config.ts'
import { openEmbeddedPostgres } from '../runtime/db/embedded/embedded.ts'
import { migrate } from '../runtime/db/migrate.ts'
import { createLog } from '../runtime/log.ts'
import { command } from './command.ts'

export const migrateCommand = command({
  name: 'migrate',
  summary: 'Bring the database up to date',
  options: {},
  async run(_values, output) {
    const config = readConfig()
    const log = createLog('warn')
    const embedded = config.databaseUrl ? null : await openEmbeddedPostgres({ dataDir: config.dataDir, log })
    try {
      const applied = await migrate({
        url: config.directUrl ?? config.databaseUrl ?? embedded?.url ?? '',
        log,
        pooled: config.directUrl !== null,
      })
      output.result(
        { applied },
        applied.length === 0 ? 'Nothing to do.' : applied.map((name) => `applied ${name}`).join('\n'),
      )
    } finally {
      await embedded?.stop()
    }
  },
})
