import { backslash, closeBrace, closeBracket, comma, JsonBounds, openBrace, openBracket, quote } from '../parse-json.ts'

/** Most texts are shorter. */
const longText = 64
const farAhead = 4096

const blanks: ReadonlySet<number> = new Set([9, 10, 13, 32])

/**
 * Looks at JSON while it comes, piece by piece, and throws `UnboundedJson` as soon as there is more of it than anybody sends in good
 * faith: what would be refused when it is parsed need not be waited for, nor kept. Anything else but JSON is not looked at.
 */
export function watchJson(maxDepth: number): (bytes: Buffer) => void {
  const bounds = new JsonBounds(maxDepth)
  let isJson: boolean | null = null
  let inString = false
  /** The first character of the next piece belongs to a backslash. */
  let isEscaped = false

  /** Behind the end of the string that goes on at a place. Long texts are passed over by their quotes, not letter by letter. */
  function passString(bytes: Buffer, from: number): number {
    const letters = Math.min(bytes.length, from + longText)
    for (let at = from; at < letters; at++) {
      const byte = bytes[at]
      if (isEscaped) isEscaped = false
      else if (byte === backslash) isEscaped = true
      else if (byte === quote) {
        inString = false
        return at + 1
      }
    }
    if (isEscaped) return letters
    // Up to the next that means something: then letter by letter again.
    const ahead = bytes.subarray(letters, letters + farAhead)
    const places = [ahead.indexOf(quote), ahead.indexOf(backslash)].filter((place) => place >= 0)
    return letters + Math.min(ahead.length, ...places)
  }

  return (bytes) => {
    for (let at = 0; at < bytes.length; ) {
      if (inString) {
        at = passString(bytes, at)
        continue
      }
      const byte = bytes[at++] ?? 0
      if (isJson === null && !blanks.has(byte)) isJson = byte === openBrace || byte === openBracket
      if (isJson === false) return
      if (byte === quote) inString = true
      else if (isStructure(byte)) bounds.look(byte)
    }
  }
}

const isStructure = (byte: number): boolean =>
  byte === comma || byte === openBrace || byte === openBracket || byte === closeBrace || byte === closeBracket
