import { refused } from '../../commerce/remote.ts'

/** Orders that were placed between two moments, and where in them we are. */
export interface Window {
  from: string
  /** Null is now. */
  to: string | null
  page: string | null
}

/** Older than Walmart's marketplace interface; half a year is returned at most. */
const theBeginning = '2013-01-01T00:00:00Z'

export const firstWindow: Window = { from: theBeginning, to: null, page: null }

const maxResults = 10_000
const halfYear = 183 * 86_400_000
const minWindowMs = 60_000

/** The older half of a window that holds more than can be returned; null where it is returned as it is. */
export function halved(window: Window, { total, now }: { total: number | null; now: number | null }): Window | null {
  const end = window.to === null ? now : Date.parse(window.to)
  if (total === null || total <= maxResults || end === null) return null
  const start = Math.max(Date.parse(window.from), end - halfYear)
  if (end - start <= minWindowMs) return null
  return { from: window.from, to: secondOf(start + (end - start) / 2), page: null }
}

const secondOf = (moment: number): string => `${new Date(moment).toISOString().slice(0, 19)}Z`

/** All that is behind a window. They share a second, since nobody says on which side of it an order is. */
export const rest = ({ to }: Window): Window | null =>
  to === null ? null : { from: secondOf(Date.parse(to) - 1000), to: null, page: null }

export const writeCursor = ({ from, to, page }: Window): string => [from, to ?? '', page ?? ''].join(' ')

const moment = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ'
const pattern = new RegExp(`^(${moment}) (${moment})? (\\?[^\\s]{1,2000})?$`)

export function readCursor(cursor: string): Window {
  const [, from, to, page] = pattern.exec(cursor) ?? []
  if (!from) throw refused('Invalid cursor.')
  return { from, to: to ?? null, page: page ?? null }
}
