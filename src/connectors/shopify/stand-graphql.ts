import type { Fields } from '../../commerce/reading.ts'

/** As much GraphQL as the stand needs: a document is read, and carried out over records whose fields may be functions. */

interface Selection {
  alias: string
  name: string
  args: Fields
  /** Null for all kinds of records. */
  on: string | null
  inner: readonly Selection[] | null
}

export interface Document {
  kind: 'query' | 'mutation'
  selections: readonly Selection[]
}

export type Resolver = (args: Fields) => unknown

const token = /\.\.\.|"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|[$@]?\w+|[{}()[\]:!=]/g

export function readDocument(text: string, variables: Fields): Document {
  const tokens = text.match(token) ?? []
  let at = 0
  const next = () => tokens[at++] ?? ''
  const isNext = (wanted: string) => tokens[at] === wanted && ++at > 0
  const expect = (wanted: string) => {
    if (!isNext(wanted))
      throw new SyntaxError(`Parse error: expected ${wanted} at ${tokens.slice(at, at + 5).join(' ')}`)
  }

  function value(): unknown {
    const one = next()
    if (one === '[') {
      const list: unknown[] = []
      while (!isNext(']')) list.push(value())
      return list
    }
    if (one.startsWith('$')) return variables[one.slice(1)] ?? null
    if (/^["\d-]/.test(one) || ['true', 'false', 'null'].includes(one)) return JSON.parse(one)
    return one
  }

  function args(): Fields {
    if (!isNext('(')) return {}
    const told: Record<string, unknown> = {}
    while (!isNext(')')) {
      const name = next()
      expect(':')
      told[name] = value()
    }
    return told
  }

  function selections(): Selection[] {
    expect('{')
    const list: Selection[] = []
    while (!isNext('}')) {
      if (isNext('...')) {
        expect('on')
        const on = next()
        list.push(...selections().map((one) => ({ ...one, on })))
        continue
      }
      const alias = next()
      const name = isNext(':') ? next() : alias
      const told: Record<string, unknown> = { ...args() }
      while (tokens[at]?.startsWith('@')) told[next()] = args()
      const inner = tokens[at] === '{' ? selections() : null
      list.push({ alias, name, args: told, on: null, inner })
    }
    return list.filter((one) => (one.args['@include'] as Fields | undefined)?.['if'] !== false)
  }

  if (tokens[0] === '{') return { kind: 'query', selections: selections() }
  const kind = next() === 'mutation' ? 'mutation' : 'query'
  while (tokens[at] !== '{') at++
  // Default values of variables would have braces; ours have none.
  return { kind, selections: selections() }
}

/** Exactly what was asked for; a field that a record does not have is an error, as it is on the platform. */
export function carryOut(record: unknown, selections: readonly Selection[]): unknown {
  if (record === null || record === undefined) return null
  if (Array.isArray(record)) return record.map((one) => carryOut(one, selections))
  const fields = record as Fields
  const told: Record<string, unknown> = {}
  for (const { alias, name, args, on, inner } of selections) {
    if (on !== null && fields['__typename'] !== on) continue
    const field = fields[name]
    if (field === undefined) throw new TypeError(`Field '${name}' doesn't exist on type '${fields['__typename']}'`)
    const found = typeof field === 'function' ? (field as Resolver)(args) : field
    told[alias] = inner === null ? found : carryOut(found, inner)
  }
  return told
}

/** A list of which pages can be asked for. */
export const connection =
  (list: () => readonly Fields[], pick: (one: Fields, args: Fields) => boolean = () => true): Resolver =>
  (args) => {
    const all = list().filter((one) => pick(one, args))
    const start = args['after'] == null ? 0 : all.findIndex((one) => cursorOf(one) === args['after']) + 1
    const nodes = all.slice(start, start + (typeof args['first'] === 'number' ? args['first'] : all.length))
    const last = nodes.at(-1)
    return {
      pageInfo: { hasNextPage: start + nodes.length < all.length, endCursor: last ? cursorOf(last) : null },
      nodes,
      edges: nodes.map((node) => ({ node })),
    }
  }

const cursorOf = (one: Fields): string => Buffer.from(`after ${one['id']}`).toString('base64')

const names: Readonly<Record<string, string>> = { updated_at: 'updatedAt', source_identifier: 'sourceIdentifier' }

/** Whether a record is found by a search: terms that must all be met, or alternatives. */
export const isFound = (one: Fields, search: unknown): boolean =>
  typeof search !== 'string' ||
  search.split(' OR ').some((part) => [...part.matchAll(term)].every((found) => meets(one, found)))

const term = /(\w+):(>=|<=)?'((?:[^'\\]|\\.)*)'/g

function meets(one: Fields, [, name = '', operator, quoted = '']: RegExpMatchArray): boolean {
  const value = String(one[names[name] ?? name] ?? '')
  const wanted = quoted.replace(/\\(.)/g, '$1')
  if (operator === '>=') return value >= wanted
  if (operator === '<=') return value <= wanted
  // A search is no comparison: it also finds what begins alike.
  return value.toLowerCase().startsWith(wanted.toLowerCase())
}
