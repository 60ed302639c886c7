import { ConfigError, readConfig } from '../config.ts'
import { type Ask, distribute, readDistribution } from '../runtime/db/citus/distribute.ts'
import { askInTurn, MigrationError, migrate } from '../runtime/db/migrate.ts'
import { createLog } from '../runtime/log.ts'
import { command } from './command.ts'

export const distributeCommand = command({
  name: 'distribute',
  summary: 'Distribute what shops hold over the nodes of a Citus cluster',
  options: { 'dry-run': { type: 'boolean', description: 'Print the statements without running them' } },
  async run(values, output) {
    const config = readConfig()
    const url = config.directUrl ?? config.databaseUrl
    if (!url)
      throw new ConfigError('The embedded PostgreSQL runs on one machine only. Set DATABASE_URL to your coordinator.')
    const log = createLog('warn')
    const dry = values['dry-run']
    if (!dry) await migrate({ url, log, pooled: config.directUrl !== null })
    const { steps, astray } = await askInTurn(url, async (ask) => {
      const plan = await readDistribution(ask)
      if (!plan.citus)
        throw new MigrationError('The "citus" extension is missing. Have a superuser create it on every node.')
      if (dry || plan.steps.length === 0) return plan
      if (!plan.distributed) await assertAlone(ask)
      return { ...plan, steps: await distribute(ask) }
    })
    output.result(
      { steps, astray, done: !dry },
      steps.length === 0 ? 'Nothing to do.' : steps.map((step) => `${step};`).join('\n'),
    )
  },
})

/** A process that began before knows nothing of shards: what it writes to both planes would not commit as one. */
async function assertAlone(ask: Ask): Promise<void> {
  const others = await ask<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name like 'entrepot%' and pid <> pg_backend_pid() order by 1`,
  )
  if (others.length === 0) return
  const names = others.map(({ name }) => name).join(', ')
  throw new MigrationError(`Stop the service first: it is connected to the database (${names}).`)
}
