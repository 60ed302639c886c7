/** How long an app keeps what its shops hold, in days; null where nothing is set. */
export interface Retention {
  /** After they were placed. */
  orders_days: number | null
  /** Who bought, after an order was delivered or left. */
  customers_days: number | null
  /** What messages of shops said, and what was sent to shops. */
  messages_days: number | null
}
