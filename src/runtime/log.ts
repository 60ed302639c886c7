import pino from 'pino'
import { Fault } from '../lib/fault.ts'

/** The few verbs the program logs with; who implements them is this file's business. */
export type Log = pino.Logger

/**
 * Logs are lines of JSON made from an allow-list: callers pass plain fields, never requests, rows or errors as they
 * are. An error is cut to its name, message, code and stack, because error objects of HTTP libraries carry the
 * request's Authorization header with them. Known secret names are censored on top, in case somebody forgets.
 */
export function createLog(level: string, destination?: pino.DestinationStream): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
    redact: {
      paths: secretNames.flatMap((name) => [name, `*.${name}`]),
      censor: '[redacted]',
    },
  }
  return pino(options, destination ?? standardOutput())
}

/** For lines whose fields are ours and named one by one: looking for secrets in one takes five times as long as writing it. */
export const withoutCensor = (log: Log): Log => log.child({}, { redact: [] })

/** So much is written even in the middle of a turn. */
const maxGathered = 8192
const errorLevel = 50

/**
 * Lines of one turn of the event loop are written together: in a flood of requests a write takes longer than the line. What has
 * gone wrong is written at once, and whatever is left when the process ends.
 */
export function gatherLines(file: number | string): pino.DestinationStream {
  const output = pino.destination({ dest: file, sync: true, minLength: maxGathered })
  let isDue = false
  const flush = () => {
    isDue = false
    output.flushSync()
  }
  process.once('exit', flush)
  const stream = {
    // Has pino say of what level a line is.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string) {
      output.write(line)
      if (stream.lastLevel >= errorLevel) return flush()
      if (!isDue) setImmediate(flush)
      isDue = true
    },
  }
  return stream
}

let output: pino.DestinationStream | undefined

function standardOutput(): pino.DestinationStream {
  output ??= gatherLines(1)
  return output
}

const secretNames = [
  'password',
  'secret',
  'client_secret',
  'access_token',
  'refresh_token',
  'intent_token',
  'gateway_key',
  'authorization',
  'credentials',
  'token',
]

/** For logs and jobs: what it is called, says and was thrown from, and nothing that somebody outside has said. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const message = ownWords(error)
  const stack = message === error.message ? error.stack : framesOf(error)
  const described: Record<string, unknown> = { name: error.name, message, stack }
  const code = codeOf(error) ?? codeOf(error.cause)
  if (code !== null) described['code'] = code
  return described
}

const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null

/** The data of a statement is not what its column takes (class 22): the message quotes it. */
const quotesData = /^22...$/

/** What a shop has refused or failed with is in its own words, and a parser quotes what it could not read. */
function ownWords(error: Error): string {
  if (error instanceof Fault && error.kind.startsWith('upstream_'))
    return `${error.kind} (see the log of the integration)`
  if (error instanceof SyntaxError || quotesData.test(codeOf(error) ?? '')) return 'Something could not be read.'
  return error.message
}

const framesOf = ({ stack = '' }: Error): string =>
  stack
    .split('\n')
    .filter((line) => /^ +at /.test(line))
    .join('\n')
