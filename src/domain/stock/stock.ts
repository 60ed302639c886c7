/** One stock for all shops of an account (decision 35): its words, and the rules that need no database. */

export const modes = ['dry', 'on', 'off'] as const
/** `dry`: computed and shown, never sent. `off`: neither, and shops stay as they are. */
export type Mode = (typeof modes)[number]

export interface Pool {
  id: number
  app_id: number
  account_id: number
  mode: Mode
  /** Fewer pieces than this are dealt out: each is offered in one shop only. None by default. */
  deal_below: number
  created_at: string
  updated_at: string
}

export const byHand = ['believe', 'correct'] as const

/** How much of what is there a shop is to show. */
export interface Rule {
  active: boolean
  share_percent: number
  /** Kept back before anything is shared out. */
  margin: number
  /** No more than this, however much there is. */
  cap: number | null
  /** Less than this is shown as none. */
  minimum: number
  /** Only whole packs of so many. */
  multiple: number
}

export interface PoolShop extends Rule {
  integration_id: number
  pool_id: number
  place_id: number
  /** Of the shop, where it has several. */
  location: string | null
  by_hand: (typeof byHand)[number]
  restock_returns: boolean
  cancel_oversold: boolean
  joined_at: string
  updated_at: string
}

/**
 * What a shop is to show of an article of which so many pieces are available; null where it is told nothing. `pack` is how many
 * pieces one sold unit takes. Never more than there is, never less than none.
 */
export function quantityFor(available: number, rule: Rule, pack = 1): number | null {
  if (!rule.active) return null
  const free = Math.max(0, available - rule.margin)
  const shared = Number((BigInt(free) * BigInt(rule.share_percent)) / 100n)
  const units = Math.floor(shared / pack)
  const capped = rule.cap === null ? units : Math.min(units, rule.cap)
  return wholeIn(capped, rule)
}

/** In whole packs, and none where that is less than the least. */
export function wholeIn(units: number, { multiple, minimum }: Pick<Rule, 'multiple' | 'minimum'>): number {
  const whole = units - (units % multiple)
  return whole < minimum ? 0 : whole
}

/** The rule of a shop that may show all there is. */
export const everything: Rule = { active: true, share_percent: 100, margin: 0, cap: null, minimum: 0, multiple: 1 }

/** What an article consists of: itself, where it is no bundle. */
export interface Part {
  article_id: number
  quantity: number
}

/**
 * What a shop is to show of a bundle: as many as its scarcest part allows, each part by the same rule. The margin counts
 * pieces, the cap and the packs count bundles.
 */
export function quantityOf(parts: readonly Part[], availableOf: (articleId: number) => number, rule: Rule) {
  const each = parts.map((part) => quantityFor(availableOf(part.article_id), rule, part.quantity))
  return each.reduce<number | null>(
    (least, one) => (one === null ? null : least === null ? one : Math.min(least, one)),
    each[0] ?? null,
  )
}

export const movementKinds = [
  'count',
  'purchase',
  'sale',
  'return',
  'correction',
  'transfer',
  'reservation',
  'release',
] as const
export type MovementKind = (typeof movementKinds)[number]

/** What is to be booked. */
export interface Booking {
  article_id: number
  place_id: number
  kind: MovementKind
  /** A count says what is there, anything else by how much it changes. */
  counted?: number
  on_hand_by?: number
  reserved_by?: number
  /** Together the name of the movement: sent again, it is the same one. */
  source: string
  key: string
  integration_id?: number | null
  order_id?: number | null
  note?: string | null
}

export interface Movement {
  id: number
  pool_id: number
  article_id: number
  place_id: number
  kind: MovementKind
  on_hand_by: number
  reserved_by: number
  /** Afterwards, at its place. */
  on_hand: number
  reserved: number
  source: string
  key: string
  integration_id: number | null
  order_id: number | null
  note: string | null
  at: string
}

/** What is shown less of is about to run out: shops are told of it at once, and before anything else. */
export const scarce = 10

/** So soon a shop is looked at that may have been overwritten as it sold something. */
export const checkAfterSeconds = 2

/** So soon it is looked again at what a shop has accepted and nobody has seen it show. */
export const confirmAfterSeconds = 10

/** More pieces than one line of an order or one level of a shop has: what says more is taken for so many, or for a slip. */
export const mostPieces = 1_000_000_000

/** More than anybody stocks, and far from where numbers stop being exact. */
export const maxStock = 1_000_000_000_000
