import { Ajv, type ValidateFunction } from 'ajv'
import type { VendorSpecification } from './checker.ts'
import { type Checker, complaintsOf, isNews, type Json, queryOf, strip } from './checker.ts'

type Specification = Extract<VendorSpecification, { kind: 'wordpress' }>

/** What a WordPress site tells of its own routes. */
export interface WordpressIndex {
  namespace: string
  routes: Record<string, WordpressRoute>
}

interface WordpressRoute {
  endpoints: readonly { methods: readonly string[]; args: Record<string, Json> }[]
}

/** Queries and bodies, against the arguments of the routes. */
export function wordpressChecker(
  { namespace, routes }: WordpressIndex,
  { file, base, wrong = [] }: Specification,
): Checker {
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
