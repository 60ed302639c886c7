import { evaluate, readExpression } from '../../lib/expressions/expression.ts'
import { bounded } from '../../lib/expressions/remembered.ts'
import { isFields } from '../reading.ts'
import type { Place } from './place.ts'

/** What a record has at a path; undefined where it has nothing of its own there. */
export function valueAt(record: unknown, path: string): unknown {
  let value: unknown = record
  for (const name of path.split('.')) {
    if (Array.isArray(value)) value = /^\d{1,4}$/.test(name) ? value[Number(name)] : undefined
    else value = isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }
  return value
}

const expressionOf = bounded(readExpression)

/** What a record has at a place, however that is said. */
export function valueIn(record: unknown, place: Place): unknown {
  if (typeof place === 'string') return valueAt(record, place)
  const found = sourceOf(record, place)
  return (found === undefined || found === null || found === '') && place.default !== undefined ? place.default : found
}

function sourceOf(record: unknown, { at, select, template, value }: Exclude<Place, string>): unknown {
  if (at !== undefined) return valueAt(record, at)
  if (template !== undefined) return filled(template, (name) => plain(valueAt(record, name)))
  if (select === undefined) return value
  const expression = expressionOf(select)
  if (typeof expression === 'string') throw new TypeError(`The expression "${select}" ${expression}.`)
  return evaluate(expression, record)
}

/** Null where nothing could be filled in: a name of nobody is none. */
function filled(template: string, at: (name: string) => string): string | null {
  let any = false
  const text = template.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const part = at(name)
    any ||= part !== ''
    return part
  })
  return any ? text.replace(/\s+/g, ' ').trim() : null
}

const plain = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
