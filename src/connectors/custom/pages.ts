import { createHash } from 'node:crypto'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import type { Format, Place } from '../../commerce/definition/place.ts'
import { placeName } from '../../commerce/definition/place.ts'
import type { Join, Listing } from '../../commerce/definition/requests.ts'
import { valueIn } from '../../commerce/definition/value-in.ts'
import { bodyOf, isFields } from '../../commerce/reading.ts'
import { type RemoteAnswer, type RemoteRequest, refused } from '../../commerce/remote.ts'
import type { Shop } from '../../commerce/shop.ts'
import { say } from '../../commerce/words/say.ts'
import { inTurns } from '../../lib/turns/in-turns.ts'
import { constants, put, recordIn, type Tree } from './ask.ts'
import { joined, withoutBatches } from './joins.ts'
import { readerOf, timeThere } from './values.ts'

const defaultPageSize = 50
/** Where something is asked for of each record by itself, a page is no longer than this. */
const maxJoinedPage = 50
/** Callers hand cursors back to us, and may send so much. */
const maxCursorLength = 1900

type Asked = Pick<RemoteRequest, 'query' | 'headers' | 'body'>
type Carrier = 'query' | 'header' | 'body'

/** The question with something more in it, wherever the service wants that. */
function withParameter(asked: Asked, carrier: Carrier | undefined, name: string, value: string | number): Asked {
  if (carrier === 'header') return { ...asked, headers: { ...asked.headers, [name.toLowerCase()]: String(value) } }
  if (carrier !== 'body') return { ...asked, query: { ...asked.query, [name]: value } }
  const body: Tree = structuredClone(isFields(asked.body) ? { ...asked.body } : {})
  put(body, name, value)
  return { ...asked, body }
}

/** One page of a list, in whichever way its platform counts them. */
async function readPage(
  shop: Shop,
  listing: Listing,
  { cursor, limit, updatedSince }: Pick<ReadQuery, 'cursor' | 'limit' | 'updatedSince'>,
  format: Format,
): Promise<RawPage> {
  const { paging } = listing
  const sized = sizedBy(listing, Math.max(1, Math.min(limit, paging.size ?? defaultPageSize)))
  const asked = updatedSince === null ? sized : withSince(sized, listing.since, updatedSince, format)
  const ask = (question: Asked) => shop.remote.request(requestOf(listing, question))
  const way = { listing, asked, ask }
  if (paging.style === 'page' || paging.style === 'offset') return await countedPage(way, cursor)
  if (paging.style === 'cursor') return await cursorPage(way, cursor)
  if (paging.style === 'link') return await linkedPage(way, cursor)
  if (paging.style === 'keyset') return await keysetPage(way, cursor)
  return { ...contentsOf(await ask(asked), listing), next: null }
}

/** The smallest question that a list answers: to see whether it may be asked. */
export const firstRequest = (listing: Listing): RemoteRequest => requestOf(listing, sizedBy(listing, 1))

/** A question is asked again as often as it takes, even where it goes by POST. */
const requestOf = ({ path, method = 'GET' }: Listing, asked: Asked): RemoteRequest => ({
  query: {},
  ...asked,
  method,
  path,
  ...(method === 'POST' && { repeatable: true }),
})

/** For so many records, where the service lets itself be told. */
function sizedBy(listing: Listing, size: number): Asked {
  const { size_parameter: name, in: carrier } = listing.paging
  const asked = constantsOf(listing)
  return name ? withParameter(asked, carrier, name, size) : asked
}

function constantsOf({ query, headers, body }: Listing): Asked {
  const tree: Tree = {}
  for (const { path, value } of body ?? []) put(tree, path, value)
  return { ...constants({ ...(query && { query }), ...(headers && { headers }) }), ...(body && { body: tree }) }
}

/** A second early: some platforms mean "after", and cut off fractions. What is too early is left out afterwards. */
function withSince(asked: Asked, since: Listing['since'], from: string, format: Format): Asked {
  if (since === undefined) return asked
  const { name, template = '{since}', ...told } = typeof since === 'string' ? { name: since } : since
  const early = new Date((Math.floor(Date.parse(from) / 1000) - 1) * 1000).toISOString()
  const time = timeThere(early, { ...format, ...told })
  const value = template === '{since}' ? time : template.replaceAll('{since}', String(time))
  return withParameter(asked, 'in' in told ? told.in : 'query', name, value)
}

function contentsOf(answer: RemoteAnswer, { items, total }: Pick<Listing, 'items' | 'total'>): Omit<RawPage, 'next'> {
  const body = bodyOf(answer)
  const list = recordIn(body, items)
  if (!Array.isArray(list))
    throw refused(items === undefined ? say('no_list') : say('no_list_at', { place: placeName(items) }))
  const count = total === undefined ? null : Number(valueIn(body, total))
  return { items: list, total: Number.isSafeInteger(count) ? count : null }
}

interface Way {
  listing: Listing
  asked: Asked
  ask(question: Asked): Promise<RemoteAnswer>
}

const sameAgain = () => refused(say('same_page_twice'))

/**
 * By number, or by how many come before. A page may be shorter than we asked for and still not be the last one: the list
 * ends where the shop says how many there are, or with an empty page. The cursor remembers how the page before began, so
 * that a shop which does not turn the page is found out instead of being read for ever.
 */
