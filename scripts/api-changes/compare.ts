import { type Json, listOf, plain, resolve } from '../../src/api/collection/json.ts'
import { refOf, shapeOf } from './shape.ts'

/** How the API differs from how it was, as those feel it who call it or are called by it. */

export interface ApiChange {
  /** An operation (`GET /api/2.0/app/orders`), an event (`order.created`) or a record (`Order`). */
  where: string
  /** The field, by its path; empty for the whole of it. */
  field: string
  kind: ChangeKind
  what: string
}

/** The first ones break who relies on what was there. */
export const breakingKinds = ['removed', 'narrowed', 'demanded', 'loosened'] as const
export const harmlessKinds = ['added', 'new value', 'widened'] as const
export type ChangeKind = (typeof breakingKinds)[number] | (typeof harmlessKinds)[number]

export const isBreaking = ({ kind }: ApiChange): boolean => breakingKinds.some((one) => one === kind)

/** One line that stays the same as long as the change does. */
export const lineOf = ({ where, field, what }: ApiChange): string =>
  `${where}${field === '' ? '' : ` \`${field}\``}: ${what}`

type Direction = 'input' | 'output'
type Place = Pick<ApiChange, 'where' | 'field'>

export function compareApis(before: Json, after: Json): ApiChange[] {
  const found: ApiChange[] = []
  /** A record that stands in many places is compared once for each direction. */
  const compared = new Set<string>()
  const say = ({ where, field }: Place, kind: ChangeKind, what: string) => void found.push({ where, field, kind, what })

  function schemas(place: Place, direction: Direction, [was, is]: readonly [unknown, unknown]): void {
    const name = refOf(plain(was))
    const isRecord = name !== null && name === refOf(plain(is))
    if (!isRecord) shapes(place, direction, [was, is])
    else if (!compared.has(`${direction} ${name}`)) {
      compared.add(`${direction} ${name}`)
      shapes({ where: name, field: '' }, direction, [was, is])
    }
  }

  function shapes(place: Place, direction: Direction, [was, is]: readonly [unknown, unknown]): void {
    const [old, now] = [shapeOf(before, was), shapeOf(after, is)]
    types(place, direction, [old.types, now.types])
    words(place, direction, [old.words, now.words])
    if (direction === 'input') limits(place, [old.limits, now.limits])
    if (old.items && now.items) schemas({ ...place, field: `${place.field}[]` }, direction, [old.items, now.items])
    for (const [name, { schema, required }] of old.fields) {
      const at = inside(place, name)
      const other = now.fields.get(name)
      if (!other) say(at, 'removed', 'is gone')
      else {
        if (direction === 'input' && other.required && !required) say(at, 'demanded', 'must now be sent')
        if (direction === 'output' && required && !other.required) say(at, 'loosened', 'may now be missing')
        schemas(at, direction, [schema, other.schema])
      }
    }
    for (const [name, { required }] of now.fields) {
      if (old.fields.has(name)) continue
      if (direction === 'input' && required) say(inside(place, name), 'demanded', 'is new and must be sent')
      else say(inside(place, name), 'added', direction === 'input' ? 'may be sent' : 'is new')
    }
  }

  function types(place: Place, direction: Direction, [was, is]: readonly [ReadonlySet<string>, ReadonlySet<string>]) {
    const lost = [...was].filter((type) => !covers(is, type))
    const gained = [...is].filter((type) => !covers(was, type))
    if (lost.length > 0 && direction === 'input') say(place, 'narrowed', `takes no ${lost.join(' or ')} any more`)
    if (gained.length > 0 && direction === 'input') say(place, 'widened', `also takes ${gained.join(' or ')}`)
    if (gained.length > 0 && direction === 'output') say(place, 'loosened', `may now be ${gained.join(' or ')}`)
  }

  function words(
    place: Place,
    direction: Direction,
    [was, is]: readonly [ReadonlySet<string> | null, ReadonlySet<string> | null],
  ) {
    if (was === null && is === null) return
    if (was === null) {
      if (direction === 'input') say(place, 'narrowed', 'takes only certain words now')
      return
    }
    if (is === null) {
      say(place, direction === 'input' ? 'widened' : 'loosened', 'is no longer one of certain words')
      return
    }
    for (const word of is) if (!was.has(word)) say(place, 'new value', `\`${word}\` is new`)
    if (direction === 'output') return
    for (const word of was) if (!is.has(word)) say(place, 'narrowed', `\`${word}\` is no longer taken`)
  }

  function limits(place: Place, [was, is]: readonly [Limits, Limits]) {
    for (const [name, limit] of Object.entries(is)) {
      const old = was[name]
      if (old === limit) continue
      const areNumbers = typeof limit === 'number' && typeof old === 'number'
      const isTighter = areNumbers ? (name.startsWith('max') ? limit < old : limit > old) : true
      if (isTighter) say(place, 'narrowed', `${name} is now ${limit}`)
    }
  }

  function parameters(place: Place, [was, is]: readonly [Json, Json]) {
    const [old, now] = [parametersOf(before, was), parametersOf(after, is)]
    for (const [name, one] of old) {
      const other = now.get(name)
      const at = { ...place, field: name }
      if (!other) {
        say(at, 'removed', 'is gone')
        continue
      }
      if (other['required'] === true && one['required'] !== true) say(at, 'demanded', 'must now be sent')
      schemas(at, 'input', [one['schema'], other['schema']])
    }
    for (const [name, one] of now) {
      if (old.has(name)) continue
      const isDemanded = one['required'] === true
      say(
        { ...place, field: name },
        isDemanded ? 'demanded' : 'added',
        isDemanded ? 'is new and must be sent' : 'may be sent',
      )
    }
  }

  function operations(where: string, [was, is]: readonly [Json, Json]) {
    const place = { where, field: '' }
    parameters(place, [was, is])
    const [oldBody, newBody] = [bodyOf(before, was), bodyOf(after, is)]
    if (oldBody && newBody) schemas(place, 'input', [oldBody.schema, newBody.schema])
    if (newBody?.required && !oldBody?.required) say(place, 'demanded', 'now needs a body')
    const [oldAnswers, newAnswers] = [answersOf(before, was), answersOf(after, is)]
    for (const [status, schema] of oldAnswers) {
      const other = newAnswers.get(status)
      if (other === undefined) say({ where, field: status }, 'removed', 'is no longer answered')
      else schemas(place, 'output', [schema, other])
    }
  }

  const [old, now] = [operationsOf(before), operationsOf(after)]
  for (const [name, one] of old) {
    const other = now.get(name)
    if (other) operations(name, [one, other])
    else say({ where: name, field: '' }, 'removed', 'is gone')
  }
  for (const [name, { summary }] of now) if (!old.has(name)) say({ where: name, field: '' }, 'added', String(summary))

  const [oldEvents, newEvents] = [plain(before['webhooks']), plain(after['webhooks'])]
  for (const [name, event] of Object.entries(oldEvents)) {
    const other = newEvents[name]
    const [was, is] = [event, other].map(
      (one, n) => bodyOf(n === 0 ? before : after, plain(plain(one)['post']))?.schema,
    )
    if (other === undefined) say({ where: name, field: '' }, 'removed', 'is no longer sent')
    else schemas({ where: name, field: '' }, 'output', [was, is])
  }
  for (const name of Object.keys(newEvents)) {
    if (!(name in oldEvents)) say({ where: name, field: '' }, 'added', 'is a new event')
  }
  return found
}

