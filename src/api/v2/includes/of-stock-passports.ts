import { type Static, Type } from 'typebox'
import type { Context } from '../../../domain/context.ts'
import { placesOf } from '../../../domain/stock/pool-store.ts'
import { availableAt, maxMoments, readStockPassport } from '../../../domain/stock/read-passport.ts'
import { choice, object, optional, text } from '../../../lib/validation/fields.ts'
import { record } from '../../../runtime/http/endpoint.ts'
import { nullableText, timestamp } from '../views/record.ts'
import {
  answerFields,
  articleSchema,
  articleView,
  linkSchema,
  linkView,
  movementSchema,
  movementView,
  placeStandingSchema,
} from '../views/stock/stock.ts'
import type { FoundArticle } from './of-stock.ts'

const toldSchema = Type.Object({
  quantity: Type.Integer(),
  was: Type.Union([Type.Integer(), Type.Null()], { description: 'What it showed before, as far as we knew' }),
  sent_at: timestamp,
  ...answerFields,
  error: nullableText,
})

const nullableNumber = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description })

const momentSchema = Type.Object({
  at: timestamp,
  told: nullableNumber('The last value that the shop was told by then'),
  shows: nullableNumber('What it was known to show by then'),
  drift: Type.Union([choice(['believed', 'corrected']), Type.Null()], {
    description: 'What was made of a difference that no order explained',
  }),
})

const passportSchema = Type.Object({
  article: articleSchema,
  places: Type.Array(placeStandingSchema),
  movements: Type.Array(
    Type.Object({
      ...movementSchema.properties,
      available: Type.Integer({ description: 'Afterwards, at all places together' }),
    }),
    { description: 'The newest 500, newest first' },
  ),
  shops: Type.Array(
    Type.Object({
      ...linkSchema.properties,
      tellings: Type.Array(toldSchema, { description: 'The newest 100, newest first' }),
      history: Type.Array(momentSchema, {
        description: `What the shop was told and what it showed over time, oldest first: the newest ${maxMoments} moments at which one of both changed`,
      }),
    }),
  ),
})

interface Asked {
  context: Context
  found: FoundArticle
}

export const articlePassport = {
  method: 'GET',
  extension: true,
  summary: 'Why is it 7?',
  description:
    'The passport of an article: every movement with what was available after it, and every value that each shop was told and when it confirmed, and what it showed over time.',
  returns: record(passportSchema),
  async handle({ context, found }: Asked): Promise<Static<typeof passportSchema>> {
    const { article, parts, standing, places, movements, availableAfter, links } = await readStockPassport(
      context.db,
      found.article,
    )
    const names = new Map((await placesOf(context.db, found.pool.id)).map(({ id, name }) => [id, name]))
    return {
      article: articleView(article, { standing, parts, links }),
      places: places.map(({ place_id: id, on_hand, reserved, available }) => ({
        ...{ place: names.get(id) ?? '', on_hand, reserved, available },
      })),
      movements: movements.map((movement) => ({
        ...movementView(movement),
        available: availableAfter.get(movement.id) ?? 0,
      })),
      shops: links.map((link) => ({
        ...linkView(link),
        tellings: link.tellings.map(({ quantity, was, sent_at, accepted_at, confirmed_at, error }) => ({
          ...{ quantity, was, sent_at, accepted_at, confirmed_at, error },
        })),
        history: link.history.map(({ at, told, shows, drift }) => ({ at, told, shows, drift })),
      })),
    }
  },
} as const

const thenQuery = object({
  at: optional(text({ format: 'date-time', description: 'When, with time zone; now unless it is said' })),
})

export const articleThen = {
  method: 'GET',
  extension: true,
  summary: 'What was available of an article at a time',
  query: thenQuery,
  returns: record(
    Type.Object({
      at: Type.String(),
      on_hand: Type.Integer(),
      reserved: Type.Integer(),
      available: Type.Integer(),
      places: Type.Array(placeStandingSchema),
    }),
  ),
  async handle({ context, found, query }: Asked & { query: Static<typeof thenQuery> }) {
    const { places, ...then } = await availableAt(context.db, found.article, query.at)
    const names = new Map((await placesOf(context.db, found.pool.id)).map(({ id, name }) => [id, name]))
    return {
      ...then,
      places: places.map(({ place_id: id, on_hand, reserved, available }) => ({
        ...{ place: names.get(id) ?? '', on_hand, reserved, available },
      })),
    }
  },
} as const
