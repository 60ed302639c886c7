import { openProgram, type Settings } from '../test/support/program.ts'
import { childSettings } from './support/child.ts'

/**
 * The same server several times in one process, each with settings of its own: what one of them has warmed up is warm for all, so that
 * a difference between them is one of the settings. Their addresses stand on one line.
 */
const programs = await Promise.all(
  childSettings<Settings[]>().map(async (settings) => {
    const program = await openProgram(settings, { serves: true })
    return { ...program, url: `http://127.0.0.1:${await program.http?.listen('127.0.0.1', 0)}` }
  }),
)
process.stdout.write(`${programs.map(({ url }) => url).join(' ')}\n`)
process.once('SIGTERM', async () => {
  await Promise.all(programs.map(({ close }) => close()))
  process.exit(0)
})
