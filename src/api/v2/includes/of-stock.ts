import { type Static, Type } from 'typebox'
import type { Context } from '../../../domain/context.ts'
import type { Integration } from '../../../domain/integrations/integration.ts'
import {
  type Article,
  articleList,
  findArticle,
  movementList,
  ofPool,
} from '../../../domain/stock/articles/article-store.ts'
import { importArticles, maxRows } from '../../../domain/stock/articles/import-articles.ts'
import { linkArticle, unlinkArticle } from '../../../domain/stock/articles/link-articles.ts'
import { createArticle, updateArticle } from '../../../domain/stock/articles/manage-articles.ts'
import { bookMovements } from '../../../domain/stock/book-movements.ts'
import { movementColumnNames } from '../../../domain/stock/ledger-store.ts'
import { leavePool, setShop, switchPool } from '../../../domain/stock/manage-pool.ts'
import { countWaiting, placesOf, shopsOf } from '../../../domain/stock/pool-store.ts'
import { stockOf } from '../../../domain/stock/read-stock.ts'
import { type Movement, modes, movementKinds, type Pool } from '../../../domain/stock/stock.ts'
import type { AccountTenant } from '../../../domain/tenant.ts'
import { recordId } from '../../../lib/record-id.ts'
import {
  choice,
  id,
  integer,
  list,
  maybe,
  nameText,
  object,
  optional,
  partial,
  requiredWithout,
  text,
} from '../../../lib/validation/fields.ts'
import { paginate } from '../../../runtime/db/lists/paginate.ts'
import { bulkLimit, nothing, page, record } from '../../../runtime/http/endpoint.ts'
import { type ListQuery, listQuery } from '../../../runtime/http/input/list-query.ts'
import { listOf } from '../../list.ts'
import {
  articleSchema,
  articleView,
  linkSchema,
  linkView,
  movementSchema,
  movementView,
  poolSchema,
  poolShopSchema,
  poolShopView,
  poolView,
  ruleBody,
} from '../views/stock/stock.ts'

/** One stock for all shops of an account: what apps and accounts are answered alike. */

export interface Asked<Found, Body = undefined> {
  context: Context
  found: Found
  body: Body
}

export interface FoundArticle {
  pool: Pool
  article: Article
}

export const articleOf = async (context: Context, pool: Pool, article: string): Promise<FoundArticle> => ({
  pool,
  article: await findArticle(context.db, pool.id, recordId(article)),
})

async function viewPool({ db }: Context, pool: Pool): Promise<Static<typeof poolSchema>> {
  const [shops, places] = [await shopsOf(db, pool.id), await placesOf(db, pool.id)]
  return poolView(pool, shops, places, await countWaiting(db, pool.id))
}

export async function viewArticles({ db }: Context, articles: readonly Article[]) {
  const stock = await stockOf(db, articles)
  const none = { standing: { on_hand: 0, reserved: 0, available: 0 }, parts: [], links: [] }
  return articles.map((article) => articleView(article, stock.get(article.id) ?? none))
}

async function viewArticle(context: Context, article: Article): Promise<Static<typeof articleSchema>> {
  const [shown] = await viewArticles(context, [article])
  if (!shown) throw new Error('An article is shown as one.')
  return shown
}

export const poolGet = {
  method: 'GET',
  extension: true,
  summary: 'Get the shared stock',
  description: 'Its mode, its shops with their rules, its places. 404 until it was made (PUT).',
  returns: record(poolSchema),
  handle: async ({ context, found }: Asked<Pool>) => await viewPool(context, found),
} as const

const poolBody = object({
  mode: optional(choice(modes, 'A new one is `dry`: it computes and sends nothing')),
  deal_below: optional(
    integer({
      ...{ minimum: 0, maximum: 1000 },
      description:
        'Fewer pieces than this are dealt out: each is offered in one shop only, so that it cannot be sold twice; 0, for never, if left out',
    }),
  ),
})

