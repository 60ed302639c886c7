import type { Operation } from '../../../commerce/connector.ts'
import { bodyOf, type Fields, fieldsIn, fieldsOf, recordsIn, textIn } from '../../../commerce/reading.ts'
import { refused, shopAway } from '../../../commerce/remote.ts'
import { signed } from '../dialect.ts'
import type { SandboxShop } from '../settings.ts'

const path = '/admin/api/2026-10/graphql.json'

/** A query, and what the platform charges before it runs; what it really cost is told in the answer. */
export interface Query {
  text: string
  cost: number
}

export async function ask(shop: SandboxShop, { text, cost }: Query, variables: Fields = {}): Promise<Fields> {
  return await send(shop, { text, cost }, variables, { repeatable: true })
}

/** A change. Its refusals come with status 200, in a list of their own. */
export async function change(
  shop: SandboxShop,
  { text, name, errors = 'userErrors' }: { text: string; name: string; errors?: string },
  variables: Fields,
  operation: Operation,
): Promise<Fields> {
  const data = await send(shop, { text, cost: mutationCost }, variables, { headers: signed(operation) })
  const payload = fieldsIn(data, name)
  const [error] = recordsIn(payload, errors)
  if (error) throw refused(textIn(error, 'message'))
  return payload
}

const mutationCost = 120

async function send(
  { remote }: SandboxShop,
  { text, cost }: Query,
  variables: Fields,
  how: { repeatable?: boolean; headers?: Readonly<Record<string, string>> },
): Promise<Fields> {
  const answer = await remote.request({
    method: 'POST',
    path,
    body: { query: text, variables },
    budget: 'shopify',
    cost,
    ...how,
  })
  const body = fieldsOf(bodyOf(answer))
  const [error] = Array.isArray(body['errors']) ? recordsIn(body, 'errors') : []
  if (error) throw refused(textIn(error, 'message'))
  // A success without data is a page of something in between.
  if (body['data'] == null) throw shopAway(30, new Error('an answer without data'))
  return fieldsIn(body, 'data')
}

export const nodesIn = (fields: Fields, name: string): readonly Fields[] => recordsIn(fieldsIn(fields, name), 'nodes')

export function nextIn(connection: Fields): string | null {
  const page = fieldsIn(connection, 'pageInfo')
  return page['hasNextPage'] === true ? textIn(page, 'endCursor') : null
}

/** A text inside a search, where a quote would end it. */
export const quoted = (text: string): string => `'${text.replaceAll("'", '')}'`

export const since = (updatedSince: string | null): string | null =>
  updatedSince === null ? null : `updated_at:>=${quoted(wholeSecond(updatedSince))}`

/** Times are compared in whole seconds there; a fraction would leave out what changed within its second. */
const wholeSecond = (time: string): string => `${new Date(time).toISOString().slice(0, 19)}Z`
