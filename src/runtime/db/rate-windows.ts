import type { Reader } from './lists/paginate.ts'

/**
 * The shared form of the rate windows (see `runtime/http/limits/rate-limit.ts`). Keys go in sorted order, so that two
 * processes which add to the same windows cannot wait for each other in a circle. The table is unlogged: after a crash
 * of the database a minute's counts are gone, which costs nobody anything.
 */
const statement = `
  insert into rate_windows as w (key, hits, resets_at)
  select key, hits, coalesce(to_timestamp(resets_at / 1000.0), now() + interval '60 seconds')
  from unnest($1::text[], $2::int[], $3::float8[]) as t(key, hits, resets_at)
  order by key
  on conflict (key) do update set
    hits = case when w.resets_at <= now() then excluded.hits else least(w.hits + excluded.hits, 1000000000) end,
    resets_at = case when w.resets_at <= now() then excluded.resets_at else w.resets_at end
  returning key, hits, extract(epoch from resets_at)::float8 * 1000 as resets_at_ms`

interface Addition {
  key: string
  hits: number
  resetsAtMs: number | null
}

interface Row {
  key: string
  hits: number
  resets_at_ms: number
}

export function rateWindows(reader: Reader) {
  return async (additions: readonly Addition[]) => {
    const { rows } = await reader.query<Row>(statement, [
      additions.map((addition) => addition.key),
      additions.map((addition) => addition.hits),
      additions.map((addition) => addition.resetsAtMs),
    ])
    return rows.map((row) => ({ key: row.key, hits: row.hits, resetsAtMs: row.resets_at_ms }))
  }
}
