import { Ajv, type ValidateFunction } from 'ajv'
import type { VendorSpecification } from './checker.ts'
import { type Checker, field, isNews, type Json, queryOf, strip } from './checker.ts'

type Specification = Extract<VendorSpecification, { kind: 'openapi' }>

/** Parameters, bodies and answers, against OpenAPI 3 or Swagger 2. */
/** Bounds that leave themselves out are a flag beside the bound in OpenAPI 3.0, and the bound itself in JSON Schema. */
function modern(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(modern)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(
    ([name, flag]) => !(/^exclusiveM/.test(name) && typeof flag === 'boolean'),
  )
  return Object.fromEntries(entries.map(([name, inner]) => [name, modern(inner)]))
}

export function openApiChecker(given: Json, { file, base, wrong = [] }: Specification): Checker {
  const document = modern(given) as Json
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

  const fresh = (problems: readonly string[]) => problems.filter(isNews(wrong))
  // What comes as text may mean a number or a list of one; as it stands it may fit already.
  const complaintsOfText = (pointer: string, value: unknown) =>
    complaints(ajv, pointer, value).length === 0 ? [] : complaints(loose, pointer, value)

  const check: Checker = ({ url, request }, answer) => {
    const rest = strip(new URL(url).pathname, base)
    if (rest === null) return null
    const method = request.method.toLowerCase()
    const found = best(paths.filter(([template, item]) => matches(template, rest) && item[method] !== undefined))
    if (!found) return fresh([`${request.method} ${rest} is not in ${file}`])
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
    return fresh(problems)
  }
  return check
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
