import { isHeavy } from './piece-of-work.ts'
import { takeTurns } from './turns.ts'

/** In turns only where a piece of work has had a large answer: in one go it takes less. */
export const stringifyHeavy = async (value: unknown): Promise<string> =>
  isHeavy() ? await stringifyInTurns(value) : JSON.stringify(value)

/** So far down are lists and records taken apart; what lies deeper is written in one go. */
const maxDepth = 4

/**
 * The same text as `JSON.stringify`, for what may be large: lists and records are written entry by entry, and others have their
 * turn in between.
 */
export async function stringifyInTurns(value: unknown): Promise<string> {
  const parts: string[] = []
  const turns = takeTurns()
  const write = async (one: unknown, depth: number): Promise<void> => {
    if (depth >= maxDepth || !isPlain(one)) {
      parts.push(JSON.stringify(one) ?? 'null')
      const rest = turns.yield()
      if (rest) await rest
      return
    }
    const isList = Array.isArray(one)
    parts.push(isList ? '[' : '{')
    let count = 0
    for (const [name, inner] of Object.entries(one)) {
      if (!isList && isLeftOut(inner)) continue
      if (count++ > 0) parts.push(',')
      if (!isList) parts.push(JSON.stringify(name), ':')
      await write(isLeftOut(inner) ? null : inner, depth + 1)
    }
    parts.push(isList ? ']' : '}')
  }
  await write(value, 0)
  return parts.join('')
}

/** What has a way of its own to be written is left to it. */
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !('toJSON' in value) && !ArrayBuffer.isView(value) && !isBoxed(value)

const isBoxed = (value: object): boolean =>
  value instanceof String || value instanceof Number || value instanceof Boolean || value instanceof BigInt

const isLeftOut = (value: unknown): boolean =>
  value === undefined || typeof value === 'function' || typeof value === 'symbol'
