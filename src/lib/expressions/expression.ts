import { compile, type JSONValue, TreeInterpreter } from '@jmespath-community/jmespath'
import { weigh } from './weigh.ts'

/**
 * Expressions that strangers write, over records that strangers send: JMESPath, without what could go on for long. There is no
 * way to look from an element back at the whole (`$`, `let`), no function that makes much of little, and every step is
 * counted: the bound is the same on a busy machine as on an idle one, which a clock's would not be.
 */

type Compiled = ReturnType<typeof compile>

export interface Expression {
  readonly source: string
  readonly tree: Compiled
}

const maxLength = 500
const maxDepth = 40
const maxSteps = 100_000

/** What may be called. Missing are those whose result can be far larger than what they are given. */
export const expressionFunctions = [
  ...['abs', 'avg', 'ceil', 'contains', 'ends_with', 'find_first', 'find_last', 'floor', 'from_items', 'group_by'],
  ...['items', 'join', 'keys', 'length', 'lower', 'map', 'max', 'max_by', 'merge', 'min', 'min_by', 'not_null'],
  ...['reverse', 'sort', 'sort_by', 'split', 'starts_with', 'sum', 'to_array', 'to_number', 'to_string', 'trim'],
  ...['trim_left', 'trim_right', 'type', 'upper', 'values'],
]
const functions = new Set(expressionFunctions)

/** What every object has without anybody having put it there. */
const inherited = new Set(Object.getOwnPropertyNames(Object.prototype))

/** The expression, or a sentence that says what is wrong with it. */
export function readExpression(source: string): Expression | string {
  if (source.length > maxLength) return `must not be greater than ${maxLength} characters`
  try {
    const tree = compile(source)
    const wrong = objection(tree, 0)
    return wrong ?? { source, tree }
  } catch (error) {
    return `is no JMESPath expression: ${error instanceof Error ? error.message.slice(0, 200) : 'unreadable'}`
  }
}

/** Whether a value of the tree is a part of it, and not a literal of the expression. */
const isNode = (value: unknown): value is { type: string; name?: unknown; children?: unknown } =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

function objection(node: unknown, depth: number): string | null {
  if (depth > maxDepth) return `must not be nested deeper than ${maxDepth}`
  if (Array.isArray(node)) return firstOf(node, depth)
  if (!isNode(node) || node.type === 'Literal') return null
  if (['LetExpression', 'Binding', 'Variable', 'Root'].includes(node.type)) return 'must not use let or $'
  if (node.type === 'Field' && inherited.has(String(node.name))) return `must not ask for "${node.name}"`
  if (node.type === 'Function') {
    const name = String(node.name)
    if (!functions.has(name)) return `must not call ${name}; allowed are ${expressionFunctions.join(', ')}`
    const [glue] = Array.isArray(node.children) ? node.children : []
    if (name === 'join' && !(isNode(glue) && glue.type === 'Literal')) return 'must join with a constant'
  }
  return firstOf(Object.values(node), depth)
}

const firstOf = (nodes: readonly unknown[], depth: number): string | null =>
  nodes.reduce<string | null>((found, node) => found ?? objection(node, depth + 1), null)

let steps = 0

const unbounded = TreeInterpreter.visit.bind(TreeInterpreter)
/** The library goes through this for every step, those of its functions among them. Lists and texts cost what they hold. */
TreeInterpreter.visit = (node, value) => {
  const result = unbounded(node, value)
  steps += Array.isArray(result) ? 1 + result.length : typeof result === 'string' ? 1 + result.length / 64 : 1
  if (steps > maxSteps) throw new TypeError('The expression takes too long on this record.')
  return result
}

/** What the expression selects; null where there is nothing. A TypeError for a record that it cannot be asked of. */
export function evaluate({ source, tree }: Expression, record: unknown): unknown {
  weigh(record)
  steps = 0
  try {
    return TreeInterpreter.search(tree, record as JSONValue)
  } catch (error) {
    if (error instanceof TypeError) throw error
    const why = error instanceof Error ? error.message.slice(0, 200) : 'it failed'
    throw new TypeError(`The expression "${source.slice(0, 100)}" does not fit the record: ${why}`)
  }
}
