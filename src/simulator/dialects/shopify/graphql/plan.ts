import {
  type Arguments,
  type Directive,
  type DocumentNode,
  graphqlError,
  type OperationNode,
  type Selection,
  type Value,
} from './document.ts'
import type { Args, Field, ObjectType } from './types.ts'

/** A query, checked against the types and ready to run on any number of objects. */
export interface Plan {
  type: ObjectType
  steps: readonly Step[]
}

export interface Step {
  alias: string
  /** Null is `__typename`. */
  field: Field | null
  name: string
  args: Args
  directives: Readonly<Record<string, Args>>
  plan: Plan | null
}

interface Reading {
  document: DocumentNode
  variables: Args
}

export function planOf(
  document: DocumentNode,
  operation: OperationNode,
  given: Args,
  types: { query: ObjectType; mutation: ObjectType },
): Plan {
  const variables: Record<string, unknown> = {}
  for (const { name, required, fallback } of operation.variables) {
    const value = given[name] ?? (fallback ? evaluate(fallback, {}) : null)
    if (required && value === null) {
      throw graphqlError(`Variable $${name} of required type was provided invalid value`, 'INVALID_VARIABLE')
    }
    variables[name] = value
  }
  return planFor(types[operation.type], operation.selections, { document, variables })
}

function planFor(type: ObjectType, selections: readonly Selection[], reading: Reading): Plan {
  const steps = new Map<string, Step>()
  for (const selection of selections) {
    for (const step of stepsOf(type, selection, reading)) {
      const known = steps.get(step.alias)
      // The same field asked for twice, such as by two fragments, is one field with the parts of both.
      steps.set(step.alias, known?.plan && step.plan ? { ...step, plan: merge(known.plan, step.plan) } : step)
    }
  }
  return { type, steps: [...steps.values()] }
}

const merge = (a: Plan, b: Plan): Plan => {
  const steps = new Map(a.steps.map((step) => [step.alias, step]))
  for (const step of b.steps) steps.set(step.alias, step)
  return { type: a.type, steps: [...steps.values()] }
}

function stepsOf(type: ObjectType, selection: Selection, reading: Reading): readonly Step[] {
  if (!isWanted(selection.directives, reading.variables)) return []
  if (selection.kind === 'inline') return planFor(type, selection.selections, reading).steps
  if (selection.kind === 'spread') {
    const fragment = reading.document.fragments.get(selection.fragment)
    if (!fragment)
      throw graphqlError(`Fragment ${selection.fragment} was used, but not defined`, 'useAndDefineFragment')
    if (fragment.type !== type.name && fragment.type !== 'Node') {
      throw graphqlError(`Fragment ${selection.fragment} on ${fragment.type} can't be spread inside ${type.name}`)
    }
    return planFor(type, fragment.selections, reading).steps
  }
  const { alias, name, directives } = selection
  const args = argsOf(selection.arguments, reading.variables)
  const named = Object.fromEntries(directives.map((one) => [one.name, argsOf(one.arguments, reading.variables)]))
  if (name === '__typename') return [{ alias, field: null, name, args, directives: named, plan: null }]
  const field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined
  if (!field) throw graphqlError(`Field '${name}' doesn't exist on type '${type.name}'`)
  if (field.type && selection.selections.length === 0) {
    throw graphqlError(`Field must have selections (field '${name}' returns ${field.type().name})`, 'selectionMismatch')
  }
  const plan = field.type ? planFor(field.type(), selection.selections, reading) : null
  return [{ alias, field, name, args, directives: named, plan }]
}

function isWanted(directives: readonly Directive[], variables: Args): boolean {
  return directives.every(({ name, arguments: given }) => {
    const condition = argsOf(given, variables)['if']
    return name === 'skip' ? condition !== true : name === 'include' ? condition === true : true
  })
}

const argsOf = (given: Arguments, variables: Args): Args =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, evaluate(value, variables)]))

function evaluate(value: Value, variables: Args): unknown {
  switch (value.kind) {
    case 'literal':
      return value.value
    case 'variable':
      return variables[value.name] ?? null
    case 'list':
      return value.items.map((item) => evaluate(item, variables))
    case 'object':
      return argsOf(value.fields, variables)
  }
}
