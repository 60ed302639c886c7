import { refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'

/** Who sends the orders of a list: Walmart has one for each. */
export const nodeTypes = { seller: 'SellerFulfilled', walmart: 'WFSFulfilled', third_party: '3PLFulfilled' } as const
export type NodeType = (typeof nodeTypes)[keyof typeof nodeTypes]

/** Orders that were placed between two moments, and where in them we are. */
export interface Window {
  node: NodeType
  from: string
  /** Null is now. */
  to: string | null
  page: string | null
}

/** Older than Walmart's marketplace interface. */
const theBeginning = '2013-01-01T00:00:00Z'

export const firstWindow = (node: NodeType): Window => ({ node, from: theBeginning, to: null, page: null })

/** Older orders are not told at all. */
export const horizonDays = 180

const maxResults = 10_000
const horizonMs = horizonDays * 86_400_000
const minWindowMs = 60_000

/** The older half of a window that holds more than can be returned; null where it is returned as it is. */
export function halved(window: Window, { total, now }: { total: number | null; now: number | null }): Window | null {
  const end = window.to === null ? now : Date.parse(window.to)
  if (total === null || total <= maxResults || end === null || now === null) return null
  const start = Math.max(Date.parse(window.from), now - horizonMs)
  if (end - start <= minWindowMs) return null
  return { ...window, from: secondOf(start), to: secondOf(start + (end - start) / 2), page: null }
}

const secondOf = (moment: number): string => `${new Date(moment).toISOString().slice(0, 19)}Z`

/** All that is behind a window. They share a second, since nobody says on which side of it an order is. */
export const rest = ({ node, to }: Window): Window | null =>
  to === null ? null : { node, from: secondOf(Date.parse(to) - 1000), to: null, page: null }

export const writeCursor = ({ node, from, to, page }: Window): string => [node, from, to ?? '', page ?? ''].join(' ')

const moment = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ'
const pattern = new RegExp(`^(?:(\\w+Fulfilled) )?(${moment}) (${moment})? (\\?[^\\s]{1,2000})?$`)

export function readCursor(cursor: string): Window {
  const [, name, from, to, page] = pattern.exec(cursor) ?? []
  // Cursors of an earlier version did not say whose orders these are.
  const node = Object.values(nodeTypes).find((one) => one === (name ?? nodeTypes.seller))
  if (!from || !node) throw refused(say('invalid_cursor'))
  return { node, from, to: to ?? null, page: page ?? null }
}
