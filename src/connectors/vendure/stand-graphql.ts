import type { Fields } from '../../commerce/reading.ts'

/** As much GraphQL as the stand needs: what a query asks for, and an answer cut down to that. */
export interface Selection {
  /** What it is called in the answer. */
  alias: string
  name: string
  fields: readonly Selection[]
}

export interface Operation {
  kind: 'query' | 'mutation'
  name: string
  fields: readonly Selection[]
}

export function parseOperation(query: string): Operation {
  const tokens = query.match(/\.\.\.|"[^"]*"|[{}()[\]:!=,]|[^\s{}()[\]:!=,"]+/g) ?? []
  const bodies = new Map<string, number>()
  for (let at = 0; at < tokens.length; at++) {
    if (tokens[at] === 'fragment' && tokens[at + 2] === 'on') bodies.set(tokens[at + 1] ?? '', at + 4)
  }
  const past = (at: number, close: string): number => {
    const open = tokens[at]
    for (let depth = 0; ; at++) {
      if (tokens[at] === open) depth++
      if (tokens[at] === close && --depth === 0) return at + 1
    }
  }
  const fieldsAt = (start: number): [Selection[], number] => {
    const fields: Selection[] = []
    let at = start
    while (tokens[at] !== '}') {
      if (tokens[at] === '...') {
        const body = tokens[at + 1] === 'on' ? at + 4 : bodies.get(tokens[at + 1] ?? '')
        const [inner, end] = fieldsAt(body ?? tokens.length)
        fields.push(...inner)
        at = tokens[at + 1] === 'on' ? end : at + 2
        continue
      }
      const alias = tokens[at++] ?? ''
      let name = alias
      if (tokens[at] === ':') {
        name = tokens[at + 1] ?? ''
        at += 2
      }
      if (tokens[at] === '(') at = past(at, ')')
      let inner: Selection[] = []
      if (tokens[at] === '{') [inner, at] = fieldsAt(at + 1)
      fields.push({ alias, name, fields: inner })
    }
    return [fields, at + 1]
  }
  const begin = tokens[2] === '(' ? past(2, ')') : 2
  const [fields] = fieldsAt(begin + 1)
  return { kind: tokens[0] === 'mutation' ? 'mutation' : 'query', name: tokens[1] ?? '', fields }
}

/** Only what was asked for, under the names it was asked by. `alias` may also be a field of its own. */
export function cut(value: unknown, fields: readonly Selection[]): unknown {
  if (Array.isArray(value)) return value.map((one) => cut(one, fields))
  if (typeof value !== 'object' || value === null || fields.length === 0) return value
  const record = value as Fields
  const told = fields.flatMap(({ alias, name, fields: inner }) => {
    const field = record[alias] ?? record[name]
    return field === undefined ? [] : [[alias, cut(field, inner)] as const]
  })
  return Object.fromEntries(told)
}

/** Whether a record is within a filter of the server's lists. */
export const isWithin = (record: Fields, filter: Fields): boolean =>
  Object.entries(filter).every(([name, operators]) => {
    if (name === '_or') return (operators as readonly Fields[]).some((one) => isWithin(record, one))
    const value = record[name]
    return Object.entries(operators as Fields).every(([operator, wanted]) => meets(value, operator, wanted))
  })

function meets(value: unknown, operator: string, wanted: unknown): boolean {
  const time = (one: unknown) => Date.parse(String(one))
  if (operator === 'eq') return value === wanted
  if (operator === 'notEq') return value !== wanted
  if (operator === 'in') return (wanted as readonly unknown[]).includes(value)
  if (operator === 'notIn') return !(wanted as readonly unknown[]).includes(value)
  if (operator === 'after') return time(value) > time(wanted)
  if (operator === 'before') return time(value) < time(wanted)
  throw new Error(`The stand knows no "${operator}".`)
}