export const poolPut = {
  method: 'PUT',
  extension: true,
  summary: 'Make or switch the shared stock',
  description:
    'Opt-in. `dry` computes what shops would be told, `on` tells them, `off` leaves everything in the shops as it is. What is left out stays as it is.',
  body: poolBody,
  example: { mode: 'dry', deal_below: 5 },
  returns: record(poolSchema),
  handle: async ({ context, found, body }: Asked<AccountTenant, Static<typeof poolBody>>) =>
    await viewPool(context, await switchPool(context, found, body)),
} as const

export interface FoundShop {
  pool: Pool
  integration: Integration
}

export const shopPut = {
  method: 'PUT',
  extension: true,
  summary: 'Put a shop into the shared stock, or change its rule',
  description: 'What is left out stays as it is. Open orders of a shop that comes in are reserved.',
  body: ruleBody,
  example: { share_percent: 100, margin: 2, cap: 50, by_hand: 'correct' },
  returns: record(poolShopSchema),
  async handle({ context, found, body }: Asked<FoundShop, Static<typeof ruleBody>>) {
    const shop = await setShop(context, found.pool, found.integration, body)
    return poolShopView(shop, await placesOf(context.db, found.pool.id))
  },
} as const

export const shopDelete = {
  method: 'DELETE',
  extension: true,
  summary: 'Take a shop out of the shared stock',
  description:
    'It keeps what it shows, and its movements stay in the ledger; its links are removed, and what its open orders held back is free again.',
  returns: nothing,
  handle: async ({ context, found }: Asked<FoundShop>) => await leavePool(context, found.pool, found.integration.id),
} as const

export const articlesList = {
  method: 'GET',
  extension: true,
  summary: 'List articles of the shared stock',
  query: listQuery({ filter: ['sku', 'barcode', 'q'], sort: ['id', 'sku', 'created_at', 'updated_at'] }),
  returns: page(articleSchema),
  async handle({ context, found, query }: Asked<Pool> & { query: ListQuery }) {
    const { rows, total } = await paginate<Article>(context.reader, articleList, ofPool(found.id), query)
    return { rows: await viewArticles(context, rows), total }
  },
} as const

const articleBody = object({
  sku: text({ min: 1, description: 'Unique in the pool' }),
  barcode: maybe(text()),
  name: maybe(nameText()),
  parts: optional(
    list(object({ sku: text(), quantity: integer({ minimum: 1, maximum: 1_000_000 }) }), {
      max: 50,
      description: 'What it is put together of: one box of six pieces is one part of quantity 6',
    }),
  ),
})

export const articlePost = {
  method: 'POST',
  extension: true,
  summary: 'Create an article of the shared stock',
  body: articleBody,
  example: { sku: 'CUP-BLUE', barcode: '4006381333931', name: 'Cup, blue' },
  returns: record(articleSchema),
  handle: async ({ context, found, body }: Asked<Pool, Static<typeof articleBody>>) =>
    await viewArticle(context, await createArticle(context, found, body)),
} as const

export const articleGet = {
  method: 'GET',
  extension: true,
  summary: 'Get an article of the shared stock',
  returns: record(articleSchema),
  handle: async ({ context, found }: Asked<FoundArticle>) => await viewArticle(context, found.article),
} as const

const articleChanges = partial(articleBody)

export const articlePut = {
  method: 'PUT',
  extension: true,
  summary: 'Update an article of the shared stock',
  body: articleChanges,
  example: { name: 'Cup, blue, 0.3 l' },
  returns: record(articleSchema),
  handle: async ({ context, found, body }: Asked<FoundArticle, Static<typeof articleChanges>>) =>
    await viewArticle(context, await updateArticle(context, found.pool, found.article, body)),
} as const

const linkBody = object({
  integration_id: id('A shop of the pool'),
  sku: requiredWithout('variant_remote_id', text({ description: 'In the shop' })),
  variant_remote_id: maybe(text({ description: 'The shop’s id of the variant' })),
  location: maybe(text()),
})

