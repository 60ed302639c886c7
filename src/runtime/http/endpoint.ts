import type { Static, TObject, TSchema } from 'typebox'
import type { Total } from '../../lib/total.ts'
import type { ListOptions, ListQuery, RawQuery } from './input/list-query.ts'
import type { Written } from './written/written.ts'

/**
 * An endpoint is a plain value: where it is, who may call it, what it takes, what it answers, what it does, and the
 * words that describe it. The route, the guards, the 422s, the envelope, the OpenAPI entry and the contract tests are
 * all read off this value; nothing about an endpoint is written anywhere else.
 *
 * What happens on a call, in this order:
 *   route known? (404, 405) → bearer token of the right kind (401) → rate window (429) → scope, permission or right (403)
 *   → `group.admit` → `find` (404, then 403 for a record of somebody else) → query, JSON (400) → body (422) → `handle`
 *
 * Where the group asks for no token, `find` comes before the body is read at all.
 *
 * ```ts
 * const get = endpoint({
 *   group: groups.user, method: 'GET', path: '/clients/{id}', permission: 'read-client',
 *   summary: 'Get an OAuth client',
 *   find: ({ context, caller, params }) => findClient(context.db, caller, recordId(params.id)),
 *   returns: record(clientSchema),
 *   handle: async ({ found }) => clientView(found),
 * })
 * ```
 */
export interface Endpoint extends Remarks {
  group: Group
  method: Method
  path: string
  scope?: string
  /** As the interface specification states it. */
  permission?: string
  /** Where it states none: what the user needs who calls, or for whom the console calls. */
  right?: string
  summary: string
  description?: string
  /** Marks what the interface specification does not name. */
  extension?: boolean
  query?: ListOptions | TObject
  body?: TSchema
  example?: unknown
  bodyDocs?: BodyDocs
  malformedBody?: () => Error
  bodyType: BodyType
  /** Bytes of body accepted; past it 413. */
  bodyLimit: number
  returns: Returns
  /** The status of a success, and any other the handler may choose with `withStatus`. */
  status: number
  otherStatuses: readonly number[]
  find?: (input: ErasedInput) => Promise<unknown>
  handle: (input: ErasedInput) => Promise<unknown>
}

/** What the server has to know of an endpoint beside its shape; written and kept as it is. */
interface Remarks {
  /** Without a caller the endpoint guards itself: this says how. */
  openBecause?: string
  /** Whoever is refused here is counted by address, and too often is 429; whoever is let in never is. */
  countsRefusals?: boolean
  /** What of a call is in the audit trail: all that changes something is, without a word. */
  audits?: AuditedKind
  /** Why calls that look like changes are not in it. */
  unauditedBecause?: string
  /** Which of several things the body asks for, of a known list of names: for the audit trail. */
  detailOf?: (body: unknown) => string | undefined
  /** The change is made elsewhere (in a shop): it is in the trail before it is sent. */
  changesElsewhere?: (body: unknown) => boolean
  /** Whether what the body asks for changes nothing: then there is no answer to be kept under a key. Before it is checked. */
  onlyReads?: (body: unknown) => boolean
  /** Whether the same request again finds by itself what it has done (its work has a name). Before it is checked. */
  resumes?: (body: unknown) => boolean
}

export type AuditedKind = 'change' | 'personal_data' | 'secret' | 'sign_in' | 'export'
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type BodyType = 'json' | 'form-or-json' | 'upload' | 'raw'
export interface BodyDocs {
  schema: TSchema
  example: unknown
}
export type RateClass = 'user' | 'client' | 'account' | 'token'

