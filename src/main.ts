import { CommandError } from './cli/command.ts'
import { findCommand, usage } from './cli/index.ts'
import { ConfigError, wantsStacks } from './config.ts'
import { version } from './version.ts'

/** argv → command */
const [name = 'help', ...args] = process.argv.slice(2)

if (name === '--version' || name === '-v') {
  process.stdout.write(`${version}\n`)
  process.exit(0)
}

const command = await findCommand(name)
if (!command) {
  const asked = name === 'help' || name === '--help' || name === '-h'
  const stream = asked ? process.stdout : process.stderr
  stream.write(`${asked ? '' : `There is no command "${name}".\n\n`}${await usage()}\n`)
  process.exit(asked ? 0 : 2)
}

try {
  await command.run(args)
} catch (error) {
  process.stderr.write(`${args.includes('--json') ? asJson(error) : wordsOf(error)}\n`)
  if (!(error instanceof ConfigError) && error instanceof Error && wantsStacks()) {
    process.stderr.write(`${error.stack}\n`)
  }
  process.exit(error instanceof CommandError ? error.exitCode : 1)
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function asJson(error: unknown): string {
  const { code, requestId } = error instanceof CommandError ? error : { code: 'failed', requestId: null }
  return JSON.stringify({ error: { code, message: wordsOf(error), request_id: requestId } })
}
