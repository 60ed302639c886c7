import { hash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import { buildClientSchema, buildSchema, type GraphQLSchema, parse, validate } from 'graphql'
import { parse as parseYaml } from 'yaml'
import type { RemoteAnswer } from '../../src/commerce/remote.ts'
import type { StandCall, VendorSpecification } from '../../src/commerce/stand.ts'

/**
 * Requests and answers held against the platforms' own specifications. These files are not ours to give away: they lie
 * beside the project, and where they are missing the tests that need them say so.
 */
export const specificationsFolder = resolve(
  process.env['PLATFORM_SPECS'] ?? join(import.meta.dirname, '../../../shared/platform-specs'),
)

export const hasSpecifications = existsSync(specificationsFolder)

export const noSpecifications = 'the official specifications are not here (PLATFORM_SPECS)'

export const readSpecification = (file: string): string => readFileSync(join(specificationsFolder, file), 'utf8')

/** An official sample, parsed. */
export const readSample = (file: string): unknown => JSON.parse(readSpecification(file))

/** What is wrong with one exchange; null if the specification is not about it. */
export type Checker = (call: StandCall, answer: RemoteAnswer) => string[] | null

const checkers = new Map<string, Checker>()

export function checkerOf(specification: VendorSpecification): Checker {
  const { kind, file } = specification
  const about = kind === 'graphql' ? specification.path : specification.base
  const key = JSON.stringify([kind, file, String(about)])
  const known = checkers.get(key)
  if (known) return known
  const made = make(specification)
  checkers.set(key, made)
  return made
}

function make(specification: VendorSpecification): Checker {
  if (specification.kind === 'openapi') return openApiChecker(specification)
  if (specification.kind === 'graphql') return graphqlChecker(specification)
  return specification.kind === 'wordpress' ? wordpressChecker(specification) : recordsChecker(specification)
}

/* GraphQL -------------------------------------------------------------------------------------------------------- */

export function readGraphqlSchema(file: string): GraphQLSchema {
  const source = readSpecification(file)
  // A platform's schema may break rules that are younger than it is; documents are held against it all the same.
  if (!file.endsWith('.json')) return buildSchema(source, { assumeValid: true, assumeValidSDL: true })
  const introspection = JSON.parse(source)
  return buildClientSchema(introspection.data ?? introspection, { assumeValid: true })
}

function graphqlChecker({ file, path }: Extract<VendorSpecification, { kind: 'graphql' }>): Checker {
  const schema = readGraphqlSchema(file)
  const seen = new Map<string, string[]>()
  return ({ url, request: { body } }) => {
    const { pathname } = new URL(url)
    if (typeof path === 'string' ? pathname !== path : !path.test(pathname)) return null
    const query = field(body, 'query')
    if (typeof query !== 'string') return ['the body has no query']
    const known = seen.get(query)
    if (known) return known
    const errors = validate(schema, parse(query)).map(({ message }) => message)
    seen.set(query, errors)
    return errors
  }
}

/* OpenAPI 3 and Swagger 2 ---------------------------------------------------------------------------------------- */

type Json = Record<string, unknown>

/** The largest YAML takes seconds to parse, so what came of it is kept beside other temporary files. */
function readDocument(file: string): Json {
  const source = readSpecification(file)
  if (file.endsWith('.json')) return JSON.parse(source) as Json
  const kept = join(tmpdir(), `entrepot-specification-${hash('sha256', source, 'hex').slice(0, 32)}.json`)
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as Json
  const document = parseYaml(source, { maxAliasCount: -1 }) as Json
  // Moved into place as a whole: other processes may be looking for it.
  const draft = `${kept}.${process.pid}`
  writeFileSync(draft, JSON.stringify(document))
  renameSync(draft, kept)
  return document
}

function openApiChecker({ file, base, wrong = [] }: Extract<VendorSpecification, { kind: 'openapi' }>): Checker {
  const document = readDocument(file)
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true, coerceTypes: false, logger: false })
  const loose = new Ajv({ strict: false, validateFormats: false, allErrors: true, coerceTypes: 'array', logger: false })
  for (const one of [ajv, loose]) one.addSchema(document, 'document', true, false)
  const compiled = new Map<string, ValidateFunction>()
  const complaints = (by: Ajv, pointer: string, value: unknown): string[] => {
    const key = `${by === loose} ${pointer}`
    const check = compiled.get(key) ?? by.compile({ $ref: `document#${pointer}` })
    compiled.set(key, check)
    if (check(value)) return []
    return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
  const paths = Object.entries((document['paths'] ?? {}) as Record<string, Json>)

  const told = (problems: readonly string[]) =>
    problems.filter((problem) => !wrong.some(({ report }) => report.test(problem)))
  // What comes as text may mean a number or a list of one; as it stands it may fit already.
  const complaintsOfText = (pointer: string, value: unknown) =>
    complaints(ajv, pointer, value).length === 0 ? [] : complaints(loose, pointer, value)

  const check: Checker = ({ url, request }, answer) => {
    const rest = strip(new URL(url).pathname, base)
    if (rest === null) return null
    const method = request.method.toLowerCase()
    const found = best(paths.filter(([template, item]) => matches(template, rest) && item[method] !== undefined))
    if (!found) return told([`${request.method} ${rest} is not in ${file}`])
    const [template, item] = found
    const operation = item[method] as Json
    const at = `/paths/${escapePointer(template)}/${method}`
    const named = `${request.method} ${template}`
    const parameters = [
      ...parametersOf(document, item, `/paths/${escapePointer(template)}`),
      ...parametersOf(document, operation, at),
    ]
    const problems: string[] = []
    const query = queryOf(url, request.query)
    const known = new Map(
      parameters.filter(({ value }) => value['in'] === 'query').map((one) => [one.value['name'], one]),
    )
    for (const [name, given] of nested(query, (name) => known.has(name))) {
      const parameter = known.get(name) ?? known.get(`${name}[]`)
      if (!parameter) problems.push(`${named}: the parameter ${name} is unknown`)
      else if (parameter.value['schema']) {
        problems.push(
          ...complaintsOfText(`${parameter.pointer}/schema`, given).map((text) => `${named}: ${name}${text}`),
        )
      }
    }
    for (const { value } of parameters) {
      if (value['required'] !== true || value['in'] !== 'query') continue
      if (!query.has(String(value['name']))) problems.push(`${named}: the parameter ${value['name']} is missing`)
    }
    const body = bodySchema(document, operation, at, parameters)
    if (request.body !== undefined && typeof request.body !== 'string') {
      if (body) problems.push(...complaints(ajv, body, request.body).map((text) => `${named}: body${text}`))
      else problems.push(`${named}: takes no JSON body`)
    }
    const reply = answerSchema(document, operation, at, answer.status)
    if (reply && typeof answer.body === 'object' && answer.body !== null && answer.status < 300) {
      problems.push(...complaints(ajv, reply, answer.body).map((text) => `${named}: answer${text}`))
    }
    return told(problems)
  }
  return check
}