async function countedPage({ listing, asked, ask }: Way, cursor: string | null): Promise<RawPage> {
  const { style, parameter = '', first = 1, in: carrier } = listing.paging
  const [pages = 0, seen = 0] = (cursor?.split('|') ?? []).slice(0, 2).map(Number)
  const place = style === 'page' ? first + pages : seen
  const answer = await ask(withParameter(asked, carrier, parameter, place))
  // Beyond the last page there is nothing, which some platforms say with a status.
  if (answer.status === 404 && cursor !== null) return { items: [], next: null, total: null }
  const { items, total } = contentsOf(answer, listing)
  if (items.length === 0) return { items, next: null, total }
  const mark = createHash('sha256').update(JSON.stringify(items[0])).digest('base64url').slice(0, 16)
  if (cursor?.split('|')[2] === mark) throw sameAgain()
  const now = seen + items.length
  return { items, next: total !== null && now >= total ? null : `${pages + 1}|${now}|${mark}`, total }
}

/** The body, or a header, says how to ask for what follows. */
async function cursorPage({ listing, asked, ask }: Way, cursor: string | null): Promise<RawPage> {
  const { parameter = '', next, next_header: header, in: carrier } = listing.paging
  const answer = await ask(cursor === null ? asked : withParameter(asked, carrier, parameter, cursor))
  const body = bodyOf(answer)
  const following = header !== undefined ? answer.headers[header.toLowerCase()] : valueIn(body, next ?? '')
  return { ...contentsOf(answer, listing), next: followed(following, cursor) }
}

/** What comes after the last record of this page. The list ends with an empty one. */
async function keysetPage({ listing, asked, ask }: Way, cursor: string | null): Promise<RawPage> {
  const { parameter = '', key = '', in: carrier } = listing.paging
  const answer = await ask(cursor === null ? asked : withParameter(asked, carrier, parameter, cursor))
  const page = contentsOf(answer, listing)
  const last = page.items.at(-1)
  return { ...page, next: last === undefined ? null : followed(keyOf(last, key), cursor) }
}

function keyOf(record: unknown, key: Place): string {
  const value = valueIn(record, key)
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  throw refused(say('no_page_key', { place: placeName(key) }))
}

/** The address of the next page. Only its parameters are taken: no shop sends us anywhere else. */
async function linkedPage({ listing, asked, ask }: Way, cursor: string | null): Promise<RawPage> {
  const answer = await ask(cursor === null ? asked : { ...asked, query: parametersOf(cursor) })
  const { next } = listing.paging
  const nextUrl = next === undefined ? nextLink(answer.headers['link'] ?? '') : valueIn(bodyOf(answer), next)
  const page = contentsOf(answer, listing)
  if (typeof nextUrl !== 'string' || nextUrl === '') return { ...page, next: null }
  const mark = nextUrl.indexOf('?')
  // Without parameters it would be this page again, and taken for the end it would leave out all that follows.
  if (mark < 0) throw sameAgain()
  return { ...page, next: followed(nextUrl.slice(mark + 1), cursor) }
}

function followed(nextUrl: unknown, cursor: string | null): string | null {
  if (nextUrl === null || nextUrl === undefined || nextUrl === '' || nextUrl === false) return null
  const next = String(nextUrl)
  if (next === cursor) throw sameAgain()
  if (next.length > maxCursorLength) throw refused(say('cursor_too_long'))
  return next
}

function parametersOf(search: string): Record<string, string[]> {
  const parameters = new URLSearchParams(search.replace(/#.*$/, ''))
  return Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name)]))
}

/** Addresses in brackets, quoted texts, signs, and words. What is never closed ends with the header: it is not looked for again and again. */
const linkToken = /<[^<>]*>|"(?:[^"\\]|\\.)*(?:"|\\?$)|[,;=]|[^\s<>",;=]+/g

/** Of a Link header (RFC 8288): one address may have several relations, and of its attributes called `rel` the first counts. */
function nextLink(header: string): string | null {
  let target: string | null = null
  let name = ''
  let relations: string | null = null
  const isNext = () => /(?:^|\s)next(?:\s|$)/i.test(relations ?? '')
  for (const [token] of header.matchAll(linkToken)) {
    if (token === ',' && isNext()) break
    if (token.startsWith('<')) {
      target = token.slice(1, -1)
      relations = null
    }
    if (/^[<,;]/.test(token)) name = ''
    else if (name === '') name = token
    else if (token !== '=' && /^rel$/i.test(name)) relations ??= token.replaceAll('"', '')
  }
  return isNext() ? target : null
}

export interface ListedPart {
  list: Listing
  joins?: readonly Join[]
  fields: { updated_at?: Place }
}

/** What changed since, whether or not the platform can be asked for that, with what belongs to it. */
export async function listChanged(shop: Shop, part: ListedPart, query: ReadQuery, format: Format): Promise<RawPage> {
  const limit = withoutBatches(part.joins) ? Math.min(query.limit, maxJoinedPage) : query.limit
  const page = await readPage(shop, part.list, { ...query, limit }, format)
  const { updated_at: place } = part.fields
  const { updatedSince: since } = query
  const wanted: unknown[] = []
  await inTurns(page.items, (raw) => {
    if (since === null || place === undefined || isSince(raw, place, since, format)) wanted.push(raw)
  })
  return { ...page, items: await withJoins(shop, part, wanted, format) }
}

/** What stands in other lists of the service, on the records that it belongs to. */
export const withJoins = (
  shop: Shop,
  { joins }: Pick<ListedPart, 'joins'>,
  records: readonly unknown[],
  format: Format,
): Promise<readonly unknown[]> =>
  joined(shop, joins, records, (listing, cursor) =>
    readPage(shop, listing, { cursor, limit: 1000, updatedSince: null }, format),
  )

/** A record whose time cannot be read goes on: that it is wrong is reported where it is translated. */
function isSince(raw: unknown, place: Place, since: string, format: Format): boolean {
  try {
    return !isFields(raw) || (readerOf(raw, format).maybeTime(place) ?? since) >= since
  } catch {
    return true
  }
}
