import type { Place } from '../../commerce/definition/place.ts'
import type { Getting, Parameters, Template } from '../../commerce/definition/requests.ts'
import { valueIn } from '../../commerce/definition/value-in.ts'
import { bodyOrNull, fieldsOf } from '../../commerce/reading.ts'
import { type RemoteRequest, refused } from '../../commerce/remote.ts'
import type { Shop } from '../../commerce/shop.ts'
import { say } from '../../commerce/words/say.ts'
import { moneyThere, timeThere } from './values.ts'

type Parts = Readonly<Record<string, string>>

/** Ids go into one part of the path each: none of them leads to another. */
export const pathWith = (path: string, parts: Parts): string =>
  path.replace(/\{([a-z_]+)\}/g, (_, name: string) => {
    const part = parts[name] ?? ''
    if (part === '' || part === '.' || part === '..') throw refused(say('nothing_called', { name: part }))
    return encodeURIComponent(part)
  })

/** Braces around anything else are meant as they stand: some services have them in their own queries. */
export const textWith = (text: string, parts: Parts): string =>
  text.replace(/\{([a-z_]+)\}/g, (whole, name: string) => (Object.hasOwn(parts, name) ? (parts[name] ?? '') : whole))

const named = (parameters: Parameters, parts: Parts): Record<string, string> =>
  Object.fromEntries((parameters ?? []).map(({ name, value }) => [name, insideWith(value, parts)]))

/** What is filled into an expression of the service stays one word of it: whatever could end that word is refused. */
function insideWith(text: string, parts: Parts): string {
  if (/^\{[a-z_]+\}$/.test(text)) return textWith(text, parts)
  const used = Object.keys(parts).filter((name) => text.includes(`{${name}}`))
  const odd = used.find((name) => /['"`()\\]/.test(parts[name] ?? ''))
  if (odd !== undefined) throw refused(say('not_in_expression', { part: parts[odd] ?? '' }))
  return textWith(text, parts)
}

/** Constant parameters and headers, as they are asked with. */
export const constants = ({ query, headers }: { query?: Parameters; headers?: Parameters }, parts: Parts = {}) => ({
  ...(query && { query: named(query, parts) }),
  ...(headers && { headers: named(headers, parts) }),
})

export const recordIn = (body: unknown, place: Place | undefined): unknown =>
  place === undefined ? body : valueIn(body, place)

/** One by its id; null if there is none. */
export async function getOne({ remote }: Shop, rules: Getting, remoteId: string): Promise<unknown> {
  const parts = { id: remoteId }
  const request = { method: 'GET' as const, path: pathWith(rules.path, parts), ...constants(rules, parts) }
  const body = bodyOrNull(await remote.request(request))
  if (body === null) return null
  const record = recordIn(body, rules.record)
  // Asked by a parameter, a service answers with a list of one, or of none.
  if (!Array.isArray(record) || rules.path.includes('{id}')) return fieldsOf(record)
  return record.length === 0 ? null : fieldsOf(record[0])
}

export type Tree = { [name: string]: unknown }

/** The place exists afterwards; names are checked where definitions are, and never lead out of the body. */
export function put(body: Tree, path: string, value: unknown): void {
  const names = path.split('.')
  const last = names.pop() ?? ''
  let place = body
  for (const name of names) {
    const inner: Tree = Object.hasOwn(place, name) ? (place[name] as Tree) : {}
    place[name] = inner
    place = inner
  }
  place[last] = value
}

type OurFields = Readonly<Record<string, unknown>>

function bodyFrom(template: Template, fields: OurFields): Tree {
  const body: Tree = {}
  for (const entry of template) {
    const reported = entryValue(entry, fields)
    if (reported !== undefined && reported !== null) put(body, entry.path, reported)
  }
  return body
}

function entryValue({ field, template, value, time, zone, money }: Template[number], fields: OurFields): unknown {
  if (template !== undefined) return textWith(template, texts(fields))
  if (field === undefined) return value
  const ours = fields[field]
  if (money !== undefined) return moneyThere({ amount: String(ours), currency: String(fields['currency']) }, money)
  return time !== undefined && typeof ours === 'string' ? timeThere(ours, { time, ...(zone && { zone }) }) : ours
}

const texts = (fields: OurFields): Parts =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value == null ? '' : String(value)]))

interface Written {
  method: RemoteRequest['method']
  path: string
  query?: Parameters
  headers?: Parameters
  body?: Template
}

export const requestFrom = (rules: Written, fields: OurFields, parts: Parts) => ({
  method: rules.method,
  path: pathWith(rules.path, parts),
  ...constants(rules, texts({ ...fields, ...parts })),
  ...(rules.body && { body: bodyFrom(rules.body, fields) }),
})
