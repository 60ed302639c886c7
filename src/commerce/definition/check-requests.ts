import type { FieldErrors } from '../../lib/fault.ts'
import { badFormat, carriesMessage, merged, mustBe, prohibited, repeated, required } from './complaints.ts'
import { type Definition, writeFields } from './definition.ts'
import type { Join, Listing, Parameters, Template } from './requests.ts'

/** Headers that say how a message is carried, or for whom. */
const forbiddenHeaders = new Set([
  ...['host', 'connection', 'content-length', 'content-type', 'transfer-encoding', 'upgrade', 'te', 'trailer'],
  ...['cookie', 'forwarded', 'expect', 'proxy-authorization', 'keep-alive'],
])
export const isForbiddenHeader = (name: string | undefined) => forbiddenHeaders.has(name?.toLowerCase() ?? '')

const besideLines = 'Something else of the body is at this place.'
const bothKinds = 'It cannot be both a value and a record.'

/** One of two places of a body lies in the other. */
const isInside = (path: string, other: string): boolean => path.startsWith(`${other}.`)
const areNested = (path: string, other: string): boolean => isInside(path, other) || isInside(other, path)

/** `needed` must be among what stands in braces, and nothing may that is not `known`. */
export function placeholders(
  path: string,
  known: readonly string[],
  place: string,
  needed: readonly string[] = [],
): FieldErrors {
  const found = [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name = '']) => name)
  const leaves = path.split('/').some((segment) => segment === '.' || segment === '..')
  const fits = found.every((name) => known.includes(name)) && needed.every((name) => found.includes(name))
  if (fits && !leaves) return {}
  const allowed = known.length === 0 ? 'Nothing is filled in here.' : `Filled in here: ${braced(known)}.`
  return badFormat(place, leaves ? 'It must not hold . or .. between slashes.' : allowed)
}

const braced = (names: readonly string[]) => names.map((name) => `{${name}}`).join(', ')

const headerErrors = (headers: Parameters | undefined, place: string): FieldErrors =>
  merged(
    (headers ?? []).flatMap(({ name }, n) =>
      isForbiddenHeader(name) || name.toLowerCase() === 'authorization'
        ? [badFormat(`${place}.headers.${n}.name`, carriesMessage)]
        : [],
    ),
  )

export function listErrors(listing: Listing, place: string): FieldErrors {
  const { path, method, paging, since, headers, body } = listing
  const asObject = typeof since === 'object' ? since : undefined
  const inBody = paging.in === 'body' || asObject?.in === 'body' || body !== undefined
  return merged([
    placeholders(path, [], `${place}.path`),
    pagingErrors(paging, `${place}.paging`),
    headerErrors(headers, place),
    ...(inBody && method !== 'POST' ? [mustBe(`${place}.method`, 'must be POST where something is in the body')] : []),
    ...bodyErrors(listing, place),
    ...(asObject?.in === 'header' && isForbiddenHeader(asObject.name)
      ? [badFormat(`${place}.since.name`, carriesMessage)]
      : []),
    ...(asObject?.template !== undefined && !asObject.template.includes('{since}')
      ? [badFormat(`${place}.since.template`, 'It must hold {since}.')]
      : []),
  ])
}

/** Constants, and what each page puts beside them. */
function bodyErrors(
  { paging, since, body = [] }: Pick<Listing, 'paging' | 'since' | 'body'>,
  place: string,
): FieldErrors[] {
  const ofPages = paging.in === 'body' ? [paging.parameter, paging.size_parameter] : []
  const ofSince = typeof since === 'object' && since.in === 'body' ? [since.name] : []
  const paths = [...body.map(({ path }) => path), ...ofPages, ...ofSince].filter((path) => path !== undefined)
  const nested = (path: string) => paths.some((other) => areNested(path, other))
  return [
    ...body.flatMap(({ path }, n) => (nested(path) ? [badFormat(`${place}.body.${n}.path`, bothKinds)] : [])),
    ...(ofPages.some((path) => path !== undefined && nested(path))
      ? [badFormat(`${place}.paging.parameter`, bothKinds)]
      : []),
    ...(ofSince.some(nested) ? [badFormat(`${place}.since.name`, bothKinds)] : []),
  ]
}