export const linkPost = {
  method: 'POST',
  extension: true,
  summary: 'Link an article to a variant of a shop',
  body: linkBody,
  example: { integration_id: 3, sku: 'CUP-BLUE' },
  returns: record(linkSchema),
  async handle({ context, found, body }: Asked<FoundArticle, Static<typeof linkBody>>) {
    const { integration_id: integrationId, sku, variant_remote_id: remoteId, location } = body
    return linkView(await linkArticle(context, found.pool, found.article, { integrationId, sku, remoteId, location }))
  },
} as const

export const linkDelete = {
  method: 'DELETE',
  extension: true,
  summary: 'Remove a link of an article',
  description: 'The shop keeps what it shows.',
  returns: nothing,
  async handle({ context, found }: Asked<FoundArticle & { linkId: number }>) {
    await unlinkArticle(context, found.article, found.linkId)
  },
} as const

const importBody = object({
  csv: text({
    min: 1,
    max: 4_000_000,
    description:
      'First line: sku, and any of barcode, name, parts, integration_id, shop_sku, variant_remote_id, location',
  }),
})

export const importPost = {
  method: 'POST',
  extension: true,
  summary: 'Import articles and links from a CSV file',
  description: `At most ${maxRows} rows. Each stands for itself: what is wrong is listed by its line. Read again, a file changes nothing. Parts are written as \`PIECE x6; LID x1\`.`,
  status: 200,
  body: importBody,
  bodyLimit: bulkLimit,
  example: { csv: 'sku,barcode,name\nCUP-BLUE,4006381333931,"Cup, blue"\n' },
  returns: record(
    Type.Object({
      rows: Type.Integer(),
      articles: Type.Integer(),
      links: Type.Integer(),
      errors: Type.Array(Type.Object({ line: Type.Integer(), message: Type.String() })),
    }),
  ),
  handle: async ({ context, found, body }: Asked<Pool, Static<typeof importBody>>) =>
    await importArticles(context, found, body.csv),
} as const

const movementsBody = object({
  source: optional(text({ max: 100, pattern: '^[a-z0-9_-]+$', must: 'be a short name in small letters' })),
  movements: list(
    object({
      key: text({ min: 1, description: 'Your name for it: told again, it is the same movement' }),
      kind: choice(movementKinds),
      sku: text({ description: 'Of an article of the pool that is no bundle' }),
      quantity: integer({
        minimum: -1_000_000_000,
        maximum: 1_000_000_000,
        description: 'Of a count: how many are there. Of a correction: how many more or fewer',
      }),
      place: maybe(text({ max: 100, description: 'Made if it is new; `Main` if left out' })),
      to_place: maybe(text({ max: 100, description: 'Of a transfer' })),
      note: maybe(text()),
    }),
    { min: 1, max: 1000 },
  ),
})

export const movementsPost = {
  method: 'POST',
  extension: true,
  summary: 'Book movements of the shared stock',
  description:
    'All or none. Idempotent by `source` (yours, `api` if left out) and `key`: what was booked before is answered and not booked again. All shops are told what follows.',
  body: movementsBody,
  bodyLimit: bulkLimit,
  example: { movements: [{ key: 'count-2026-11-15-CUP', kind: 'count', sku: 'CUP-BLUE', quantity: 40 }] },
  returns: record(Type.Object({ booked: Type.Integer(), movements: Type.Array(movementSchema) })),
  async handle({ context, found, body }: Asked<Pool, Static<typeof movementsBody>>) {
    const { source = 'api', movements: wishes } = body
    const { booked, movements } = await bookMovements(context, found, { source: `app:${source}`, wishes })
    return { booked, movements: movements.map(movementView) }
  },
} as const

export const movementsList = {
  method: 'GET',
  extension: true,
  summary: 'List movements of the shared stock',
  query: listQuery({ filter: ['article_id', 'kind', 'source', 'key'], sort: ['id'] }),
  returns: page(movementSchema),
  handle: async ({ context, found, query }: Asked<Pool> & { query: ListQuery }) =>
    await listOf(context, movementList(movementColumnNames), ofPool(found.id), query, (row: Movement) =>
      movementView(row),
    ),
} as const
