import pino from 'pino'

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
  return destination ? pino(options, destination) : pino(options)
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

export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const described: Record<string, unknown> = { name: error.name, message: error.message, stack: error.stack }
  if ('code' in error && typeof error.code === 'string') described['code'] = error.code
  return described
}
