import { type Static, Type } from 'typebox'
import { matchArticles } from '../../../domain/stock/articles/link-articles.ts'
import type { Conflict } from '../../../domain/stock/articles/match.ts'
import type { Pool } from '../../../domain/stock/stock.ts'
import { flag, object, optional } from '../../../lib/validation/fields.ts'
import { record } from '../../../runtime/http/endpoint.ts'
import { nullableText } from '../views/record.ts'
import type { Asked } from './of-stock.ts'

/** Articles over shops: what can be linked by itself, and what somebody has to decide. */

const conflictSchema = Type.Object({
  reason: Type.String(),
  integration_id: Type.Integer(),
  sku: Type.String(),
  barcode: nullableText,
  variant_remote_ids: Type.Array(Type.String()),
  article_ids: Type.Array(Type.Integer()),
  message: Type.String(),
})
const maxConflicts = 1000

const conflictFields = {
  conflicts: Type.Integer({ description: 'How many there are' }),
  first_conflicts: Type.Array(conflictSchema, { description: `The first ${maxConflicts}` }),
}

const viewConflicts = (conflicts: readonly Conflict[]) => ({
  conflicts: conflicts.length,
  first_conflicts: conflicts.slice(0, maxConflicts).map(({ remote_ids: ids, article_ids: articles, ...one }) => ({
    ...one,
    variant_remote_ids: [...ids],
    article_ids: [...articles],
  })),
})

const matchBody = object({
  create: optional(flag('Whether a SKU that no article has becomes one, where a shop has it once')),
  dry: optional(flag('Only says what it would do')),
})

export const matchPost = {
  method: 'POST',
  extension: true,
  summary: 'Link articles by SKU and barcode',
  description: `In all shops of the pool. What is not certain is not linked but listed, the first ${maxConflicts}.`,
  status: 200,
  body: matchBody,
  example: { create: true, dry: true },
  returns: record(
    Type.Object({
      articles: Type.Integer({ description: 'Made' }),
      links: Type.Integer({ description: 'Made' }),
      ...conflictFields,
    }),
  ),
  async handle({ context, found, body }: Asked<Pool, Static<typeof matchBody>>) {
    const { create = false, dry = false } = body
    const { conflicts, ...made } = await matchArticles(context, found, { create, dry })
    return { ...made, ...viewConflicts(conflicts) }
  },
} as const

export const conflictsGet = {
  method: 'GET',
  extension: true,
  summary: 'List what could not be linked',
  description:
    'Variants of shops that an article seems to be, but not for certain: the same SKU twice in a shop, SKU and barcode of different articles, several locations. Each goes away once it is linked by hand or by a file, or changed in the shop.',
  returns: record(Type.Object(conflictFields)),
  async handle({ context, found }: Asked<Pool>) {
    const { conflicts } = await matchArticles(context, found, { create: false, dry: true })
    return viewConflicts(conflicts)
  },
} as const
