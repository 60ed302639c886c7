import { type DocumentNode, type FieldNode, Kind, type OperationDefinitionNode, parse, validate } from 'graphql'
import { sumOf } from '../../amounts.ts'
import { type Fields, fieldsOf } from '../../json.ts'
import { schema } from './schema.ts'

/** A text that was sent, read and held against the schema: once, however often it comes. */
export interface Read {
  document: DocumentNode
  operations: readonly OperationDefinitionNode[]
  /** What is wrong with it; nothing may be carried out then. */
  errors: readonly { message: string }[]
}

const read = new Map<string, Read>()
const maxKept = 500

export function readDocument(text: string): Read {
  const known = read.get(text)
  if (known) return known
  const made = make(text)
  if (read.size < maxKept) read.set(text, made)
  return made
}

function make(text: string): Read {
  try {
    const document = parse(text)
    const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION)
    return { document, operations, errors: validate(schema(), document) }
  } catch (error) {
    const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [] }
    return { document, operations: [], errors: [error instanceof Error ? error : new Error(String(error))] }
  }
}

type Selections = OperationDefinitionNode['selectionSet'] | undefined

/** The fields of a selection, without what is not to be included. */
export function fieldsIn(set: Selections, variables: Fields): readonly FieldNode[] {
  return (set?.selections ?? []).flatMap((one) => {
    if (isLeftOut(one, variables)) return []
    if (one.kind === Kind.FIELD) return [one]
    return one.kind === Kind.INLINE_FRAGMENT ? fieldsIn(one.selectionSet, variables) : []
  })
}

const isLeftOut = ({ directives = [] }: Pick<FieldNode, 'directives'>, variables: Fields): boolean =>
  directives.some(({ name, arguments: args }) => {
    const condition = args?.[0] && valueIn(args[0].value, variables)
    return name.value === 'include' ? condition === false : name.value === 'skip' && condition === true
  })

function valueIn(node: NonNullable<FieldNode['arguments']>[number]['value'], variables: Fields): unknown {
  if (node.kind === Kind.VARIABLE) return variables[node.name.value]
  if (node.kind === Kind.BOOLEAN) return node.value
  return node.kind === Kind.INT ? Number(node.value) : null
}

const mutationCost = 10

/**
 * What a question costs: an object is a point, a list costs with the root of how many are asked for. Not the platform's
 * own formula, which it does not tell, but near what it charges. With an answer: what it has cost in the end.
 */
export function costOf(operation: OperationDefinitionNode, variables: Fields, answer: Fields | null = null): number {
  const below = (set: Selections): number => sumOf(fieldsIn(set, variables), (field) => cost(field, null))
  function cost(field: FieldNode, received: unknown): number {
    const { name, selectionSet, arguments: args = [] } = field
    if (!selectionSet || name.value === 'pageInfo') return 0
    const inner = below(selectionSet)
    const parts = fieldsIn(selectionSet, variables).map((one) => one.name.value)
    if (!parts.includes('nodes') && !parts.includes('edges')) return name.value === 'edges' ? inner : 1 + inner
    const first = args.find((one) => one.name.value === 'first')
    const { nodes, edges } = fieldsOf(received)
    const list = nodes ?? edges
    const count = Array.isArray(list) ? list.length : Number(first ? valueIn(first.value, variables) : 0)
    return 2 + Math.ceil(Math.sqrt(count) * inner)
  }
  const roots = fieldsIn(operation.selectionSet, variables)
  if (operation.operation === 'mutation') return mutationCost * roots.length
  const costs = roots.map((field) => cost(field, answer?.[field.alias?.value ?? field.name.value]))
  return sumOf(costs, (one) => one) || 1
}
