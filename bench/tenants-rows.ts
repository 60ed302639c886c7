import { percentile } from '../test/prove/support/until.ts'
import { measureManyTenants, smallApp, type TenantsResult } from './many-tenants.ts'
import { options, say } from './options.ts'
import type { Row } from './report.ts'
import { withDatabase } from './support/database.ts'
import { median, medians, spread } from './support/statistics.ts'

const limit = 1.5

/** What is done for one tenant among very many, against the same among few. */
export async function manyTenants(): Promise<Row[]> {
  const size = { integrations: Number(options.integrations), rows: Number(options.rows) }
  const results = await withDatabase((large) =>
    withDatabase((small) => measureManyTenants({ urls: { large, small }, size, progress: say })),
  )
  const whose = {
    small: `the app of ${smallApp.integrations} beside them`,
    large: `the app of ${size.integrations.toLocaleString('en')}`,
  }
  const world = `${size.integrations.toLocaleString('en')} integrations with ${size.rows.toLocaleString('en')} rows`
  return results.map((result, n) => rowOf(result, `${n === 0 ? `among ${world}, ` : ''}${whose[result.whose]}`))
}

function rowOf({ what, isFlat, large, small }: TenantsResult, where: string): Row {
  const ratios = medians(
    large.map((ms, n) => ms / (small[n] ?? Number.NaN)),
    Math.ceil(large.length / 10),
  )
  const [half, p95] = [median(large) / median(small), percentile(large, 0.95) / percentile(small, 0.95)]
  const times = (all: readonly number[]) => `${median(all).toFixed(1)} / ${percentile(all, 0.95).toFixed(1)}`
  return {
    measured: `${where}: ${what}`,
    target: isFlat ? `≤ ${limit}` : '',
    result: `${half.toFixed(2)} (p95 ${p95.toFixed(2)})`,
    spread: spread(ratios),
    rounds: { values: ratios, better: 'less' },
    absolute: `p50 / p95: ${times(large)} ms against ${times(small)} ms`,
    pass: isFlat ? half <= limit && p95 <= limit : null,
  }
}
