import cluster from 'node:cluster'
import { command } from './command.ts'
import { runPrimary } from './start-primary.ts'
import { runApiProcess } from './start-process.ts'

export const startCommand = command({
  name: 'start',
  summary: 'Start the service: database, migrations, API and worker',
  options: {},
  // With ENTREPOT_PROCESSES above 1 this same command runs again in each further process.
  run: (_values, output) => (cluster.isPrimary ? runPrimary(output) : runApiProcess()),
})
