import { type BesidePaging, measureBesidePaging } from './beside-paging.ts'
import { type Comparison, measureComparison } from './comparison.ts'
import { options, say } from './options.ts'
import type { Row } from './report.ts'
import { measureSecondSync } from './second-sync.ts'
import { withDatabase } from './support/database.ts'
import { median, spread } from './support/statistics.ts'

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

export async function secondSync(): Promise<Row[]> {
  const orders = options.large ? 200_000 : Number(options.orders)
  const rounds = options.large ? 1 : Math.ceil(Number(options.rounds) / 3)
  const { first, incremental, full, cost } = await withDatabase((databaseUrl) =>
    measureSecondSync({ databaseUrl, orders, rounds, progress: say }),
  )
  const row = (measured: string, rates: readonly number[], more: string): Row => {
    const ratios = rates.map((rate, n) => rate / (first[n] ?? Number.NaN))
    const middle = (values: readonly number[]) => Math.round(median([...values])).toLocaleString('en')
    return {
      measured: `${measured}: orders/s against the first sync`,
      target: '≥ 5',
      result: median(ratios).toFixed(1),
      spread: spread(ratios),
      rounds: { values: ratios, better: 'more' },
      absolute: `${middle(rates)}/s against ${middle(first)}/s${more}`,
      pass: median(ratios) >= 5,
    }
  }
  const shop = `an unchanged shop of ${orders.toLocaleString('en')} orders`
  return [
    row(`the second sync of ${shop}`, incremental, ''),
    row('all of it read again', full, `; ${cost.toFixed(0)} µs of worker and PostgreSQL an order`),
  ]
}

const pagedOrders = 5_000_000

export async function besidePaging(): Promise<Row[]> {
  const rounds = Math.ceil(Number(options.rounds) / 3)
  const { limited, unlimited } = await withDatabase((databaseUrl) =>
    measureBesidePaging({ databaseUrl, orders: pagedOrders, rounds, progress: say }),
  )
  const what = `lists of another tenant while one pages ${pagedOrders.toLocaleString('en')} orders with ten clients`
  return [
    {
      ...pagingRow(`${what}, at the standard limits: lists/s against alone`, limited),
      ...atLeast(limited.ratios, 0.85),
    },
    pagingRow('the same without limits', unlimited),
  ]
}

const atLeast = (values: readonly number[], least: number) => ({ target: `≥ ${least}`, pass: median(values) >= least })

function pagingRow(measured: string, { ratios, alone, beside, rows }: BesidePaging): Row {
  const middle = (values: readonly number[]) => Math.round(median(values)).toLocaleString('en')
  return {
    measured,
    target: '',
    pass: null,
    result: median(ratios).toFixed(2),
    spread: spread(ratios),
    absolute: `${middle(beside)}/s beside ${middle(rows)} rows/s, against ${middle(alone)}/s`,
    rounds: { values: ratios, better: 'more' },
  }
}