/* A JSON Schema of records ---------------------------------------------------------------------------------------- */

/** Lists that were asked for in full; what was written is no JSON, and lists of a few fields are no records. */
function recordsChecker(specification: Extract<VendorSpecification, { kind: 'records' }>): Checker {
  const { file, base, records, wrong = [] } = specification
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true, logger: false })
  ajv.addSchema(JSON.parse(readSpecification(file)) as Json, 'document', true, false)
  const checks = new Map(
    Object.entries(records).map(([list, name]) => [list, ajv.compile({ $ref: `document#/definitions/${name}` })]),
  )
  return ({ url, request: { method, query = {} } }, answer) => {
    const rest = strip(new URL(url).pathname, base)
    if (rest === null || method !== 'GET' || query['display'] !== 'full') return null
    const list = rest.slice(1)
    const check = checks.get(list)
    const rows = field(answer.body, list)
    if (!check || !Array.isArray(rows)) return null
    return rows.flatMap((row: unknown) => complaintsOf(check, row, list)).filter(isNews(wrong))
  }
}

/* The index of a WordPress site ---------------------------------------------------------------------------------- */

interface WordpressRoute {
  endpoints: readonly { methods: readonly string[]; args: Record<string, Json> }[]
}

function wordpressChecker({ file, base, wrong = [] }: Extract<VendorSpecification, { kind: 'wordpress' }>): Checker {
  const { namespace, routes } = JSON.parse(readSpecification(file)) as {
    namespace: string
    routes: Record<string, WordpressRoute>
  }
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true, logger: false })
  const loose = new Ajv({ strict: false, validateFormats: false, allErrors: true, coerceTypes: 'array', logger: false })
  const compiled = new Map<string, ValidateFunction>()
  const compile = (by: Ajv, key: string, args: Record<string, Json>): ValidateFunction => {
    const check = compiled.get(key) ?? by.compile(schemaOfArguments(args))
    compiled.set(key, check)
    return check
  }
  const known = Object.entries(routes).map(([route, { endpoints }]) => ({
    route: route.slice(namespace.length + 1),
    // Named groups are written as PHP has them.
    pattern: new RegExp(`^${route.slice(namespace.length + 1).replaceAll('(?P<', '(?<')}$`),
    endpoints,
  }))
  return ({ url, request: { method, query, body } }) => {
    const rest = strip(new URL(url).pathname, base)
    if (rest === null) return null
    const found = known.find(({ pattern }) => pattern.test(rest))
    const name = `${method} ${found?.route.replace(/\(\?P<(\w+)>[^)]*\)/g, '{$1}') ?? rest}`
    const endpoint = found?.endpoints.find(({ methods }) => methods.includes(method))
    if (!found || !endpoint) return [`${name} is not in ${file}`].filter(isNews(wrong))
    const given = Object.fromEntries(queryOf(url, query))
    const check = compile(loose, `query ${name}`, endpoint.args)
    const problems = [...complaintsOf(check, given, `${name}: query`)]
    if (body !== undefined) {
      problems.push(...complaintsOf(compile(ajv, `body ${name}`, endpoint.args), body, `${name}: body`))
    }
    // What is in the address or in the body need not be in the query.
    return problems.filter((problem) => !/: query must have required/.test(problem)).filter(isNews(wrong))
  }
}

