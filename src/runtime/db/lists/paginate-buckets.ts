import { type ListPlan, type ListScope, type PageOf, type PageQuery, paginate, type Reader } from './paginate.ts'
import { paginateOnwards } from './places.ts'
import { countedTotal, rangeSizes, totalBucket } from './row-counters.ts'

/** A list of one integration whose rows are counted under `kind`: exactly those that `sql` lets through. */
export interface CountedScope extends Pick<ListScope, 'key' | 'sql' | 'params'> {
  integrationId: number
  kind: string
}

/**
 * A page of a counted list. In the order of ids, the counters show in which range of ids the page begins, so the
 * rows before it are not walked over: first, middle and last page cost about the same, however many rows there are
 * (bench/orders-list.ts). In any other order the page is walked to, from the nearest page that was read lately or the nearer end of
 * the list. Filters are left to `paginate`.
 */
export async function paginateBuckets<Row>(
  reader: Reader,
  plan: ListPlan,
  scope: CountedScope,
  query: PageQuery,
): Promise<PageOf<Row>> {
  const offset = (query.page - 1) * query.perPage
  const downwards = directionById(plan, query)
  const counted = { ...scope, total: countedTotal(scope.integrationId, [scope.kind]) }
  // The first few pages are reached by walking; looking their place up would cost more.
  if (offset <= rangeSizes.fine || isFiltered(plan, query)) return await paginate<Row>(reader, plan, counted, query)
  if (downwards === null) {
    const deep = { ...query, offset }
    const walk = (how: ListPlan) => fromNearerEnd<Row>(reader, how, counted, deep)
    return await paginateOnwards<Row>(reader, { plan, scope: counted, query: deep, walk })
  }
  return await pageAt<Row>(reader, plan, scope, { offset, perPage: query.perPage, downwards })
}

/** By id, from the range that the page begins in. */
export async function pageAt<Row>(
  reader: Reader,
  plan: ListPlan,
  scope: CountedScope,
  { offset, perPage, downwards }: { offset: number; perPage: number; downwards: boolean },
): Promise<PageOf<Row>> {
  const place = [scope.integrationId, scope.kind, Math.min(offset, Number.MAX_SAFE_INTEGER), perPage]
  const result = await reader.query<Row & { list_row: true | null; list_total: number }>(
    textFor(plan, scope, downwards),
    [...place, ...scope.params],
  )
  return { rows: result.rows.filter((row) => row.list_row !== null), total: result.rows[0]?.list_total ?? 0 }
}

/** The second half of a list is the first half of the list the other way round. */
async function fromNearerEnd<Row>(
  reader: Reader,
  plan: ListPlan,
  scope: ListScope,
  query: PageQuery & { offset: number },
): Promise<PageOf<Row>> {
  const sort = query.sort.length > 0 ? query.sort : (plan.defaultSort ?? [])
  const backwards = sort.map(({ field, descending }) => ({ field, descending: !descending }))
  let { total } = await paginate<Row>(reader, plan, scope, { ...query, perPage: 0 })
  // Rows may come and go between the two looks; then the second has shown how many there are, and is repeated.
  for (let look = 0; look < 3; look++) {
    // It is one of those that a counter knows.
    if (typeof total !== 'number') break
    const left = total - query.offset
    if (left <= 0 || query.offset < total / 2) break
    const perPage = Math.min(query.perPage, left)
    const page = await paginate<Row>(reader, plan, scope, {
      ...query,
      sort: backwards,
      perPage,
      offset: left - perPage,
    })
    if (page.total === total) return { rows: page.rows.reverse(), total }
    total = page.total
  }
  return await paginate<Row>(reader, plan, scope, query)
}

const isFiltered = (plan: ListPlan, query: PageQuery) =>
  Object.keys(query.filter).some((field) => plan.filters?.[field] !== undefined)

/** True for ids downwards, false for upwards, null for any other order. */
function directionById(plan: ListPlan, query: PageQuery): boolean | null {
  const [first] = query.sort.length > 0 ? query.sort : (plan.defaultSort ?? [])
  if (!first) return false
  return first.field === 'id' ? first.descending : null
}

const texts = new Map<string, string>()

function textFor(plan: ListPlan, scope: CountedScope, downwards: boolean): string {
  const shape = `${plan.name}|${scope.key}|${downwards}`
  const known = texts.get(shape)
  if (known) return known
  const text = buildStatement(plan, scope, downwards ? backwards : forwards)
  texts.set(shape, text)
  return text
}

interface Walk {
  order: 'asc' | 'desc'
  /** The ids from the start, or the end, of the range that the page begins in. */
  from: string
}

const forwards: Walk = { order: 'asc', from: '>= (select first from fine)' }
const backwards: Walk = { order: 'desc', from: '< (select next from fine)' }

const endless = '9223372036854775807'

/**
 * Parameters: integration, kind, offset, rows per page, then those of the scope. First the coarse range, then the fine one
 * within it. The first of each is not counted and holds what the others leave. A range in which nothing is counted is not
 * there either: the one before reaches across it.
 */
function buildStatement(plan: ListPlan, scope: CountedScope, walk: Walk): string {
  let parameters = 4
  const where = scope.sql.replaceAll('?', () => `$${++parameters}`)
  const id = plan.id ?? 'id'
  const counters = 'row_counters where integration_id = $1 and kind = $2'
  // Plain integers: sums of bigint are numeric, and slow.
  const reached = (ranges: string, next: string) => `
    select first, next, n, up_to - n as before
    from (
      select first, n, lead(first, 1, ${next}) over (order by first) as next,
        sum(n) over (order by first ${walk.order} rows unbounded preceding) as up_to
      from ${ranges}
    ) ranges`
  return `
with total as (
  select coalesce((select n from ${counters} and bucket = ${totalBucket}), 0)::int as n
), counted as (
  select -1 - bucket as first, n::int as n from ${counters} and bucket < ${totalBucket}
), coarse as (
  ${reached(`(select * from counted union all select 0, (total.n - (select coalesce(sum(n), 0) from counted))::int from total) c`, endless)}
  where up_to > $3::bigint order by first ${walk.order} limit 1
), within as (
  select bucket as first, n::int as n from ${counters}
    and bucket > (select first from coarse) and bucket < (select next from coarse)
), fine as (
  ${reached(`(select * from within union all select first, (n - (select coalesce(sum(n), 0) from within))::int from coarse) f`, '(select next from coarse)')}
  where (select before from coarse) + up_to > $3::bigint order by first ${walk.order} limit 1
)
select p.*, total.n::bigint as list_total
from total
left join lateral (
  select ${plan.columns}, true as list_row
  from ${plan.from} where ${where} and ${id} ${walk.from}
  order by ${id} ${walk.order}
  limit $4 offset (select $3::bigint - coarse.before - fine.before from coarse, fine)
) p on true`
}
