import pg from 'pg'
import { readMigrations } from '../../src/runtime/db/migration-files.ts'
import { httpClient } from './support/http.ts'
import { proof } from './support/proof.ts'
import { withServers } from './support/server-process.ts'
import { settingsFor } from './support/settings.ts'

/** However many processes meet an empty database at once, each migration runs once and all of them come up. */
export const migrateTogether = proof({
  name: 'migrate-together',
  asked: '10 processes start together on an empty database: each migration applied once, all serve',
  full: { processes: 10 },
  quick: { processes: 3 },
  async run({ processes }, lab) {
    const url = await lab.database('empty')
    const settings = settingsFor(url, { LOG_LEVEL: 'info' })
    lab.progress(`${processes} processes start`)
    return await withServers(
      Array.from({ length: processes }, () => settings),
      async (servers) => {
        const http = httpClient(1)
        const statuses = await Promise.all(servers.map((server) => http.call(`${server.url}/ready`)))
        const ready = statuses.filter(({ status }) => status === 200).length
        await http.close()
        const said = servers.flatMap((server) => server.printed().match(/"migration":"[^"]+"/g) ?? [])
        const files = await readMigrations()
        const rows = await appliedMigrations(url)
        return {
          measured: `${ready} of ${processes} serve; ${files.length} migrations, ${rows} recorded, applied ${said.length} times by all processes together`,
          pass: ready === processes && rows === files.length && said.length === files.length,
        }
      },
    )
  },
})

async function appliedMigrations(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rowCount } = await client.query('select from migrations')
  await client.end()
  return rowCount ?? 0
}