const isNews = (wrong: readonly { report: RegExp }[]) => (problem: string) =>
  !wrong.some(({ report }) => report.test(problem))

function complaintsOf(check: ValidateFunction, value: unknown, named: string): string[] {
  if (check(structuredClone(value))) return []
  return (check.errors ?? []).map(({ instancePath, message, params }) => {
    const extra = field(params, 'additionalProperty')
    return `${named}${instancePath} ${extra === undefined ? message : `knows no ${String(extra)}`}`
  })
}

/** Arguments there say "required" one by one, and call some texts by what is in them. */
function schemaOfArguments(args: Record<string, Json>): Json {
  const required = Object.keys(args).filter((name) => args[name]?.['required'] === true)
  return { type: 'object', properties: schemasOf(args), required, additionalProperties: false }
}

const schemasOf = (args: Record<string, Json>): Json =>
  Object.fromEntries(Object.entries(args).map(([name, argument]) => [name, schemaOfArgument(argument)]))

function schemaOfArgument({ type, enum: choices, items, properties }: Json): Json {
  const plain = ['string', 'integer', 'number', 'boolean', 'array', 'object']
  return {
    ...(type === 'date-time' ? { type: 'string' } : plain.includes(String(type)) ? { type } : {}),
    ...(Array.isArray(choices) ? { enum: choices } : {}),
    ...(items ? { items: schemaOfArgument(items as Json) } : {}),
    ...(properties ? { properties: schemasOf(properties as Record<string, Json>) } : {}),
  }
}

function strip(path: string, base: string | RegExp): string | null {
  const found = typeof base === 'string' ? (path.startsWith(base) ? base : null) : (base.exec(path)?.[0] ?? null)
  if (found === null || !path.startsWith(found)) return null
  const rest = path.slice(found.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

const matches = (template: string, path: string): boolean => {
  const wanted = template.replace(/\/$/, '').split('/')
  const given = path.replace(/\/$/, '').split('/')
  return wanted.length === given.length && wanted.every((part, n) => part.includes('{') || part === given[n])
}

/** The one with the fewest parameters: `/orders/count` is no order. */
const best = <T>(found: [string, T][]): [string, T] | undefined =>
  found.sort(([a], [b]) => a.split('{').length - b.split('{').length)[0]

const escapePointer = (text: string) => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Json)[name] : undefined

interface Located {
  value: Json
  pointer: string
}

/** Follows a reference, as long as it is one. */
function locate(document: Json, value: Json, pointer: string): Located {
  const reference = value['$ref']
  if (typeof reference !== 'string' || !reference.startsWith('#')) return { value, pointer }
  const parts = reference.slice(2).split('/')
  let target: unknown = document
  for (const part of parts) target = field(target, decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
  return locate(document, target as Json, reference.slice(1))
}

const parametersOf = (document: Json, holder: Json, at: string): Located[] =>
  ((holder['parameters'] ?? []) as Json[]).map((value, n) => locate(document, value, `${at}/parameters/${n}`))

function bodySchema(document: Json, operation: Json, at: string, parameters: readonly Located[]): string | null {
  const inBody = parameters.find(({ value }) => value['in'] === 'body')
  if (inBody) return `${inBody.pointer}/schema`
  const holder = field(operation, 'requestBody') as Json | undefined
  if (!holder) return null
  const { value, pointer } = locate(document, holder, `${at}/requestBody`)
  return jsonContent(value, pointer)
}

function answerSchema(document: Json, operation: Json, at: string, status: number): string | null {
  const responses = (operation['responses'] ?? {}) as Json
  const name = [String(status), `${String(status)[0]}XX`, 'default'].find((one) => responses[one] !== undefined)
  if (!name) return null
  const { value, pointer } = locate(document, responses[name] as Json, `${at}/responses/${name}`)
  return value['schema'] ? `${pointer}/schema` : jsonContent(value, pointer)
}

function jsonContent(value: Json, pointer: string): string | null {
  const content = (value['content'] ?? {}) as Record<string, Json>
  const type = Object.keys(content).find((one) => /json|\*\/\*/.test(one))
  return type && content[type]?.['schema'] ? `${pointer}/content/${escapePointer(type)}/schema` : null
}

/** `updated_at[$gte]=…` is a field of an object, `status[]=…` a list: of a parameter that is known by its first name. */
function nested(query: ReadonlyMap<string, unknown>, isKnown: (name: string) => boolean): Map<string, unknown> {
  const given = new Map<string, unknown>()
  for (const [name, value] of query) {
    const [, first = name, inner] = /^([^[]+)\[([^\]]*)\]$/.exec(name) ?? []
    if (inner === undefined || isKnown(name) || !isKnown(first)) given.set(name, value)
    else given.set(first, inner === '' ? value : { ...(given.get(first) as Json | undefined), [inner]: value })
  }
  return given
}

function queryOf(url: string, query: StandCall['request']['query'] = {}): Map<string, unknown> {
  const given = new Map<string, unknown>(new URL(url).searchParams)
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) given.set(name, value)
  }
  return given
}
