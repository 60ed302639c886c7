import cluster from 'node:cluster'
import { command } from './command.ts'

export const startCommand = command({
  name: 'start',
  summary: 'Start the service: database, migrations, API and worker',
  options: {},
  // With ENTREPOT_PROCESSES above 1 this same command runs again in each further process.
  async run(_values, output) {
    if (cluster.isPrimary) await (await import('./start-primary.ts')).runPrimary(output)
    else await (await import('./start-process.ts')).runApiProcess()
  },
})
