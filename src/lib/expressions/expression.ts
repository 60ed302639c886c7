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
const maxSteps = 40_000

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
  remember(node)
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
let isShared = false

function spend(cost: number): void {
  steps += cost
  if (steps > maxSteps) throw new TypeError('The expression takes too long on this record.')
}

/** What goes through all that it is given, however deep: it costs what that holds, and is charged before it begins. */
const thorough = new Set(['contains', 'from_items', 'group_by', 'items', 'max_by', 'merge', 'min_by', 'reverse'])
/** Sorting looks at each a dozen times. */
const sorting = new Set(['sort', 'sort_by'])
const sortedTimes = 12
const textCost = 1 / 16
const callCost = 3

/** Arguments by what is done with them. */
const costly = new WeakMap<object, number>()

function remember(node: { type: string; name?: unknown; children?: unknown }): void {
  const name = String(node.name)
  const times = sorting.has(name) ? sortedTimes : thorough.has(name) || name === 'to_string' ? 1 : 0
  const isCostly = node.type === 'Comparator' || (node.type === 'Function' && times > 0)
  for (const child of isCostly && Array.isArray(node.children) ? node.children : []) {
    if (typeof child === 'object' && child !== null) costly.set(child, Math.max(1, times))
  }
}

/** What a value holds, as far as anybody can still pay for it. */
function sizeOf(value: unknown, times: number): number {
  let size = 0
  const waiting = [value]
  while (waiting.length > 0 && steps + size * times <= maxSteps) {
    const next = waiting.pop()
    size += typeof next === 'string' ? 1 + next.length * textCost : 1
    if (typeof next !== 'object' || next === null) continue
    const inner = Object.values(next)
    if (inner.length > maxSteps) return inner.length
    for (const one of inner) waiting.push(one)
  }
  return size
}

/** What came of a step was made: a list or an object with all that is in it, a text with its letters. */
function costOf(result: unknown): number {
  if (typeof result === 'string') return 1 + result.length * textCost
  return Array.isArray(result) ? 1 + result.length : 1
}

const unbounded = TreeInterpreter.visit.bind(TreeInterpreter)
/** The library goes through this for every step, those of its functions among them. */
TreeInterpreter.visit = (node, value) => {
  const result = unbounded(node, value)
  const times = costly.get(node)
  if (node.type === 'Function') spend(callCost)
  spend(times === undefined ? costOf(result) : times * sizeOf(result, times))
  return result
}

/** Whatever is asked of one record has the steps of one expression, all together. */
export function asOneRecord<T>(record: unknown, work: () => T): T {
  if (isShared) return work()
  weigh(record, { characters: Number.POSITIVE_INFINITY })
  steps = 0
  isShared = true
  try {
    return work()
  } finally {
    isShared = false
  }
}

/** What the expression selects; null where there is nothing. A TypeError for a record that it cannot be asked of. */
export function evaluate({ source, tree }: Expression, record: unknown): unknown {
  weigh(record)
  if (!isShared) steps = 0
  try {
    return TreeInterpreter.search(tree, record as JSONValue)
  } catch (error) {
    if (error instanceof TypeError) throw error
    const why = error instanceof Error ? error.message.slice(0, 200) : 'it failed'
    throw new TypeError(`The expression "${source.slice(0, 100)}" does not fit the record: ${why}`)
  }
}
