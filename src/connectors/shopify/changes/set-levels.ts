import { createHash } from 'node:crypto'
import type { Operation } from '../../../commerce/connector/parts.ts'
import {
  articleFor,
  bareIdsIn,
  type InventoryResult,
  type LevelName,
  type LevelToSet,
  settingResult,
  skusIn,
  staleLevel,
} from '../../../commerce/inventory.ts'
import { type Fields, fieldsIn, isFields, maybeFields, recordsIn, textIn } from '../../../commerce/reading.ts'
import { shopAway } from '../../../commerce/remote.ts'
import { chunks } from '../../../lib/chunks.ts'
import { ask, attempt, isGid, type Mutation, type Query } from '../ask.ts'
import type { ShopifyShop } from '../settings.ts'
import { toInventoryLevel } from '../translate-product.ts'
import { allById, allBySku } from './find-by-sku.ts'

const placeQuery: Query = { cost: 1, text: 'query Place($id: ID) { location(id: $id) { id isActive } }' }

const stockedQuery: Query = {
  cost: 8,
  text: `query Stocked($ids: [ID!]!, $place: ID!) {
  nodes(ids: $ids) {
    ... on InventoryItem {
      id sku variants(first: 1) { nodes { id } }
      inventoryLevel(locationId: $place) {
        id updatedAt
        location { id }
        quantities(names: ["available", "on_hand", "committed", "reserved"]) { name quantity }
      }
    }
  }
}`,
}

const setMutation: Mutation = {
  name: 'inventorySetQuantities',
  text: `mutation Stock($input: InventorySetQuantitiesInput!, $key: String!) {
  inventorySetQuantities(input: $input) @idempotent(key: $key) {
    inventoryAdjustmentGroup { createdAt }
    userErrors { field message code }
  }
}`,
}

const activateMutation: Mutation = {
  name: 'inventoryActivate',
  text: `mutation Activate($item: ID!, $place: ID!, $available: Int!, $key: String!) {
  inventoryActivate(inventoryItemId: $item, locationId: $place, available: $available) @idempotent(key: $key) {
    inventoryLevel { id }
    userErrors { field message }
  }
}`,
}

/** A setting on its way, and what became of it. */
interface Pending {
  setting: LevelToSet
  item: string
  place: string
  error: string | null
  /** What is there instead of what was expected. */
  found?: number
}

const noPlace = 'The shop has no such location.'

/**
 * The platform keeps the key of a change: the same one again changes nothing. It takes all of a batch or nothing of it,
 * so those that it names as wrong are taken out, and the others sent again.
 */
export async function setLevels(
  shop: ShopifyShop,
  settings: readonly LevelToSet[],
  operation: Operation,
): Promise<InventoryResult[]> {
  const articles = [...(await allBySku(shop, skusIn(settings))), ...(await allById(shop, bareIdsIn(settings)))]
  const places = new Map<string, string | null>()
  for (const { location } of settings) {
    const named = location ?? ''
    if (!places.has(named)) places.set(named, await findPlace(shop, location ?? null))
  }
  const pendings = settings.map((setting): Pending => {
    const article = articleFor(setting, articles)
    const place = places.get(setting.location ?? '') ?? ''
    if (place === '') return { setting, item: '', place, error: noPlace }
    if (typeof article === 'string') return { setting, item: '', place, error: article }
    return { setting, item: textIn(fieldsIn(article.variant, 'inventoryItem'), 'id'), place, error: null }
  })
  for (const [place, some] of Map.groupBy(
    pendings.filter(({ error }) => error === null),
    (one) => one.place,
  )) {
    await setAt(shop, place, some, operation)
  }
  return pendings.map(({ setting, error, found }) => ({
    ...settingResult(setting, error),
    ...(found !== undefined && { found }),
  }))
}

/** The shop's main place if none is named. */
async function findPlace(shop: ShopifyShop, named: string | null): Promise<string | null> {
  if (named !== null && !isGid(named, 'Location')) return null
  const place = maybeFields(await ask(shop, placeQuery, { id: named }), 'location')
  return place?.['isActive'] === true ? textIn(place, 'id') : null
}

const atOnce = 100

async function setAt(shop: ShopifyShop, place: string, pendings: Pending[], operation: Operation): Promise<void> {
  // Named twice, an article has what was said last.
  const last = [...new Map(pendings.map((one) => [one.item, one])).values()]
  for (const some of chunks(last, atOnce)) {
    const stocked = await stockedAt(
      shop,
      place,
      some.map(({ item }) => item),
    )
    for (const one of some.filter(({ item }) => !stocked.has(item))) await activate(shop, one, operation)
    await setBatch(
      shop,
      some.filter(({ item }) => stocked.has(item)),
      operation,
    )
    await findStale(shop, place, some)
  }
  for (const one of pendings) {
    const sent = last.find(({ item }) => item === one.item)
    one.error = sent?.error ?? null
    if (sent?.found !== undefined) one.found = sent.found
  }
}

