import { openProgram, type Settings } from '../test/support/program.ts'
import { childSettings } from './support/child.ts'

/** The whole program as `npm start` starts it for requests. */
const program = await openProgram(childSettings<Settings>(), { serves: true })
const port = await program.http?.listen('127.0.0.1', 0)
process.stdout.write(`http://127.0.0.1:${port}\n`)
process.on('SIGTERM', () => process.exit(0))
