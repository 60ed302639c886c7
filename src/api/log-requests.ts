import { type TSchema, Type } from 'typebox'
import type { RequestCaller, RequestDetail, RequestError } from '../domain/requests/api-request.ts'
import type { RequestRecorder } from '../domain/requests/record-requests.ts'
import type { AgentCaller, Caller } from '../domain/tenant.ts'
import { redact } from '../lib/validation/redact.ts'
import type { Answered, OnAnswer } from '../runtime/http/answered.ts'
import { type Endpoint, fullPath, statusKey } from '../runtime/http/endpoint.ts'
import type { ListOptions } from '../runtime/http/input/list-query.ts'
import { tenantIn } from './audited-record.ts'

/**
 * Calls of the API on their way into the request log of an app, once they have been answered. Whose they are is said by the token,
 * or, for users, by the record that was found for them: whoever is refused at somebody else's app leaves nothing there.
 */
export function logRequests(recorder: RequestRecorder): OnAnswer {
  return (answered) => {
    // The program's own callers carry more than the server knows of.
    const caller = answered.caller as Caller | null
    if (!caller || !answered.endpoint.group.prefix.startsWith('/api/')) return
    // Agents open one address that is none of the API's; what they ask for through it is in the audit trail.
    if (caller.kind === 'agent') return
    const { status, endpoint } = answered
    const appId = caller.kind === 'user' ? appOf(answered) : caller.appId
    if (appId === null) return
    const isConsole = caller.tokenId < 0
    // Pages ask for themselves again and again: of these calls only changes and failures are worth keeping.
    if (isConsole && endpoint.method === 'GET' && status < 400) return
    const { window } = answered
    const call = {
      appId,
      of: isConsole ? null : { caller: caller.kind, clientId: caller.kind === 'client' ? caller.clientId : 0 },
      status,
      used: window ? window.limit - window.remaining : 0,
      allowed: window?.limit ?? 0,
    }
    if (recorder.count(call)) recorder.keep({ app_id: appId, ...entryOf(answered, caller), ...whoIs(caller) })
  }
}

function whoIs(caller: Exclude<Caller, AgentCaller>) {
  return {
    source: caller.tokenId < 0 ? ('console' as const) : ('api' as const),
    caller: caller.kind satisfies RequestCaller,
    // 0 is the console, which is no client.
    client_id: caller.clientId || null,
    account_id: caller.kind === 'account' ? caller.accountId : null,
    user_id: (caller.kind === 'user' ? caller.userId : caller.onBehalfOf) ?? null,
  }
}

function entryOf(answered: Answered, caller: Caller) {
  const { endpoint, input, status, ms } = answered
  const isFound = caller.kind !== 'user' || isSettled(answered)
  return {
    at: new Date(Date.now() - ms).toISOString(),
    id: answered.requestId,
    integration_id: input && isFound ? tenantIn(input, undefined).integrationId : null,
    method: endpoint.method,
    route: fullPath(endpoint),
    path: shownPath(answered),
    query: shownQuery(answered),
    status,
    ms,
    address: answered.address,
    request_bytes: answered.requestBytes,
    response_bytes: answered.responseBytes,
    detail: detailOf(answered),
  }
}

/* Whose a call of a user is -------------------------------------------------------------------------------------- */

/** What the path names was found, or the call went well: it is the user's to see. */
const isSettled = ({ input, status }: Pick<Answered, 'input' | 'status'>): boolean =>
  (input !== null && (input.found !== undefined || input.admitted !== undefined)) || status < 400

function appOf(answered: Answered): number | null {
  const { input, result, endpoint } = answered
  if (!input || !isSettled(answered)) return null
  const { params, found, admitted } = input
  const named = Number(params['appId'])
  if (Number.isSafeInteger(named)) return named
  const isApp = /\/apps\/\{\w+\}/.test(endpoint.path)
  return (
    idAt(admitted, 'app_id') ??
    (isApp ? idAt(found, 'id') : idAt(found, 'app_id')) ??
    idAt(Object(found)['integration'], 'app_id') ??
    idAt(result, 'app_id')
  )
}

function idAt(record: unknown, name: string): number | null {
  if (typeof record !== 'object' || record === null) return null
  const value: unknown = Reflect.get(record, name)
  return typeof value === 'number' ? value : null
}

/* What of it is kept --------------------------------------------------------------------------------------------- */

/** Parameters whose values are words of ours, or an app's own id of a merchant. Others are kept if they are numbers or ids. */
const plainParams: ReadonlySet<string> = new Set(['account', 'serviceType', 'service', 'resource', 'channel'])
const plainValue = /^(\d{1,18}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

function shownPath({ endpoint, params }: Answered): string {
  return fullPath(endpoint).replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = params[name] ?? ''
    const isShown = plainValue.test(value) || (plainParams.has(name) && value.length <= 100)
    return isShown ? encodeURIComponent(value) : placeholder
  })
}

function shownQuery({ endpoint, input, rawQuery }: Answered): string {
  const { query } = endpoint
  if (!query) return ''
  if ('list' in query) return shownListQuery(query as ListOptions, rawQuery)
  const shown = redact(query, input?.query ?? rawQuery, maxQuery)
  return typeof shown === 'object' && shown !== null ? inWords(Object.entries(shown)) : ''
}

