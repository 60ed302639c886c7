import type { Wording } from '../../lib/words/wording.ts'
import { say } from '../words/say.ts'

const maxLength = 200

/**
 * What a shop says in the place of an answer, as people can read it: one line without markup, and no longer than a
 * sentence or two. Null where it says nothing.
 */
export function shopWords(body: unknown): string | null {
  const said = isFields(body) ? reasonIn(body) : typeof body === 'string' ? textOf(body) : null
  if (said === null) return null
  const line = said
    .replace(/\p{C}+|\s+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  if (line === '') return null
  return line.length > maxLength ? `${line.slice(0, maxLength - 1).toWellFormed()}…` : line
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A sentence of ours, and behind it the shop's own. */
export function withShopWords(sentence: Wording, body: unknown): Wording {
  const words = shopWords(body)
  return words === null ? sentence : say('shop_says', { reason: sentence, words })
}

/** The shop's reason in a record, wherever platforms put it. */
function reasonIn(body: Readonly<Record<string, unknown>>): string | null {
  const [first] = Array.isArray(body['errors']) ? body['errors'].filter(isFields) : []
  const reason = first?.['message'] ?? body['message'] ?? body['error']
  return typeof reason === 'string' && reason !== '' ? reason : null
}

/** Of a page its title, of XML its message; of anything else what is left without markup. Only the beginning counts. */
function textOf(text: string): string {
  const start = text.slice(0, 20_000)
  const told =
    /<message>\s*(?:<!\[CDATA\[)?([^<\]]*)/i.exec(start)?.[1] ?? /<title[^>]*>([^<]*)/i.exec(start)?.[1] ?? start
  return told.replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ')
}
