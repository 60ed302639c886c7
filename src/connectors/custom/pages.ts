import { createHash } from 'node:crypto'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import type { Format, Listing } from '../../commerce/definition/definition.ts'
import { bodyOf, isFields } from '../../commerce/reading.ts'
import { type RemoteAnswer, type RemoteRequest, refused } from '../../commerce/remote.ts'
import type { Shop } from '../../commerce/shop.ts'
import { readerOf, valueAt } from './values.ts'

type Query = Readonly<Record<string, string | number>>

const defaultPageSize = 50
/** Callers hand cursors back to us, and may send so much. */
const maxCursorLength = 1900

/** One page of a list, in whichever way its platform counts them. */
async function readPage(
  shop: Shop,
  listing: Listing,
  { cursor, limit, updatedSince }: ReadQuery,
  format: Format,
): Promise<RawPage> {
  const { path, paging } = listing
  const size = Math.max(1, Math.min(limit, paging.size ?? defaultPageSize))
  const constants = Object.fromEntries((listing.query ?? []).map(({ name, value }) => [name, value]))
  const asked: Query = {
    ...constants,
    ...(listing.since && updatedSince !== null && { [listing.since]: sinceOf(updatedSince, format) }),
    ...(paging.size_parameter && { [paging.size_parameter]: size }),
  }
  const ask = (query: RemoteRequest['query']) => shop.remote.request({ method: 'GET', path, query: query ?? {} })
  const way = { listing, asked, ask }
  if (paging.style === 'page' || paging.style === 'offset') return await countedPage(way, cursor)
  if (paging.style === 'cursor') return await cursorPage(way, cursor)
  if (paging.style === 'link') return await linkedPage(way, cursor)
  return { ...contentsOf(await ask(asked), listing), next: null }
}

/** A second early: some platforms mean "after", and cut off fractions. What is too early is left out afterwards. */
function sinceOf(since: string, { time }: Format): string | number {
  const seconds = Math.floor(Date.parse(since) / 1000) - 1
  return time === 'unix' ? seconds : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}

function contentsOf(answer: RemoteAnswer, { items, total }: Listing): Omit<RawPage, 'next'> {
  const body = bodyOf(answer)
  const list = items === undefined ? body : valueAt(body, items)
  if (!Array.isArray(list))
    throw refused(`The shop's answer has no list${items === undefined ? '' : ` at "${items}"`}.`)
  const count = total === undefined ? null : Number(valueAt(body, total))
  return { items: list, total: Number.isSafeInteger(count) ? count : null }
}

interface Way {
  listing: Listing
  asked: Query
  ask(query: RemoteRequest['query']): Promise<RemoteAnswer>
}

const sameAgain = () => refused('The shop gave the same page twice: the paging of the definition does not fit it.')

/**
 * By number, or by how many come before. A page may be shorter than we asked for and still not be the last one: the list
 * ends where the shop says how many there are, or with an empty page. The cursor remembers how the page before began, so
 * that a shop which does not turn the page is found out instead of being read for ever.
 */
async function countedPage({ listing, asked, ask }: Way, cursor: string | null): Promise<RawPage> {
  const { style, parameter = '', first = 1 } = listing.paging
  const [pages = 0, seen = 0] = (cursor?.split('|') ?? []).slice(0, 2).map(Number)
  const place = style === 'page' ? first + pages : seen
  const answer = await ask({ ...asked, [parameter]: place })
  // Beyond the last page there is nothing, which some platforms say with a status.
  if (answer.status === 404 && cursor !== null) return { items: [], next: null, total: null }
  const { items, total } = contentsOf(answer, listing)
  if (items.length === 0) return { items, next: null, total }
  const mark = createHash('sha256').update(JSON.stringify(items[0])).digest('base64url').slice(0, 16)
  if (cursor?.split('|')[2] === mark) throw sameAgain()
  const now = seen + items.length
  return { items, next: total !== null && now >= total ? null : `${pages + 1}|${now}|${mark}`, total }
}

/** The body says how to ask for what follows. */
async function cursorPage({ listing, asked, ask }: Way, cursor: string | null): Promise<RawPage> {
  const { parameter = '', next = '' } = listing.paging
  const answer = await ask(cursor === null ? asked : { ...asked, [parameter]: cursor })
  const nextUrl = valueAt(bodyOf(answer), next)
  return { ...contentsOf(answer, listing), next: followed(nextUrl, cursor) }
}

/** The address of the next page. Only its parameters are taken: no shop sends us anywhere else. */
async function linkedPage({ listing, asked, ask }: Way, cursor: string | null): Promise<RawPage> {
  const answer = await ask(cursor === null ? asked : parametersOf(cursor))
  const { next } = listing.paging
  const nextUrl = next === undefined ? nextLink(answer.headers['link'] ?? '') : valueAt(bodyOf(answer), next)
  const page = contentsOf(answer, listing)
  if (typeof nextUrl !== 'string' || nextUrl === '') return { ...page, next: null }
  const mark = nextUrl.indexOf('?')
  return { ...page, next: followed(mark < 0 ? '' : nextUrl.slice(mark + 1), cursor) }
}

function followed(nextUrl: unknown, cursor: string | null): string | null {
  if (nextUrl === null || nextUrl === undefined || nextUrl === '' || nextUrl === false) return null
  const next = String(nextUrl)
  if (next === cursor) throw sameAgain()
  if (next.length > maxCursorLength) throw refused('The shop’s cursor is too long.')
  return next
}

function parametersOf(search: string): Record<string, string[]> {
  const parameters = new URLSearchParams(search.replace(/#.*$/, ''))
  return Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name)]))
}

/** Of a Link header (RFC 8288). */
function nextLink(header: string): string | null {
  for (const part of header.split(/,(?=\s*<)/)) {
    const [target = '', ...attributes] = part.split(';')
    const isNext = attributes.some((attribute) => /^\s*rel\s*=\s*"?next"?\s*$/i.test(attribute))
    if (isNext) return target.trim().replace(/^<|>$/g, '')
  }
  return null
}

/** What changed since, whether or not the platform can be asked for that. */
export async function listChanged(
  shop: Shop,
  part: { list: Listing; fields: { updated_at?: string } },
  query: ReadQuery,
  format: Format,
): Promise<RawPage> {
  const page = await readPage(shop, part.list, query, format)
  const { updated_at: path } = part.fields
  const { updatedSince: since } = query
  if (since === null || path === undefined) return page
  return { ...page, items: page.items.filter((raw) => isSince(raw, path, since, format)) }
}

/** A record whose time cannot be read goes on: that it is wrong is reported where it is translated. */
function isSince(raw: unknown, path: string, since: string, format: Format): boolean {
  try {
    return !isFields(raw) || (readerOf(raw, format).maybeTime(path) ?? since) >= since
  } catch {
    return true
  }
}