/** Levels at the place, by article. Where an article has never been, it has none. */
async function stockedAt(
  shop: ShopifyShop,
  place: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Fields>> {
  const { nodes } = await ask(shop, stockedQuery, { ids, place })
  const items = Array.isArray(nodes) ? nodes.filter(isFields) : []
  return new Map(
    items.flatMap(({ inventoryLevel: level, ...item }) =>
      isFields(level) ? [[textIn(item, 'id'), { ...level, item }] as const] : [],
    ),
  )
}

/** What is there where something else was expected. */
async function findStale(shop: ShopifyShop, place: string, pendings: readonly Pending[]): Promise<void> {
  const stale = pendings.filter(({ error }) => error === staleLevel)
  if (stale.length === 0) return
  const levels = await stockedAt(
    shop,
    place,
    stale.map(({ item }) => item),
  )
  for (const one of stale) {
    const level = levels.get(one.item)
    if (level) one.found = toInventoryLevel(level).available
  }
}

/** Levels as the shop shows them now. */
export async function levelsNow(shop: ShopifyShop, names: readonly LevelName[]): Promise<readonly Fields[]> {
  const articles = await allBySku(shop, skusIn(names))
  const all: Fields[] = []
  for (const [location, some] of Map.groupBy(names, (one) => one.location)) {
    const place = await findPlace(shop, location)
    if (place === null) continue
    const meant = articles.filter(({ sku }) => some.some((one) => one.sku === sku))
    const ids = meant.map(({ variant }) => textIn(fieldsIn(variant, 'inventoryItem'), 'id'))
    for (const few of chunks(ids, atOnce)) all.push(...(await stockedAt(shop, place, few)).values())
  }
  return all
}

async function activate(shop: ShopifyShop, pending: Pending, operation: Operation): Promise<void> {
  const { item, place, setting } = pending
  const variables = { item, place, available: setting.quantity }
  const [error] = await send(shop, activateMutation, variables, operation)
  if (error) pending.error = textIn(error, 'message')
}

async function setBatch(shop: ShopifyShop, pendings: readonly Pending[], operation: Operation): Promise<void> {
  for (let left = pendings; left.length > 0; ) {
    const quantities = left.map(({ item, place, setting: { quantity, expected } }) => ({
      inventoryItemId: item,
      locationId: place,
      quantity,
      // Must be said, even if only to say that it does not matter what was there before.
      changeFromQuantity: expected ?? null,
    }))
    const input = { name: 'available', reason: 'correction', quantities }
    const errors = await send(shop, setMutation, { input }, operation)
    if (errors.length === 0) return
    const wrong = new Map(errors.map((error) => [placeInList(error), reasonOf(error)]))
    for (const [n, one] of left.entries()) one.error = wrong.get(n) ?? wrong.get(null) ?? null
    if (wrong.has(null)) return
    left = left.filter(({ error }) => error === null)
  }
}

const reasonOf = (error: Fields): string =>
  error['code'] === 'CHANGE_FROM_QUANTITY_STALE' ? staleLevel : textIn(error, 'message')

/** Which of the batch an error is about; null for all of it. */
function placeInList({ field }: Fields): number | null {
  const [index] = Array.isArray(field) ? field.filter((part) => /^\d+$/.test(String(part))) : []
  return index === undefined ? null : Number(index)
}

/** The refusals. A key whose first use has failed on their side is worn out. */
async function send(
  shop: ShopifyShop,
  mutation: Mutation,
  variables: Fields,
  { id }: Operation,
): Promise<readonly Fields[]> {
  for (const turn of ['', ' again']) {
    const key = keyOf(`${id}${turn} ${JSON.stringify(variables)}`)
    const errors = recordsIn(await attempt(shop, mutation, { ...variables, key }), 'userErrors')
    const codes = errors.map(({ code }) => code)
    if (codes.includes('IDEMPOTENCY_CONCURRENT_REQUEST')) throw shopAway(5)
    if (!codes.includes('IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED')) return errors
  }
  throw shopAway(60)
}

/** The same for the same words, in the form that the platform asks for. */
function keyOf(words: string): string {
  const hex = createHash('sha256').update(words).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}
