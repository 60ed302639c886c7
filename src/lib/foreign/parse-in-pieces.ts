import {
  closeBrace,
  closeBracket,
  comma,
  JsonBounds,
  openBrace,
  openBracket,
  parseForeignJson,
  quote,
  type ScanState,
  scanOutsideStrings,
} from '../parse-json.ts'
import { takeTurns } from '../turns/turns.ts'

/** Nobody else in this process waits for longer than this many characters take: a few milliseconds. */
const pieceLength = 128 * 1024

/** Whoever only wants to know how many names a record has waits for all of them: one with more than this is none. */
const maxNames = 20_000

/**
 * The same as `parseForeignJson`, for what may be large: lists and records that are longer than a piece are taken apart at
 * their commas, long texts are read by themselves, and others have their turn between two pieces. Copies nothing, unlike a thread, whose answer would have to be
 * put together here all the same.
 */
export async function parseInPieces(text: string, maxDepth: number, length = pieceLength): Promise<unknown> {
  if (text.length <= length) return parseForeignJson(text, maxDepth)
  const turns = takeTurns()
  const large = await findLarge(text, { maxDepth, length, turns })
  const start = skipBlanks(text, 0)
  const end = large.get(start)
  if (end === undefined || isText(text, start)) return parseForeignJson(text, maxDepth)
  if (skipBlanks(text, end) < text.length) throw new SyntaxError('JSON goes on behind its end')
  return await parseLarge({ text, large, maxDepth, length, turns }, start, end)
}

interface Taking {
  text: string
  /** Where a list, record or text that is longer than a piece begins, and where it has ended. */
  large: ReadonlyMap<number, number>
  maxDepth: number
  length: number
  turns: ReturnType<typeof takeTurns>
}

/** Looks at every character once, and refuses what nobody sends in good faith before any of it is made. */
async function findLarge(
  text: string,
  { maxDepth, length, turns }: Pick<Taking, 'maxDepth' | 'length' | 'turns'>,
): Promise<Map<number, number>> {
  const large = new Map<number, number>()
  const open: number[] = []
  const bounds = new JsonBounds(maxDepth)
  /** The last character that belongs to no text: what lies between two of them is one. */
  let seen = -1
  const look = (code: number, at: number) => {
    bounds.look(code)
    if (at - seen > length && text.charCodeAt(skipBlanks(text, at)) !== colon) large.set(seen + 1, at)
    seen = at
    if (code === openBrace || code === openBracket) open.push(at)
    else if (code === closeBrace || code === closeBracket) {
      const start = open.pop()
      if (start === undefined || text.charCodeAt(start) !== (code === closeBrace ? openBrace : openBracket)) {
        throw new SyntaxError('JSON closes what it has not opened')
      }
      if (at - start >= length) large.set(start, at + 1)
    }
    return true
  }
  for (let state: ScanState = { at: 0, inString: false }; state.at < text.length; ) {
    await turns.yield()
    state = scanOutsideStrings(text, state, state.at + pieceLength, look)
  }
  if (open.length > 0) throw new SyntaxError('JSON ends before it is closed')
  return large
}

/** The list or record between two positions, piece by piece. */
async function parseLarge(taking: Taking, start: number, end: number): Promise<unknown> {
  const { text, large, length, turns } = taking
  const isList = text.charCodeAt(start) === openBracket
  const list: unknown[] = []
  const record: Record<string, unknown> = {}
  let names = 0
  let begun = start + 1
  /** Behind the last comma of this level. */
  let entry = begun
  const take = async (until: number) => {
    const parsed = pieceOf(taking, begun, until, isList)
    if (Array.isArray(parsed)) for (const item of parsed) list.push(item)
    else {
      names += Object.keys(Object(parsed)).length
      if (names > maxNames) throw new SyntaxError(`JSON has a record of more than ${maxNames} names`)
      Object.assign(record, parsed)
    }
    await turns.yield()
  }
  let depth = 0
  let seen = start
  const last = end - 1
  /** A text that is read by itself, right before this character. */
  const textBefore = (at: number) => (depth === 0 && at - seen > length && large.has(seen + 1) ? seen + 1 : -1)
  if (skipBlanks(text, begun) === last) return isList ? list : record
  for (let state: ScanState = { at: begun, inString: false }; state.at < last; ) {
    let inner = -1
    let cut = -1
    state = scanOutsideStrings(text, state, last, (code, at) => {
      inner = textBefore(at)
      seen = at
      if (inner >= 0) return false
      if (depth === 0 && large.has(at)) inner = at
      else if (code === openBrace || code === openBracket) depth++
      else if (code === closeBrace || code === closeBracket) depth--
      else if (code === comma && depth === 0) {
        entry = at + 1
        if (at - begun >= length) cut = at
      }
      return inner < 0 && cut < 0
    })
    if (cut >= 0) {
      await take(cut)
      begun = cut + 1
    }
    if (inner < 0 && cut < 0) inner = textBefore(last)
    if (inner < 0) continue
    // What stands before it, without its own name and the comma between them.
    if (entry > begun) await take(entry - 1)
    const innerEnd = large.get(inner) ?? last
    const value = isText(text, inner)
      ? await textOf(taking, inner, innerEnd)
      : await parseLarge(taking, inner, innerEnd)
    const name = nameOf(taking, entry, inner, isList)
    if (name === null) list.push(value)
    else if (isHarmless(name, value)) record[name] = value
    state = { at: skipBlanks(text, innerEnd), inString: false }
    if (state.at === last) return isList ? list : record
    if (text.charCodeAt(state.at) !== comma) throw new SyntaxError('JSON lacks a comma')
    seen = state.at
    state = { at: state.at + 1, inString: false }
    begun = state.at
    entry = begun
  }
  await take(last)
  return isList ? list : record
}

const colon = 0x3a

const isText = (text: string, at: number): boolean => text.charCodeAt(at) === quote

/** Nothing in a text needs a second look: neither names nor numbers. */
async function textOf({ text, turns }: Taking, from: number, to: number): Promise<unknown> {
  const value: unknown = JSON.parse(text.slice(from, to))
  await turns.yield()
  return value
}

/** Entries of a list or record, as one of their own. Where a comma was, something has to stand. */
function pieceOf({ text, maxDepth }: Taking, from: number, to: number, isList: boolean): unknown {
  const piece = text.slice(from, to)
  if (piece.trim() === '') throw new SyntaxError('JSON has a comma too many')
  return parseForeignJson(isList ? `[${piece}]` : `{${piece}}`, maxDepth)
}

function nameOf({ text, maxDepth }: Taking, from: number, to: number, isList: boolean): string | null {
  const before = text.slice(from, to)
  if (isList) {
    if (before.trim() !== '') throw new SyntaxError('JSON lacks a comma')
    return null
  }
  // A long number would be read as a text, and is no name.
  if (!/^\s*"/.test(before)) throw new SyntaxError('JSON lacks a name')
  // Not by the name itself: those that reach into prototypes would be gone.
  const name = parseForeignJson(`[${before.trimEnd().replace(/:$/, '')}]`, maxDepth)
  const [only] = Array.isArray(name) && name.length === 1 && /:\s*$/.test(before) ? name : []
  if (typeof only !== 'string') throw new SyntaxError('JSON lacks a name')
  return only
}

/** As whoever parses the pieces sees it. */
const isHarmless = (name: string, value: unknown): boolean =>
  name !== '__proto__' &&
  !(name === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype'))

const blanks = /[ \t\n\r]*/y

function skipBlanks(text: string, from: number): number {
  blanks.lastIndex = from
  blanks.test(text)
  return blanks.lastIndex
}
