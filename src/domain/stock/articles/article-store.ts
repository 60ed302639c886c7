import { sql } from 'kysely'
import { notFound } from '../../../lib/fault.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { ListPlan, ListScope } from '../../../runtime/db/lists/paginate.ts'
import type { Part } from '../stock.ts'

export interface Article {
  id: number
  pool_id: number
  sku: string
  barcode: string | null
  name: string | null
  created_at: string
  updated_at: string
}

const columnNames = 'id, pool_id, sku, barcode, name, created_at, updated_at'
const columns = sql.raw(columnNames)

export const articleList: ListPlan = {
  name: 'stock-articles',
  from: 'stock_articles',
  columns: columnNames,
  filters: {
    sku: { column: 'sku', type: 'text' },
    barcode: { column: 'barcode', type: 'text' },
    q: {
      column: "(sku || ' ' || coalesce(name, '') || ' ' || coalesce(barcode, ''))",
      type: 'text',
      match: 'contains',
    },
  },
  sorts: { id: 'id', sku: 'sku', created_at: 'created_at', updated_at: 'updated_at' },
}

export const ofPool = (poolId: number): ListScope => ({ key: 'pool', sql: 'pool_id = ?', params: [poolId] })

export const movementList = (columnsOf: string): ListPlan => ({
  name: 'stock-movements',
  from: 'stock_movements',
  columns: columnsOf,
  filters: {
    article_id: { column: 'article_id', type: 'bigint' },
    kind: { column: 'kind', type: 'text' },
    source: { column: 'source', type: 'text' },
    key: { column: 'key', type: 'text' },
  },
  sorts: { id: 'id' },
  defaultSort: [{ field: 'id', descending: true }],
})

export async function findArticle(db: Db, poolId: number, id: number): Promise<Article> {
  const { rows } = await sql<Article>`
    select ${columns} from stock_articles where id = ${id} and pool_id = ${poolId}`.execute(db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

export async function articlesByIds(db: Db, poolId: number, ids: readonly number[]): Promise<Article[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Article>`
    select ${columns} from stock_articles where pool_id = ${poolId} and id = any(${[...ids]}::bigint[])`.execute(db)
  return rows
}

export async function articlesBySku(db: Db, poolId: number, skus: readonly string[]): Promise<Map<string, Article>> {
  if (skus.length === 0) return new Map()
  const { rows } = await sql<Article>`
    select ${columns} from stock_articles where pool_id = ${poolId} and sku = any(${[...skus]}::text[])`.execute(db)
  return new Map(rows.map((article) => [article.sku, article]))
}

export async function articlesByBarcode(db: Db, poolId: number, barcodes: readonly string[]): Promise<Article[]> {
  if (barcodes.length === 0) return []
  const { rows } = await sql<Article>`
    select ${columns} from stock_articles
    where pool_id = ${poolId} and barcode = any(${[...barcodes]}::text[])`.execute(db)
  return rows
}

export interface ArticleInput {
  sku: string
  barcode?: string | null | undefined
  name?: string | null | undefined
}

/** Those that are new; what is there under the SKU stays as it is. */
export async function insertArticles(trx: Db, poolId: number, articles: readonly ArticleInput[]): Promise<Article[]> {
  if (articles.length === 0) return []
  const { rows } = await sql<Article>`
    insert into stock_articles (pool_id, sku, barcode, name)
    select ${poolId}, r.sku, r.barcode, r.name
    from jsonb_to_recordset(${JSON.stringify(articles)}::jsonb) r(sku text, barcode text, name text)
    order by r.sku
    on conflict (pool_id, sku) do nothing
    returning ${columns}`.execute(trx)
  return rows
}

export async function changeArticle(
  trx: Db,
  { pool_id: poolId, id }: Article,
  { sku, barcode, name }: Partial<ArticleInput>,
): Promise<Article> {
  const { rows } = await sql<Article>`
    update stock_articles set sku = coalesce(${sku ?? null}, sku),
      barcode = case when ${barcode !== undefined} then ${barcode ?? null} else barcode end,
      name = case when ${name !== undefined} then ${name ?? null} else name end, updated_at = now()
    where id = ${id} and pool_id = ${poolId} returning ${columns}`.execute(trx)
  if (!rows[0]) throw notFound()
  return rows[0]
}

export async function countArticles(db: Db, poolId: number, upTo: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (select from stock_articles where pool_id = ${poolId} limit ${upTo}) found`.execute(db)
  return rows[0]?.n ?? 0
}

/** What each of the articles consists of; those that are no bundles are not in it. */
export async function partsOf(db: Db, articleIds: readonly number[]): Promise<Map<number, Part[]>> {
  const found = new Map<number, Part[]>()
  if (articleIds.length === 0) return found
  const { rows } = await sql<Part & { of: number }>`
    select article_id as of, part_id as article_id, quantity from stock_parts
    where article_id = any(${[...articleIds]}::bigint[]) order by article_id, part_id`.execute(db)
  for (const { of, ...part } of rows) found.set(of, [...(found.get(of) ?? []), part])
  return found
}

/** The bundles that have one of these in them. */
export async function bundlesWith(db: Db, articleIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ article_id: number }>`
    select distinct article_id from stock_parts where part_id = any(${[...articleIds]}::bigint[])`.execute(db)
  return rows.map(({ article_id: id }) => id)
}

export async function setParts(trx: Db, articleId: number, parts: readonly Part[]): Promise<void> {
  await sql`delete from stock_parts where article_id = ${articleId}`.execute(trx)
  if (parts.length === 0) return
  await sql`
    insert into stock_parts (article_id, part_id, quantity)
    select ${articleId}, r.article_id, r.quantity
    from jsonb_to_recordset(${JSON.stringify(parts)}::jsonb) r(article_id bigint, quantity bigint)`.execute(trx)
}

/** Whether anything was ever booked of it. */
export async function hasMoved(db: Db, articleId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from stock_movements where article_id = ${articleId} limit 1`.execute(db)
  return rows.length > 0
}
