/** Somebody is to be forgotten in all shops of an account. What was said of them is not kept: only what it was. */
export interface Erasure {
  id: number
  app_id: number | null
  account_id: number | null
  requested_by: Requester
  named_by: NamedBy[]
  created_at: string
  completed_at: string | null
}

export type Requester = 'app' | 'account' | 'platform'

export const namedBy = ['email', 'phone', 'customer_id'] as const
export type NamedBy = (typeof namedBy)[number]

/** How far it is in one shop. */
export interface ErasureShop {
  erasure_id: number
  integration_id: number
  /** Keyed hashes, each of which names the person by itself. */
  words: number[]
  /** Of what else texts may name the person by. */
  phrases: number[]
  /** Where it is; null for the orders, which come first. */
  at_table: string | null
  after: string | null
  /** Rows in which something was forgotten, by table. */
  touched: Record<string, number>
  /** Rows that are still needed. */
  waiting: number
  completed_at: string | null
}
