import { parseInPieces } from '../../lib/foreign/parse-in-pieces.ts'

export const maxNotices = 64 * 1024

/** Where an answer may begin behind notices; negative where there are none, or nothing follows them soon. */
export const placeBehindNotices = (text: string, within = maxNotices): number =>
  text.slice(0, within).search(/(?<=[\n>]\s*)[[{]/)

/**
 * Servers print warnings before what was asked for. What is whole behind them is the answer; undefined if it is not, or if
 * nothing precedes it: the end of half an answer may look whole too.
 */
export async function behindNotices(text: string, maxDepth = 64): Promise<unknown> {
  if (/^\s*[[{]/.test(text)) return undefined
  const place = placeBehindNotices(text)
  try {
    return place < 0 ? undefined : await parseInPieces(text.slice(place), maxDepth)
  } catch {
    return undefined
  }
}
