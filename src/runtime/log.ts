import pino from 'pino'
import { Fault } from '../lib/fault.ts'
import { gatherLines } from './log-lines.ts'

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

let output: pino.DestinationStream | undefined

export function standardOutput(): pino.DestinationStream {
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