export interface Group<Kind extends string = string, Admitted = unknown> {
  name: string
  description: string
  prefix: string
  /** The kind of token that opens the group; null where the endpoints guard themselves. */
  caller: Kind | null
  rate: RateClass | null
  /** Where endpoints guard themselves: who brings a token along is counted like everywhere else. */
  countsTokens?: RateClass | 'agent'
  /** Sent with every answer of the group. */
  headers?: Readonly<Record<string, string>>
  /** Whether its POSTs take an `Idempotency-Key`. */
  idempotent?: boolean
  /** A second lock after token, scope and permission, such as the gateway key. */
  admit?: (input: ErasedInput) => Promise<Admitted>
  /** For the OpenAPI document: the header the second lock reads. */
  admitHeader?: { name: string; description: string }
}

/** An uploaded file, in memory, within the body limit. */
export interface Upload {
  filename: string
  bytes: Buffer
}

export interface RequestFacts {
  header(name: string): string | undefined
  /** All of them, names in lower case: for signatures of platforms. */
  headers(): Record<string, string>
  address: string
  /** Whether that address was refused too often lately, where refusals are counted. */
  isSuspect(): boolean
  /** One more refusal of that address, where the answer does not show it. */
  countRefusal(): void
  requestId: string
  method: string
  /** Path and query as they came. */
  url: string
  /** The bytes of the body, only for `bodyType: 'raw'`. */
  raw: Buffer
  /** The file of a multipart body, only for `bodyType: 'upload'`. */
  upload: Upload | null
  /** Everything in the query string, as text; of a parameter that was sent several times the last. */
  queryString: Readonly<Record<string, string>>
  /** The same with all of them. */
  rawQuery: RawQuery
}

export interface ErasedInput {
  context: unknown
  caller: unknown
  params: Record<string, string>
  query: unknown
  body: unknown
  found: unknown
  admitted: unknown
  request: RequestFacts
}

/* What a handler answers with ------------------------------------------------------------------------------------ */

export interface Page<T> {
  rows: readonly T[]
  total: Total
}

/** What has changed since, instead of a numbered page: for a list query that `changes`. */
export interface Changes<T> {
  rows: readonly T[]
  cursor: string
  more: boolean
  asOf: string
}

export interface Answer {
  status: number
  headers?: Record<string, string>
  /** A string or a stream goes out as it is, anything else as JSON; undefined is an empty body. */
  body?: unknown
}

export type Returns =
  | { kind: 'record'; schema: TSchema }
  | { kind: 'list'; schema: TSchema }
  | { kind: 'page'; schema: TSchema; changes?: true }
  | { kind: 'raw'; schema: TSchema }
  | { kind: 'nothing' }
  | { kind: 'answer'; schema?: TSchema; contentType?: string }

/** `{ data: {…} }` */
export const record = <T extends TSchema>(schema: T) => ({ kind: 'record', schema }) as const
/** `{ data: […] }` without pages. */
export const listOf = <T extends TSchema>(schema: T) => ({ kind: 'list', schema }) as const
/** `{ data: […], links, meta }` */
export const page = <T extends TSchema>(schema: T) => ({ kind: 'page', schema }) as const
/** The same, or what has changed where `updated_since` was asked for. */
export const pageOrChanges = <T extends TSchema>(schema: T) => ({ kind: 'page', schema, changes: true }) as const
/** The value itself, without an envelope: OAuth answers. */
export const raw = <T extends TSchema>(schema: T) => ({ kind: 'raw', schema }) as const
/** 204 */
export const nothing = { kind: 'nothing' } as const
/** The handler says status, headers and body itself: redirects, handshakes. */
export const answer = (schema?: TSchema) =>
  schema ? ({ kind: 'answer', schema } as const) : ({ kind: 'answer' } as const)

export const statusKey = Symbol('status')
export type WithStatus<T> = { [statusKey]: number; value: T }
export const withStatus = <T>(status: number, value: T): WithStatus<T> => ({ [statusKey]: status, value })

