import { type ListPlan, type ListScope, type PageOf, type PageQuery, paginate, type Reader } from './paginate.ts'
import { coarseBits, countedTotal, fineBits, totalBucket } from './row-counters.ts'

/** A list of one integration whose rows are counted under `kind`: exactly those that `sql` lets through. */
export interface CountedScope extends Pick<ListScope, 'key' | 'sql' | 'params'> {
  integrationId: number
  kind: string
}

/**
 * A page of a counted list. In the order of ids, the counters show in which range of 1024 ids the page begins, so the
 * rows before it are not walked over: first, middle and last page cost about the same, however many rows there are
 * (bench/orders-list.ts). In any other order the page is walked to, from the nearer end of the list. Filters are left
 * to `paginate`.
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
  if (offset <= 2 ** fineBits || isFiltered(plan, query)) return await paginate<Row>(reader, plan, counted, query)
  if (downwards === null) return await fromNearerEnd<Row>(reader, plan, counted, { ...query, offset })
  const text = textFor(plan, scope, downwards)
  const place = [scope.integrationId, scope.kind, Math.min(offset, Number.MAX_SAFE_INTEGER), query.perPage]
  const result = await reader.query<Row & { list_row: true | null; list_total: number }>(text, [
    ...place,
    ...scope.params,
  ])
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
  /** Order of the ids, and of the fine ranges. */
  order: 'asc' | 'desc'
  /** Coarse ranges are counted downwards from -2, so they run the other way. */
  coarseOrder: 'asc' | 'desc'
  /** The ids from the start of the range that the page begins in. */
  from: string
}

const fine = `(select bucket from fine)`
const forwards: Walk = { order: 'asc', coarseOrder: 'desc', from: `>= ${fine} << ${fineBits}` }
const backwards: Walk = { order: 'desc', coarseOrder: 'asc', from: `< (${fine} + 1) << ${fineBits}` }

/** Parameters: integration, kind, offset, rows per page, then those of the scope. */
function buildStatement(plan: ListPlan, scope: CountedScope, walk: Walk): string {
  let parameters = 4
  const where = scope.sql.replaceAll('?', () => `$${++parameters}`)
  const id = plan.id ?? 'id'
  const mine = 'integration_id = $1 and kind = $2'
  const upTo = (order: string) => `sum(n::int) over (order by bucket ${order} rows unbounded preceding)`
  const perCoarse = coarseBits - fineBits
  return `
with coarse as (
  select -2 - bucket as place, up_to - n as before
  from (
    select bucket, n, ${upTo(walk.coarseOrder)} as up_to
    from row_counters where ${mine} and bucket < ${totalBucket}
  ) ranges
  where up_to > $3::bigint order by bucket ${walk.coarseOrder} limit 1
), fine as (
  select bucket, $3::bigint - before - (up_to - n) as skip
  from coarse cross join lateral (
    select bucket, n, up_to
    from (
      select bucket, n, ${upTo(walk.order)} as up_to
      from row_counters
      where ${mine} and bucket >= place << ${perCoarse} and bucket < (place + 1) << ${perCoarse}
    ) ranges
    where before + up_to > $3::bigint order by bucket ${walk.order} limit 1
  ) range
)
select p.*, t.list_total
from (
  select coalesce((select n from row_counters where ${mine} and bucket = ${totalBucket}), 0)::bigint as list_total
) t
left join lateral (
  select ${plan.columns}, true as list_row
  from ${plan.from} where ${where} and ${id} ${walk.from}
  order by ${id} ${walk.order} limit $4 offset (select skip from fine)
) p on true`
}
