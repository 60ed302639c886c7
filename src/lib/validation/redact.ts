import type { TSchema } from 'typebox'

/**
 * What may be kept of a value for people who look for mistakes, by the schema that describes it. Kept are numbers, flags, words of a
 * known list, and texts whose schema says so (`logged` in `fields.ts`). Of any other text only that there was one; of a field that
 * the schema does not know not even its name. A new field is therefore not kept until somebody says that it may be.
 */
export function redact(schema: TSchema | undefined, value: unknown, maxBytes: number): unknown {
  const room = { left: maxBytes }
  const kept = walk([schema ?? {}], value, room)
  return kept === dropped ? undefined : kept
}

/** Stands for a text that is not kept. */
export const hiddenText = '[text]'
/** Stands for an object or a list whose contents nobody has described. */
export const hiddenObject = '[object]'
export const hiddenList = '[list]'
/** Stands where the room ended. */
export const cutOff = '[…]'

const maxText = 200
const dropped = Symbol('dropped')

interface Rules {
  type?: string
  properties?: Readonly<Record<string, Rules>>
  items?: Rules
  anyOf?: readonly Rules[]
  allOf?: readonly Rules[]
  enum?: readonly unknown[]
  const?: unknown
  'x-logged'?: boolean
}

/** Everything that a schema and its alternatives say, laid side by side: made once for each. */
interface Known {
  properties: ReadonlyMap<string, readonly Rules[]> | null
  items: readonly Rules[]
  words: ReadonlySet<unknown>
  keepsText: boolean
  keepsNumbers: boolean
  keepsFlags: boolean
}

const known = new WeakMap<object, Known>()

function knownOf(schemas: readonly Rules[]): Known {
  const [only] = schemas
  const found = schemas.length === 1 && only ? known.get(only) : undefined
  if (found) return found
  const all = schemas.flatMap(alternatives)
  const properties = new Map<string, Rules[]>()
  for (const one of all) {
    for (const [name, rules] of Object.entries(one.properties ?? {})) {
      properties.set(name, [...(properties.get(name) ?? []), rules])
    }
  }
  const made: Known = {
    properties: properties.size === 0 ? null : properties,
    items: all.flatMap(({ items }) => (items ? [items] : [])),
    words: new Set(all.flatMap((one) => [...(one.enum ?? []), ...(one.const === undefined ? [] : [one.const])])),
    keepsText: all.some((one) => one['x-logged'] === true && one.type === 'string'),
    keepsNumbers: all.some(({ type }) => type === 'integer' || type === 'number'),
    keepsFlags: all.some(({ type }) => type === 'boolean'),
  }
  if (schemas.length === 1 && only) known.set(only, made)
  return made
}

const alternatives = (rules: Rules): Rules[] => [
  rules,
  ...[...(rules.anyOf ?? []), ...(rules.allOf ?? [])].flatMap(alternatives),
]

interface Room {
  left: number
}

function walk(schemas: readonly Rules[], value: unknown, room: Room): unknown {
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol') return dropped
  if (value === null) return spend(room, null, 4)
  const rules = knownOf(schemas)
  switch (typeof value) {
    case 'string':
      return text(rules, value, room)
    case 'number':
      return rules.keepsNumbers || rules.words.has(value) ? spend(room, value, 8) : dropped
    case 'boolean':
      return rules.keepsFlags || rules.words.has(value) ? spend(room, value, 5) : dropped
    case 'object':
      return Array.isArray(value) ? list(rules, value, room) : object(rules, value, room)
    default:
      return dropped
  }
}

function spend<T>(room: Room, value: T, bytes: number): T {
  room.left -= bytes
  return value
}

/** What comes from a query is text, also where a number is meant. */
function text(rules: Known, value: string, room: Room): unknown {
  const isNumber = rules.keepsNumbers && /^-?\d{1,15}(\.\d{1,6})?$/.test(value)
  if (!rules.keepsText && !rules.words.has(value) && !isNumber) return spend(room, hiddenText, hiddenText.length + 2)
  const kept = value.length > maxText ? `${value.slice(0, maxText)}…` : value
  return spend(room, kept, Buffer.byteLength(kept) + 2)
}

function list({ items }: Known, value: readonly unknown[], room: Room): unknown {
  if (items.length === 0) return spend(room, hiddenList, hiddenList.length + 2)
  const kept: unknown[] = []
  for (const one of value) {
    if (room.left <= 0) {
      kept.push(cutOff)
      break
    }
    const inner = walk(items, one, room)
    if (inner !== dropped) kept.push(inner)
    room.left -= 1
  }
  return kept
}

function object({ properties }: Known, value: object, room: Room): unknown {
  if (properties === null) return spend(room, hiddenObject, hiddenObject.length + 2)
  const kept: Record<string, unknown> = {}
  for (const [name, rules] of properties) {
    if (!Object.hasOwn(value, name)) continue
    if (room.left <= 0) {
      kept['…'] = cutOff
      break
    }
    const inner = walk(rules, Reflect.get(value, name), room)
    if (inner !== dropped) kept[name] = spend(room, inner, name.length + 4)
  }
  return kept
}
