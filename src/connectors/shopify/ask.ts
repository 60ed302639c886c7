import type { IndexPage, IndexWindow } from '../../commerce/connector/reads.ts'
import { bodyOf, type Fields, fieldsIn, fieldsOf, isFields, recordsIn, textIn, timeIn } from '../../commerce/reading.ts'
import { notTheShop, refused, shopAway } from '../../commerce/remote.ts'
import { isWithheld } from './read-answer.ts'
import type { ShopifyShop } from './settings.ts'

export const apiPath = '/admin/api/2026-10'

/**
 * A question, and about what it costs in the end. The platform charges the most it could cost first, and gives back the
 * rest; how full the bucket is then stands in the answer, and a guess that was too low is put right by that.
 */
export interface Query {
  text: string
  cost: number
}

/** A change: the field that answers it, and where it lists what it refuses. */
export interface Mutation {
  text: string
  name: string
  errors?: string
}

export const ask = async (shop: ShopifyShop, query: Query, variables: Fields = {}): Promise<Fields> =>
  dataIn(await send(shop, query, variables, true))

/**
 * As many at once as the platform allows: it reckons the cost of a question before it runs it, and says how far that is
 * above what one question may cost.
 */
export async function askSized(
  shop: ShopifyShop,
  query: Query,
  variables: Fields & { first: number },
): Promise<{ data: Fields; first: number }> {
  for (let first = variables.first; ; ) {
    const body = await send(shop, query, { ...variables, first }, true)
    const fewer = fewerThan(first, body)
    if (fewer === null) return { data: dataIn(body), first }
    first = fewer
  }
}

/** The same of each of many records, by their ids, as many at once as the platform allows. Those that are gone are left out. */
export async function askEach(
  shop: ShopifyShop,
  query: Query,
  ids: readonly string[],
  atOnce: number,
): Promise<Map<string, Fields>> {
  const found = new Map<string, Fields>()
  let size = atOnce
  for (let at = 0; at < ids.length; ) {
    const some = ids.slice(at, at + size)
    const body = await send(shop, query, { ids: some }, true)
    const fewer = fewerThan(some.length, body)
    if (fewer === null) {
      const { nodes } = dataIn(body)
      for (const one of Array.isArray(nodes) ? nodes.filter(isFields) : []) found.set(textIn(one, 'id'), one)
      at += some.length
    } else size = fewer
  }
  return found
}

/** What lists leave out of orders, and only some have. */
export interface Detail {
  isAsked(order: Fields, shop: ShopifyShop): boolean
  /** By ids, with the time of the latest change. */
  query: Query
  atOnce: number
  /** What it adds to the order; what was found is left out where the order is gone. */
  read(order: Fields, found: Fields | undefined): Fields
}

const mutationCost = 10

/** Refusals of a change come with status 200, in a list of their own. */
export async function change(shop: ShopifyShop, mutation: Mutation, variables: Fields): Promise<Fields> {
  const payload = await attempt(shop, mutation, variables)
  const [error] = recordsIn(payload, mutation.errors ?? 'userErrors')
  if (error) throw refused(textIn(error, 'message'))
  return payload
}

/** As `change`, for those who look at the refusals themselves. */
export async function attempt(shop: ShopifyShop, { text, name }: Mutation, variables: Fields): Promise<Fields> {
  return fieldsIn(dataIn(await send(shop, { text, cost: mutationCost }, variables, false)), name)
}

async function send(
  { remote }: ShopifyShop,
  { text, cost }: Query,
  variables: Fields,
  repeatable: boolean,
): Promise<Fields> {
  const answer = await remote.request({
    method: 'POST',
    path: `${apiPath}/graphql.json`,
    body: { query: text, variables },
    cost,
    repeatable,
  })
  // Outside of GraphQL, `errors` is a plain text.
  const reported = isFields(answer.body) ? answer.body['errors'] : null
  if (answer.status >= 300 && typeof reported === 'string')
    throw answer.status === 404 ? notTheShop(refused(reported)) : refused(reported)
  return fieldsOf(bodyOf(answer))
}

const errorsIn = (body: Fields): readonly Fields[] => (Array.isArray(body['errors']) ? recordsIn(body, 'errors') : [])

function dataIn(body: Fields): Fields {
  const error = errorsIn(body).find((one) => !isWithheld(one, body))
  if (error) throw refused(textIn(error, 'message'))
  // A success without data is a page of something in between.
  if (!isFields(body['data'])) throw shopAway(30, new Error('an answer without data'))
  return body['data']
}

/** How many to ask for where so many were too costly; null where they were not, or where it is one. */
function fewerThan(count: number, body: Fields): number | null {
  const allowed = allowedShare(body)
  return allowed === null || count === 1 ? null : Math.max(1, Math.min(count - 1, Math.floor(count * allowed)))
}

/** Null if the question was not too costly. */
function allowedShare(body: Fields): number | null {
  const [error] = errorsIn(body)
  const reported = error && isFields(error['extensions']) ? error['extensions'] : {}
  if (reported['code'] !== 'MAX_COST_EXCEEDED') return null
  const share = Number(reported['maxCost']) / Number(reported['cost'])
  return share > 0 && share < 1 ? share : 0.5
}

export const nodesIn = (fields: Fields, name: string): readonly Fields[] => recordsIn(fieldsIn(fields, name), 'nodes')

export function nextIn(connection: Fields): string | null {
  const page = fieldsIn(connection, 'pageInfo')
  return page['hasNextPage'] === true ? textIn(page, 'endCursor') : null
}

export const isGid = (id: string, kind: string): boolean => new RegExp(`^gid://shopify/${kind}/\\d+$`).test(id)

/** A text inside a search, where a quote would end it. */
export const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** Times are compared in whole seconds there; a fraction would leave out what changed within its second. */
const wholeSecond = (time: string): string => `${new Date(time).toISOString().slice(0, 19)}Z`

export const since = (updatedSince: string | null): string | null =>
  updatedSince === null ? null : `updated_at:>=${quoted(wholeSecond(updatedSince))}`

export const within = ({ from, to }: { from: string; to: string }): string =>
  `${since(from)} updated_at:<=${quoted(wholeSecond(to))}`

/** Ids and times, and nothing else, of what changed within a time. */
export const indexWith =
  (query: Query, name: string) =>
  async (shop: ShopifyShop, window: IndexWindow): Promise<IndexPage> => {
    const page = fieldsIn(await ask(shop, query, { after: window.cursor, query: within(window) }), name)
    const items = recordsIn(page, 'nodes').map((one) => ({
      remoteId: textIn(one, 'id'),
      version: timeIn(one, 'updatedAt'),
    }))
    return { items, next: nextIn(page) }
  }
