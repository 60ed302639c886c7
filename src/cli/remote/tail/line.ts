import { clock, duration, look, plain } from '../look.ts'

/** One line, and by what the next look knows it again. */
export interface Line {
  key: string
  at: string
  value: object
  words: string
}

interface Shop {
  id: number
  name: string
}

export interface LogEntry {
  id: number
  level: string
  message: string
  created_at: string
}

export const logLine = ({ id: shop, name }: Shop, entry: LogEntry): Line => ({
  key: `log ${shop} ${entry.id}`,
  at: entry.created_at,
  value: { kind: 'log', integration_id: shop, ...entry },
  words: `${clock(entry.created_at)}  ${look(colourOf(entry.level), entry.level.padEnd(8))} ${plain(name)}  ${plain(entry.message)}`,
})

const colourOf = (level: string) => (level === 'error' ? 'red' : level === 'warning' ? 'yellow' : 'dim')

export interface Run {
  id: number
  resource: string
  status: string
  error: string | null
  progress: { done: number; total: number | null }
  created_at: string
  started_at: string | null
  finished_at: string | null
}

/** A run is a new line each time it has come further. */
export function runLine({ id: shop, name }: Shop, run: Run): Line {
  const { done, total } = run.progress
  const at = run.finished_at ?? run.started_at ?? run.created_at
  const took =
    run.finished_at && run.started_at ? ` in ${duration(Date.parse(run.finished_at) - Date.parse(run.started_at))}` : ''
  const progress = total === null ? `${done}` : `${done} of ${total}`
  const colour = run.status === 'failed' ? 'red' : run.status === 'completed' ? 'green' : 'yellow'
  return {
    key: `run ${shop} ${run.id} ${run.status} ${done}`,
    at,
    value: { kind: 'run', integration_id: shop, ...run },
    words: `${clock(at)}  ${look(colour, run.status.padEnd(8))} ${plain(name)}  ${run.resource} ${progress}${took}${run.error ? `  ${plain(run.error)}` : ''}`,
  }
}

export interface Message {
  id: number
  topic: string | null
  /** Of what it is about: order, product … */
  kind: string | null
  outcome: string | null
  received_at: string
}

/** A message is a new line once it is known what came of it. */
export function messageLine({ id: shop, name }: Shop, message: Message): Line {
  const outcome = message.outcome ?? 'waiting'
  const colour = outcome === 'failed' ? 'red' : outcome === 'waiting' ? 'yellow' : 'green'
  return {
    key: `message ${shop} ${message.id} ${outcome}`,
    at: message.received_at,
    value: { ...message, kind: 'message', about: message.kind, integration_id: shop },
    words: `${clock(message.received_at)}  ${look(colour, outcome.padEnd(8))} ${plain(name)}  ${plain(message.topic ?? 'a message')}`,
  }
}

export interface ApiCall {
  request_id: string
  at: string
  caller: string
  method: string
  path: string
  query: string
  status: number
  duration_ms: number
}

export function requestLine(call: ApiCall): Line {
  const colour = call.status >= 500 ? 'red' : call.status >= 400 ? 'yellow' : 'green'
  const query = call.query === '' ? '' : `?${call.query}`
  return {
    key: `request ${call.request_id}`,
    at: call.at,
    value: { kind: 'request', ...call },
    words: `${clock(call.at)}  ${look(colour, String(call.status))} ${call.method.padEnd(6)} ${plain(call.path + query)}  ${duration(call.duration_ms)}  ${look('dim', `${call.caller} ${call.request_id}`)}`,
  }
}