type Limits = Readonly<Record<string, number | string>>

const inside = ({ where, field }: Place, name: string): Place => ({
  where,
  field: field === '' ? name : `${field}.${name}`,
})

const covers = (types: ReadonlySet<string>, type: string): boolean =>
  types.has(type) || types.has('any') || (type === 'integer' && types.has('number'))

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** By method and path, whose parameters may change their names: they have none on the wire. */
function operationsOf(document: Json): Map<string, Json> {
  return new Map(
    Object.entries(plain(document['paths'])).flatMap(([path, item]) =>
      Object.entries(plain(item))
        .filter(([method]) => methods.includes(method))
        .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, plain(operation)] as const),
    ),
  )
}

const parametersOf = (document: Json, operation: Json): Map<string, Json> =>
  new Map(
    listOf(operation['parameters'])
      .map((one) => resolve(document, one))
      .filter((one) => one['in'] !== 'path')
      .map((one) => [String(one['name']), one]),
  )

function bodyOf(document: Json, operation: Json): { schema: unknown; required: boolean } | null {
  if (operation['requestBody'] === undefined) return null
  const body = resolve(document, operation['requestBody'])
  const [content] = Object.values(plain(body['content']))
  return { schema: plain(content)['schema'] ?? {}, required: body['required'] === true }
}

/** Of answers only those that say that it went well: the others are alike everywhere. */
function answersOf(document: Json, operation: Json): Map<string, unknown> {
  return new Map(
    Object.entries(plain(operation['responses']))
      .filter(([status]) => /^[23]/.test(status))
      .map(([status, answer]) => {
        const [content] = Object.values(plain(resolve(document, answer)['content']))
        return [status, plain(content)['schema'] ?? {}]
      }),
  )
}
