import { type Fields, fieldsOf, isFields, recordsIn, textIn, timeOf } from '../../commerce/reading.ts'
import { type RemoteAnswer, type RemoteRequest, refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'
import type { Wording } from '../../lib/words/wording.ts'
import type { BigShop } from './settings.ts'

type Query = NonNullable<RemoteRequest['query']>

/** The answer's body; null where there is nothing (an empty list is an answer without a body in v2). */
export async function ask(
  { remote }: BigShop,
  request: { method?: RemoteRequest['method']; path: string; query?: Query; body?: unknown; repeatable?: boolean },
): Promise<unknown> {
  const answer = await remote.request({ method: 'GET', ...request })
  if (answer.status === 404 && (request.method ?? 'GET') === 'GET') return null
  return bodyOf(answer)
}

/** A list of v2. */
export async function askList(shop: BigShop, path: string, query: Query): Promise<readonly Fields[]> {
  const answer = await shop.remote.request({ method: 'GET', path, query })
  const body = bodyOf(answer)
  return body === null ? [] : recordsIn({ body }, 'body')
}

/** A page of v3, and how many there are in all. */
export async function askPage(shop: BigShop, path: string, query: Query) {
  return pageIn(await shop.remote.request({ method: 'GET', path, query }))
}

export function pageIn(answer: RemoteAnswer): { rows: readonly Fields[]; total: number | null; more: boolean } {
  const body = fieldsOf(bodyOf(answer))
  const meta = isFields(body['meta']) ? body['meta'] : {}
  const { total, current_page: page, total_pages: pages } = isFields(meta['pagination']) ? meta['pagination'] : {}
  return {
    rows: recordsIn(body, 'data'),
    total: typeof total === 'number' ? total : null,
    more: Number(page) < Number(pages),
  }
}

function bodyOf({ status, body }: RemoteAnswer): unknown {
  if (status < 300) return body === '' ? null : body
  throw refused(reasonIn(body))
}

/** v2 lists what it has against a request, v3 has a title and, by field, what is wrong. */
function reasonIn(body: unknown): string | Wording {
  const reported = Array.isArray(body) ? body.find(isFields) : isFields(body) ? body : null
  const detail = reported && isFields(reported['errors']) ? Object.values(reported['errors']).find(isText) : undefined
  const reason = [
    reported?.['title'],
    reported?.['message'],
    reported?.['error_description'],
    reported?.['error'],
  ].find(isText)
  return [reason, detail].filter(isText).join(' ') || say('rejected')
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** An order with addresses, lines and fees in one go. */
export const whole = { include: 'consignments.line_items,fees', consignment_structure: 'object' }

/** Ids are numbers there, whatever anybody asks for. */
export const isId = (id: string): boolean => /^\d{1,15}$/.test(id)

const form = /^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (?:[+-]\d{4}|GMT)$/

/** Times of v2 are those of e-mails: `Wed, 10 Jan 2018 21:05:30 +0000`. */
export function mailTimeIn(fields: Fields, name: string): string {
  const reported = textIn(fields, name)
  const at = form.test(reported) ? new Date(reported) : null
  if (at === null || Number.isNaN(at.getTime())) throw new Unreadable(say('no_time', { value: reported }))
  return timeOf(at.toISOString())
}

/** A second of Greenwich, as queries write it. */
export const asked = (second: string | null): string | null => second && `${second}+00:00`
