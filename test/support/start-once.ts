import { openProgram, unlimited } from './program.ts'

/**
 * `node start-once.ts URL`: the program starts on a migrated database and ends. What it found missing (the tables of the job
 * queue, a queue for each job, the catalogue) is there for whoever begins with a copy.
 */
const [url = ''] = process.argv.slice(2)
const program = await openProgram({
  DATABASE_URL: url,
  ENTREPOT_MASTER_KEYS: `once:${Buffer.alloc(32).toString('base64')}`,
  PUBLIC_URL: 'https://entrepot.test',
  LOG_LEVEL: 'warn',
  ...unlimited,
})
await program.close()
