import { type Comparison, measureComparison } from './comparison.ts'
import { options, say } from './options.ts'
import type { Row } from './report.ts'
import { withDatabase } from './support/database.ts'

/** What grows with the size of a shop. */

export async function comparison(): Promise<Row[]> {
  const sizes = [100_000, options.large ? 1_000_000 : 300_000]
  const results: Comparison[] = []
  for (const orders of sizes) {
    results.push(await withDatabase((databaseUrl) => measureComparison({ databaseUrl, orders, progress: say })))
  }
  const [small, large] = results
  if (!small || !large) throw new Error('Nothing was compared.')
  const many = large.orders.toLocaleString('en')
  // As much as n·log n may grow, for one of n.
  const allowed = Math.log2(large.orders) / Math.log2(small.orders)
  const growth = large.cost / small.cost
  return [
    {
      measured: `a whole Shopify of ${many} orders held against its copy: processor time an order against one of ${small.orders.toLocaleString('en')}`,
      target: `≤ ${allowed.toFixed(2)}`,
      result: growth.toFixed(2),
      absolute: `${large.cost.toFixed(0)} µs of worker and PostgreSQL against ${small.cost.toFixed(0)} µs; ${large.seconds.toFixed(0)} s by the clock`,
      pass: growth <= allowed,
    },
    {
      measured: 'memory of the worker that does so, at most',
      target: '≤ 300 MB',
      result: `${large.megabytes} MB`,
      absolute: `${large.grown} MB more than before`,
      pass: large.megabytes <= 300,
    },
  ]
}