type Result<R> = R extends { kind: 'record' | 'raw'; schema: infer S extends TSchema }
  ? Static<S> | WithStatus<Static<S>>
  : R extends { kind: 'list'; schema: infer S extends TSchema }
    ? readonly Static<S>[]
    : R extends { kind: 'page'; schema: infer S extends TSchema }
      ? Page<Static<S>> | Page<Written> | (R extends { changes: true } ? Changes<Static<S>> : never)
      : R extends { kind: 'answer' }
        ? Answer
        : // biome-ignore lint/suspicious/noConfusingVoidType: a handler of `nothing` is a function without a result
          void

/* Writing one ---------------------------------------------------------------------------------------------------- */

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never

interface Input<Context, Caller, Path extends string, Query, Body, Admitted> {
  context: Context
  caller: Caller
  params: Record<ParamNames<Path>, string>
  query: Query
  body: Body
  admitted: Admitted
  request: RequestFacts
}

type QueryOf<Q> = Q extends { list: true } ? ListQuery : Q extends TObject ? Static<Q> : undefined
type BodyOf<B> = B extends TSchema ? Static<B> : undefined
type CallerOf<G, Callers> = G extends { caller: infer Kind }
  ? Kind extends keyof Callers
    ? Callers[Kind]
    : null
  : null
type AdmittedOf<G> = G extends { admit: (input: ErasedInput) => Promise<infer A> } ? A : undefined

interface Definition<Context, Callers, G extends Group, Path extends string, Q, B, R, Found, Names extends Vocabulary>
  extends Remarks {
  group: G
  method: Method
  path: Path
  scope?: Names['scope']
  permission?: Names['permission']
  right?: Names['right']
  summary: string
  description?: string
  extension?: boolean
  query?: Q
  body?: B
  /** A body that shows how the call is made; goes into the docs and is checked against the schema. */
  example?: unknown
  /** Where the domain checks the body itself (OAuth): what the docs say instead of `body`. */
  bodyDocs?: BodyDocs
  /** What to answer a body that cannot be parsed, where it is not the usual 400. */
  malformedBody?: () => Error
  bodyType?: BodyType
  bodyLimit?: number
  returns: R
  status?: number
  otherStatuses?: readonly number[]
  /** Reads the record the path names; runs before query and body are looked at, so that 404 and 403 come first. */
  find?: (
    input: Pick<
      Input<Context, CallerOf<G, Callers>, Path, undefined, undefined, AdmittedOf<G>>,
      'context' | 'caller' | 'params' | 'admitted' | 'request'
    >,
  ) => Promise<Found>
  handle: (
    input: Input<Context, CallerOf<G, Callers>, Path, QueryOf<Q>, BodyOf<B>, AdmittedOf<G>> & { found: Found },
  ) => Promise<Result<R>>
}

interface Vocabulary {
  scope: string
  permission: string
  right: string
}

const mebibyte = 1024 * 1024
export const bulkLimit = 8 * mebibyte

/** Gives `endpoint()` with the program's own context, callers, scopes and permissions filled in. */
export function endpointsFor<Context, Callers, Names extends Vocabulary>() {
  return function endpoint<
    const G extends Group,
    const Path extends string,
    const R extends Returns,
    Q extends ListOptions | TObject | undefined = undefined,
    B extends TSchema | undefined = undefined,
    Found = undefined,
  >(definition: Definition<Context, Callers, G, Path, Q, B, R, Found, Names>): Endpoint {
    const { status, otherStatuses, bodyType, bodyLimit, ...rest } = definition
    const defaultStatus = definition.method === 'POST' ? 201 : 200
    // The one place where the types of a definition are laid aside: the server treats all endpoints alike.
    return {
      ...rest,
      status: definition.returns.kind === 'nothing' ? 204 : (status ?? defaultStatus),
      otherStatuses: otherStatuses ?? [],
      bodyType: bodyType ?? 'json',
      bodyLimit: bodyLimit ?? mebibyte,
    } as unknown as Endpoint
  }
}

/** `/api/2.0/user/clients/{id}` */
export const fullPath = (endpoint: Pick<Endpoint, 'group' | 'path'>) => endpoint.group.prefix + endpoint.path
export const paramNames = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
