import type { Getting, Template } from '../../commerce/definition/definition.ts'
import { bodyOrNull, fieldsOf } from '../../commerce/reading.ts'
import { type RemoteRequest, refused } from '../../commerce/remote.ts'
import type { Shop } from '../../commerce/shop.ts'
import { valueAt } from './values.ts'

/** Ids go into one part of the path each: none of them leads to another. */
export const pathWith = (path: string, parts: Readonly<Record<string, string>>): string =>
  path.replace(/\{([a-z_]+)\}/g, (_, name: string) => {
    const part = parts[name] ?? ''
    if (part === '' || part === '.' || part === '..') throw refused(`The shop has nothing called "${part}".`)
    return encodeURIComponent(part)
  })

/** One by its id; null if there is none. */
export async function getOne({ remote }: Shop, { path, record }: Getting, remoteId: string): Promise<unknown> {
  const body = bodyOrNull(await remote.request({ method: 'GET', path: pathWith(path, { id: remoteId }) }))
  if (body === null) return null
  return fieldsOf(record === undefined ? body : valueAt(body, record))
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

function bodyFrom(template: Template, fields: Readonly<Record<string, unknown>>): Tree {
  const body: Tree = {}
  for (const { path, field, value } of template) {
    const reported = field === undefined ? value : fields[field]
    if (reported !== undefined && reported !== null) put(body, path, reported)
  }
  return body
}

interface Written {
  method: RemoteRequest['method']
  path: string
  body?: Template
}

export const requestFrom = (
  { method, path, body }: Written,
  fields: Readonly<Record<string, unknown>>,
  parts: Readonly<Record<string, string>>,
) => ({ method, path: pathWith(path, parts), ...(body && { body: bodyFrom(body, fields) }) })
