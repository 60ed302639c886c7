import { type Static, Type } from 'typebox'
import type { Article } from '../../../../domain/stock/articles/article-store.ts'
import { type Link, madeBy } from '../../../../domain/stock/articles/link-store.ts'
import type { Standing } from '../../../../domain/stock/ledger-store.ts'
import type { Place } from '../../../../domain/stock/pool-store.ts'
import {
  byHand,
  type Movement,
  modes,
  movementKinds,
  type Part,
  type Pool,
  type PoolShop,
} from '../../../../domain/stock/stock.ts'
import { choice, flag, integer, maybe, object, optional, text } from '../../../../lib/validation/fields.ts'
import { idField, nullableId, nullableText, nullableTimestamp, timestamp, timestamps } from '../record.ts'

const most = 1_000_000_000

export const ruleFields = {
  active: optional(flag('While it is off, the shop is told nothing')),
  share_percent: optional(
    integer({ minimum: 0, maximum: 100, description: 'Of what is available, rounded down; 100 if left out' }),
  ),
  margin: optional(integer({ minimum: 0, maximum: most, description: 'Pieces that are kept back' })),
  cap: maybe(integer({ minimum: 0, maximum: most, description: 'No more than this is shown' })),
  minimum: optional(integer({ minimum: 0, maximum: most, description: 'Less than this is shown as 0' })),
  multiple: optional(integer({ minimum: 1, maximum: most, description: 'Only whole packs of so many are shown' })),
  location: maybe(text({ description: 'The shop’s location that is told, where it has several' })),
  by_hand: optional(
    choice(byHand, '`believe` books what somebody changed in the shop as a correction, `correct` tells the shop again'),
  ),
  restock_returns: optional(flag('Whether returns that the shop has received are back in stock')),
  cancel_oversold: optional(flag('Whether orders for which nothing is left are cancelled in the shop')),
  place: optional(text({ max: 100, description: 'Where goods of its orders are taken from; `Main` if left out' })),
}
export const ruleBody = object(ruleFields)

const number = (description: string) => Type.Integer({ description })
const nullableNumber = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description })

export const poolShopSchema = Type.Object({
  integration_id: idField,
  place: Type.String(),
  active: Type.Boolean(),
  share_percent: Type.Integer(),
  margin: Type.Integer(),
  cap: nullableNumber('No more than this is shown'),
  minimum: Type.Integer(),
  multiple: Type.Integer(),
  location: nullableText,
  by_hand: choice(byHand),
  restock_returns: Type.Boolean(),
  cancel_oversold: Type.Boolean(),
  joined_at: timestamp,
  updated_at: timestamp,
})

export const poolShopView = (
  { pool_id: _pool, place_id: placeId, ...shop }: PoolShop,
  places: readonly Place[],
): Static<typeof poolShopSchema> => ({ ...shop, place: places.find(({ id }) => id === placeId)?.name ?? '' })

export const poolSchema = Type.Object({
  mode: choice(modes, '`dry` computes and sends nothing'),
  deal_below: number('Fewer pieces than this are dealt out: each is offered in one shop only'),
  account_id: idField,
  shops: Type.Array(poolShopSchema),
  places: Type.Array(Type.Object({ id: idField, name: Type.String() })),
  waiting: number('Values that shops have not been told, or in `dry` mode would be told'),
  failing: number('Of those, how many a shop has refused or not answered'),
  ...timestamps,
})

export const poolView = (
  { mode, deal_below, account_id, created_at, updated_at }: Pool,
  shops: readonly PoolShop[],
  places: readonly Place[],
  count: { waiting: number; failing: number },
): Static<typeof poolSchema> => ({
  ...{ mode, deal_below, account_id, created_at, updated_at, ...count },
  shops: shops.map((shop) => poolShopView(shop, places)),
  places: places.map(({ id, name }) => ({ id, name })),
})

const standingFields = {
  on_hand: number('Pieces that are there'),
  reserved: number('Pieces that are sold and have not left'),
  available: number('What is there less what is reserved; below 0 it is oversold'),
}
export const placeStandingSchema = Type.Object({ place: Type.String(), ...standingFields })

/** Saying yes and showing it are two things. */
export const answerFields = {
  accepted_at: Type.Union([timestamp, Type.Null()], { description: 'When the shop said yes' }),
  confirmed_at: Type.Union([timestamp, Type.Null()], { description: 'When the shop had shown it' }),
}

export const linkSchema = Type.Object({
  id: idField,
  integration_id: idField,
  sku: Type.String({ description: 'In the shop' }),
  variant_remote_id: Type.String({ description: 'The shop’s id of the variant, or its SKU where it has none' }),
  location: nullableText,
  made_by: choice(madeBy),
  wanted: nullableNumber('What the shop is to show by its rule; null while the rule is off'),
  shows: nullableNumber('What it shows, as far as we know; null where that is not certain'),
  told: nullableNumber('The last value that it was told'),
  seen: nullableNumber('What it was seen to show instead, which no order explains yet'),
  sent_at: nullableTimestamp,
  ...answerFields,
  due_at: nullableTimestamp,
  error: nullableText,
})

export const linkView = (link: Link): Static<typeof linkSchema> => ({
  id: link.id,
  integration_id: link.integration_id,
  sku: link.sku,
  variant_remote_id: link.remote_id,
  location: link.location === '' ? null : link.location,
  made_by: link.made_by,
  wanted: link.wanted,
  shows: link.shows,
  told: link.told,
  sent_at: link.sent_at,
  seen: link.seen,
  accepted_at: link.accepted_at,
  confirmed_at: link.confirmed_at,
  due_at: link.due_at,
  error: link.error,
})

export const articleSchema = Type.Object({
  id: idField,
  sku: Type.String(),
  barcode: nullableText,
  name: nullableText,
  ...standingFields,
  parts: Type.Array(Type.Object({ article_id: idField, quantity: Type.Integer() }), {
    description:
      'What a bundle or a box consists of; it has no stock of its own, and shows how many can be put together',
  }),
  links: Type.Array(linkSchema),
  ...timestamps,
})

export const articleView = (
  { id, sku, barcode, name, created_at, updated_at }: Article,
  { standing, parts, links }: { standing: Standing; parts: readonly Part[]; links: readonly Link[] },
): Static<typeof articleSchema> => ({
  ...{ id, sku, barcode, name, ...standing, created_at, updated_at },
  parts: parts.map(({ article_id, quantity }) => ({ article_id, quantity })),
  links: links.map(linkView),
})

export const movementSchema = Type.Object({
  id: idField,
  article_id: idField,
  place_id: idField,
  kind: choice(movementKinds),
  on_hand_by: Type.Integer(),
  reserved_by: Type.Integer(),
  on_hand: number('Afterwards, at its place'),
  reserved: number('Afterwards, at its place'),
  source: Type.String(),
  key: Type.String(),
  integration_id: nullableId,
  order_id: nullableId,
  note: nullableText,
  at: timestamp,
})

export const movementView = ({ pool_id: _pool, ...movement }: Movement): Static<typeof movementSchema> => movement