function pagingErrors(
  { style, parameter, next, next_header: header, key, in: carrier }: Listing['paging'],
  place: string,
): FieldErrors {
  const named = style !== 'none' && style !== 'link'
  return merged([
    ...(named && parameter === undefined ? [required(`${place}.parameter`)] : []),
    ...(style === 'cursor' && next === undefined && header === undefined ? [required(`${place}.next`)] : []),
    ...(style === 'keyset' && key === undefined ? [required(`${place}.key`)] : []),
    ...(style === 'link' && carrier !== undefined ? [prohibited(`${place}.in`)] : []),
    ...(carrier === 'header' && isForbiddenHeader(parameter) ? [badFormat(`${place}.parameter`, carriesMessage)] : []),
  ])
}

type Got = NonNullable<Definition['products']>['get']

export const getErrors = (get: Got, place: string): FieldErrors =>
  get
    ? merged([
        placeholders(get.path, ['id'], `${place}.path`, idIn(get) ? [] : ['id']),
        headerErrors(get.headers, place),
      ])
    : {}

/** Some know a record by a parameter: the path need not hold it then. */
const idIn = ({ query = [] }: NonNullable<Got>) => query.some(({ value }) => value.includes('{id}'))

export function joinErrors(joins: readonly Join[] | undefined, place: string): FieldErrors {
  const all = joins ?? []
  return merged([
    repeated(
      all.map(({ name }) => name),
      place,
      'name',
    ),
    ...all.map((join, n) => oneJoin(join, `${place}.${n}`)),
  ])
}

function oneJoin({ path, query = [], headers, match, paging }: Join, place: string): FieldErrors {
  const whole = [path, ...query.map(({ value }) => value)].join(' ')
  const [several, single] = [whole.includes('{keys}'), whole.includes('{key}')]
  return merged([
    placeholders(path, ['key', 'keys'], `${place}.path`),
    headerErrors(headers, place),
    ...(several === single ? [badFormat(`${place}.path`, 'Path or query must hold either {key} or {keys}.')] : []),
    ...(several && match === undefined ? [required(`${place}.match`)] : []),
    ...(paging ? [pagingErrors(paging, `${place}.paging`)] : []),
    ...(paging?.in === 'body' ? [badFormat(`${place}.paging.in`, 'Allowed: query, header.')] : []),
  ])
}

interface Written {
  path: string
  query?: Parameters
  headers?: Parameters
  body?: Template
}

export function writeErrors(
  { path, headers, body = [] }: Written,
  kind: keyof typeof writeFields,
  place: string,
  /** What is only known under conditions that are not met here. */
  unknown: readonly string[] = [],
): FieldErrors {
  const [known, fields] = [writeFields[kind].path, writeFields[kind].body].map((names: readonly string[]) =>
    names.filter((name) => !unknown.includes(name)),
  )
  const paths = body.map((entry) => entry.path)
  return merged([
    placeholders(path, known ?? [], `${place}.path`),
    headerErrors(headers, place),
    repeated(paths, `${place}.body`, 'path'),
    ...body.map((entry, n) => entryErrors(entry, { at: `${place}.body.${n}`, paths, fields: fields ?? [] })),
  ])
}

function entryErrors(
  { path: target, field, template, value, money }: Template[number],
  { at, paths, fields }: { at: string; paths: readonly string[]; fields: readonly string[] },
): FieldErrors {
  // A list cannot be written into by number, nor can a place be both a value and a record.
  if (paths.some((other) => isInside(other, target))) return badFormat(`${at}.path`, bothKinds)
  if (/(^|\.)\d+(\.|$)/.test(target)) return badFormat(`${at}.path`, 'Lists cannot be written into by number.')
  if (money !== undefined && field !== 'amount') return prohibited(`${at}.money`)
  if ([field, template, value].filter((one) => one !== undefined).length !== 1) return required(`${at}.field`)
  const unknown = [...(template?.matchAll(/\{([^{}]*)\}/g) ?? [])].find(([, name = '']) => !fields.includes(name))
  if (unknown) return badFormat(`${at}.template`, `Filled in here: ${braced(fields)}.`)
  if (field === undefined || fields.includes(field)) return {}
  return { [`${at}.field`]: [`The selected ${at}.field is invalid. Allowed: ${fields.join(', ')}.`] }
}

