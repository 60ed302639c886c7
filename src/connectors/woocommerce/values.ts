import { type Fields, maybeText, textIn } from '../../commerce/reading.ts'

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

/**
 * Names are HTML there: what people typed as "Mugs & Cups" is kept, and answered, as "Mugs &amp; Cups" for all categories and
 * attributes, and for products by who wrote them.
 */
export const plain = (html: string): string =>
  html.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return named[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal)
    return isLetter(code) ? String.fromCodePoint(code) : whole
  })

/** Half of a pair is none, and no database takes it. */
const isLetter = (code: number): boolean => code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)

export const nameIn = (fields: Fields, name: string): string => plain(textIn(fields, name))

export function maybeName(fields: Fields, name: string): string | null {
  const html = maybeText(fields, name)
  return html === null ? null : plain(html)
}

/** What is left of a note: signs are entities then, and tags that are not allowed are gone. */
const kept = (text: string): string =>
  plain(text)
    .replace(/<\/?[a-z][^>]*>/gi, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Whether a note that was sent is the one that the shop answers. */
export const isKept = (sent: string, answered: unknown): boolean =>
  typeof answered === 'string' && (sent === answered || kept(sent) === kept(answered))
