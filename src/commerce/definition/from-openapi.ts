import { isFields } from '../reading.ts'
import { type DescribedPart, suggestPlaces } from './suggest-places.ts'

/** What was found in a document, and the beginning of a description. */
export interface Draft {
  definition: Record<string, unknown>
  found: { part: DescribedPart; path: string; method: string }[]
  /** What the document did not tell. */
  open: string[]
}

const words: readonly [DescribedPart, RegExp][] = [
  ['orders', /(^|[/_-])(sales[_-]?)?(orders?|sales|commandes?|bestellungen)$/i],
  ['products', /(^|[/_-])(products?|articles?|goods|artikel)$/i],
  ['inventory', /(^|[/_-])(inventory|stocks?|levels|stock[_-]?levels)$/i],
]

const maxPaths = 5000

/** A beginning, not a guess that somebody would rely on: whoever imports it tries it next. */
export function draftFromOpenApi(document: Record<string, unknown>): Draft {
  const paths = isFields(document['paths']) ? Object.keys(document['paths']).slice(0, maxPaths) : []
  const found = words.flatMap(([part, pattern]) => {
    const path = paths
      .filter((one) => !one.includes('{') && pattern.test(one.replace(/\/$/, '')) && lists(document, one))
      .sort((a, b) => a.length - b.length)[0]
    return path === undefined ? [] : [{ part, path, method: 'GET' }]
  })
  const { origin, base } = originIn(document)
  const definition = {
    origin: { ...origin, ...(base && { base_path: base }) },
    auth: authIn(document),
    ...Object.fromEntries(found.map(({ part, path }) => [part, partFrom(document, paths, part, path)])),
  }
  const missing = (['orders', 'products', 'inventory'] as const).filter(
    (part) => !found.some((one) => one.part === part),
  )
  return {
    definition,
    found,
    open: [
      ...missing.map((part) => `No list of the document looks like ${part}.`),
      ...(found.some(({ part }) => part === 'orders')
        ? ['Which word of the service is which status of an order.']
        : []),
      ...(isFields(document['paths']) ? [] : ['The document has no paths: is it an OpenAPI document?']),
    ],
  }
}

const at = (value: unknown, ...names: string[]): unknown =>
  names.reduce<unknown>(
    (inner, name) => (isFields(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    value,
  )

const lists = (document: Record<string, unknown>, path: string) => at(document, 'paths', path, 'get') !== undefined

function originIn(document: Record<string, unknown>) {
  const servers = document['servers']
  const url = at(Array.isArray(servers) ? servers[0] : undefined, 'url')
  if (typeof url !== 'string' || !URL.canParse(url)) return { origin: { from: 'setting' }, base: '' }
  const { origin, pathname } = new URL(url)
  return { origin: { from: 'fixed', address: origin }, base: pathname.replace(/\/+$/, '') }
}

function authIn(document: Record<string, unknown>): Record<string, string> {
  const schemes = at(document, 'components', 'securitySchemes')
  for (const scheme of isFields(schemes) ? Object.values(schemes) : []) {
    const [type, where, name, kind] = ['type', 'in', 'name', 'scheme'].map((key) => at(scheme, key))
    if (type === 'apiKey' && typeof name === 'string' && (where === 'header' || where === 'query')) {
      return { kind: where, name }
    }
    if (type === 'http' && (kind === 'bearer' || kind === 'basic')) return { kind }
  }
  return { kind: 'none' }
}

const maxDepth = 8

/** A schema with its references followed, as a record that has an example of each. */
function exampleOf(document: Record<string, unknown>, schema: unknown, depth = 0): unknown {
  const { $ref, example, type, format, items, properties, allOf, enum: words } = Object(schema)
  if (depth > maxDepth) return null
  if (typeof $ref === 'string')
    return exampleOf(document, at(document, ...$ref.replace(/^#\//, '').split('/')), depth + 1)
  if (example !== undefined) return example
  if (Array.isArray(allOf)) return Object.assign({}, ...allOf.map((one) => exampleOf(document, one, depth + 1)))
  if (type === 'array') return [exampleOf(document, items, depth + 1)]
  if (isFields(properties)) {
    return Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [name, exampleOf(document, inner, depth + 1)]),
    )
  }
  if (Array.isArray(words)) return words[0]
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return true
  return format === 'date-time' ? '2026-01-01T00:00:00Z' : format === 'email' ? 'a@example.com' : 'EUR'
}

function answerOf(document: Record<string, unknown>, path: string): unknown {
  const responses = at(document, 'paths', path, 'get', 'responses')
  const ok = at(responses, '200') ?? at(responses, 'default')
  const schema = at(ok, 'content', 'application/json', 'schema') ?? at(ok, 'schema')
  return schema === undefined ? null : exampleOf(document, schema)
}

function partFrom(document: Record<string, unknown>, paths: readonly string[], part: DescribedPart, path: string) {
  const answer = answerOf(document, path)
  const items = Array.isArray(answer)
    ? undefined
    : Object.entries(isFields(answer) ? answer : {}).find(([, value]) => Array.isArray(value))?.[0]
  const list = Array.isArray(answer) ? answer : at(answer, items ?? '')
  const sample = Array.isArray(list) ? list[0] : null
  const rules: Record<string, unknown> = {
    list: { path, ...(items !== undefined && { items }), paging: pagingOf(document, path) },
  }
  const one = paths.find(
    (other) => other.startsWith(`${path.replace(/\/$/, '')}/{`) && /^[^{]*\{[^}]+\}\/?$/.test(other),
  )
  if (one !== undefined && part !== 'inventory') rules['get'] = { path: one.replace(/\{[^}]+\}/, '{id}') }
  for (const { field, place, value } of suggestPlaces(part, sample)) put(rules, field, value ?? place)
  return rules
}

function put(tree: Record<string, unknown>, path: string, value: unknown): void {
  const [name = '', ...rest] = path.split('.')
  if (rest.length === 0) {
    tree[name] = value
    return
  }
  const inner: Record<string, unknown> = { ...Object(tree[name]) }
  put(inner, rest.join('.'), value)
  tree[name] = inner
}

/** By the names of its parameters. */
function pagingOf(document: Record<string, unknown>, path: string): Record<string, unknown> {
  const parameters = at(document, 'paths', path, 'get', 'parameters')
  const names = (Array.isArray(parameters) ? parameters : []).flatMap((one) => {
    const name = at(one, 'name') ?? at(exampleParameter(document, one), 'name')
    return typeof name === 'string' ? [name] : []
  })
  const named = (pattern: RegExp) => names.find((name) => pattern.test(name))
  const size = named(/^(limit|per_page|page_size|pageSize|size|take|page\[size\])$/)
  const sized = size === undefined ? {} : { size_parameter: size }
  const page = named(/^(page|page_number|page\[number\])$/)
  if (page !== undefined) return { style: 'page', parameter: page, ...sized }
  const offset = named(/^(offset|skip|start)$/)
  if (offset !== undefined) return { style: 'offset', parameter: offset, ...sized }
  return { style: 'none' }
}

function exampleParameter(document: Record<string, unknown>, parameter: unknown): unknown {
  const reference = at(parameter, '$ref')
  return typeof reference === 'string' ? at(document, ...reference.replace(/^#\//, '').split('/')) : parameter
}
