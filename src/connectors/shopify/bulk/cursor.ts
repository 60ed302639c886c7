import { isFields } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'
import { parseForeignJson } from '../../../lib/parse-json.ts'

/** Where the reading of orders stands: on a page, and how large these may be, or in the file of a bulk operation. */
export type Place = PagePlace | BulkPlace

export interface PagePlace {
  /** Null: as large as we like. */
  first: number | null
  after: string | null
}

export interface BulkPlace {
  operation: string
  offset: number
}

export const fromTheBeginning: PagePlace = { first: null, after: null }

export const cursorOf = (place: Place): string => JSON.stringify(place)

export function placeOf(cursor: string): Place {
  const reported = parsed(cursor)
  const { operation, offset, first = null, after = null } = isFields(reported) ? reported : { first: 0 }
  if (typeof operation === 'string' && isCount(offset)) return { operation, offset }
  const isPage = (first === null || (isCount(first) && first > 0)) && (after === null || typeof after === 'string')
  if (!isPage || operation !== undefined) throw refused(say('invalid_cursor'))
  return { first, after }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

export function parsed(cursor: string): unknown {
  try {
    return parseForeignJson(cursor, 4)
  } catch {
    return null
  }
}