type Setting = NonNullable<NonNullable<Definition['inventory']>['set']>

/** Only what is found out first may be used. */
export function settingErrors(set: Setting, place: string): FieldErrors {
  const { find } = set
  const asked = [find?.path ?? '', ...(find?.query ?? []).map(({ value }) => value)].join(' ')
  const unknown = [...(find?.id === undefined ? ['id'] : []), ...(find?.available === undefined ? ['difference'] : [])]
  return merged([
    writeErrors(set, 'set', place, unknown),
    ...(find ? [placeholders(find.path, ['sku'], `${place}.find.path`)] : []),
    ...(find && !asked.includes('{sku}') ? [badFormat(`${place}.find.path`, 'Path or query must hold {sku}.')] : []),
  ])
}

interface Lines {
  path: string
  order_line_remote_id: string
  quantity: string
  amount?: string
}

/** The lines have a place of the body to themselves, and so has what each of them says. */
function linesErrors({ lines, body = [] }: { lines?: Lines; body?: Template }, place: string): FieldErrors[] {
  if (lines === undefined) return []
  const { path, ...fields } = lines
  const said = [fields.order_line_remote_id, fields.quantity, fields.amount].filter((one) => one !== undefined)
  const isTaken = body.some((entry) => entry.path === path || areNested(entry.path, path))
  const isTwice = said.some((one, n) => said.some((other, at) => at !== n && (one === other || areNested(one, other))))
  return [
    ...(isTaken ? [badFormat(`${place}.lines.path`, besideLines)] : []),
    ...(isTwice ? [badFormat(`${place}.lines.quantity`, 'Something else of the line is at this place.')] : []),
  ]
}

type CreateRefund = NonNullable<Definition['refunds']>['create']

/** Money must not go back twice: somebody must be able to say whether it has. */
export function refundErrors({ orders }: Definition, create: CreateRefund): FieldErrors {
  const place = 'definition.refunds.create'
  const { idempotency_header: header, lines, body = [], query = [] } = create
  const seen = orders?.refunds !== undefined || orders?.fields.refunded_total !== undefined
  const reason = `The ${place}.idempotency_header field is required, unless definition.orders.refunds or definition.orders.fields.refunded_total is there.`
  const saysAmount =
    body.some(({ field, template }) => field === 'amount' || template?.includes('{amount}')) ||
    query.some(({ value }) => value.includes('{amount}'))
  return merged([
    writeErrors(create, 'refund', place),
    ...(orders ? [] : [required('definition.orders')]),
    ...(header === undefined && !seen ? [{ [`${place}.idempotency_header`]: [reason] }] : []),
    ...(isForbiddenHeader(header) ? [badFormat(`${place}.idempotency_header`, carriesMessage)] : []),
    ...(saysAmount || lines ? [] : [mustBe(`${place}.body`, 'must say how much goes back, by amount or lines')]),
    ...linesErrors(create, place),
  ])
}

type CreateShipment = NonNullable<Definition['shipments']>['create']

/** An answer may get lost: then somebody must be able to say whether the parcel is there. */
export function shipmentErrors({ orders }: Definition, create: CreateShipment): FieldErrors {
  const place = 'definition.shipments.create'
  const safe = create.repeatable === true || create.idempotency_header !== undefined || orders?.shipments !== undefined
  const reason = `The ${place}.repeatable field must be true, unless idempotency_header or definition.orders.shipments is there.`
  return merged([
    writeErrors(create, 'create', place),
    ...(safe ? [] : [{ [`${place}.repeatable`]: [reason] }]),
    ...(isForbiddenHeader(create.idempotency_header) ? [badFormat(`${place}.idempotency_header`, carriesMessage)] : []),
    ...linesErrors(create, place),
  ])
}
