/** Whether an error says "the database cannot be reached now" and not "the database refused this statement". */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = errorCode(error)
  if (code !== undefined && (awayCodes.has(code) || /^08[0-9A-Z]{3}$/.test(code))) return true
  return awayMessages.has(error.message)
}

/** Whether the database is there but could not do it now: the same request may well succeed a moment later. */
export function isDatabaseBusy(error: unknown): boolean {
  const state = sqlState(error)
  return state !== undefined && (busyStates.has(state) || state.startsWith('53'))
}

const busyStates = new Set([
  '40001', // could not be put into an order with others
  '40P01', // deadlock, also after trying again
  '55P03', // waited too long for a lock
  '57014', // took longer than a statement may
])

/** The five characters of PostgreSQL's answer, if the error is one. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error ? errorCode(error) : undefined
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && 'severity' in Object(error) ? code : undefined
}

const errorCode = (error: Error): string | undefined =>
  'code' in error && typeof error.code === 'string' ? error.code : undefined

const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  '25006', // the server takes no writes: it has become a standby, or is not the one any longer
  '25P03', // idle in transaction for too long: the server closed the connection
  '53300', // too many connections
  '57P01', // shut down by an administrator
  '57P02', // another process of the server crashed
  '57P03', // starting up or shutting down
])

// pg gives these no code.
const awayMessages = new Set([
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
  'driver has already been destroyed',
])
