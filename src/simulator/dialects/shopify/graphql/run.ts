import type { Plan, Step } from './plan.ts'

/**
 * What a query is charged before it runs: an object is a point, a list in parts costs with the logarithm of how many are
 * asked for. Not the platform's true formula, but of its kind: deep and wide is dear.
 */
export function costOf({ steps }: Plan): number {
  let cost = 0
  for (const { field, args, plan } of steps) {
    if (!plan) continue
    const below = costOf(plan)
    const first = typeof args['first'] === 'number' ? args['first'] : 10
    cost += field?.connection ? 2 + Math.ceil((Math.log2(first + 1) / 2) * Math.max(1, below)) : 1 + below
  }
  return cost
}

export interface Ran {
  data: Record<string, unknown>
  /** How many objects were told of, which is what it really cost. */
  objects: number
}

export function run(plan: Plan, root: (step: Step) => unknown): Ran {
  let objects = 0

  function tell(below: Plan, source: unknown): Record<string, unknown> {
    objects++
    const told: Record<string, unknown> = {}
    for (const step of below.steps) told[step.alias] = completed(below, step, step.field?.resolve(source, step.args))
    return told
  }
  function completed({ type }: Plan, { field, plan: inner }: Step, value: unknown): unknown {
    if (!field) return type.name
    if (!inner || value === null || value === undefined) return value ?? null
    return Array.isArray(value) ? value.map((item) => tell(inner, item)) : tell(inner, value)
  }

  const data: Record<string, unknown> = {}
  for (const step of plan.steps) data[step.alias] = completed(plan, step, root(step))
  return { data, objects }
}
