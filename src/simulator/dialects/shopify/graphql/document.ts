/** The part of GraphQL that clients of shops use: operations, variables, fragments, directives. No type definitions. */
export type Value =
  | { kind: 'variable'; name: string }
  | { kind: 'literal'; value: string | number | boolean | null }
  | { kind: 'list'; items: readonly Value[] }
  | { kind: 'object'; fields: Readonly<Record<string, Value>> }

export type Arguments = Readonly<Record<string, Value>>

export interface Directive {
  name: string
  arguments: Arguments
}

export interface FieldNode {
  kind: 'field'
  alias: string
  name: string
  arguments: Arguments
  directives: readonly Directive[]
  selections: readonly Selection[]
}

export type Selection =
  | FieldNode
  | { kind: 'spread'; fragment: string; directives: readonly Directive[] }
  | { kind: 'inline'; type: string | null; directives: readonly Directive[]; selections: readonly Selection[] }

export interface OperationNode {
  type: 'query' | 'mutation'
  name: string | null
  variables: readonly { name: string; required: boolean; fallback: Value | null }[]
  selections: readonly Selection[]
}

export interface DocumentNode {
  operations: readonly OperationNode[]
  fragments: ReadonlyMap<string, { type: string; selections: readonly Selection[] }>
}

/** A mistake in the query: told with status 200 and `errors`, as GraphQL does. */
export const graphqlError = (message: string, code = 'undefinedField') =>
  Object.assign(new Error(message), { graphqlCode: code })

export const isGraphqlError = (error: unknown): error is ReturnType<typeof graphqlError> =>
  error instanceof Error && 'graphqlCode' in error
