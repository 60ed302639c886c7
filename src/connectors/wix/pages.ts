import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, fieldsOf, maybeFields, maybeText, recordsIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { bodyOf } from './ask.ts'
import type { WixShop } from './settings.ts'

export interface WixList {
  path: string
  /** What the question is called in the body. */
  question: 'query' | 'search'
  /** What the list is called in the answer. */
  rows: string
  /** The most that a page may hold. */
  most: number
  filter?: Fields
  /** What else is in the body. */
  beside?: Fields
}

/** Each is an article at one place. */
export const inventoryItems = { path: '/stores/v3/inventory-items/query', rows: 'inventoryItems', most: 1000 }

export type WixPage = Omit<RawPage, 'items'> & { items: readonly Fields[] }

/**
 * By the time of the last change, oldest first, from cursor to cursor. A cursor says all that was asked, so that nothing may be
 * said beside it. Ours has the time of the last record with it: where Wix no longer takes its own, some records are read twice,
 * and none is left out.
 */
export async function listChanged(shop: WixShop, list: WixList, query: ReadQuery): Promise<WixPage> {
  const { path, question, filter = {}, beside = {} } = list
  const limit = Math.min(query.limit, list.most)
  const place = query.cursor === null ? null : placeIn(query.cursor)
  const send = (asked: Fields) =>
    shop.remote.request({ method: 'POST', path, body: { [question]: asked, ...beside }, repeatable: true })
  const from = (time: string | null) => ({
    filter: { ...filter, ...(time === null ? {} : { updatedDate: { $gte: time } }) },
    sort: [{ fieldName: 'updatedDate', order: 'ASC' }],
    cursorPaging: { limit },
  })
  const since = query.updatedSince === null ? null : new Date(query.updatedSince).toISOString()
  let answer = await send(place ? { cursorPaging: { limit, cursor: place.cursor } } : from(since))
  if (place && answer.status === 400) answer = await send(from(place.time))
  return pageIn(fieldsOf(bodyOf(answer)), list.rows, place?.time ?? since)
}

/** A list that goes on after so many pages has no end. */
export const mostPages = 500

/** All rows of a list that is asked for as a whole, page by page. */
export async function readAll(shop: WixShop, list: Omit<WixList, 'question'>): Promise<readonly Fields[]> {
  const { path, filter, most, beside = {} } = list
  const all: Fields[] = []
  let asked: Fields = { ...(filter ? { filter } : {}), cursorPaging: { limit: most } }
  for (let pages = 0; pages < mostPages; pages++) {
    const body = { query: asked, ...beside }
    const answer = await shop.remote.request({ method: 'POST', path, body, repeatable: true })
    const page = pageIn(fieldsOf(bodyOf(answer)), list.rows, null)
    all.push(...page.items)
    if (page.next === null) return all
    asked = { cursorPaging: { limit: most, cursor: placeIn(page.next).cursor } }
  }
  throw refused(say('list_too_long', { platform: 'Wix' }))
}

/** Some lists call it one thing and some the other. */
function pageIn(body: Fields, name: string, time: string | null): WixPage {
  const items = body[name] == null ? [] : recordsIn(body, name)
  const meta = maybeFields(body, 'pagingMetadata') ?? maybeFields(body, 'metadata') ?? {}
  const cursor = maybeText(maybeFields(meta, 'cursors') ?? {}, 'next')
  const last = items.at(-1)
  const reached = (last && maybeText(last, 'updatedDate')) ?? time ?? ''
  const isMore = cursor !== null && meta['hasNext'] !== false
  return { items, next: isMore ? `${reached}|${cursor}` : null, total: null }
}

/** Cursors come back from callers, who may have written anything into them. */
function placeIn(text: string): { time: string | null; cursor: string } {
  const [, time = '', cursor] = /^([\dTZ:.+-]{0,40})\|([\x21-\x7e]{1,16000})$/.exec(text) ?? []
  if (cursor === undefined) throw refused(say('invalid_cursor'))
  return { time: time === '' ? null : time, cursor }
}
