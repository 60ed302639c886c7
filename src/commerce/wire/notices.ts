import { parseInPieces } from '../../lib/foreign/parse-in-pieces.ts'

const maxNotices = 64 * 1024

/**
 * Servers print warnings before what was asked for. What is whole behind them is the answer; undefined if it is not, or if
 * nothing precedes it: the end of half an answer may look whole too.
 */
export async function behindNotices(text: string, maxDepth = 64): Promise<unknown> {
  if (/^\s*[[{]/.test(text)) return undefined
  const place = text.slice(0, maxNotices).search(/(?<=[\n>]\s*)[[{]/)
  try {
    return place < 0 ? undefined : await parseInPieces(text.slice(place), maxDepth)
  } catch {
    return undefined
  }
}
