import secureJson from 'secure-json-parse'

/**
 * JSON of somebody else: no keys that would reach into prototypes, no nesting beyond `maxDepth`, and whole numbers that
 * a number cannot hold come as text, digit by digit, so that two long ids never become one. Throws on anything wrong.
 */
export function parseForeignJson(text: string, maxDepth: number): unknown {
  // Going through the text costs as much as parsing it, so what is parsed is looked at instead; but not where brackets
  // alone would become objects of many times their size.
  if (text.includes('[[[[') && isDeeper(text, maxDepth)) throw tooDeep(maxDepth)
  const options = { protoAction: 'remove', constructorAction: 'remove' } as const
  // Looking at every value costs more than parsing, so only where there is something to see.
  const value: unknown = /(?<=[:,[\s-])\d{16}/.test(text)
    ? secureJson.parse(text, keepLongDigits, options)
    : secureJson.parse(text, null, options)
  if (hasDeeper(value, maxDepth)) throw tooDeep(maxDepth)
  return value
}

const tooDeep = (maxDepth: number) => new SyntaxError(`JSON is nested deeper than ${maxDepth}`)

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

function keepLongDigits(_key: string, value: unknown, ...[context]: unknown[]): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value
  const source = typeof context === 'object' && context && 'source' in context ? context.source : null
  return typeof source === 'string' && /^-?\d+$/.test(source) ? source : value
}

/** Looked at before parsing, because what is parsed is walked by others, one call deeper for each level. */
export function isDeeper(text: string, limit: number): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (inString) {
      if (code === 92) i++
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 123 || code === 91) {
      if (++depth > limit) return true
    } else if (code === 125 || code === 93) depth--
  }
  return false
}