const maxQuery = 1000
const maxValue = 100
const unshown = '[text]'

/** What lists are asked for in words of ours. Anything else might be whom they are asked for. */
const plainFilter = /^(\w+_)?(id|status|active|type|level|event|outcome|kind|resource|origin|sandbox)$/
const ofEveryList: ReadonlySet<string> = new Set(['page', 'per_page', 'sort', 'include', 'updated_since'])

/** Only names that the list knows: others could be anything. */
const shownListQuery = ({ filter, required }: ListOptions, raw: Readonly<Record<string, unknown>>): string =>
  inWords(
    Object.entries(raw).flatMap(([name, value]) => {
      const field = /^filter\[(\w+)\]$/.exec(name)?.[1] ?? name
      if (!ofEveryList.has(field) && !filter.includes(field) && !required.includes(field)) return []
      const isShown = (ofEveryList.has(field) || plainFilter.test(field)) && isPlain(value)
      return [[name, isShown ? value : unshown] as const]
    }),
  )

const isPlain = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= maxValue && /^[\w,.:+-]*$/.test(value)

const inWords = (parts: readonly (readonly [string, unknown])[]): string =>
  parts
    .map(([name, value]) => `${name}=${value === unshown ? unshown : encodeURIComponent(String(value))}`)
    .join('&')
    .slice(0, maxQuery)

const maxBody = 4096
const maxAgent = 200

function detailOf(answered: Answered): RequestDetail {
  const { endpoint, fault, window } = answered
  const request = redact(endpoint.bodyDocs?.schema ?? endpoint.body, answered.body, maxBody)
  const response = shownResponse(answered)
  return {
    agent: answered.agent?.slice(0, maxAgent) ?? null,
    content_type: /^[\w./+-]+/.exec(answered.contentType ?? '')?.[0].slice(0, 100) ?? null,
    has_idempotency_key: answered.hasIdempotencyKey,
    ...(endpoint.body && request !== undefined && typeof request === 'object' && { request }),
    ...(response !== undefined && typeof response === 'object' && { response }),
    ...(fault && { error: errorOf(fault, endpoint, answered.body) }),
    ...(window && { rate: { limit: window.limit, remaining: window.remaining } }),
  }
}

function shownResponse({ endpoint: { returns }, result, fault }: Answered): unknown {
  if (fault || result === undefined || returns.kind === 'nothing') return undefined
  const chosen = typeof result === 'object' && result !== null && statusKey in result
  const value: unknown = chosen ? Reflect.get(result, 'value') : result
  switch (returns.kind) {
    case 'record':
      return { data: redact(returns.schema, value, maxBody) }
    case 'list':
      return { data: redact(listSchema(returns.schema), value, maxBody) }
    case 'page':
      return { data: redact(listSchema(returns.schema), Object(value)['rows'], maxBody) }
    case 'raw':
      return redact(returns.schema, value, maxBody)
    case 'answer':
      return returns.schema && shownBody(returns.schema, Object(value)['body'])
  }
}

/** What another thread has written is not read here again. */
const shownBody = (schema: TSchema, body: unknown): unknown =>
  body instanceof Uint8Array ? undefined : redact(schema, body, maxBody)

const listSchemas = new WeakMap<object, TSchema>()

/** Made once for each, as what is known of a schema is. */
function listSchema(schema: TSchema): TSchema {
  const made = listSchemas.get(schema) ?? Type.Array(schema)
  listSchemas.set(schema, made)
  return made
}

/**
 * Which fields were refused, with our words for it. A message that repeats something that was sent is not kept, nor are a shop's own
 * words, which may name anybody.
 */
function errorOf(fault: NonNullable<Answered['fault']>, { body, bodyDocs }: Endpoint, sent: unknown): RequestError {
  const { kind, errors } = fault
  if (kind !== 'invalid' || !errors) return { kind }
  const known: object = Object((bodyDocs?.schema ?? body ?? {}) as TSchema)['properties'] ?? {}
  const texts = textsIn(sent)
  const fields = Object.entries(errors)
    .filter(([name]) => Object.hasOwn(known, name.split('.')[0] ?? '') && /^[\w.]{1,100}$/.test(name))
    .slice(0, 20)
    .map(([name, messages]) => [name, messages.slice(0, 3).map((words) => repeatsNone(words, texts))] as const)
  return { kind, fields: Object.fromEntries(fields) }
}

const repeatsNone = (words: string, texts: readonly string[]): string =>
  words.length <= 300 && !texts.some((text) => words.toLowerCase().includes(text)) ? words : unshown

/** Bounded: whoever sends very many texts is shown no words at all. */
function textsIn(sent: unknown): string[] {
  const texts: string[] = []
  const look = (value: unknown): void => {
    if (texts.length > 500) return
    if (typeof value === 'string' && value.trim().length >= 3) texts.push(value.trim().toLowerCase())
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) look(one)
  }
  look(sent)
  return texts.length > 500 ? [''] : texts
}
