import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isFields, parseJson } from '../json.ts'
import type { Ledger, RequestEntry } from '../ledger.ts'
import type { Call, Recorder } from './route.ts'

const maxBytes = 10_000_000

export async function readCall(request: IncomingMessage): Promise<Call | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > maxBytes) return null
    chunks.push(chunk)
  }
  // Browsers come to this machine by its own name, and say in the path whom they think to visit.
  const [, visited, path] = /^\/_host\/([a-z0-9.-]+)(\/.*)$/.exec(request.url ?? '') ?? []
  return callOf({
    method: request.method ?? 'GET',
    url: `http://${visited ?? request.headers.host ?? 'shop.example'}${path ?? request.url ?? '/'}`,
    headers: request.headers,
    body: Buffer.concat(chunks),
  })
}

/** A request as it goes over the wire, or would. */
export interface WireRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  body: Buffer
}

/** Null for an address that is none. */
export function callOf({ method, url: text, headers, body: raw }: WireRequest): Call | null {
  const url = URL.parse(text)
  if (!url) return null
  const header = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' ? value : null
  }
  return {
    method,
    origin: url.origin,
    path: url.pathname,
    query: url.searchParams,
    raw,
    header,
    // Whoever is in control sends JSON, whatever curl calls it.
    fields: () => fieldsIn(raw, url.pathname.startsWith('/_') ? '' : (header('content-type') ?? '')),
    basic: () => basicIn(header('authorization')),
    bearer: () => /^bearer (\S+)$/i.exec(header('authorization') ?? '')?.[1] ?? null,
  }
}

function fieldsIn(raw: Buffer, type: string): Readonly<Record<string, unknown>> {
  if (type.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(raw.toString()))
  const value = parseJson(raw.toString())
  return isFields(value) ? value : {}
}

function basicIn(header: string | null): readonly [string, string] | null {
  const encoded = /^basic (\S+)$/i.exec(header ?? '')?.[1]
  if (!encoded) return null
  const [user, ...rest] = Buffer.from(encoded, 'base64').toString().split(':')
  return user && rest.length > 0 ? [user, rest.join(':')] : null
}

/** The sender's own mark for a piece of work. Platforms without idempotency ignore it; our ledger does not. */
export const operationKeyOf = (call: Call): string | null =>
  call.header('idempotency-key') ?? call.header('x-operation-id')

export function recorderOf(call: Call, entry: RequestEntry, ledger: Ledger): Recorder {
  return {
    caller: (name) => {
      entry.as = name
    },
    effect: (operation, subject, key, record) => {
      const known = key ?? entry.key ?? hash('sha256', `${call.method} ${call.path}\n${call.raw}`).slice(0, 32)
      entry.effects.push(ledger.effect({ request: entry.seq, operation, subject, key: known }, record).id)
    },
  }
}
