import secureJson from 'secure-json-parse'

/** It may be well-formed, but it is more than anybody sends in good faith. */
export class UnboundedJson extends SyntaxError {}

/** Ten megabytes of ordinary records hold fewer; what holds more is a few bytes each, and nobody's orders. */
const maxValues = 400_000

/** What is shorter cannot hold so many that it matters. */
const shortText = 256 * 1024

/**
 * JSON of somebody else: no keys that would reach into prototypes, no nesting beyond `maxDepth`, no more values than can
 * be gone through at once, and whole numbers that a number cannot hold come as text, digit by digit, so that two long
 * ids never become one. Throws on anything wrong.
 */
export function parseForeignJson(text: string, maxDepth: number): unknown {
  if (text.length > shortText && hasMoreValues(text, maxValues)) throw tooMany()
  // Going through the text costs as much as parsing it, so what is parsed is looked at instead; but not where brackets
  // alone would become objects of many times their size.
  if (text.includes('[[[[') && isDeeper(text, maxDepth)) throw tooDeep(maxDepth)
  const kept = hasLongNumbers(text) ? quoteLongNumbers(text) : text
  const value: unknown = secureJson.parse(kept, null, { protoAction: 'remove', constructorAction: 'remove' })
  if (hasDeeper(value, maxDepth)) throw tooDeep(maxDepth)
  return value
}

/** Only where there is something to see. Most texts have no sixteen digits in a row, which is seen four times as fast. */
const hasLongNumbers = (text: string): boolean => /\d{16}/.test(text) && /[:,[\s-]\d{16}/.test(text)

const tooMany = () => new UnboundedJson(`JSON holds more than ${maxValues} values`)
const tooDeep = (maxDepth: number) => new UnboundedJson(`JSON is nested deeper than ${maxDepth}`)

const isNest = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Level by level, because whoever walks down by calling himself may not come back. */
function hasDeeper(value: unknown, limit: number): boolean {
  let level = [value].filter(isNest)
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limit) return true
    const below: object[] = []
    for (const nest of level) {
      for (const part of Array.isArray(nest) ? nest : Object.values(nest)) if (isNest(part)) below.push(part)
    }
    level = below
  }
  return false
}

/** Every value but the first of a list or record stands behind a comma, and every list and record opens. */
function hasMoreValues(text: string, limit: number): boolean {
  let values = 0
  outsideStrings(text, (code) => {
    if (code === comma || code === openBrace || code === openBracket) values++
    return values <= limit
  })
  return values > limit
}

/** Asking about every value while it is parsed would take ten times as long as the parsing. */
function quoteLongNumbers(text: string): string {
  const parts: string[] = []
  let copied = 0
  let next = 0
  outsideStrings(text, (code, at) => {
    if (at < next || code < zero || code > nine) return true
    number.lastIndex = at
    number.test(text)
    next = number.lastIndex
    // A name is no value: quoted, what is no JSON would become some.
    if (!isLong(text, at, next) || isName(text, next)) return true
    const start = text[at - 1] === '-' ? at - 1 : at
    parts.push(text.slice(copied, start), '"', text.slice(start, next), '"')
    copied = next
    return true
  })
  return parts.join('') + text.slice(copied)
}

const number = /[\d.eE+-]+/y

function isLong(text: string, from: number, to: number): boolean {
  if (to - from < 16) return false
  const digits = text.slice(from, to)
  return /^\d+$/.test(digits) && !Number.isSafeInteger(Number(digits))
}

const behindName = /\s*:/y

function isName(text: string, end: number): boolean {
  behindName.lastIndex = end
  return behindName.test(text)
}

export const quote = 34
export const comma = 44
const zero = 48
const nine = 57
export const openBracket = 91
export const backslash = 92
export const closeBracket = 93
export const openBrace = 123
export const closeBrace = 125

/** Counts while somebody shows it what is no part of a string, and throws at what is too much. */
export class JsonBounds {
  #values = 0
  #depth = 0
  readonly #maxDepth: number

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth
  }

  look(code: number): void {
    const opens = code === openBrace || code === openBracket
    if ((opens || code === comma) && ++this.#values > maxValues) throw tooMany()
    if (opens && ++this.#depth > this.#maxDepth) throw tooDeep(this.#maxDepth)
    if (code === closeBrace || code === closeBracket) this.#depth--
  }
}

export interface ScanState {
  at: number
  inString: boolean
}

/** Once in so many letters it is looked how far the text goes on: that pays for long ones, and costs the others nothing. */
const longText = 64

/** From the middle of a text to its next quote, or behind it where it is a letter of the text: after an odd number of backslashes. */
function leap(text: string, from: number): number {
  const next = text.indexOf('"', from)
  if (next < 0) return text.length
  let slashes = 0
  while (next - slashes > from && text.charCodeAt(next - slashes - 1) === backslash) slashes++
  return next + (slashes % 2)
}

/**
 * Shows every character up to `to` that is not part of a string, until somebody has seen enough; says where it is then, which may be
 * behind `to` where a string reaches over it.
 */
export function scanOutsideStrings(
  text: string,
  from: ScanState,
  to: number,
  look: (code: number, at: number) => boolean,
): ScanState {
  let { at, inString } = from
  const end = Math.min(to, text.length)
  for (; at < end; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === backslash) at++
      else if (code === quote) inString = false
      else if (at % longText === 0) at = leap(text, at + 1) - 1
    } else if (code === quote) inString = true
    else if (!look(code, at)) return { at: at + 1, inString }
  }
  return { at, inString }
}

function outsideStrings(text: string, look: (code: number, at: number) => boolean): void {
  scanOutsideStrings(text, { at: 0, inString: false }, text.length, look)
}

/** Looked at before parsing, because what is parsed is walked by others, one call deeper for each level. */
export function isDeeper(text: string, limit: number): boolean {
  let depth = 0
  outsideStrings(text, (code) => {
    if (code === openBrace || code === openBracket) depth++
    else if (code === closeBrace || code === closeBracket) depth--
    return depth <= limit
  })
  return depth > limit
}
