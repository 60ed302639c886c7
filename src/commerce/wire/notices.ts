import { parseForeignJson } from '../../lib/parse-json.ts'

const maxNotices = 64 * 1024

/**
 * Servers print warnings before what was asked for. What is whole behind them is the answer; undefined if it is not, or if
 * nothing precedes it: the end of half an answer may look whole too.
 */
export function behindNotices(text: string, maxDepth = 64): unknown {
  if (/^\s*[[{]/.test(text)) return undefined
  const place = text.slice(0, maxNotices).search(/(?<=[\n>]\s*)[[{]/)
  try {
    return place < 0 ? undefined : parseForeignJson(text.slice(place), maxDepth)
  } catch {
    return undefined
  }
}
