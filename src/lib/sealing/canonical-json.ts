/**
 * JSON with the names of each object in PostgreSQL's own order for jsonb (shorter ones first), so that the same content is
 * the same text, and reads as it would from a column of that type.
 */
export const canonicalJson = (value: unknown): string => JSON.stringify(inOrder(value)) ?? 'null'

/** The same value, with its names in that order. */
export function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(inOrder)
  const names = Object.keys(value)
  const fields = new Map(Object.entries(value))
  return Object.fromEntries(orderOf(names).map((name) => [name, inOrder(fields.get(name))]))
}

/** Records of one kind have the same names: each order is found once. */
const orders = new Map<string, readonly string[]>()
const maxOrders = 2000

function orderOf(names: readonly string[]): readonly string[] {
  const together = JSON.stringify(names)
  const known = orders.get(together)
  if (known) return known
  const order = [...names].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  if (orders.size < maxOrders) orders.set(together, order)
  return order
}
