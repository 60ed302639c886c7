import { type Static, Type } from 'typebox'
import { matchArticles } from '../../../domain/stock/articles/link-articles.ts'
import { type Conflict, conflictReasons } from '../../../domain/stock/articles/match.ts'
import type { Pool } from '../../../domain/stock/stock.ts'
import { choice, flag, object, optional } from '../../../lib/validation/fields.ts'
import { page, record } from '../../../runtime/http/endpoint.ts'
import { type ListQuery, listQuery } from '../../../runtime/http/input/list-query.ts'
import { nullableText } from '../views/record.ts'
import type { Asked } from './of-stock.ts'

/** Articles over shops: what can be linked by itself, and what somebody has to decide. */

const conflictSchema = Type.Object({
  reason: choice(conflictReasons),
  integration_id: Type.Integer(),
  sku: Type.String(),
  barcode: nullableText,
  variant_remote_ids: Type.Array(Type.String()),
  article_ids: Type.Array(Type.Integer()),
  locations: Type.Array(Type.String(), { description: 'Where the shop stocks it, where it has several' }),
  message: Type.String(),
})
/** In the answer to a matching; the list has all of them. */
const maxConflicts = 1000

const conflictView = ({
  remote_ids: ids,
  article_ids: articles,
  locations,
  ...one
}: Conflict): Static<typeof conflictSchema> => ({
  ...one,
  variant_remote_ids: [...ids],
  article_ids: [...articles],
  locations: [...locations],
})

const matchBody = object({
  create: optional(flag('Whether a SKU that no article has becomes one, where a shop has it once')),
  dry: optional(flag('Only says what it would do')),
})

export const matchPost = {
  method: 'POST',
  extension: true,
  summary: 'Link articles by SKU and barcode',
  description: `In all shops of the pool. What is not certain is not linked but listed, the first ${maxConflicts} here and all of them by \`GET …/stock/conflicts\`.`,
  status: 200,
  body: matchBody,
  example: { create: true, dry: true },
  onlyReads: (body: unknown): boolean =>
    Boolean(body && typeof body === 'object' && 'dry' in body && body.dry === true),
  returns: record(
    Type.Object({
      articles: Type.Integer({ description: 'Made' }),
      links: Type.Integer({ description: 'Made' }),
      conflicts: Type.Integer({ description: 'How many there are' }),
      first_conflicts: Type.Array(conflictSchema, { description: `The first ${maxConflicts}` }),
    }),
  ),
  async handle({ context, found, body }: Asked<Pool, Static<typeof matchBody>>) {
    const { create = false, dry = false } = body
    const { conflicts, ...made } = await matchArticles(context, found, { create, dry })
    const first = conflicts.slice(0, maxConflicts).map(conflictView)
    return { ...made, conflicts: conflicts.length, first_conflicts: first }
  },
} as const

export const conflictsGet = {
  method: 'GET',
  extension: true,
  summary: 'List what could not be linked',
  description:
    'Variants of shops that an article seems to be, but not for certain: the same SKU twice in a shop, SKU and barcode of different articles, several locations. Each goes away once it is linked by hand or by a file, or changed in the shop.',
  query: listQuery({ filter: ['integration_id', 'reason'], sort: [] }),
  returns: page(conflictSchema),
  async handle({ context, found, query: { filter, page: number, perPage } }: Asked<Pool> & { query: ListQuery }) {
    const { integration_id: shops, reason: reasons } = filter
    const { conflicts } = await matchArticles(context, found, {
      ...{ create: false, dry: true, shopIds: shops?.map(Number) },
    })
    const meant = reasons ? conflicts.filter(({ reason }) => reasons.includes(reason)) : conflicts
    const rows = meant.slice((number - 1) * perPage, number * perPage)
    return { rows: rows.map(conflictView), total: meant.length }
  },
} as const
