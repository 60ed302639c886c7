import { type GraphQLSchema, parse, validate } from 'graphql'
import { type Checker, field } from './checker.ts'

/** Documents that are sent, against the schema. */
export function graphqlChecker(schema: GraphQLSchema, path: string | RegExp): Checker {
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
